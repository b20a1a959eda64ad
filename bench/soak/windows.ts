import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DuelineEngine, Task, TaskList } from '../../src/api';
import type { Window } from '../../test/ui/support/window';

/** Words of the editor about itself in a browser without a network, and those that Dueline has no part in. */
const foreign = [
  /open-vsx|ENOTFOUND|ERR_INTERNET|ERR_NAME_NOT|ERR_CONNECTION|Failed to load resource|service ?worker|\(404\)/i,
  /\[lifecycle\]|IndexedDB|IDBTransaction|authentication provider|github-authentication|DefaultAccount/,
];
const isOwn = (text: string) => !foreign.some(pattern => pattern.test(text));

/** Errors that a page reports while it is open. */
export function listenTo(window: Window, report: (problem: string) => void): void {
  const hear = (text: string) => isOwn(text) && report(text.slice(0, 2_000));
  window.page.on('pageerror', error => hear(`uncaught ${error.stack ?? error.message}`));
  window.page.on('console', message => message.type() === 'error' && hear(message.text()));
}

/** Lines of error in the logs of the extension hosts, Dueline's own log among them. */
export const errorsInLogs = (logs: string): string[] =>
  readdirSync(logs, { recursive: true, encoding: 'utf8' })
    .filter(name => /exthost\d*\/.*\.log$/.test(name))
    .flatMap(name => readFileSync(join(logs, name), 'utf8').split('\n'))
    .filter(line => /\[error\]|rejected promise not handled|unhandled/i.test(line) && isOwn(line))
    .map(line => line.slice(0, 600));

/** The content of a window, as an engine answers. */
export async function engineIn(window: Window): Promise<Pick<DuelineEngine, 'lists' | 'rows' | 'task'>> {
  // All at one moment: others may be at work.
  const { lists, tasks } = await window.run(async vscode => {
    const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
    await api.refresh();
    const lists: TaskList[] = api.lists();
    return { lists, tasks: lists.flatMap(({ id }) => api.rows(id) as Task[]) };
  });
  const rows = (listId: number) => tasks.filter(task => task.listId === listId);
  return { lists: () => lists, rows, task: id => tasks.find(task => task.id === id) };
}
