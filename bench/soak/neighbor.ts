import type { Task } from '../../src/api';
import { withLine } from '../../test/interop/support/neighbor';
import type { Server } from '../../test/interop/support/servers';
import { linesOf, todoText } from '../../test/sync/support/texts';
import type { Ledger } from './ledger';

let count = 0;

/** Another program on the same server edits one of the tasks that Dueline has sent, or brings one of its own beside it. */
export async function actThere(
  server: Server,
  tasks: readonly Task[],
  ledger: Ledger,
  random: () => number,
): Promise<string> {
  const sent = tasks.flatMap(({ uid, href }) => (href !== null && ledger.knows(uid) ? [{ uid, href }] : []));
  const task = sent[Math.floor(random() * sent.length)];
  if (!task) return 'nothing there';
  const { href } = task;
  /** A lost race (409, 412, 404) is not tried again. */
  const send = async (method: string, path: string, more: Record<string, string> = {}, body?: string) => {
    const authorization = `Basic ${Buffer.from(`${server.username}:${server.password}`).toString('base64')}`;
    const headers = { authorization, 'content-type': 'text/calendar; charset=utf-8', ...more };
    const answer = await fetch(new URL(path, server.url), { method, headers, body });
    if (answer.status >= 500 || answer.status === 401) throw new Error(`${method} ${path}: ${answer.status}`);
    return answer;
  };
  const kind = random();
  const found = await send('GET', href);
  if (kind < 0.3 || !found.ok) {
    const [uid, title] = [`neighbor-${++count}`, `Brought ${count}`];
    const repeat = count % 5 === 0 ? ['DUE;VALUE=DATE:20261201', 'RRULE:FREQ=WEEKLY'] : [];
    ledger.made(uid, title, null, 'the server’s user');
    const text = todoText(uid, `SUMMARY:${title}`, ...repeat);
    await send('PUT', href.replace(/[^/]*$/, `${uid}.ics`), { 'if-none-match': '*' }, text);
    return 'create there';
  }
  const [text, etag] = [await found.text(), { 'if-match': found.headers.get('etag')! }];
  const action = kind < 0.4 ? 'delete' : kind < 0.6 ? 'title' : 'notes';
  // Written down first, so that anyone who acts meanwhile finds it.
  ledger.noteUserEdit(action, task.uid);
  const edited = withLine(linesOf(text), action === 'title' ? 'SUMMARY' : 'DESCRIPTION', `${++count} from elsewhere`);
  await (action === 'delete' ? send('DELETE', href, etag) : send('PUT', href, etag, edited));
  return `${action} there`;
}
