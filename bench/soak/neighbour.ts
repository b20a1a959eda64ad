import type { Task } from '../../src/api';
import { withLine } from '../../test/interop/support/neighbour';
import type { Server } from '../../test/interop/support/servers';
import { linesOf } from '../../test/sync/support/texts';
import { calendarOf } from '../reference/ics';
import type { Ledger } from './ledger';

/** Another program on the same server, which edits what Dueline has sent and brings tasks of its own. */
export class Neighbour {
  #count = 0;

  constructor(
    private readonly server: Server,
    /** By the ends of their addresses. */
    private readonly lists: readonly string[],
    private readonly ledger: Ledger,
    private readonly random: () => number,
  ) {}

  async act(tasks: readonly Task[]): Promise<string> {
    const one = <T>(items: readonly T[]) => items[Math.floor(this.random() * items.length)];
    const count = this.#count++;
    const task = one(tasks.filter(({ uid, href }) => href !== null && this.ledger.knows(uid)));
    const kind = this.random();
    const found = task && kind > 0.3 ? await this.#send('GET', task.href!) : undefined;
    if (!found?.ok) {
      const [uid, title] = [`neighbour-${count}`, `Brought ${count}`];
      const repeat = count % 5 === 0 ? ['DUE;VALUE=DATE:20261201', 'RRULE:FREQ=WEEKLY'] : [];
      this.ledger.made(uid, title, null, 'the server’s user');
      const text = calendarOf([`UID:${uid}`, `SUMMARY:${title}`, ...repeat]);
      await this.#send('PUT', `/${this.server.username}/${one(this.lists)}/${uid}.ics`, { 'if-none-match': '*' }, text);
      return 'create there';
    }
    const [text, etag] = [await found.text(), { 'if-match': found.headers.get('etag')! }];
    const what = kind < 0.4 ? 'delete' : kind < 0.6 ? 'title' : 'notes';
    // Written down first, so that anyone who acts meanwhile finds it.
    this.ledger.does(what, task!.uid);
    const name = what === 'title' ? 'SUMMARY' : 'DESCRIPTION';
    if (what === 'delete') await this.#send('DELETE', task!.href!, etag);
    else await this.#send('PUT', task!.href!, etag, withLine(linesOf(text), name, `${count} from elsewhere`));
    return `${what} there`;
  }

  /** A lost race (409, 412, 404) is not tried again. */
  async #send(method: string, path: string, more: Record<string, string> = {}, body?: string): Promise<Response> {
    const { url, username, password } = this.server;
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    const headers = { authorization, 'content-type': 'text/calendar; charset=utf-8', ...more };
    const answer = await fetch(new URL(path, url), { method, headers, body });
    if (answer.status >= 500 || answer.status === 401) throw new Error(`${method} ${path}: ${answer.status}`);
    return answer;
  }
}
