import assert from 'node:assert/strict';
import { parseQuickAdd } from '../../../src/core/quickAdd/parseQuickAdd';
import type { QuickAddContext } from '../../../src/core/quickAdd/types';
import { parseRepeat, parseWhen } from '../../../src/core/quickAdd/when';
import { describeRepeat } from '../../../src/core/recurrence/ruleText';
import { ruleWords } from '../../../src/core/recurrence/ruleWords';
import type { Clock } from '../../../src/core/time/clock';
import { fromWall, wallOf } from '../../../src/core/time/dates';

const zone = 'Europe/Berlin';
const minuteMs = 60_000;
const clockAt = (wall: number): Clock => ({ now: () => fromWall(wall, zone), timeZone: zone });
const wednesday = Date.UTC(2026, 10, 18, 10, 30);
const sunday = Date.UTC(2026, 10, 22, 10, 30);
const here: QuickAddContext = { clock: clockAt(wednesday), locale: 'en-US' };

/** Title, due as the user reads it, and the rule if there is one. */
function read(text: string, more: Partial<QuickAddContext> = {}): (string | undefined)[] {
  const { input, title } = parseQuickAdd(text, { ...here, ...more });
  const { due, isAllDay } = input;
  const shown = due == null ? undefined : new Date(isAllDay ? due : wallOf(due, zone)).toISOString();
  return [title, shown?.slice(0, isAllDay ? 10 : 16), ...(input.rrule ? [input.rrule] : [])];
}

type Case = readonly [text: string, title: string, due: string | undefined, rrule?: string];

function readsAll(cases: readonly Case[], more: Partial<QuickAddContext> = {}): void {
  for (const [text, ...expected] of cases) assert.deepEqual(read(text, more), expected, text);
}

