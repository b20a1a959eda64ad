import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs, { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DuelineEngine } from '../../src/api';
import type { RemoteCalendars } from '../../src/core/meetings/calendars';
import type { Day } from '../../src/core/time/dates';
import { Calendars } from '../../src/engine/meetings/calendars';
import { event } from '../core/meetings/fixtures';
import { calendar } from '../core/support/icalFile';
import { engines } from './support/engine';

describe('meetings of a file', () => {
  const world = engines();
  const { clock } = world;
  const open = (options: { folder?: string } = {}) => world.open(options);
  const folder = () => world.folder();
  const day = '2026-11-21' as Day;
  const review = event('u1', 'SUMMARY:Review', 'DTSTART:20261121T090000Z', 'DTEND:20261121T100000Z');
  const text = calendar(
    ...review,
    ...event('u2', 'SUMMARY:Lunch', 'DTSTART:20261121T120000', 'DTEND:20261121T123000'),
    ...event('u3', 'SUMMARY:Fair', 'DTSTART;VALUE=DATE:20261120', 'DTEND;VALUE=DATE:20261123'),
    ...event('u4', 'SUMMARY:Elsewhere', 'DTSTART:20261121T130000Z', 'DTEND:20261121T140000Z', 'TRANSP:TRANSPARENT'),
  );
  const aFile = (content = text) => {
    const path = join(folder(), 'work.ics');
    writeFileSync(path, content);
    return path;
  };
  const input = (address: string) => ({ kind: 'file', name: 'Work', color: '#336699', address }) as const;
  const titles = (engine: DuelineEngine) => engine.meetings.between(day, day).map(({ title }) => title);

  it('are shown next to the tasks, but are not tasks', async () => {
    const engine = await open();
    await engine.meetings.add(input(aFile()));
    assert.deepEqual(titles(engine), ['Fair', 'Review', 'Lunch', 'Elsewhere']);
    assert.equal(engine.query('').length, 0);
    assert.equal(engine.exportTasks('ics').includes('Review'), false);
    assert.equal((await engine.undoSteps()).length, 0);
  });

  it('take the minutes of a day, except those that are free or last all day', async () => {
    const engine = await open();
    assert.equal(engine.meetings.busyMinutes(day), undefined);
    await engine.meetings.add(input(aFile()));
    assert.equal(engine.meetings.busyMinutes(day), 60 + 30);
    assert.equal(engine.meetings.busyMinutes('2026-11-22' as Day), 0);
  });

  it('are available to another process, from a cache that only the user can read', async () => {
    const shared = folder();
    const engine = await open({ folder: shared });
    const path = aFile();
    await engine.meetings.add(input(path));
    const [cache = ''] = readdirSync(shared).filter(name => name.startsWith('meetings-'));
    assert.equal(statSync(join(shared, cache)).mode & 0o777, 0o600);
    rmSync(path);
    const other = await open({ folder: shared });
    await other.meetings.open();
    assert.deepEqual(titles(other), titles(engine));
    assert.match(other.meetings.calendars[0]!.problem!.text, /cannot be found/);
    await other.meetings.remove(engine.meetings.calendars[0]!.id);
    // A read that begins before the window hears of the removal writes the cache again.
    writeFileSync(path, calendar(...review));
    const reading = engine.meetings.refresh();
    await engine.refresh();
    await reading;
    await engine.meetings.refresh();
    assert.deepEqual([engine.meetings.calendars, titles(engine)], [[], []]);
    assert.deepEqual(
      readdirSync(shared).filter(name => name.startsWith('meetings-')),
      [],
    );
  });

  it('are read again when the file has changed, and on the next day', async () => {
    const engine = await open();
    const path = aFile();
    await engine.meetings.add(input(path));
    writeFileSync(path, calendar(...review));
    utimesSync(path, 1, 1);
    await engine.meetings.refresh();
    assert.deepEqual(titles(engine), ['Review']);
    const { readAt } = engine.meetings.calendars[0]!;
    clock.time += 86_400_000;
    await engine.meetings.refresh();
    assert.equal(engine.meetings.calendars[0]!.readAt, readAt! + 86_400_000);
    clock.time -= 86_400_000;
  });

  it('stay as they were if the file is damaged, and the reason is shown', async () => {
    const engine = await open();
    const path = aFile();
    await engine.meetings.add(input(path));
    writeFileSync(path, '<html>');
    await engine.meetings.refresh();
    assert.equal(titles(engine).length, 4);
    assert.match(engine.meetings.calendars[0]!.problem!.text, /is not an iCalendar file/);
    // Another program is still writing it.
    writeFileSync(path, text.slice(0, text.length / 2));
    await engine.meetings.refresh();
    assert.equal(titles(engine).length, 4);
    assert.match(engine.meetings.calendars[0]!.problem!.text, /the end of the calendar is missing/);
    writeFileSync(path, text);
    await engine.meetings.refresh();
    assert.equal(engine.meetings.calendars[0]!.problem, undefined);
  });

  it('of a large calendar are read step by step, between which other work has its turn', async () => {
    const engine = await open();
    const path = aFile(calendar(...['u1', 'u2', 'u3'].flatMap(uid => event(uid, 'DTSTART:20261121T090000Z'))));
    const [now, next] = [performance.now, setImmediate];
    let [time, turns] = [0, 0];
    performance.now = () => (time += 1000);
    globalThis.setImmediate = ((work: () => void) => {
      turns++;
      return next(work);
    }) as typeof setImmediate;
    try {
      await engine.meetings.add(input(path));
    } finally {
      performance.now = now;
      globalThis.setImmediate = next;
    }
    assert.equal(turns, 3);
  });

  it('are not waited for if the file is a pipe, and a folder is no calendar', async function () {
    if (process.platform === 'win32') return this.skip();
    const engine = await open();
    const pipe = join(folder(), 'pipe.ics');
    execFileSync('mkfifo', [pipe]);
    for (const path of [pipe, folder()])
      await assert.rejects(engine.meetings.add(input(path)), /is not an iCalendar file/);
  });

  it('are not taken from an unreadable file, nor from a cache that someone has edited', async () => {
    const shared = folder();
    const engine = await open({ folder: shared });
    await assert.rejects(engine.meetings.add(input(join(shared, 'none.ics'))), /cannot be found/);
    assert.deepEqual(engine.meetings.calendars, []);
    const path = aFile();
    await engine.meetings.add(input(path));
    await engine.close();
    const cache = join(shared, readdirSync(shared).find(name => name.startsWith('meetings-'))!);
    const whole = readFileSync(cache, 'utf8');
    const parsed: { meetings: object[] } = JSON.parse(whole);
    rmSync(path);
    for (const damaged of [
      '',
      '[]',
      '{"version":1,"span":"","meetings":[{"title":1}]}',
      ...['uid', 'location', 'text', 'isBusy', 'isAllDay', 'isFloating', 'isPrivate', 'link'].map(name =>
        JSON.stringify({ ...parsed, meetings: parsed.meetings.map(one => ({ ...one, [name]: [1] })) }),
      ),
      whole.replace(/"version":1/, '"problem":{"text":1},"version":1'),
      whole.slice(9),
    ]) {
      writeFileSync(cache, damaged);
      const other = await open({ folder: shared });
      await other.meetings.open();
      assert.deepEqual(titles(other), []);
      await other.close();
    }
  });

  it('are read again once the day has changed and someone asks for them', async () => {
    const engine = await open();
    await engine.meetings.add(input(aFile(calendar(...event('u1', 'DTSTART:20261101T090000Z', 'RRULE:FREQ=DAILY')))));
    const last = '2027-01-19' as Day;
    assert.equal(engine.meetings.between(last, last).length, 0);
    clock.time += 86_400_000;
    const changed = new Promise<void>(resolve => engine.meetings.onDidChange(resolve));
    engine.meetings.between(last, last);
    await changed;
    clock.time -= 86_400_000;
    assert.equal(engine.meetings.between(last, last).length, 1);
  });

  it('remove the cache of a calendar that is no longer chosen', async () => {
    const shared = folder();
    const engine = await open({ folder: shared });
    writeFileSync(join(shared, 'meetings-0123456789ab.json'), '{}');
    await engine.meetings.add(input(aFile()));
    await engine.meetings.open();
    const kept = readdirSync(shared).filter(name => name.startsWith('meetings-'));
    assert.deepEqual(kept, [`meetings-${engine.meetings.calendars[0]!.id}.json`]);
  });

  it('are read even if the cache of another calendar cannot be written', async () => {
    const shared = folder();
    const engine = await open({ folder: shared });
    const paths = [aFile(), join(folder(), 'other.ics')];
    writeFileSync(paths[1]!, text);
    for (const path of paths) await engine.meetings.add(input(path));
    const cache = join(shared, `meetings-${engine.meetings.calendars[0]!.id}.json`);
    rmSync(cache);
    mkdirSync(join(cache, 'full'), { recursive: true });
    for (const path of paths) {
      writeFileSync(path, calendar(...review));
      utimesSync(path, 1, 1);
    }
    await engine.meetings.refresh();
    const counts = engine.meetings.calendars.map(
      ({ id }) => engine.meetings.between(day, day).filter(({ calendar }) => calendar.id === id).length,
    );
    assert.deepEqual(counts, [1, 1]);
    rmSync(cache, { recursive: true });
  });

  it('are no longer watched once the window is closed, however early', async () => {
    const shared = folder();
    const first = await open({ folder: shared });
    await first.meetings.add(input(aFile()));
    const { watchFile } = fs;
    let watches = 0;
    const parts = { folder: shared, clock, sidecar: () => first.sidecar(), startHour: () => 0, remote: undefined };
    const early = new Calendars({ ...parts, onError: () => {} });
    fs.watchFile = ((...args: Parameters<typeof watchFile>) => {
      watches++;
      return watchFile(...args);
    }) as typeof watchFile;
    try {
      const opening = early.open();
      early.dispose();
      await opening.catch(() => undefined);
    } finally {
      fs.watchFile = watchFile;
    }
    assert.equal(watches, 0);
  });

  it('are not read to their end once the window is closed', async () => {
    const shared = folder();
    const engine = await open({ folder: shared });
    let steps = 0;
    // A calendar without an end, as far as this process can read it.
    const texts = Object.assign([text], {
      *[Symbol.iterator]() {
        while (steps < 1_000_000) {
          steps++;
          yield text;
        }
        return undefined;
      },
    });
    let begin = () => {};
    const begun = new Promise<void>(resolve => {
      begin = resolve;
    });
    const read = async () => {
      // The next turn of this process comes when some of it is read.
      setImmediate(begin);
      return { texts, mark: null };
    };
    const calendars = new Calendars({
      folder: shared,
      clock,
      sidecar: () => engine.sidecar(),
      startHour: () => 0,
      remote: { read } as unknown as RemoteCalendars,
      onError: () => {},
    });
    const adding = calendars.add({ ...input('https://example.org/work'), kind: 'account' });
    await begun;
    calendars.dispose();
    const before = steps;
    assert.ok(before > 0);
    await adding.catch(() => undefined);
    assert.equal(steps, before);
  });

  it('have their real length on the days on which clocks change', async () => {
    const engine = await open();
    const zoned = (start: string, end: string) =>
      event(start, `DTSTART;TZID=Europe/Berlin:${start}`, `DTEND;TZID=Europe/Berlin:${end}`);
    clock.time = Date.UTC(2026, 9, 20);
    await engine.meetings.add(
      input(
        aFile(calendar(...zoned('20261025T010000', '20261025T040000'), ...zoned('20261026T010000', '20261026T040000'))),
      ),
    );
    assert.equal(engine.meetings.busyMinutes('2026-10-25' as Day), 240);
    assert.equal(engine.meetings.busyMinutes('2026-10-26' as Day), 180);
    clock.time = Date.UTC(2027, 2, 20);
    await engine.meetings.add(input(aFile(calendar(...zoned('20270328T010000', '20270328T040000')))));
    assert.equal(engine.meetings.busyMinutes('2027-03-28' as Day), 120);
    clock.time = Date.UTC(2026, 10, 21, 9, 30);
  });
});
