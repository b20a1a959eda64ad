import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Server } from '../../test/interop/support/servers';

/** A task as a person's calendar has it, the words telling its versions apart. */
export const todo = (at: number, word: string) =>
  [
    'BEGIN:VTODO',
    `UID:bench-${at}`,
    'DTSTAMP:20261101T080000Z',
    'CREATED:20261101T080000Z',
    `SUMMARY:Task ${at} ${word}`,
    'DESCRIPTION:Something to do\\, in a few words\\nand a second line.',
    `DUE;VALUE=DATE:202612${String((at % 28) + 1).padStart(2, '0')}`,
    `PRIORITY:${at % 10}`,
    'CATEGORIES:home,errand',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    'DESCRIPTION:Reminder',
    'TRIGGER:-PT15M',
    'END:VALARM',
    'END:VTODO',
  ].join('\r\n');

const calendar = (...todos: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Peer//EN', ...todos, 'END:VCALENDAR', ''].join('\r\n');

/** The server's other client: puts lists and tasks there, and asks as curl does. */
export class Peer {
  constructor(
    private readonly server: Server,
    private readonly folder: string,
  ) {}

  /** Radicale takes a whole list as one file. */
  upload(list: string, todos: readonly string[]): Promise<void> {
    return this.#send('PUT', `${list}/`, calendar(`X-WR-CALNAME:${list}`, ...todos), 'text/calendar');
  }

  async change(list: string, count: number): Promise<void> {
    let at = 100;
    const worker = async () => {
      while (at < 100 + count) await this.#put(list, todo(at++, 'second'));
    };
    await Promise.all(Array.from({ length: 8 }, worker));
  }

  /** Milliseconds of one calendar-query of every task with its text. */
  query(list: string): number {
    const body = join(this.folder, 'query.xml');
    writeFileSync(
      body,
      `<?xml version="1.0"?><C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><D:getetag/><C:calendar-data/></D:prop><C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VTODO"/></C:comp-filter></C:filter></C:calendar-query>`,
    );
    const { username, password, url } = this.server;
    const start = performance.now();
    const { status } = spawnSync('curl', [
      ...[
        '-sf',
        '-X',
        'REPORT',
        '-u',
        `${username}:${password}`,
        '-H',
        'Depth: 1',
        '-H',
        'Content-Type: application/xml',
      ],
      ...['--data-binary', `@${body}`, '-o', join(this.folder, 'answer.xml'), `${url}${username}/${list}/`],
    ]);
    if (status !== 0) throw new Error(`curl ended with ${status}.`);
    return performance.now() - start;
  }

  #put(list: string, text: string): Promise<void> {
    const uid = /^UID:(.*)\r$/m.exec(text)![1]!;
    return this.#send('PUT', `${list}/${uid}.ics`, calendar(text), 'text/calendar');
  }

  async #send(method: string, path: string, body: string, type: string): Promise<void> {
    const { username, password, url } = this.server;
    const answer = await fetch(`${url}${username}/${path}`, {
      method,
      body,
      headers: {
        authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
        'content-type': `${type}; charset=utf-8`,
      },
    });
    await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
  }
}
