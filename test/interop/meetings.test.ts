import assert from 'node:assert/strict';
import type { Day } from '../../src/core/time/dates';
import { eventFixtures, expandedByIcalJs } from '../core/meetings/fixtures';
import { calendar } from '../core/support/icalFile';
import { Devices } from '../sync/support/devices';
import { todoText } from '../sync/support/texts';
import { choices } from './support/chosen';
import type { Server } from './support/servers';

const [from, to] = [Date.UTC(2026, 2, 20), Date.UTC(2026, 4, 10)];

/** Each fixture with a UID of its own, as one resource for each UID, with the zones that the fixture describes. */
const texts = eventFixtures.flatMap(([, ...lines], at) => {
  const named = lines.map(line => line.replace(/^UID:(.*)/, `UID:$1-${at}@example.org`));
  const uids = [...new Set(named.filter(line => line.startsWith('UID:')))];
  const text = named.join('\r\n');
  const zones = text.match(/BEGIN:VTIMEZONE.*?END:VTIMEZONE/gs) ?? [];
  const events = text.match(/BEGIN:VEVENT.*?END:VEVENT/gs)!;
  return uids.map(uid => calendar(...zones, ...events.filter(one => one.includes(`${uid}\r\n`))));
});

/** The texts of a list that are not in another one, each as often as it is there. */
function without(texts: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return texts.filter(text => {
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

for (const choice of choices) {
  describe(`meetings of ${choice.name}`, () => {
    const devices = new Devices();
    let server: Server;
    before(async () => {
      server = await choice.start();
    });
    after(async () => {
      await devices.close();
      await server?.stop();
    });

    /** Another program's request. */
    async function send(method: string, url: string, body: string, type = 'text/calendar; charset=utf-8') {
      const login = Buffer.from(`${server.username}:${server.password}`).toString('base64');
      const headers = { authorization: `Basic ${login}`, 'content-type': type };
      const { status } = await fetch(url, { method, headers, body });
      assert.ok(status < 300, `${method} ${url}: ${status}`);
    }

    it('equal those of ical.js, next to the tasks of the same calendar, without writing anything', async () => {
      const methods: string[] = [];
      const listening: typeof fetch = (input, init) => {
        methods.push(init?.method ?? 'GET');
        return fetch(input, init);
      };
      devices.clock.time = Date.UTC(2026, 2, 29, 12);
      const engine = await devices.open(server, { fetch: listening });
      const [account] = engine.accounts();
      const home = account!.homeSetUrl!;
      const mixed = new URL(`mixed-${process.pid}/`, home.endsWith('/') ? home : `${home}/`).href;
      const components = ['VEVENT', 'VTODO'].map(name => `<c:comp name="${name}"/>`).join('');
      const set = `<c:supported-calendar-component-set>${components}</c:supported-calendar-component-set>`;
      const make = `<c:mkcalendar xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:set><d:prop>
        <d:displayname>Mixed</d:displayname>${set}</d:prop></d:set></c:mkcalendar>`;
      await send('MKCALENDAR', mixed, `<?xml version="1.0"?>${make}`, 'application/xml');
      await send('PUT', `${mixed}task.ics`, todoText('task-mixed', 'SUMMARY:A task'));
      for (const [at, text] of texts.entries()) await send('PUT', `${mixed}${at}.ics`, text);

      const offered = await engine.meetings.offered(account!.id);
      const one = offered.find(({ name }) => name === 'Mixed') ?? assert.fail(JSON.stringify(offered));
      await engine.meetings.add({ kind: 'account', accountId: account!.id, ...one });
      const shown = engine.meetings
        .between('2026-03-01' as Day, '2026-06-01' as Day)
        .filter(({ start, end }) => start < to && Math.max(end, start + 1) > from)
        .map(({ title, start, end }) => `${title} ${new Date(start).toISOString()} ${(end - start) / 60_000}`);
      const expected = texts.flatMap(text => expandedByIcalJs(text, { from, to }));
      assert.deepEqual(
        { missing: without(expected, shown), more: without(shown, expected) },
        { missing: [], more: [] },
      );
      await engine.sync();
      await engine.sync();
      assert.ok(engine.query('').some(({ task }) => task.title === 'A task'));
      assert.deepEqual(
        [...new Set(methods)].filter(method => !['PROPFIND', 'REPORT', 'GET', 'OPTIONS'].includes(method)),
        [],
      );
      assert.ok(methods.includes('REPORT'));
    });
  });
}
