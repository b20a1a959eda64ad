import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseQuickAdd } from '../../../src/core/quickAdd/parseQuickAdd';
import type { QuickAddContext } from '../../../src/core/quickAdd/types';
import { parseRepeat, parseWhen } from '../../../src/core/quickAdd/when';
import { describeRepeat } from '../../../src/core/recurrence/ruleText';
import { ruleWords } from '../../../src/core/recurrence/ruleWords';
import type { Clock } from '../../../src/core/time/clock';
import { fromWall } from '../../../src/core/time/dates';
import { pick } from '../../support/pick';

/** Wednesday, 18 November 2026, 10:30 on the wall. */
const wednesday = Date.UTC(2026, 10, 18, 10, 30);
const clockAt = (wall: number, timeZone: string): Clock => ({ now: () => fromWall(wall, timeZone), timeZone });
const here: QuickAddContext = { clock: clockAt(wednesday, 'Europe/Berlin'), locale: 'en-US' };
const zones = ['Pacific/Honolulu', 'America/Los_Angeles', 'UTC', 'Asia/Kolkata', 'Pacific/Kiritimati', 'Pacific/Apia'];

describe('quick add tokens', () => {
  it('write days and times as the settings say', () => {
    const labels = (settings: QuickAddContext['settings'], text = 'Call tomorrow 9am *tomorrow 8:30') =>
      parseQuickAdd(text, { ...here, settings }).tokens.map(({ label }) => label.replace(/\u202f/g, ' '));
    assert.deepEqual(labels({}), ['Thu, Nov 19, 9:00 AM', 'Thu, Nov 19, 8:30 AM']);
    assert.deepEqual(labels({ timeFormat: '24h' }), ['Thu, Nov 19, 09:00', 'Thu, Nov 19, 08:30']);
    assert.deepEqual(labels({ dateFormat: 'iso', timeFormat: '24h' }), ['2026-11-19 09:00', '2026-11-19 08:30']);
    assert.deepEqual(labels({ dateFormat: 'iso' }, 'Call tomorrow'), ['2026-11-19']);
    assert.deepEqual(labels({ timeFormat: '12h' }, 'Call tomorrow 15:00'), ['Thu, Nov 19, 3:00 PM']);
  });

  it('have an estimate after a tilde if it names a unit', () => {
    const read = (text: string) => {
      const { title, input } = parseQuickAdd(text, here);
      return [title, input.estimate ?? null];
    };
    assert.deepEqual(read('Write ~1h30 the report tomorrow'), ['Write the report', '1h30m']);
    assert.deepEqual(read('Write ~30min'), ['Write', '30m']);
    assert.deepEqual(read('Write ~90m.'), ['Write', '1h30m']);
    assert.deepEqual(read('Write ~30m ~2h'), ['Write ~30m', '2h']);
    for (const text of ['Print ~90 pages', 'Ask ~ 2h', 'Clean ~/home', 'Wait ~0m', 'Meet ~soon'])
      assert.equal(read(text)[1], null);
    for (const text of ['Mix 1/2 ~5 cups', 'Sun ~30 degrees', 'Mix 1/2 ~5'])
      assert.deepEqual([...read(text), parseQuickAdd(text, here).input.due ?? null], [text, null, null]);
    assert.equal(read('Mow Sun ~30m')[0], 'Mow');
    const [token] = parseQuickAdd('Write ~2h', here).tokens;
    assert.deepEqual(token, { from: 6, to: 9, kind: 'estimate', value: '2h', label: '2h' });
    assert.deepEqual(parseQuickAdd('Write ~2h', { ...here, rejected: [[6, 9]] }).title, 'Write ~2h');
  });

  it('are the parts of the line, with ranges, values and labels', () => {
    const text = 'Pay rent tomorrow 9am #home !high @Bills every month *10 min https://bank.example //see notes';
    const { tokens, input, listName, title } = parseQuickAdd(text, here);
    assert.deepEqual(
      tokens.map(({ from, to, kind, value }) => ({ text: text.slice(from, to), kind, value })),
      [
        { text: 'tomorrow 9am', kind: 'due', value: '2026-11-19T09:00' },
        { text: '#home', kind: 'tag', value: 'home' },
        { text: '!high', kind: 'priority', value: '1' },
        { text: '@Bills', kind: 'list', value: 'Bills' },
        { text: 'every month', kind: 'repeat', value: 'FREQ=MONTHLY' },
        { text: '*10 min', kind: 'reminder', value: '10' },
        { text: 'https://bank.example', kind: 'url', value: 'https://bank.example' },
        { text: '//see notes', kind: 'note', value: 'see notes' },
      ],
    );
    assert.deepEqual(
      tokens.map(({ label }) => label.replace(/\u202f/g, ' ')),
      ['Thu, Nov 19, 9:00 AM', 'home', '1', 'Bills', 'every month', '10 min', 'https://bank.example', 'see notes'],
    );
    assert.equal(title, 'Pay rent');
    assert.equal(listName, 'Bills');
    assert.deepEqual(input, {
      title: 'Pay rent',
      tags: ['home'],
      priority: 1,
      description: 'see notes',
      url: 'https://bank.example',
      due: Date.UTC(2026, 10, 19, 8),
      isAllDay: false,
      timezone: 'Europe/Berlin',
      rrule: 'FREQ=MONTHLY',
      alarms: [{ minutesBefore: 10, reference: 'DUE' }],
    });
  });

  it('are words if no priority has that name', () => {
    for (const text of ['Fix !important', 'Fix !constructor'])
      assert.deepEqual(parseQuickAdd(text, here).input, { title: text });
  });

  it('stay in the title if they are rejected, by range or by index', () => {
    const text = 'Meet with Friday tomorrow';
    const plain = parseQuickAdd(text, here);
    assert.deepEqual({ title: plain.title, tokens: plain.tokens.length }, { title: 'Meet with Friday', tokens: 1 });
    const byIndex = parseQuickAdd(text, { ...here, rejected: [0] });
    assert.deepEqual(
      { title: byIndex.title, due: byIndex.input.due },
      { title: 'Meet with tomorrow', due: Date.UTC(2026, 10, 20) },
    );
    const both = parseQuickAdd(text, { ...here, rejected: [[10, 25]] });
    assert.deepEqual(pick(both, 'title', 'tokens'), { title: text, tokens: [] });
    assert.equal(parseQuickAdd('Learn #c today', { ...here, rejected: [0, 1] }).title, 'Learn #c today');
  });

  it('name lists of several words, in quotes or because such lists exist', () => {
    assert.equal(parseQuickAdd('Milk @"Family Shared" today', here).listName, 'Family Shared');
    const known = parseQuickAdd('Milk @family shared today', { ...here, lists: ['Family', 'Family Shared'] });
    assert.deepEqual(pick(known, 'listName', 'title'), { listName: 'Family Shared', title: 'Milk' });
    assert.equal(parseQuickAdd('Milk @Other', { ...here, lists: ['Family'] }).listName, 'Other');
  });

  it('follow Todoist if that syntax is chosen', () => {
    const { input, listName, title } = parseQuickAdd('Milk #Groceries @shop p1', { ...here, syntax: 'todoist' });
    assert.deepEqual(
      { title, listName, tags: input.tags, priority: input.priority },
      { title: 'Milk', listName: 'Groceries', tags: ['shop'], priority: 1 },
    );
    for (const day of ['today', 'tomorrow', 'Friday', 'mon', 'in 3 days']) {
      const { title, input } = parseQuickAdd(`Buy milk ${day} p2`, { ...here, syntax: 'todoist' });
      assert.deepEqual([title, input.priority, input.due != null], ['Buy milk', 5, true], day);
    }
  });

  it('read start, notes and further lines', () => {
    const { input } = parseQuickAdd('Trip ^tomorrow Friday 5pm // bring: map\nand water', here);
    assert.deepEqual(pick(input, 'dtstart', 'due'), {
      dtstart: Date.UTC(2026, 10, 18, 23),
      due: Date.UTC(2026, 10, 20, 16),
    });
    assert.deepEqual(pick(input, 'isAllDay', 'timezone', 'description'), {
      isAllDay: false,
      timezone: 'UTC',
      description: 'bring: map\nand water',
    });
  });

  it('set reminders before the due date, at a moment of their own, or from now', () => {
    const alarms = (text: string) => parseQuickAdd(text, here).input.alarms;
    const absolute = (ms: number) => [{ minutesBefore: -ms / 60_000, reference: 'ABSOLUTE' }];
    assert.deepEqual(alarms('A Friday *reminder 1 hour before'), [{ minutesBefore: 60, reference: 'DUE' }]);
    assert.deepEqual(alarms('A Friday *9am'), absolute(Date.UTC(2026, 10, 20, 8)));
    assert.deepEqual(alarms('A every Friday *8am'), [{ minutesBefore: 60, reference: 'DUE' }]);
    assert.deepEqual(alarms('A *10 min'), absolute(Date.UTC(2026, 10, 18, 9, 40)));
    assert.deepEqual(alarms('A ^Friday *1d'), [{ minutesBefore: 1440, reference: 'START' }]);
    assert.equal(alarms('Buy *special* flour'), undefined);
  });

  it('report a problem if no title is left, and keep an address that is all there is', () => {
    for (const text of ['', '   ', 'tomorrow', '#home !1', '// only a note', '\u200b', '\u2028', '\u200b #home']) {
      assert.equal(parseQuickAdd(text, here).problem?.kind, 'invalid', text);
    }
    const pasted = parseQuickAdd('https://example.org/a', here);
    assert.deepEqual(pick(pasted, 'problem', 'title'), { problem: undefined, title: 'https://example.org/a' });
  });

  it('ignore dates if reading them is turned off', () => {
    assert.deepEqual(parseQuickAdd('Pay tomorrow #x', { ...here, parseDates: false }).title, 'Pay tomorrow');
  });
});

