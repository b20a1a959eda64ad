import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './wait';
import type { Window } from './window';

const timeoutMs = 60_000;

/**
 * Resolves once the editor watches a folder. It begins to do so some time after it has opened the folder, without an
 * event, and does not notice what other programs wrote before.
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
