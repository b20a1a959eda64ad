import type { Server } from '../../test/interop/support/servers';
import type { Ledger } from './ledger';

interface Resource {
  readonly href: string;
  readonly etag: string;
  readonly text: string;
}

/** Another program on the same server, which edits what Dueline made and brings tasks of its own. */
export class Neighbour {
  #count = 0;

  constructor(
    private readonly server: Server,
    /** Paths of the lists. */
    private readonly lists: readonly string[],
    private readonly ledger: Ledger,
    private readonly random: () => number,
  ) {}

  async act(): Promise<string> {
    const list = this.#one(this.lists);
    const resources = await this.#resources(list);
    const kind = this.random();
    if (kind < 0.3 || resources.length === 0) return this.#create(list);
    const resource = this.#one(resources);
    const uid = /^UID:(.*)$/m.exec(resource.text)![1]!.trim();
    if (kind < 0.4) {
      // Written down first, so that anyone who acts meanwhile finds it.
      this.ledger.deletedThere(uid);
      await this.#send('DELETE', resource.href, { 'if-match': resource.etag });
      return 'delete there';
    }
    const isTitle = kind < 0.55;
    this.ledger.touchedThere(uid, isTitle);
    const words = `${++this.#count} from elsewhere`;
    const text = isTitle
      ? withLine(resource.text, 'SUMMARY', `Title ${words}`)
      : kind < 0.8
        ? withLine(resource.text, 'DESCRIPTION', `Notes ${words}`)
        : withLine(resource.text, 'PRIORITY', String(Math.floor(this.random() * 10)));
    await this.#send('PUT', resource.href, { 'if-match': resource.etag, 'content-type': 'text/calendar' }, text);
    return isTitle ? 'title there' : 'edit there';
  }

  async #create(list: string): Promise<string> {
    const count = ++this.#count;
    const [uid, title] = [`neighbour-${count}`, `Brought ${count}`];
    const repeat = this.random() < 0.2 ? ['DUE;VALUE=DATE:20261201', 'RRULE:FREQ=WEEKLY'] : [];
    const todo = ['BEGIN:VTODO', `UID:${uid}`, 'DTSTAMP:20261120T080000Z', `SUMMARY:${title}`, ...repeat, 'END:VTODO'];
    const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Neighbour//EN', ...todo, 'END:VCALENDAR', ''];
    this.ledger.add({ uid, title }, 'the server’s user');
    const headers = { 'if-none-match': '*', 'content-type': 'text/calendar' };
    await this.#send('PUT', `${list}${uid}.ics`, headers, text.join('\r\n'));
    return 'create there';
  }

  async #resources(list: string): Promise<Resource[]> {
    const answer = await this.#send(
      'REPORT',
      list,
      { depth: '1', 'content-type': 'application/xml' },
      `<?xml version="1.0"?><C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><D:getetag/>
        <C:calendar-data/></D:prop><C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VTODO"/></C:comp-filter>
        </C:filter></C:calendar-query>`,
    );
    return answer.split(/<(?:\w+:)?response>/).flatMap(part => {
      const [href, etag] = [/href>([^<]*)</.exec(part)?.[1], /getetag>([^<]*)</.exec(part)?.[1]];
      const text = /BEGIN:VCALENDAR[\s\S]*END:VCALENDAR/.exec(part)?.[0];
      return href && etag && text ? [{ href, etag: plain(etag), text: plain(text) }] : [];
    });
  }

  /** A lost race (409, 412, 404) is not tried again. */
  async #send(method: string, path: string, headers: Record<string, string>, body?: string): Promise<string> {
    const { url, username, password } = this.server;
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    const answer = await fetch(new URL(path, url), { method, headers: { authorization, ...headers }, body });
    if (answer.status >= 500 || answer.status === 401) throw new Error(`${method} ${path}: ${answer.status}`);
    return answer.text();
  }

  #one<T>(items: readonly T[]): T {
    return items[Math.floor(this.random() * items.length)]!;
  }
}

const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", '#13': '\r' };
const plain = (text: string) => text.replace(/&([^;]+);/g, (all, name) => entities[name] ?? all);

/** Puts a property into the first VTODO, in the place of one that is there. */
function withLine(text: string, name: string, value: string): string {
  const [before, todo] = [text.slice(0, text.indexOf('BEGIN:VTODO')), text.slice(text.indexOf('BEGIN:VTODO'))];
  const without = todo.replace(new RegExp(`^${name}[;:].*\\r?\\n(?:[ \\t].*\\r?\\n)*`, 'm'), '');
  return `${before}${without.replace(/^BEGIN:VTODO\r?\n/, `BEGIN:VTODO\r\n${name}:${value}\r\n`)}`;
}
