import assert from 'node:assert/strict';
import type { Server } from './servers';

/** The server as another program sees it, with one task list of it in view. */
export class Peer {
  constructor(
    readonly server: Server,
    /** Path of the list, with a slash at its end. */
    readonly list: string,
  ) {}

  async makeList(name: string): Promise<void> {
    await this.send(
      'MKCALENDAR',
      '',
      `<?xml version="1.0"?><C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:set><D:prop>
        <D:displayname>${name}</D:displayname><C:supported-calendar-component-set><C:comp name="VTODO"/>
        </C:supported-calendar-component-set></D:prop></D:set></C:mkcalendar>`,
    );
  }

  /** Takes every list of the user away. */
  async clear(): Promise<void> {
    const own = new URL('../', new URL(this.list, this.server.url)).pathname;
    const paths = (await this.home()).match(/(?<=href>)[^<]+(?=<)/g) ?? [];
    for (const path of new Set(paths))
      if (path.startsWith(own) && path !== own) await new Peer(this.server, path).send('DELETE', '');
  }

  put(uid: string, ...lines: string[]): Promise<string> {
    const todo = ['BEGIN:VTODO', `UID:${uid}`, 'DTSTAMP:20261120T080000Z', ...lines, 'END:VTODO'];
    const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Peer//EN', ...todo, 'END:VCALENDAR', ''].join('\r\n');
    return this.send('PUT', `${uid}.ics`, text, 'text/calendar');
  }

  /** Makes the list with all these tasks in one request, which is Radicale's own way to import. */
  async putAll(name: string, tasks: readonly (readonly string[])[]): Promise<void> {
    const todos = tasks.flatMap(lines => ['BEGIN:VTODO', 'DTSTAMP:20261120T080000Z', ...lines, 'END:VTODO']);
    const frame = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Peer//EN', `X-WR-CALNAME:${name}`];
    await this.send('PUT', '', [...frame, ...todos, 'END:VCALENDAR', ''].join('\r\n'), 'text/calendar');
  }

  get(uid: string): Promise<string> {
    return this.send('GET', `${uid}.ics`);
  }

  delete(uid: string): Promise<string> {
    return this.send('DELETE', `${uid}.ics`);
  }

  /** Puts another text in the place of one that is there. */
  async edit(uid: string, from: string, to: string): Promise<void> {
    const text = await this.get(uid);
    assert.ok(text.includes(from), text);
    await this.send('PUT', `${uid}.ics`, text.replace(from, to), 'text/calendar');
  }

  /** The text of a task whose lines hold `words`. */
  async find(words: string): Promise<string | undefined> {
    const listing = await this.send(
      'REPORT',
      '',
      `<?xml version="1.0"?><C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><C:calendar-data/>
        </D:prop><C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VTODO"/></C:comp-filter></C:filter></C:calendar-query>`,
    );
    return listing.split('BEGIN:VCALENDAR').find(text => text.includes(words));
  }

  /** The server's answer about the lists in the folder above: names, colors, addresses. */
  home(): Promise<string> {
    return this.send('PROPFIND', '../');
  }

  async send(method: string, path: string, body?: string, type = 'application/xml'): Promise<string> {
    const login = Buffer.from(`${this.server.username}:${this.server.password}`).toString('base64');
    const response = await fetch(new URL(this.list + path, this.server.url), {
      method,
      headers: { authorization: `Basic ${login}`, 'content-type': `${type}; charset=utf-8`, depth: '1' },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
    return text;
  }
}
