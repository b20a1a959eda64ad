import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './wait';
import type { Window } from './window';

const timeoutMs = 60_000;

/**
 * The editor watches its folders some time after it has opened them, and does not report from when on: another
 * program's earlier writes are not seen.
 */
export async function isWatched(window: Window, folder: string): Promise<void> {
  const seen = 'test.isWatched';
  await window.run(
    ({ commands, workspace, RelativePattern }, folder, seen) => {
      let isSeen = false;
      const see = () => {
        isSeen = true;
      };
      const watcher = workspace.createFileSystemWatcher(new RelativePattern(folder, 'watched'));
      watcher.onDidCreate(see);
      watcher.onDidChange(see);
      const command = commands.registerCommand(seen, () => {
        if (!isSeen) return false;
        watcher.dispose();
        command.dispose();
        return true;
      });
    },
    folder,
    seen,
  );
  let times = 0;
  await until('the folder to be watched', timeoutMs, async () => {
    writeFileSync(join(folder, 'watched'), `${times++}`);
    return (await window.command(seen)) === true;
  });
  rmSync(join(folder, 'watched'));
}