describe('quick add in time', () => {
  for (const zone of zones) {
    it(`puts all-day tasks on the day that it is in ${zone}, at either end of it`, () => {
      for (const minutes of [0, 23 * 60 + 59]) {
        const clock = clockAt(Date.UTC(2026, 11, 31, 0, minutes), zone);
        const { input } = parseQuickAdd('A tomorrow', { clock });
        assert.deepEqual(pick(input, 'due', 'isAllDay', 'timezone'), {
          due: Date.UTC(2027, 0, 1),
          isAllDay: true,
          timezone: null,
        });
      }
    });
  }

  it('can start the day later', () => {
    const context = { clock: clockAt(Date.UTC(2026, 10, 19, 2), 'Europe/Berlin'), settings: { dayStartHour: 4 } };
    assert.equal(parseQuickAdd('A today', context).input.due, Date.UTC(2026, 10, 18));
    assert.equal(parseQuickAdd('A tomorrow', context).input.due, Date.UTC(2026, 10, 19));
    assert.equal(parseQuickAdd('A 9am', context).input.due, Date.UTC(2026, 10, 19, 8));
  });

  it('moves times that a change of clocks skips, and counts hours exactly', () => {
    const context = { clock: clockAt(Date.UTC(2026, 2, 28, 23), 'Europe/Berlin') };
    assert.equal(parseQuickAdd('A tomorrow 02:30', context).input.due, Date.UTC(2026, 2, 29, 1, 30));
    assert.equal(parseQuickAdd('A in 5 hours', context).input.due, Date.UTC(2026, 2, 29, 3));
  });
});