describe('quick add, spans of time', () => {
  it('counts on in every unit, past the ends of months and weeks', () => {
    readsAll([
      ['Call in 3 months', 'Call', '2027-02-18'],
      ['Call in a quarter', 'Call', '2027-02-18'],
      ['Renew in 2 years', 'Renew', '2028-11-18'],
      ['Reply in 3 workdays', 'Reply', '2026-11-23'],
      ['Reply in 7 workdays', 'Reply', '2026-11-27'],
      ['Reply 2 workdays ago', 'Reply', '2026-11-16'],
      ['Call 3 days ago', 'Call', '2026-11-15'],
      ['Pay in half an hour', 'Pay', '2026-11-18T11:00'],
      ['Pay in a fortnight', 'Pay', '2026-12-02'],
      ['Party in 9999 years', 'Party in 9999 years', undefined],
    ]);
    assert.deepEqual(read('Pay in a month', { clock: clockAt(Date.UTC(2027, 0, 31, 9)) }), ['Pay', '2027-02-28']);
  });

  it('adds minutes to hours', () => {
    readsAll([
      ['Call in 1 hour and 30 minutes', 'Call', '2026-11-18T12:00'],
      ['Call in an hour and a half', 'Call', '2026-11-18T12:00'],
    ]);
  });

  it('counts from another date', () => {
    readsAll([
      ['Pack 2 days before Friday', 'Pack', '2026-11-18'],
      ['Pack a week from Friday', 'Pack', '2026-11-27'],
      ['Pack 3 days after 2026-12-01', 'Pack', '2026-12-04'],
      ['Pack 2 days before Dec 24', 'Pack', '2026-12-22'],
      ['Pack 2 days after tomorrow', 'Pack', '2026-11-21'],
      ['Pack 2 hours before Friday', 'Pack 2 hours', '2026-11-20'],
      ['Pack 3 days before lunch', 'Pack 3 days before lunch', undefined],
    ]);
  });

  it('knows the beginnings and ends of weeks, months and years', () => {
    readsAll([
      ['Report eod', 'Report', '2026-11-18'],
      ['Report eow', 'Report', '2026-11-21'],
      ['Report eoy', 'Report', '2026-12-31'],
      ['Report end of the year', 'Report', '2026-12-31'],
      ['Report end of next week', 'Report', '2026-11-28'],
      ['Report end of next month', 'Report', '2026-12-31'],
      ['Report end of next year', 'Report', '2027-12-31'],
      ['Report next year', 'Report', '2027-01-01'],
      ['Report next workday', 'Report', '2026-11-19'],
      ['Clean this week', 'Clean', '2026-11-21'],
      ['Clean this month', 'Clean', '2026-11-30'],
      ['Clean this year', 'Clean', '2026-12-31'],
      ['Standup Friday week next', 'Standup', '2026-11-27'],
      ['Report end of the quarter', 'Report end of the quarter', undefined],
    ]);
  });

  it('takes the first day of the week from the setting', () => {
    const ends = { monday: '2026-11-22', sunday: '2026-11-21', saturday: '2026-11-20', locale: '2026-11-21' } as const;
    for (const [firstDay, end] of Object.entries(ends)) {
      const settings = { firstDay: firstDay as keyof typeof ends };
      assert.deepEqual(read('Report end of the week', { settings }), ['Report', end], firstDay);
    }
    readsAll(
      [
        ['Work every workday', 'Work', '2026-11-18', 'FREQ=WEEKLY;BYDAY=SU,MO,TU,WE,TH'],
        ['Rest every weekend', 'Rest', '2026-11-20', 'FREQ=WEEKLY;BYDAY=FR,SA'],
        ['Call next week', 'Call', '2026-11-22'],
      ],
      { settings: { firstDay: 'saturday' } },
    );
  });

  it('never takes a weekend that is over', () => {
    readsAll([
      ['Clean this weekend', 'Clean', '2026-11-21'],
      ['Clean next weekend', 'Clean', '2026-11-28'],
    ]);
    readsAll(
      [
        ['Clean this weekend', 'Clean', '2026-11-22'],
        ['Clean next weekend', 'Clean', '2026-11-28'],
      ],
      { clock: clockAt(sunday) },
    );
  });

  it('finds days by their position in a month', () => {
    readsAll([
      ['Meet the last Friday of the month', 'Meet', '2026-11-27'],
      ['Meet the last day of the month', 'Meet', '2026-11-30'],
      ['Meet the second Tuesday in December', 'Meet', '2026-12-08'],
      ['Was last Monday', 'Was', '2026-11-16'],
      ['Was last Wednesday', 'Was', '2026-11-11'],
      ['Holiday May 2027', 'Holiday', '2027-05-01'],
      ['Holiday next January', 'Holiday', '2027-01-01'],
      ['Party on the 5th of next month', 'Party', '2026-12-05'],
    ]);
    // February has no 30th: the next month that has one.
    const january = { clock: clockAt(Date.UTC(2027, 0, 31, 9)) };
    assert.deepEqual(read('Pay on the 30th', january), ['Pay', '2027-03-30']);
  });
});

