import type { ExtensionContext } from 'vscode';
import type { DuelineApi, DuelineEngine } from './api';

/**
 * What the editor loads: next to nothing, so that its own start and other extensions' go on. All the rest is in one
 * bundle beside this one and is read a moment later. Both flavors have this same file.
 */

let starting: Promise<DuelineEngine | undefined> | undefined;

/** Resolves once the store is open and every view and command works; with `undefined` where the store cannot be opened. */
export function activate(context: ExtensionContext): Promise<DuelineApi | undefined> {
  starting = turnOfOthers().then(() => {
    const { start } = require('./main.cjs') as typeof import('./app/main');
    return start(context);
  });
  return starting;
}

/** Disposers cannot be awaited; this can, and lets the last write reach the disk, also that of a start under way. */
export async function deactivate(): Promise<void> {
  const engine = await starting?.catch(() => undefined);
  starting = undefined;
  await engine?.close();
}

/** Lets whatever else waits in this process go first: other extensions that start with the editor. */
const turnOfOthers = () => new Promise<void>(resolve => setImmediate(resolve));
