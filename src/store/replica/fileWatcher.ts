import type { Disposable } from '../../core/kernel/events';
import type { Log } from '../../core/kernel/log';
import type { Files } from '../journal/files';

const pollMs = 2_000;
const watchDelayMs = 5;

interface Watcher {
  /** True while the caller writes itself, after which it reads anyway. */
  isBusy(): boolean;
  check(): void;
}

/** Calls `check` when a folder may have changed: at once if the system reports it, and every two seconds everywhere. */
export function watchFiles(files: Files, folder: string, log: Log, { isBusy, check }: Watcher): Disposable {
  let soon: NodeJS.Timeout | undefined;
  const hint = () => {
    if (isBusy()) return;
    soon ??= setTimeout(() => {
      soon = undefined;
      check();
    }, watchDelayMs);
  };
  const poll = setInterval(check, pollMs);
  poll.unref();
  let watcher: Disposable | undefined;
  try {
    watcher = files.watch(folder, hint);
  } catch (error) {
    log('info', `The storage folder cannot be watched; it is polled instead. ${error}`);
  }
  return {
    dispose() {
      clearInterval(poll);
      clearTimeout(soon);
      watcher?.dispose();
    },
  };
}