describe('quick add, times', () => {
  it('reads twelve-hour times in all spellings of am and pm', () => {
    readsAll([
      ['Call at 12am', 'Call', '2026-11-19T00:00'],
      ['Call at 12pm', 'Call', '2026-11-18T12:00'],
      ["Call at 3 o'clock", 'Call', '2026-11-18T15:00'],
      ["Call at 9 o'clock", 'Call', '2026-11-19T09:00'],
      ['Call at 8 at night', 'Call', '2026-11-18T20:00'],
      ['Call at 2 at night', 'Call', '2026-11-19T02:00'],
      ['Call at 7 in the evening', 'Call', '2026-11-18T19:00'],
      ['Call a quarter past 9pm', 'Call', '2026-11-18T21:15'],
      ['Call quarter to 9', 'Call', '2026-11-19T08:45'],
      ['Call 9.30am tomorrow', 'Call', '2026-11-19T09:30'],
      ['Call at 24:00', 'Call', '2026-11-19T00:00'],
      ['Call 13pm', 'Call 13pm', undefined],
      ['Call at 25:00', 'Call at 25:00', undefined],
      ['Call at 9:75', 'Call at 9:75', undefined],
      // On a clock of twelve hours this is a duration.
      ['Call tomorrow 9h', 'Call 9h', '2026-11-19'],
    ]);
  });

  it('lets a part of the day decide between morning and evening', () => {
    readsAll([
      ['Party tomorrow evening at 8', 'Party', '2026-11-19T20:00'],
      ['Party tomorrow morning at 10', 'Party', '2026-11-19T10:00'],
      ['Wake tomorrow morning at 5', 'Wake', '2026-11-19T05:00'],
      ['Wake at half past five tomorrow morning', 'Wake', '2026-11-19T05:30'],
      ['Wake tomorrow evening at 5', 'Wake', '2026-11-19T17:00'],
      ['Party at 9:30 tomorrow evening', 'Party', '2026-11-19T21:30'],
      ['Party at 9:30 tomorrow morning', 'Party', '2026-11-19T09:30'],
    ]);
  });

  it('takes one to six without am or pm for the afternoon, with minutes too', () => {
    readsAll([
      ['Dentist at 2:30', 'Dentist', '2026-11-18T14:30'],
      ['Dentist 2:30 tomorrow', 'Dentist', '2026-11-19T14:30'],
      ['Dentist tomorrow 02:30', 'Dentist', '2026-11-19T02:30'],
      ['Dentist tomorrow 2:30am', 'Dentist', '2026-11-19T02:30'],
      ['Dentist tomorrow 2:30 am', 'Dentist', '2026-11-19T02:30'],
      ['Wake tomorrow morning at 5:30', 'Wake', '2026-11-19T05:30'],
      ['Wake at 5:30 tomorrow morning', 'Wake', '2026-11-19T05:30'],
      ['Wake tomorrow at 7:30', 'Wake', '2026-11-19T07:30'],
      ['Run every day at 5:30', 'Run', '2026-11-18T17:30', 'FREQ=DAILY'],
    ]);
    readsAll([['Rückruf morgen 2:30', 'Rückruf', '2026-11-19T02:30']], { locale: 'de-DE' });
  });

  it('reads minutes after the word for the hour', () => {
    readsAll(
      [
        ['Treffen um 15 Uhr 30', 'Treffen', '2026-11-18T15:30'],
        ['Treffen um 3 Uhr', 'Treffen', '2026-11-19T03:00'],
        ['Treffen am 31.02.', 'Treffen am 31.02.', undefined],
      ],
      { locale: 'de-DE' },
    );
  });
});

