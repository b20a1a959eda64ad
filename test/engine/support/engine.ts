import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuelineEngine, EngineOptions } from '../../../src/api';
import { openEngine } from '../../../src/engine';

/** Engines on temporary folders, closed and removed after the suite's every test. */
export function engines() {
  const open: DuelineEngine[] = [];
  const folders: string[] = [];
  const clock = { time: Date.UTC(2026, 10, 21, 9, 30), timeZone: 'Europe/Berlin', now: () => clock.time };

  afterEach(async () => {
    for (const engine of open.splice(0)) await engine.close();
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });

  return {
    clock,
    folder() {
      const folder = mkdtempSync(join(tmpdir(), 'dueline-'));
      folders.push(folder);
      return folder;
    },
    async open(options: Partial<EngineOptions> = {}): Promise<DuelineEngine> {
      const engine = await openEngine({ folder: options.folder ?? this.folder(), clock, locale: 'en-US', ...options });
      open.push(engine);
      return engine;
    },
  };
}
