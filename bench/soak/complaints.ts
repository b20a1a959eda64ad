import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Window } from '../../test/ui/window';

/** What the editor says of itself in a browser without a network, and what Dueline has no part in. */
const foreign = [
  /open-vsx|ENOTFOUND|ERR_INTERNET|ERR_NAME_NOT|ERR_CONNECTION|Failed to load resource/i,
  /service ?worker|\(404\)/i,
  /\[lifecycle\]|IndexedDB|authentication provider|github-authentication|DefaultAccount/,
];

/** Errors that a page reports while it is open. */
export function listenTo(window: Window, name: string, found: string[]): void {
  const hear = (text: string) => {
    if (!foreign.some(pattern => pattern.test(text))) found.push(`${name}: ${text.split('\n')[0]}`);
  };
  window.page.on('pageerror', error => hear(`uncaught ${error.stack ?? error.message}`));
  window.page.on('console', message => {
    if (message.type() === 'error') hear(message.text());
  });
}

/** Lines of error in the logs of the extension hosts, Dueline's own log among them. */
export function errorsInLogs(userFolder: string): string[] {
  const logs = join(userFolder, '..');
  return readdirSync(logs, { recursive: true, encoding: 'utf8' })
    .filter(name => /exthost\d*\/.*\.log$/.test(name))
    .flatMap(name =>
      readFileSync(join(logs, name), 'utf8')
        .split('\n')
        .filter(line => /\[error\]|rejected promise not handled|unhandled/i.test(line))
        .filter(line => !foreign.some(pattern => pattern.test(line)))
        .map(line => `${name.split('/').at(-1)}: ${line.slice(0, 600)}`),
    );
}