describe('quick add, repetitions', () => {
  it('reads months, parts of the day, ranges of weekdays and working days', () => {
    readsAll([
      ['Rent every May', 'Rent', '2027-05-01', 'FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=1'],
      ['Run every morning', 'Run', '2026-11-19T09:00', 'FREQ=DAILY'],
      ['Run every day at night', 'Run', '2026-11-18T20:00', 'FREQ=DAILY'],
      ['Standup every Mon-Fri', 'Standup', '2026-11-18', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
      ['Standup every Monday to Friday', 'Standup', '2026-11-18', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
      ['Pay every 3 workdays', 'Pay', '2026-11-18', 'FREQ=DAILY;INTERVAL=3;BYDAY=MO,TU,WE,TH,FR'],
      ['Sleep every 2 weekends', 'Sleep', '2026-11-21', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU'],
      ['Report yearly on May 5', 'Report', '2027-05-05', 'FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=5'],
      ['Daily report', 'Daily report', undefined],
    ]);
  });

  it('reads days of the month whether "every" comes first or last', () => {
    readsAll([
      ['Rent every month on the 5th', 'Rent', '2026-12-05', 'FREQ=MONTHLY;BYMONTHDAY=5'],
      ['Rent on the 5th of every month', 'Rent', '2026-12-05', 'FREQ=MONTHLY;BYMONTHDAY=5'],
      ['Rent the 5th of each month at 9am', 'Rent', '2026-12-05T09:00', 'FREQ=MONTHLY;BYMONTHDAY=5'],
      ['Pay on the 1st and 15th of every month', 'Pay', '2026-12-01', 'FREQ=MONTHLY;BYMONTHDAY=1,15'],
      ['Close the last workday of every month', 'Close', '2026-11-30', 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1'],
      ['Bill every first workday', 'Bill', '2026-12-01', 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1'],
      ['Bill every first day', 'Bill', '2026-12-01', 'FREQ=MONTHLY;BYMONTHDAY=1'],
      ['Bill every second day', 'Bill', '2026-11-18', 'FREQ=DAILY;INTERVAL=2'],
    ]);
    readsAll([['Miete am 5. jedes Monats', 'Miete', '2026-12-05', 'FREQ=MONTHLY;BYMONTHDAY=5']], { locale: 'de-DE' });
    readsAll(
      [
        ['Loyer le 5 de chaque mois', 'Loyer', '2026-12-05', 'FREQ=MONTHLY;BYMONTHDAY=5'],
        ['Loyer le 1er de chaque mois', 'Loyer', '2026-12-01', 'FREQ=MONTHLY;BYMONTHDAY=1'],
        ['Sport un mardi sur deux', 'Sport', '2026-11-24', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU'],
        ['Sport une semaine sur trois', 'Sport', '2026-11-18', 'FREQ=WEEKLY;INTERVAL=3'],
      ],
      { locale: 'fr-FR' },
    );
    readsAll(
      [
        ['Conta dia 5 de cada mês', 'Conta', '2026-12-05', 'FREQ=MONTHLY;BYMONTHDAY=5'],
        ['Conta no dia 5 de todo mês', 'Conta', '2026-12-05', 'FREQ=MONTHLY;BYMONTHDAY=5'],
        ['Conta todo dia 5', 'Conta', '2026-12-05', 'FREQ=MONTHLY;BYMONTHDAY=5'],
        ['Conta dia 5 do mês que vem', 'Conta', '2026-12-05'],
      ],
      { locale: 'pt-BR' },
    );
  });

  it('reads frequency, end and start', () => {
    readsAll([
      ['Stretch every day for 3 times', 'Stretch', '2026-11-18', 'FREQ=DAILY;COUNT=3'],
      ['Stretch every day 5x', 'Stretch', '2026-11-18', 'FREQ=DAILY;COUNT=5'],
      ['Stretch every day for 2 weeks', 'Stretch', '2026-11-18', 'FREQ=DAILY;UNTIL=20261201'],
      ['Plan every week until Dec 24', 'Plan', '2026-11-18', 'FREQ=WEEKLY;UNTIL=20261224'],
      ['Pay every month starting Dec 5 at 9am', 'Pay', '2026-12-05T09:00', 'FREQ=MONTHLY'],
      ['Read every 3 days from Friday until Dec 20', 'Read', '2026-11-20', 'FREQ=DAILY;INTERVAL=3;UNTIL=20261220'],
      ['Back up every last Friday of month', 'Back up', '2026-11-27', 'FREQ=MONTHLY;BYDAY=-1FR'],
    ]);
  });

  it('starts hours and minutes after one interval, or at a given time', () => {
    readsAll([
      ['Ping every hour', 'Ping', '2026-11-18T11:30', 'FREQ=HOURLY'],
      ['Ping every 30 minutes', 'Ping', '2026-11-18T11:00', 'FREQ=MINUTELY;INTERVAL=30'],
      ['Ping every hour at 9am', 'Ping', '2026-11-19T09:00', 'FREQ=HOURLY'],
      ['Ping every hour starting tomorrow', 'Ping', '2026-11-19T00:00', 'FREQ=HOURLY'],
      ['Ping every hour starting in 2 hours', 'Ping', '2026-11-18T12:30', 'FREQ=HOURLY'],
    ]);
  });

  it('counts from the completion if the words ask for it', () => {
    for (const text of ['Water every 3 days when done', 'Water every! 3 days', 'Water 3 days after completion']) {
      const { fromCompletion, input } = parseQuickAdd(text, here);
      assert.deepEqual(
        { fromCompletion, rrule: input.rrule },
        { fromCompletion: true, rrule: 'FREQ=DAILY;INTERVAL=3' },
        text,
      );
    }
  });
});

describe('quick add, reminders', () => {
  const alarmOf = (text: string, allDayAlarmTime = '09:00') => {
    const { alarms } = parseQuickAdd(text, { ...here, settings: { allDayAlarmTime } }).input;
    const [{ minutesBefore, reference } = { minutesBefore: 0, reference: undefined }] = alarms ?? [];
    if (reference !== 'ABSOLUTE') return [minutesBefore, reference];
    return new Date(wallOf(-minutesBefore * minuteMs, zone)).toISOString().slice(0, 16);
  };

  it('reads a time alone on the due day, and counts from now without a date', () => {
    assert.equal(alarmOf('Call tomorrow *8am'), '2026-11-19T08:00');
    assert.equal(alarmOf('Call tomorrow 3pm *9am'), '2026-11-19T09:00');
    assert.equal(alarmOf('Call *tomorrow 8am'), '2026-11-19T08:00');
    assert.equal(alarmOf('Call *10 min'), '2026-11-18T10:40');
    assert.deepEqual(alarmOf('Call tomorrow *1 week'), [10_080, 'DUE']);
  });

  it('uses the hour of the setting if only a day is named', () => {
    assert.equal(alarmOf('Call tomorrow *today', '07:30'), '2026-11-18T07:30');
    assert.equal(alarmOf('Call tomorrow *today', 'no time'), '2026-11-18T09:00');
  });

  it('moves along with a series', () => {
    assert.deepEqual(alarmOf('Call every Monday *Sunday 6pm'), [900, 'DUE']);
    assert.deepEqual(alarmOf('Call every Monday 9am *8am'), [60, 'DUE']);
    assert.deepEqual(alarmOf('Call every Monday *9am'), [0, 'DUE']);
  });
});

describe('quick add, signs', () => {
  it('reads names in quotes, and no empty or endless name', () => {
    const signs = (text: string, more: Partial<QuickAddContext> = {}) => {
      const { input, listName, title } = parseQuickAdd(text, { ...here, ...more });
      return { title, tags: input.tags?.join('+') ?? '', list: listName ?? '' };
    };
    const endless = 'x'.repeat(201);
    assert.deepEqual(signs('Buy milk #"two words"'), { title: 'Buy milk', tags: 'two words', list: '' });
    assert.deepEqual(signs('Buy milk #“big shop” @"Family Shared"'), {
      title: 'Buy milk',
      tags: 'big shop',
      list: 'Family Shared',
    });
    for (const text of ['Buy milk #" "', 'Buy milk ##', 'Buy milk @', `Buy milk #${endless}`, `Buy milk @${endless}`])
      assert.deepEqual(signs(text), { title: text, tags: '', list: '' }, text);
    assert.deepEqual(signs('Buy @Homework', { lists: ['Home'] }), { title: 'Buy', tags: '', list: 'Homework' });
    assert.deepEqual(signs('Buy @Home now', { lists: ['Home'] }), { title: 'Buy now', tags: '', list: 'Home' });
    assert.deepEqual(signs('Buy milk @shop #Home', { syntax: 'todoist' }), {
      title: 'Buy milk',
      tags: 'shop',
      list: 'Home',
    });
  });

  it('keeps a bracket that belongs to an address, and drops one around it', () => {
    const url = (text: string) => parseQuickAdd(text, here).input.url;
    assert.equal(url('Read https://a.example/x_(y)'), 'https://a.example/x_(y)');
    assert.equal(url('Read (https://a.example/x)'), 'https://a.example/x');
    assert.equal(url(`Read https://a.example/${'x'.repeat(2100)}`), undefined);
    assert.equal(url('Look into /usr'), undefined);
  });
});

describe('a date or a repeat alone', () => {
  it('counts back with a minus, and from now for a bare duration', () => {
    const day = (text: string) => {
      const when = parseWhen(text, here);
      return when && new Date(when.isAllDay ? when.due : wallOf(when.due, zone)).toISOString().slice(0, 16);
    };
    assert.equal(day('-3 days'), '2026-11-15T00:00');
    assert.equal(day('+1w'), '2026-11-25T00:00');
    assert.equal(day('2h'), '2026-11-18T12:30');
    assert.equal(day('banana'), undefined);
  });

  it('gives a series its first value', () => {
    const { rrule, first } = parseRepeat('every hour', here)!;
    assert.deepEqual({ rrule, due: wallOf(first.due, zone) }, { rrule: 'FREQ=HOURLY', due: wednesday + 60 * minuteMs });
    assert.equal(parseRepeat('sometimes', here), undefined);
  });
});

describe('a rule in words', () => {
  const rules = [
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
    'FREQ=DAILY;COUNT=1',
    'FREQ=DAILY;COUNT=12',
    'FREQ=MONTHLY;BYMONTHDAY=5',
    'FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24',
    'FREQ=WEEKLY;UNTIL=20261224',
  ];
  const phrases: Readonly<Record<string, readonly string[]>> = {
    'en-US': [
      'every month on the last weekday',
      'every day, once',
      'every day, 12 times',
      'every month on day 5',
      'every year on December 24',
      'every week until Dec 24, 2026',
    ],
    'de-DE': [
      'jeden Monat am letzten Werktag',
      'jeden Tag, 1-mal',
      'jeden Tag, 12-mal',
      'jeden Monat am Tag 5',
      'jedes Jahr am 24. Dezember',
      'jede Woche bis 24. Dez. 2026',
    ],
    'fr-FR': [
      'tous les mois le dernier jour ouvré',
      'tous les jours, 1 fois',
      'tous les jours, 12 fois',
      'tous les mois le 5',
      'tous les ans le 24 décembre',
      'toutes les semaines jusqu’au 24 déc. 2026',
    ],
    'pt-BR': [
      'todo mês no último dia útil',
      'todos os dias, 1 vez',
      'todos os dias, 12 vezes',
      'todo mês no dia 5',
      'todo ano em 24 de dezembro',
      'toda semana até 24 de dez. de 2026',
    ],
  };

  for (const [locale, words] of Object.entries(phrases)) {
    it(`is written in ${locale}`, () => {
      assert.deepEqual(
        rules.map(rule => describeRepeat(rule, ruleWords(locale))),
        words,
      );
    });
  }

  it('has the plural forms of Arabic', () => {
    const inArabic = (rule: string) => describeRepeat(rule, ruleWords('ar'));
    const counts = [1, 2, 3, 11].map(count => inArabic(`FREQ=DAILY;COUNT=${count}`).replace('كل يوم، ', ''));
    assert.deepEqual(counts, ['مرة واحدة', 'مرتين', '3 مرات', '11 مرة']);
    const spans = [2, 3, 11, 101].map(n => inArabic(`FREQ=DAILY;INTERVAL=${n}`));
    assert.deepEqual(spans, ['كل يومين', 'كل 3 أيام', 'كل 11 يومًا', 'كل 101 يوم']);
    assert.equal(inArabic('FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=2'), 'كل شهر في ثاني يوم عمل');
  });

  it('reports parts that no words cover, and leaves what is no rule unchanged', () => {
    assert.equal(describeRepeat('FREQ=DAILY;BYHOUR=9', ruleWords('en-US')), 'every day …');
    assert.equal(describeRepeat('whenever', ruleWords('en-US')), 'whenever');
    assert.equal(describeRepeat('FREQ=MONTHLY;BYDAY=7FR', ruleWords('en-US')), 'every month on the 7 Friday');
  });
});
