import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Window } from '../../test/ui/support/window';

/** What the editor says of itself in a browser without a network, and what Dueline has no part in. */
const foreign = [
  /open-vsx|ENOTFOUND|ERR_INTERNET|ERR_NAME_NOT|ERR_CONNECTION|Failed to load resource/i,
  /service ?worker|\(404\)/i,
  // A click on a row of a tree that the extension host has just redrawn: the editor has let go of its old arguments.
  /Actual command not found, wanted to execute dueline\./,
  // The editor draws the menus of all rows again that it believes to be there, one of which has just gone.
  /TreeError \[dueline\.\w+\] (Data tree node|Tree element) not found.*onDidChangeContext/s,
  // The editor draws several branches at once, and asks what can be done to the row with the focus, which one of them has
  // let go of. Rows that Dueline told it of wrongly it would look for without `getNode`.
  /TreeError \[dueline\.\w+\] Data tree node not found.*getDataNode[^\n]*\n[^\n]*\.getNode /s,
  /\[TreeView\] Failed to resolve parent/,
  // Dueline pointed the editor at a row that went meanwhile; it is told so, and points at nothing then.
  /TreeError \[dueline\.\w+\] Data tree node not found.*getDataNode[^\n]*\n[^\n]*\.reveal /s,
  // A key or a drop for which the row has no use says so.
  /There is no task above to make this|cannot be a subtask of itself/,
  /\[lifecycle\]|IndexedDB|authentication provider|github-authentication|DefaultAccount/,
];

/** Errors that a page reports while it is open. */
export function listenTo(window: Window, name: string, found: string[]): void {
  const hear = (text: string) => {
    if (!foreign.some(pattern => pattern.test(text))) found.push(`${name}: ${text.slice(0, 2_000)}`);
  };
  window.page.on('pageerror', error => hear(`uncaught ${error.stack ?? error.message}`));
  window.page.on('console', message => {
    if (message.type() === 'error') hear(message.text());
  });
}

/** Lines of error in the logs of the extension hosts, Dueline's own log among them. */
export const errorsInLogs = (userFolder: string): string[] =>
  linesInLogs(userFolder, /\[error\]|rejected promise not handled|unhandled/i);

/** Warnings there, each once with how often it came, whatever time and numbers are in it. */
export function warningsInLogs(userFolder: string): string[] {
  const counts = new Map<string, number>();
  for (const line of linesInLogs(userFolder, /\[warn(ing)?\]/i)) {
    const text = line.replace(/\d+/g, '#');
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].map(([text, count]) => `${count} × ${text}`);
}

function linesInLogs(userFolder: string, wanted: RegExp): string[] {
  const logs = join(userFolder, '..');
  return readdirSync(logs, { recursive: true, encoding: 'utf8' })
    .filter(name => /exthost\d*\/.*\.log$/.test(name))
    .flatMap(name =>
      readFileSync(join(logs, name), 'utf8')
        .split('\n')
        .filter(line => wanted.test(line) && !foreign.some(pattern => pattern.test(line)))
        .map(line => `${name.split('/').at(-1)}: ${line.slice(0, 600)}`),
    );
}
