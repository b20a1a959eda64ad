import assert from 'node:assert/strict';
import type { DuelineEngine, Secrets } from '../../../src/api';
import type { Day } from '../../../src/core/time/dates';
import { event } from '../../core/meetings/fixtures';
import { calendar } from '../../core/support/icalFile';
import { Devices } from '../support/devices';
import { type Answer, AServer } from '../support/server';
import { todoText } from '../support/texts';

/** Requests that change nothing, wherever they are sent. */
const reading = ['PROPFIND', 'REPORT', 'GET', 'OPTIONS'];

describe('calendars elsewhere', () => {
  const devices = new Devices();
  let server: AServer;
  let now: number;
  beforeEach(async () => {
    server = await AServer.start();
  });
  afterEach(async () => {
    await devices.close();
    // No scene sends anything that could change a calendar, a reply included.
    assert.deepEqual(
      server.requests.filter(({ method }) => !reading.includes(method)).map(({ method, path }) => `${method} ${path}`),
      [],
    );
    await server.stop();
  });

  /** Days from today, as iCalendar writes them. */
  const at = (day: number, time: string) =>
    `${new Date(now + day * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')}T${time}00Z`;
  const aMeeting = (uid: string, ...lines: string[]) => calendar(...event(uid, `SUMMARY:${uid}`, ...lines));
  const titles = ({ meetings }: DuelineEngine) => {
    const [from, to] = [-20, 70].map(days => new Date(now + days * 86_400_000).toISOString().slice(0, 10) as Day);
    return meetings
      .between(from!, to!)
      .map(({ title }) => title)
      .sort();
  };

  async function aDevice(secrets?: Secrets): Promise<DuelineEngine> {
    const engine = await devices.open(server, secrets ? { secrets } : {});
    now = engine.clock.now();
    return engine;
  }

  describe('of an account', () => {
    /** A calendar that has tasks too, and one of events alone. */
    function lists() {
      const mixed = server.addList('mixed', { components: ['VTODO', 'VEVENT'] });
      mixed.put('t.ics', todoText('task'));
      const work = server.addList('work', { components: ['VEVENT'], color: '#336699FF' });
      return { mixed, work };
    }

    async function chosen() {
      const { mixed, work } = lists();
      const engine = await aDevice();
      mixed.put('a.ics', aMeeting('a', `DTSTART:${at(0, '1000')}`));
      work.put('b.ics', aMeeting('b', `DTSTART:${at(1, '1000')}`));
      const [account] = engine.accounts();
      const offered = await engine.meetings.offered(account!.id);
      for (const one of offered) await engine.meetings.add({ kind: 'account', accountId: account!.id, ...one });
      return { mixed, work, engine, offered };
    }

    it('are those that may have events, with their names and colors', async () => {
      server.addList('tasks');
      const { offered } = await chosen();
      assert.deepEqual(
        offered.map(({ name, color }) => [name, color]),
        [
          ['mixed', '#2563eb'],
          ['work', '#336699'],
        ],
      );
    });

    it('are read, and their tasks stay tasks', async () => {
      const { engine } = await chosen();
      assert.deepEqual(titles(engine), ['a', 'b']);
      await engine.sync();
      assert.equal(engine.query('').length, 1);
    });

    it('are asked for the days around today, and for every series', async () => {
      await chosen();
      const [query = assert.fail(), series = assert.fail()] = server.sent('REPORT', 'VEVENT');
      assert.match(series.body, /prop-filter name="RRULE"/);
      assert.match(query.body, /time-range start="\d{8}T000000Z" end="\d{8}T000000Z"/);
    });

    it('are read again only if they have changed: one request each', async () => {
      const { engine, work } = await chosen();
      await engine.sync();
      server.forget();
      await engine.sync();
      assert.deepEqual(server.sent('REPORT', 'VEVENT'), []);
      work.put('c.ics', aMeeting('c', `DTSTART:${at(2, '1000')}`));
      await engine.sync();
      assert.equal(server.sent('REPORT', 'time-range').length, 1);
      assert.deepEqual(titles(engine), ['a', 'b', 'c']);
    });

    it('hide what one of the user’s addresses has declined', async () => {
      const { engine, work } = await chosen();
      work.put(
        'b.ics',
        aMeeting('b', `DTSTART:${at(1, '1000')}`, 'ATTENDEE;PARTSTAT=DECLINED:MAILTO:anna@example.org'),
      );
      await engine.sync();
      assert.deepEqual(titles(engine), ['a']);
    });

    it('keep what was read if the server fails, and a sync of tasks goes on', async () => {
      const { engine, work } = await chosen();
      server.hook = ({ path }, next): Answer => (path === work.path ? { status: 503 } : next());
      const { accounts } = await engine.sync();
      assert.equal(accounts.length, 1);
      assert.deepEqual(titles(engine), ['a', 'b']);
      assert.match(engine.meetings.calendars.find(({ name }) => name === 'work')!.problem!.text, /503/);
      server.hook = undefined;
      await engine.sync();
      assert.ok(engine.meetings.calendars.every(({ problem }) => !problem));
    });

    it('are there without any tasks', async () => {
      server.addList('work', { components: ['VEVENT'] });
      const engine = await aDevice();
      const offered = await engine.meetings.offered(engine.accounts()[0]!.id);
      assert.deepEqual(
        offered.map(({ name }) => name),
        ['work'],
      );
    });

    it('are gone with their account', async () => {
      const { engine } = await chosen();
      await engine.removeAccount(engine.accounts()[0]!.id);
      await engine.meetings.refresh();
      assert.deepEqual([titles(engine), engine.meetings.calendars], [[], []]);
    });
  });

  describe('of a feed', () => {
    const secret = '/calendar/private-s3cret/basic.ics';
    let text = '';
    beforeEach(() => {
      server.addList('tasks');
      server.hook = ({ path, headers }, next): Answer => {
        if (path !== secret) return next();
        const etag = `"${text.length}"`;
        if (headers['if-none-match'] === etag) return { status: 304 };
        return { status: 200, headers: { etag, 'content-type': 'text/calendar' }, body: text };
      };
    });
    const add = ({ meetings }: DuelineEngine, address = new URL(secret, server.url).href) =>
      meetings.add({ kind: 'feed', name: 'Work', color: null, address });

    it('are read without a login, and again only if they have changed', async () => {
      const engine = await aDevice();
      text = aMeeting('a', `DTSTART:${at(0, '1000')}`);
      await add(engine);
      server.forget();
      await engine.sync();
      const [request] = server.sent('GET');
      assert.deepEqual([request!.status, request!.headers.authorization], [304, undefined]);
      text = aMeeting('longer', `DTSTART:${at(0, '1000')}`);
      await engine.sync();
      assert.deepEqual(titles(engine), ['longer']);
    });

    it('keep their address where passwords are, and show its host alone', async () => {
      const values = new Map<string, string>();
      const secrets: Secrets = {
        get: async key => values.get(key),
        set: async (key, value) => void values.set(key, value),
        delete: async key => void values.delete(key),
      };
      const engine = await aDevice(secrets);
      text = aMeeting('a', `DTSTART:${at(0, '1000')}`);
      await add(engine);
      const [one] = engine.meetings.calendars;
      assert.equal(one!.address, new URL(server.url).host);
      const sidecar = await engine.sidecar();
      assert.doesNotMatch(JSON.stringify([sidecar.entries('calendars'), sidecar.entries('calendarStates')]), /s3cret/);
      assert.ok([...values.values()].some(value => value.includes('s3cret')));
      await engine.meetings.remove(one!.id);
      assert.ok(![...values.values()].some(value => value.includes('s3cret')));
    });

    it('are refused if they are no calendar, or their address is not safe; nothing is kept', async () => {
      const engine = await aDevice();
      text = '<html>';
      await assert.rejects(add(engine), /did not send a calendar/);
      for (const address of ['http://example.org/a.ics', 'file:///etc/passwd', 'nothing', 'javascript:1'])
        await assert.rejects(add(engine, address), /https:\/\/ or webcal:\/\//);
      assert.deepEqual(engine.meetings.calendars, []);
    });

    it('do not lead to this computer, nor with credentials to another origin', async () => {
      const engine = await aDevice();
      const other = await AServer.start();
      text = aMeeting('a', `DTSTART:${at(0, '1000')}`);
      other.hook = () => ({ status: 302, headers: { location: new URL(secret, server.url).href } });
      await assert.rejects(add(engine, `${other.url}feed.ics`), /redirects to/);
      await assert.rejects(add(engine, `${other.url.replace('//', '//anna:pw@')}feed.ics`), /redirects to/);
      assert.deepEqual(server.sent('GET'), []);
      await other.stop();
    });
  });
});
