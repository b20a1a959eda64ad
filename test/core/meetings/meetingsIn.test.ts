import assert from 'node:assert/strict';
import fc from 'fast-check';
import { meetingsIn } from '../../../src/core/meetings/meetingsIn';
import { Allowance } from '../../../src/core/recurrence/ruleBudget';
import { calendar } from '../support/icalFile';
import { civil, inZone } from '../support/series';
import { event, eventFixtures, expandedByIcalJs, ownZone } from './fixtures';

function finished<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

const window = { from: civil('2026-03-01'), to: civil('2026-05-10') };
const none: ReadonlySet<string> = new Set();
const zone = 'Europe/Berlin';
const read = (text: string, addresses = none, userZone = zone) =>
  finished(meetingsIn([text], window, { zone: userZone, addresses }));
const shown = (text: string) =>
  read(text).map(({ title, start, end }) => `${title} ${new Date(start).toISOString()} ${(end - start) / 60_000}`);
/** The same, and whether anything was left out. */
function readCut(text: string) {
  let isCut = false;
  const onCut = () => {
    isCut = true;
  };
  return {
    found: finished(meetingsIn([text], window, { zone, addresses: none, onCut })).map(({ uid }) => uid),
    isCut: () => isCut,
  };
}
const one = (...lines: string[]) => read(calendar(...event('u1', ...lines)));

