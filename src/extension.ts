import type { ExtensionContext } from 'vscode';
import type { DuelineApi, DuelineEngine } from './api';

/**
 * The file that the editor loads: next to nothing, so that the start of the editor and of other extensions continues.
 * The rest is in one bundle next to this one and is read a moment later. Both flavors have this same file.
 */

let starting: Promise<DuelineEngine | undefined> | undefined;

/** Resolves once the store is open and every view and command works; with `undefined` if the store cannot be opened. */
export function activate(context: ExtensionContext): Promise<DuelineApi | undefined> {
  starting = yieldToOtherExtensions().then(() => {
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

/** Lets other extensions that start with the editor go first: they wait in this process. */
const yieldToOtherExtensions = () => new Promise<void>(resolve => setImmediate(resolve));
