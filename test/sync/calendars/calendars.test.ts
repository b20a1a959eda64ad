import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DuelineEngine, EngineOptions, Secrets } from '../../../src/api';
import type { Day } from '../../../src/core/time/dates';
import { Connections } from '../../../src/sync/accounts/connections';
import { calendarsElsewhere } from '../../../src/sync/calendars/remoteCalendars';
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

  async function aDevice(options?: Partial<EngineOptions>): Promise<DuelineEngine> {
    const engine = await devices.open(server, options);
    now = engine.clock.now();
    return engine;
  }

  /** A sync, and the meetings that are read beside it. */
  async function synced(engine: DuelineEngine) {
    await engine.sync();
    await engine.meetings.refresh();
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

    it('are those that may contain events, with their names and colors', async () => {
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
      await synced(engine);
      assert.equal(engine.query('').length, 1);
    });

    it('are queried for the days around today, and for all series', async () => {
      await chosen();
      const [query = assert.fail(), series = assert.fail()] = server.sent('REPORT', 'VEVENT');
      assert.match(series.body, /prop-filter name="RRULE"/);
      assert.match(query.body, /time-range start="\d{8}T000000Z" end="\d{8}T000000Z"/);
    });

    it('are not queried for all series if the server returns one that began long before these days', async () => {
      const { engine, work } = await chosen();
      const queriesAfter = async (name: string, text: string) => {
        work.put(name, text);
        server.forget();
        await synced(engine);
        return server.sent('REPORT', 'VEVENT').map(({ body }) => (body.includes('prop-filter') ? 'series' : 'days'));
      };
      const since = `DTSTART:${at(-400, '1000')}`;
      // The server may have found these by a date that is not the series' own, or that is in these days.
      const changed = [
        ...event('o', since, 'RRULE:FREQ=YEARLY'),
        ...event('o', `RECURRENCE-ID:${at(-35, '1000')}`, `DTSTART:${at(1, '1000')}`),
      ];
      assert.deepEqual(await queriesAfter('o.ics', calendar(...changed)), ['days', 'series']);
      const recent = aMeeting('r', `DTSTART:${at(-10, '1000')}`, 'RRULE:FREQ=WEEKLY');
      assert.deepEqual(await queriesAfter('r.ics', recent), ['days', 'series']);
      assert.deepEqual(await queriesAfter('s.ics', aMeeting('s', since, 'RRULE:FREQ=WEEKLY')), ['days']);
      assert.ok(titles(engine).includes('s'));
    });

    it('are read again only if they have changed, with one request each', async () => {
      const { engine, work } = await chosen();
      await synced(engine);
      server.forget();
      await synced(engine);
      assert.deepEqual(server.sent('REPORT', 'VEVENT'), []);
      work.put('c.ics', aMeeting('c', `DTSTART:${at(2, '1000')}`));
      await synced(engine);
      assert.equal(server.sent('REPORT', 'time-range').length, 1);
      assert.deepEqual(titles(engine), ['a', 'b', 'c']);
    });

    it('hide what one of the user’s addresses has declined', async () => {
      const { engine, work } = await chosen();
      work.put(
        'b.ics',
        aMeeting('b', `DTSTART:${at(1, '1000')}`, 'ATTENDEE;PARTSTAT=DECLINED:MAILTO:anna@example.org'),
      );
      await synced(engine);
      assert.deepEqual(titles(engine), ['a']);
    });

    it('stay as they were if the server fails, and tasks are still synced', async () => {
      const { engine, work } = await chosen();
      server.hook = ({ path }, next): Answer => (path === work.path ? { status: 503 } : next());
      const { accounts } = await engine.sync();
      await engine.meetings.refresh();
      assert.equal(accounts.length, 1);
      assert.deepEqual(titles(engine), ['a', 'b']);
      assert.match(engine.meetings.calendars.find(({ name }) => name === 'work')!.problem!.text, /503/);
      server.hook = undefined;
      await synced(engine);
      assert.ok(engine.meetings.calendars.every(({ problem }) => !problem));
    });

    it('are read from a server that refuses the query for all series, but not from one that fails temporarily', async () => {
      const { engine, work } = await chosen();
      const problemOf = () => engine.meetings.calendars.find(({ name }) => name === 'work')!.problem?.text;
      const answering = (status: number) => {
        server.hook = ({ path, body }, next): Answer =>
          path === work.path && body.includes('prop-filter name="RRULE"') ? { status } : next();
      };
      answering(403);
      work.put('c.ics', aMeeting('c', `DTSTART:${at(2, '1000')}`));
      await synced(engine);
      assert.deepEqual([titles(engine), problemOf()], [['a', 'b', 'c'], undefined]);
      answering(500);
      work.put('d.ics', aMeeting('d', `DTSTART:${at(2, '1000')}`));
      await synced(engine);
      assert.deepEqual(titles(engine), ['a', 'b', 'c']);
      assert.match(problemOf()!, /500/);
    });

    it('do not show declined meetings again if the server does not return the user’s addresses once', async () => {
      const { engine, work } = await chosen();
      const declined = 'ATTENDEE;PARTSTAT=DECLINED:MAILTO:anna@example.org';
      work.put('b.ics', aMeeting('b', `DTSTART:${at(1, '1000')}`, declined));
      await synced(engine);
      assert.deepEqual(titles(engine), ['a']);
      server.hook = ({ body }, next): Answer => (body.includes('calendar-user-address-set') ? { status: 503 } : next());
      work.put('c.ics', aMeeting('c', `DTSTART:${at(2, '1000')}`));
      await synced(engine);
      assert.deepEqual(titles(engine), ['a']);
      server.hook = undefined;
      await synced(engine);
      assert.deepEqual(titles(engine), ['a', 'c']);
    });

    it('are not requested while their account is paused', async () => {
      const { engine, work } = await chosen();
      server.password = 'another';
      server.forget();
      await synced(engine);
      assert.deepEqual(
        server.requests.filter(({ path }) => path === work.path),
        [],
      );
      server.forget();
      await engine.sync({ trigger: 'schedule' });
      await engine.meetings.refresh();
      assert.deepEqual(server.requests, []);
      assert.deepEqual(titles(engine), ['a', 'b']);
    });

    it('are all left alone for as long as the server asks', async () => {
      const { engine, mixed, work } = await chosen();
      const isCalendar = (path: string, body: string) =>
        [mixed.path, work.path].includes(path) && body.includes('getctag') && !body.includes('displayname');
      const requestCount = () => server.requests.filter(({ path, body }) => isCalendar(path, body)).length;
      server.hook = ({ path, body }, next): Answer =>
        isCalendar(path, body) ? { status: 503, headers: { 'retry-after': '120' } } : next();
      server.forget();
      await synced(engine);
      await synced(engine);
      assert.equal(requestCount(), 1);
      assert.ok(engine.meetings.calendars.every(({ problem }) => /busy/.test(problem!.text)));
      server.hook = undefined;
      devices.clock.time += 121_000;
      await synced(engine);
      assert.equal(requestCount(), 3);
      assert.ok(engine.meetings.calendars.every(({ problem }) => !problem));
    });

    it('are read even without any tasks', async () => {
      server.addList('work', { components: ['VEVENT'] });
      const engine = await aDevice();
      const offered = await engine.meetings.offered(engine.accounts()[0]!.id);
      assert.deepEqual(
        offered.map(({ name }) => name),
        ['work'],
      );
    });

    it('are removed with their account', async () => {
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
      await synced(engine);
      const [request] = server.sent('GET');
      assert.deepEqual([request!.status, request!.headers.authorization], [304, undefined]);
      text = aMeeting('longer', `DTSTART:${at(0, '1000')}`);
      await synced(engine);
      assert.deepEqual(titles(engine), ['longer']);
    });

    it('are read in the character set that the server names, and in Windows-1252 if they are not UTF-8', async () => {
      const letters: readonly (readonly [type: string, title: string, written: string])[] = [
        ['text/calendar', 'Größe', 'Gr\xf6\xdfe'],
        ['text/calendar; charset=utf-8', 'Größe', 'Gr\xf6\xdfe'],
        ['text/calendar; charset=ISO-8859-1', 'Café', 'Caf\xe9'],
        ['text/calendar; charset="windows-1251"', 'Дом', '\xc4\xee\xec'],
        ['text/calendar; charset=ISO-8859-1', 'Größe', 'Gr\xc3\xb6\xc3\x9fe'],
        ['text/calendar; charset=unknown', 'Größe', 'Gr\xf6\xdfe'],
      ];
      const engine = await aDevice();
      for (const [type, title, written] of letters) {
        const body = aMeeting('a', `DTSTART:${at(0, '1000')}`).replace('SUMMARY:a', `SUMMARY:${written}`);
        const bytes = new Uint8Array(Buffer.from(body, 'latin1'));
        server.hook = ({ path }, next) =>
          path === secret ? { status: 200, headers: { 'content-type': type }, bytes } : next();
        await add(engine);
        assert.deepEqual(titles(engine), [title], type);
        await engine.meetings.remove(engine.meetings.calendars[0]!.id);
      }
    });

    it('keep their address where passwords are, and only show its host', async () => {
      const values = new Map<string, string>();
      const secrets: Secrets = {
        get: async key => values.get(key),
        set: async (key, value) => void values.set(key, value),
        delete: async key => void values.delete(key),
      };
      const engine = await aDevice({ secrets });
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

    it('are refused if they are not calendars or their address is not safe; nothing is kept', async () => {
      const engine = await aDevice();
      text = '<html>';
      await assert.rejects(add(engine), /did not send a calendar/);
      text = aMeeting('a', `DTSTART:${at(0, '1000')}`).replace('END:VCALENDAR', '');
      await assert.rejects(add(engine), /is incomplete/);
      for (const address of ['http://example.org/a.ics', 'file:///etc/passwd', 'nothing', 'javascript:1'])
        await assert.rejects(add(engine, address), /https:\/\/ or webcal:\/\//);
      assert.deepEqual(engine.meetings.calendars, []);
    });

    it('never reveal their address in a log, file or page, even if the server’s error contains it', async () => {
      const lines: string[] = [];
      const folder = devices.folder();
      const engine = await aDevice({ folder, log: (_level, line) => void lines.push(line) });
      text = aMeeting('a', `DTSTART:${at(0, '1000')}`);
      await add(engine);
      const pages = [
        `<html><body><h1>Forbidden</h1><hr><p>You don't have permission to access ${secret} here.</p></body></html>`,
        `Cannot GET ${secret}`,
      ];
      for (const status of [400, 403, 404, 500, 503])
        for (const body of pages) {
          server.hook = (request, next): Answer => (request.path === secret ? { status, body } : next());
          await synced(engine);
          const problem = engine.meetings.calendars[0]!.problem!.text;
          assert.match(problem, new RegExp(`${status}`));
          const sidecar = await engine.sidecar();
          const files = readdirSync(folder).filter(name => name.startsWith('meetings-'));
          const kept = files.map(name => readFileSync(join(folder, name), 'utf8'));
          assert.doesNotMatch(JSON.stringify([lines, problem, kept, sidecar.entries('calendarStates')]), /s3cret/);
        }
    });

    it('are left alone for as long as their server asks', async () => {
      const engine = await aDevice();
      text = aMeeting('a', `DTSTART:${at(0, '1000')}`);
      await add(engine);
      server.hook = ({ path }, next): Answer =>
        path === secret ? { status: 503, headers: { 'retry-after': '120' } } : next();
      server.forget();
      await synced(engine);
      await synced(engine);
      assert.equal(server.sent('GET').length, 1);
      devices.clock.time += 121_000;
      await synced(engine);
      assert.equal(server.sent('GET').length, 2);
    });

    it('do not hold up a sync or what is shown if they do not answer', async () => {
      const engine = await aDevice();
      text = aMeeting('a', `DTSTART:${at(0, '1000')}`);
      await add(engine);
      let answer = (_: Answer) => {};
      server.hook = ({ path }, next) =>
        path !== secret
          ? next()
          : new Promise<Answer>(resolve => {
              answer = resolve;
            });
      await engine.sync();
      await engine.meetings.open();
      await engine.removeAccount(engine.accounts()[0]!.id);
      // Nothing waited until the request gave up.
      assert.equal(engine.meetings.calendars[0]!.problem, undefined);
      answer({ status: 304 });
    });

    it('are not kept if they are removed while they are read', async () => {
      const folder = devices.folder();
      const engine = await aDevice({ folder });
      text = aMeeting('a', `DTSTART:${at(0, '1000')}`);
      await add(engine);
      let removed: Promise<void> | undefined;
      server.hook = async ({ path }, next) => {
        if (path !== secret) return next();
        removed ??= engine.meetings.remove(engine.meetings.calendars[0]!.id);
        await removed;
        return { status: 200, body: aMeeting('b', `DTSTART:${at(0, '1000')}`) };
      };
      await synced(engine);
      assert.ok(removed);
      const sidecar = await engine.sidecar();
      const files = readdirSync(folder).filter(name => name.startsWith('meetings-'));
      assert.deepEqual([files, sidecar.entries('calendarStates'), titles(engine)], [[], [], []]);
    });

    it('are unchanged if their text is the same, and changed if it is not', async () => {
      const folder = devices.folder();
      const engine = await aDevice({ folder });
      text = aMeeting('a', `DTSTART:${at(0, '1000')}`);
      await add(engine);
      server.hook = ({ path }, next): Answer => (path === secret ? { status: 200, body: text } : next());
      await synced(engine);
      let changes = 0;
      engine.meetings.onDidChange(() => changes++);
      const fileOf = () => {
        const name = readdirSync(folder).find(one => one.startsWith('meetings-'))!;
        return statSync(join(folder, name)).ino;
      };
      const before = fileOf();
      devices.clock.time += 60_000;
      await synced(engine);
      assert.deepEqual([changes, fileOf()], [0, before]);
      text = aMeeting('b', `DTSTART:${at(0, '1000')}`);
      await synced(engine);
      assert.deepEqual([changes, titles(engine)], [1, ['b']]);
    });

    it('with a login are not requested from another host of the same domain', async () => {
      const requests: (readonly [url: string, login: string | null])[] = [];
      const connections = new Connections({
        secrets: {
          get: async () => 'https://anna:pw@cal.example.org/a.ics',
          set: async () => {},
          delete: async () => {},
        },
        fetch: async (url, init) => {
          requests.push([String(url), new Headers(init?.headers).get('authorization')]);
          return new Response('', { status: 302, headers: { location: 'https://other.example.org/x' } });
        },
      } as Partial<ConstructorParameters<typeof Connections>[0]> as ConstructorParameters<typeof Connections>[0]);
      const { signal } = new AbortController();
      const remote = calendarsElsewhere({
        account: () => undefined,
        connections: () => connections,
        now: devices.clock.now,
        signal,
      });
      const feed = { id: 'f', kind: 'feed', name: '', color: null, address: 'cal.example.org' } as const;
      await assert.rejects(remote.read(feed, { from: 0, to: 1 }, null), /redirects to/);
      assert.deepEqual(
        requests.map(([url]) => url),
        ['https://cal.example.org/a.ics'],
      );
    });

    it('send the username and the password of their address as they are, also with a percent sign', async () => {
      const engine = await aDevice();
      text = aMeeting('a', `DTSTART:${at(0, '1000')}`);
      const asks: Answer = { status: 401, headers: { 'www-authenticate': 'Basic realm="calendar"' } };
      server.hook = ({ headers }) => (headers.authorization ? { status: 200, body: text } : asks);
      const sent = async (login: string) => {
        server.forget();
        await add(engine, new URL(secret, server.url).href.replace('//', `//${login}@`));
        const [, code = ''] = server.sent('GET').at(-1)!.headers.authorization?.split(' ') ?? [];
        return Buffer.from(code, 'base64').toString();
      };
      assert.deepEqual([await sent('anna:100%'), await sent('an%20na:p%40')], ['anna:100%', 'an na:p@']);
    });

    it('say that there is no calendar if their server redirects to what is no web address', async () => {
      const engine = await aDevice();
      for (const location of ['file:///etc/passwd', 'data:text/calendar,BEGIN:VCALENDAR', 'http://[']) {
        server.hook = () => ({ status: 302, headers: { location } });
        await assert.rejects(add(engine), /did not send a calendar/);
      }
    });

    it('must not redirect to this computer, nor to another origin with credentials', async () => {
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