describe('meetings', () => {
  it('are compared with ical.js in at least 40 fixtures', () => assert.ok(eventFixtures.length >= 40));

  for (const [name, ...lines] of eventFixtures) {
    it(`are expanded as by ical.js: ${name}`, () => {
      const text = calendar(...lines);
      const expected = expandedByIcalJs(text, window);
      assert.deepEqual(shown(text).sort(), expected);
      assert.ok(expected.length > 0, 'a fixture shows something');
    });
  }

  it('are found in every window, although events that are far from it are not parsed', () => {
    const day = 86_400_000;
    for (let from = civil('2026-01-20'); from < civil('2026-06-10'); from += 5 * day)
      for (const [name, ...lines] of eventFixtures) {
        const text = calendar(...lines);
        const to = from + 3 * day;
        const found = finished(meetingsIn([text], { from, to }, { zone, addresses: none })).map(
          ({ title, start, end }) => `${title} ${new Date(start).toISOString()} ${(end - start) / 60_000}`,
        );
        const [inside, around] = [0, day].map(more => expandedByIcalJs(text, { from: from - more, to: to + more }));
        const wrong = [inside!.filter(one => !found.includes(one)), found.filter(one => !around!.includes(one))];
        assert.deepEqual(wrong, [[], []], `${name} ${new Date(from).toISOString()}`);
      }
  });

  for (const end of ['UNTIL=20210106T100000Z', 'COUNT=52', 'INTERVAL=2;COUNT=80;BYDAY=MO,WE;WKST=SU'])
    it(`of today have room, however many series are over by ${end} and however many exceptions they had`, () => {
      const notes = `DESCRIPTION:${'About this and that. '.repeat(400)}`;
      const old = Array.from({ length: 1200 }, (_, at) => [
        ...event(`s${at}`, 'DTSTART:20200106T100000Z', `RRULE:FREQ=WEEKLY;${end}`, notes),
        ...event(`s${at}`, 'RECURRENCE-ID:20200113T100000Z', 'DTSTART:20200114T100000Z', notes),
      ]);
      const { found, isCut } = readCut(calendar(...old.flat(), ...event('today', 'DTSTART:20260401T100000Z')));
      assert.deepEqual([found, isCut()], [['today'], false]);
    });

  it('of a series with a number of occurrences are the same as if the series were expanded to its end', () => {
    // An additional date anywhere has the whole series expanded.
    const elsewhere = 'RDATE:19990101T100000Z';
    for (const start of ['20250901', '20251231', '20260228', '20260309'])
      for (const freq of [
        'DAILY',
        'WEEKLY',
        'DAILY;BYDAY=MO',
        'WEEKLY;BYDAY=MO,WE,FR;WKST=SU',
        'MONTHLY',
        'WEEKLY;BYMONTH=4',
      ])
        for (const interval of ['', ';INTERVAL=2', ';INTERVAL=7'])
          for (const count of [1, 4, '1\r\n 00']) {
            const lines = [`DTSTART:${start}T100000Z`, `RRULE:FREQ=${freq};COUNT=${count}${interval}`];
            assert.deepEqual(one(...lines), one(...lines, elsewhere), lines.join(' '));
          }
  });

  it('are left out if they are canceled or the user has declined, but not if others have', () => {
    const declined = 'ATTENDEE;PARTSTAT=DECLINED:mailto:Ann@example.org';
    const text = calendar(
      ...event('u1', 'DTSTART:20260401T100000Z', 'STATUS:CANCELLED'),
      ...event('u2', 'DTSTART:20260402T100000Z', declined),
      ...event('u3', 'DTSTART:20260403T100000Z', 'ATTENDEE;PARTSTAT=ACCEPTED:mailto:ann@example.org'),
    );
    assert.deepEqual(
      read(text, new Set(['ann@example.org'])).map(({ uid }) => uid),
      ['u3'],
    );
    assert.equal(read(text).length, 2);
  });

  it('leave out a canceled occurrence, and everything after a canceled range', () => {
    const series = event('u1', 'DTSTART:20260401T100000Z', 'RRULE:FREQ=DAILY;COUNT=5');
    const canceled = (range: string) =>
      event('u1', `RECURRENCE-ID${range}:20260403T100000Z`, 'DTSTART:20260403T100000Z', 'STATUS:CANCELLED');
    assert.equal(read(calendar(...series, ...canceled(''))).length, 4);
    assert.equal(read(calendar(...series, ...canceled(';RANGE=THISANDFUTURE'))).length, 2);
  });

  it('have the address of the call, only with http or https', () => {
    const link = (...lines: string[]) => one('DTSTART:20260401T100000Z', ...lines)[0]!.link;
    assert.equal(
      link('URL:https://example.org/e', 'CONFERENCE;VALUE=URI:https://meet.example.org/1'),
      'https://meet.example.org/1',
    );
    assert.equal(link('LOCATION:Room 5 https://zoom.example/j/1'), 'https://zoom.example/j/1');
    assert.equal(link('URL:https://example.org/e\\;p=1\\,2'), 'https://example.org/e;p=1,2');
    assert.equal(link('URL:javascript:alert(1)', 'CONFERENCE:command:x', 'LOCATION:file:///etc/passwd'), undefined);
    assert.equal(link('URL:https://example.org/a"><script>'), undefined);
  });

  it('record whether they are busy and private', () => {
    const facts = (...lines: string[]) => {
      const { isBusy, isPrivate } = one('DTSTART:20260401T100000Z', ...lines)[0]!;
      return [isBusy, isPrivate];
    };
    assert.deepEqual(facts(), [true, false]);
    assert.deepEqual(facts('TRANSP:TRANSPARENT', 'CLASS:PRIVATE'), [false, true]);
    assert.deepEqual(facts('X-MICROSOFT-CDO-BUSYSTATUS:FREE', 'CLASS:confidential'), [false, true]);
  });

  it('keep their wall-clock time when clocks change, in a named zone and one that only a VTIMEZONE defines', () => {
    const weekly = ['DTEND;TZID=Z:20260320T103000', 'RRULE:FREQ=WEEKLY;COUNT=3'];
    const starts = (tzid: string, ...more: string[]) =>
      read(
        calendar(
          ...more,
          ...event('u1', `DTSTART;TZID=${tzid}:20260320T093000`, ...weekly.map(line => line.replace('Z:', `${tzid}:`))),
        ),
      ).map(({ start }) => start);
    const berlin = ['20', '27', '03'].map((day, at) => inZone(zone, `2026-0${at < 2 ? 3 : 4}-${day}T09:30`));
    assert.deepEqual(starts(zone), berlin);
    assert.deepEqual(starts('W. Europe Standard Time'), berlin);
    assert.deepEqual(starts('Customized', ...ownZone('Customized')), berlin);
  });

  it('are shown if Outlook names their zone by an address, with or without quotes', () => {
    const starts = (tzid: string, ...more: string[]) =>
      read(
        calendar(
          ...more,
          ...event(
            'u1',
            `DTSTART;TZID=${tzid}:20260401T093000`,
            'RRULE:FREQ=DAILY;COUNT=3',
            `EXDATE;TZID=${tzid}:20260402T093000`,
          ),
        ),
      ).map(({ start, isFloating }) => [new Date(start).toISOString().slice(0, 16), isFloating]);
    for (const quote of ['', '"']) {
      const [utc, custom] = ['Utc', 'Custom'].map(name => `${quote}tzone://Microsoft/${name}${quote}`);
      assert.deepEqual(starts(utc!), [
        ['2026-04-01T09:30', false],
        ['2026-04-03T09:30', false],
      ]);
      assert.deepEqual(starts(custom!, ...ownZone('tzone://Microsoft/Custom')), [
        ['2026-04-01T07:30', false],
        ['2026-04-03T07:30', false],
      ]);
    }
  });

  it('are where a change long ago of all following ones moved them, also if an address names its zone', () => {
    for (const tzid of ['Etc/UTC', 'tzone://Microsoft/Utc']) {
      const at = (day: string) => `;TZID=${tzid}:${day}T100000`;
      const series = event('u1', `DTSTART${at('20250101')}`, 'RRULE:FREQ=WEEKLY');
      const moved = [`RECURRENCE-ID;TZID=${tzid};RANGE=THISANDFUTURE:20250108T100000`, `DTSTART${at('20250109')}`];
      const days = read(calendar(...series, ...event('u1', ...moved))).map(({ start }) => new Date(start).getUTCDay());
      assert.deepEqual([...new Set(days)], [4], tzid);
    }
  });

  it('are at the same wall-clock time for everyone if their zone is unknown or absent', () => {
    for (const dtstart of ['DTSTART:20260401T100000', 'DTSTART;TZID=Nowhere:20260401T100000']) {
      const [meeting] = one(dtstart);
      assert.deepEqual([meeting!.start, meeting!.isFloating], [civil('2026-04-01T10:00'), true]);
    }
  });

  for (const userZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/New_York', 'Asia/Kolkata'])
    it(`of the whole day are on their day for a user in ${userZone}`, () => {
      const text = calendar(...event('u1', 'DTSTART;VALUE=DATE:20260401', 'DTEND;VALUE=DATE:20260403'));
      const [{ start, end, isAllDay, isFloating } = assert.fail()] = read(text, none, userZone);
      assert.deepEqual([start, end, isAllDay, isFloating], [civil('2026-04-01'), civil('2026-04-03'), true, true]);
    });

  it('lose only damaged lines, and what is not an event is left out', () => {
    const text = [
      'BEGIN:VCALENDAR',
      ...event('u0', 'SUMMARY:No start'),
      ...event('u1', 'DTSTART:20260401T100000Z', 'DTEND:yesterday', 'RRULE:FREQ=NEVER', 'SUMMARY:A', 'dirt'),
      ...event('u2', 'DTSTART:20260402T100000Z', 'DTEND:20250101T000000Z', 'SUMMARY:B', 'DURATION:-PT5H'),
      ...event('u3', 'DTSTART:20260403T100000Z', 'DESCRIPTION:folded', ' BEGIN:VEVENT', 'SUMMARY:C'),
      ...['BEGIN:VTODO', 'UID:t', 'DTSTART:20260403T100000Z', 'SUMMARY:A task', 'END:VTODO'],
      ...['BEGIN:VEVENT', 'UID:u4', 'DTSTART:20260404T100000Z', 'SUMMARY:D'],
    ].join('\n');
    assert.deepEqual(
      read(text).map(({ title, start, end }) => [title, end - start]),
      ['A', 'B', 'C', 'D'].map(title => [title, 0]),
    );
  });

  it('are expanded to a limited number, whatever the rules are', () => {
    const rules = [
      'FREQ=SECONDLY',
      'FREQ=MINUTELY',
      'FREQ=YEARLY;BYMONTHDAY=31;BYMONTH=2',
      'FREQ=DAILY;COUNT=999999999',
    ];
    const events = Array.from({ length: 400 }, (_, at) =>
      event(`u${at}`, 'DTSTART:19000101T000000Z', `RRULE:${rules[at % 4]}`),
    );
    assert.ok(read(calendar(...events.flat())).length <= 20_000);
  });

  it('of many endless series share the work limit of a few, and the calendar is marked as incomplete', () => {
    let units = 0;
    const { spend } = Allowance.prototype;
    Allowance.prototype.spend = function (count) {
      const isLeft = spend.call(this, count);
      if (isLeft) units += count;
      return isLeft;
    };
    const hostile = Array.from({ length: 600 }, (_, at) =>
      event(`h${at}`, 'DTSTART:19000101T000000Z', 'RRULE:FREQ=SECONDLY;COUNT=99999999'),
    );
    try {
      const { found, isCut } = readCut(calendar(...hostile.flat(), ...event('u1', 'DTSTART:20260401T100000Z')));
      assert.deepEqual([found, isCut()], [['u1'], true]);
      assert.ok(units <= 500_000, `${units} units`);
      assert.equal(readCut(calendar(...event('u1', 'DTSTART:20260401T100000Z'))).isCut(), false);
    } finally {
      Allowance.prototype.spend = spend;
    }
  });

  it('are left out if they are too long to parse, and the calendar is marked as incomplete', () => {
    const short = event('u1', 'DTSTART:20260401T100000Z');
    for (const line of ['X:1', `DESCRIPTION:${'a'.repeat(1000)}`]) {
      const long = event('u2', 'DTSTART:20260401T110000Z', `${line}\r\n`.repeat(1_100_000 / line.length) + line);
      const { found, isCut } = readCut(calendar(...long, ...short));
      assert.deepEqual([found, isCut()], [['u1'], true]);
    }
  });

  it('with long texts are read up to a total size, and the calendar is marked as incomplete', () => {
    const events = Array.from({ length: 20 }, (_, at) =>
      event(`u${at}`, 'DTSTART:20260401T100000Z', `DESCRIPTION:${'a'.repeat(900_000)}`),
    );
    const { found, isCut } = readCut(calendar(...events.flat()));
    assert.deepEqual([found.length, isCut()], [9, true]);
  });

  it('together have no more text than a cache should hold, and the calendar is marked as incomplete', () => {
    const long = `DESCRIPTION:${'a'.repeat(2000)}`;
    const series = Array.from({ length: 20 }, (_, at) =>
      event(`u${at}`, 'DTSTART:20260301T000000Z', 'RRULE:FREQ=MINUTELY', long),
    );
    const { found, isCut } = readCut(calendar(...series.flat()));
    assert.ok(found.length > 1000 && found.length * 2000 <= 8_000_000, `${found.length} meetings`);
    assert.ok(isCut());
  });

  it('read time zones up to a total size; those after it are unknown', () => {
    const zoneOf = (lines: number) => ['BEGIN:VTIMEZONE', 'TZID:A', `${'X:1\r\n'.repeat(lines)}END:VTIMEZONE`];
    const meeting = event('u1', 'DTSTART;TZID=Own:20260401T100000');
    const isFloatingAfter = (...lines: string[]) =>
      read(calendar(...lines, ...ownZone('Own'), ...meeting))[0]!.isFloating;
    assert.deepEqual(
      [isFloatingAfter(), isFloatingAfter(...zoneOf(250_000)), isFloatingAfter(...zoneOf(120_000), ...zoneOf(120_000))],
      [false, false, true],
    );
  });

  it('show the override with the higher SEQUENCE, also if there is no series', () => {
    const series = event('u1', 'DTSTART:20260401T100000Z', 'RRULE:FREQ=DAILY;COUNT=1');
    const override = (hour: number, sequence: number) =>
      event('u1', 'RECURRENCE-ID:20260401T100000Z', `DTSTART:20260401T${hour}0000Z`, `SEQUENCE:${sequence}`);
    const hours = (...lines: string[]) => read(calendar(...lines)).map(({ start }) => new Date(start).getUTCHours());
    assert.deepEqual(hours(...series, ...override(12, 2), ...override(11, 1)), [12]);
    assert.deepEqual(hours(...series, ...override(11, 1), ...override(12, 2)), [12]);
    assert.deepEqual(hours(...event('u1', 'DTSTART:20260401T100000Z'), ...override(12, 1)), [12]);
  });

  it('are shortened if they are too long to be shown', () => {
    const [meeting] = one(
      'DTSTART:20260401T100000Z',
      `SUMMARY:${'a'.repeat(5000)}`,
      `DESCRIPTION:${'b\\n'.repeat(50_000)}`,
    );
    assert.equal(meeting!.title.length, 500);
    assert.ok(meeting!.text!.length <= 2000);
  });

  it('can be read from any text without an error', () => {
    const words = fc.constantFrom(
      ...['BEGIN:VEVENT', 'END:VEVENT', 'BEGIN:VCALENDAR', 'END:VCALENDAR', 'BEGIN:VTIMEZONE', 'UID:a', 'UID:b'],
      ...['DTSTART:20260401T100000Z', 'DTSTART;VALUE=DATE:20260401', 'DTSTART;TZID=X:20260401T1', 'DTEND:20260401'],
      ...['RRULE:FREQ=DAILY', 'RRULE:FREQ=DAILY;COUNT=0', 'RDATE:20260402', 'EXDATE:x', 'RECURRENCE-ID:20260402'],
      ...['RECURRENCE-ID;RANGE=THISANDFUTURE:20260402T100000Z', 'DURATION:P99999999W', 'SUMMARY:\\', ';:', '\u2028'],
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 30 }), fc.constantFrom('\r\n', '\n', '\r'), (lines, end) => {
        for (const { start, end: last } of read(lines.join(end))) assert.ok(last >= start);
      }),
      { numRuns: 500 },
    );
  });
});