describe('quick add of any text', () => {
  const bits = fc.constantFrom(
    ...'tomorrow every other Friday last day of the month until Dec 24 at 9am 3 days after completion in next week #tag !high @List ^ * // " ( ) , . morgen jeden 2. tous les غدا كل ٣ 12/1 1.1. 24:00 https://x.y weekly for 5 times 1st and remind me to from - Dec 20–27 3p 2 hours before bis du au'.split(
      ' ',
    ),
  );
  const line = fc.oneof(
    fc.array(bits, { maxLength: 14 }).map(words => words.join(' ')),
    fc.string({ unit: 'binary', maxLength: 60 }),
  );
  const locale = fc.constantFrom('en-US', 'en-GB', 'de-DE', 'fr-FR', 'pt-BR', 'ar');

  it('gives ordered tokens that do not overlap, valid columns, and the rest as title', () => {
    fc.assert(
      fc.property(line, locale, (text, tag) => {
        const { tokens, input, title, problem } = parseQuickAdd(text, { ...here, locale: tag });
        let end = 0;
        for (const { from, to } of tokens) {
          assert.ok(from >= end && to > from && to <= text.length);
          end = to;
        }
        for (const value of [input.due, input.dtstart]) assert.ok(value == null || Number.isSafeInteger(value));
        if (input.isAllDay) assert.equal(input.due! % 86_400_000 || 0, 0);
        assert.equal(input.title, title);
        assert.equal(problem === undefined, title !== '');
        if (input.rrule) assert.match(input.rrule, /^FREQ=[A-Z]+(;[A-Z]+=[A-Z0-9,-]+)*$/);
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps the whole line if every token is rejected', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('Buy', 'milk', 'tomorrow', '#x', '!1', 'every', 'day'), { maxLength: 8 }),
        words => {
          const text = words.join(' ');
          assert.equal(parseQuickAdd(text, { ...here, rejected: [[0, text.length]] }).title, text);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('reads 100 kB of any text', () => {
    for (const bit of [
      'every ',
      '@"',
      'a',
      '*1 ',
      '^fri ',
      'mondays and ',
      '1st, ',
      'on by ',
      '# ',
      '((',
      '9',
      'every every other 2 ',
      'http://(',
      'friday or ',
      'from dec 1 to ',
      'remind me to ',
    ]) {
      const text = bit.repeat(Math.ceil(100_000 / bit.length));
      for (const tag of ['en-US', 'ar']) parseQuickAdd(text, { ...here, locale: tag });
    }
  });
});

describe('phrases of dates and repeats', () => {
  it('are read as a whole or not at all', () => {
    assert.deepEqual(parseWhen('next friday at 9', here), {
      due: Date.UTC(2026, 10, 27, 8),
      isAllDay: false,
      timezone: 'UTC',
    });
    assert.deepEqual(parseWhen('+3d', here), { due: Date.UTC(2026, 10, 21), isAllDay: true, timezone: null });
    assert.deepEqual(parseWhen('3 days', here), { due: Date.UTC(2026, 10, 21), isAllDay: true, timezone: null });
    assert.deepEqual(parseWhen('2h', here), { due: Date.UTC(2026, 10, 18, 11, 30), isAllDay: false, timezone: 'UTC' });
    assert.deepEqual(parseWhen('übermorgen', { ...here, locale: 'de-DE' })?.due, Date.UTC(2026, 10, 20));
    for (const text of ['', 'milk', 'tomorrow milk', 'x'.repeat(1000)]) assert.equal(parseWhen(text, here), undefined);
  });

  it('may be durations from now without a title, in whole minutes and never in the past', () => {
    const read = (text: string, more: Partial<QuickAddContext> = {}) => {
      const { title, input, isAmount } = parseQuickAdd(`x ${text}`, { ...here, onlyDates: true, ...more });
      return title === 'x' ? [new Date(input.due!).toISOString().slice(0, 16), isAmount ?? false] : undefined;
    };
    for (const text of ['3d', '+3d', '3 days']) assert.deepEqual(read(text), ['2026-11-21T00:00', true]);
    assert.deepEqual(read('-1d'), ['2026-11-17T00:00', true]);
    assert.deepEqual(read('2 min'), ['2026-11-18T09:32', true]);
    const late = { clock: { now: () => here.clock.now() + 34_000, timeZone: 'Europe/Berlin' } };
    assert.deepEqual(read('in 1 minute', late), ['2026-11-18T09:32', false]);
    // A time of day in French, as it is everywhere else.
    assert.deepEqual(read('9h', { locale: 'fr-FR' }), ['2026-11-19T08:00', false]);
    for (const text of ['milk 3d', '3d milk', '5']) assert.equal(read(text), undefined);
    assert.equal(parseQuickAdd('x 3d', here).title, 'x 3d');
  });

  it('give a rule and its start', () => {
    assert.deepEqual(parseRepeat('every other Tuesday', here), {
      rrule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU',
      fromCompletion: false,
      first: { due: Date.UTC(2026, 10, 24), isAllDay: true, timezone: null },
    });
    assert.equal(parseRepeat('2 weeks after completion', here)?.fromCompletion, true);
    assert.equal(parseRepeat('tomorrow', here), undefined);
  });

  it('are made from rules', () => {
    const inWords = (rrule: string, locale: string) => describeRepeat(rrule, ruleWords(locale));
    const cases: readonly (readonly [string, string, string])[] = [
      ['FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,FR', 'en-US', 'every 2 weeks on Tuesday and Friday'],
      ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', 'en-GB', 'every weekday'],
      ['FREQ=MONTHLY;BYDAY=-1FR;COUNT=5', 'en-US', 'every month on the last Friday, 5 times'],
      ['FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24', 'de-DE', 'jedes Jahr am 24. Dezember'],
      ['FREQ=MONTHLY;BYMONTHDAY=-1', 'fr-FR', 'tous les mois le dernier jour'],
      ['FREQ=MONTHLY;BYDAY=-1SA', 'pt-BR', 'todo mês no último sábado'],
      ['FREQ=MONTHLY;BYDAY=-1FR', 'pt-BR', 'todo mês na última sexta-feira'],
      ['FREQ=DAILY;INTERVAL=2', 'ar', 'كل يومين'],
      ['FREQ=DAILY;INTERVAL=3', 'ar', 'كل 3 أيام'],
      ['FREQ=MONTHLY;BYDAY=-1FR', 'ar', 'كل شهر في آخر يوم جمعة'],
      ['FREQ=DAILY;UNTIL=20261224T225959Z', 'en-US', 'every day until Dec 24, 2026'],
      ['FREQ=DAILY;BYHOUR=9,12', 'en-US', 'every day …'],
      ['junk', 'en-US', 'junk'],
    ];
    for (const [rrule, locale, text] of cases) assert.equal(inWords(rrule, locale), text);
    assert.equal(
      describeRepeat('FREQ=DAILY', ruleWords('en-US'), { fromCompletion: true }),
      'every day after completion',
    );
  });

  it('keep the priorities of other programs in the title, and suggest ours', () => {
    const near = (text: string, options: Partial<QuickAddContext> = {}) => {
      const { nearPriority, title, input } = parseQuickAdd(text, { ...here, ...options });
      assert.equal(input.priority, undefined, text);
      return nearPriority && [text.slice(nearPriority.from, nearPriority.to), nearPriority.priority, title];
    };
    assert.deepEqual(near('Pay rent p1'), ['p1', 1, 'Pay rent p1']);
    assert.deepEqual(near('P2 Pay rent tomorrow'), ['P2', 5, 'P2 Pay rent']);
    assert.deepEqual(near('Fix p3 bug'), ['p3', 9, 'Fix p3 bug']);
    assert.deepEqual(near('Pay rent p4'), ['p4', 0, 'Pay rent p4']);
    assert.deepEqual(near('Pay rent !!!'), ['!!!', 1, 'Pay rent !!!']);
    assert.deepEqual(near('Fix !! bug'), ['!!', 5, 'Fix !! bug']);
    for (const text of ['Read p10', 'Install mp3', 'Super !', 'Wow!!', 'Fix "p1" bug', 'See https://a.example/?q p1-2'])
      assert.equal(near(text), undefined, text);
    assert.equal(near('Pay rent p1', { rejected: [[9, 11]] }), undefined);
    const { nearPriority, input } = parseQuickAdd('Fix p1 bug !low', here);
    assert.deepEqual([nearPriority, input.priority], [undefined, 9]);
    assert.equal(parseQuickAdd('Fix p1 bug', { ...here, syntax: 'todoist' }).nearPriority, undefined);
  });

  it('read “tom” as tomorrow beside a time or alone, and suggest it elsewhere, as it is a name too', () => {
    const dueOf = (text: string) => parseQuickAdd(text, here).input.due;
    for (const [short, long] of [
      ['tom', 'tomorrow'],
      ['tom 5pm', 'tomorrow 5pm'],
      ['tom at 9', 'tomorrow at 9'],
      ['Call Ana tom 17:00 #home', 'Call Ana tomorrow 17:00 #home'],
      ['Call Ana 5pm tom', 'Call Ana 5pm tomorrow'],
    ] as const)
      assert.equal(dueOf(short), dueOf(long), short);
    assert.notEqual(dueOf('Call Tom 5pm'), dueOf('Call tomorrow 5pm'));
    const { nearDay, title } = parseQuickAdd('Pay rent tom', here);
    assert.deepEqual([nearDay, title], [{ from: 9, to: 12, text: 'tomorrow' }, 'Pay rent tom']);
    for (const text of ['Call Tom', 'Buy tomatoes']) assert.equal(parseQuickAdd(text, here).nearDay, undefined, text);
  });

  it('keep a misspelled day in the title, and suggest the day', () => {
    const near = (text: string, options: Partial<QuickAddContext> = {}) => {
      const { nearDay, title } = parseQuickAdd(text, { ...here, ...options });
      return nearDay && [text.slice(nearDay.from, nearDay.to), nearDay.text, title];
    };
    assert.deepEqual(near('Call Ana tomorow, please'), ['tomorow', 'tomorrow', 'Call Ana tomorow, please']);
    for (const word of ['tommorow', 'tommorrow', 'tmorrow'])
      for (const text of [`Call Ana ${word}`, `Call Ana ${word} 5pm`, `Call Ana at 5pm ${word}`])
        assert.equal(near(text)?.[1], 'tomorrow', text);
    for (const [word, day] of [
      ['Wendesday', 'Wednesday'],
      ['thrusday', 'thursday'],
      ['saterday', 'saturday'],
      ['Mnoday', 'Monday'],
    ] as const)
      assert.equal(near(`Call Ana ${word}`)?.[1], day, word);
    for (const text of [
      'Call Frida',
      'Buy a sundae',
      "Monday's paper",
      'Wash the Mandays',
      'Read "tomorow"',
      'Today we go',
    ])
      assert.equal(near(text), undefined, text);
    // The line has a day already, reads none, or keeps the word.
    for (const text of [
      'Plan tomorow today',
      'Plan tomorow today 5pm',
      'Plan tomorow every day',
      'Plan tomorow in 2 hours',
    ])
      assert.equal(near(text), undefined, text);
    assert.equal(near('Call tomorow', { parseDates: false }), undefined);
    assert.equal(near('Call tomorow', { rejected: [[5, 12]] }), undefined);
    assert.equal(near('Ana mitwoch anrufen', { locale: 'de-DE' })?.[1], 'mittwoch');
    assert.equal(near('Montage der Lampe', { locale: 'de-DE' }), undefined);
    assert.equal(near('Ligar amanhâ já', { locale: 'pt-BR' }), undefined, 'accents do not count');
    assert.equal(near('Appeler Ana mecredi', { locale: 'fr-FR' })?.[1], 'mercredi');
  });
});
