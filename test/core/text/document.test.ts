import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseQuickAdd } from '../../../src/core/quickAdd/parseQuickAdd';
import type { QuickAddContext } from '../../../src/core/quickAdd/types';
import { sanitize } from '../../../src/core/text/cleanText';
import { compareTexts } from '../../../src/core/text/document/compare';
import { withLeftovers } from '../../../src/core/text/document/leftovers';
import { columnOf, readLine, withIdAtEnd, withPartBelow, writeLine } from '../../../src/core/text/document/line';
import { withoutBackslashes } from '../../../src/core/text/document/literal';
import { readText } from '../../../src/core/text/document/readText';
import { WordWriter } from '../../../src/core/text/document/writeWords';
import { wallOf } from '../../../src/core/time/dates';

const clock = { timeZone: 'Europe/Berlin', now: () => Date.UTC(2026, 10, 29, 9) };
const runs = Number(process.env.DUELINE_RUNS ?? 250);

/** Words of each language that are words alone, words about time, signs, and what looks like the frame of a line. */
const words: Readonly<Record<string, readonly string[]>> = {
  'en-US': [
    'Call',
    'Ana',
    'about',
    'the',
    'budget',
    'tomorrow',
    'every',
    'week',
    'friday',
    'in',
    '3',
    'days',
    'May',
    'remind',
    'me',
    'until',
    '5pm',
    'and',
  ],
  de: [
    'Miete',
    'zahlen',
    'morgen',
    'am',
    'Freitag',
    'jeden',
    'Montag',
    'um',
    '9',
    'Uhr',
    'über',
    'alle',
    '2',
    'Wochen',
    'ab',
    '30.11.',
    'Erinnerung',
  ],
  fr: [
    'Payer',
    'le',
    'loyer',
    'demain',
    'à',
    '9h',
    'chaque',
    'lundi',
    'tous',
    'les',
    'jours',
    'avant',
    'd’ici',
    'vendredi',
    'sauf',
  ],
  'pt-BR': [
    'Pagar',
    'aluguel',
    'amanhã',
    'às',
    '9h',
    'toda',
    'segunda',
    'a',
    'cada',
    '3',
    'dias',
    'até',
    'sexta',
    'no',
    'fim',
  ],
  ar: [
    'ادفع',
    'الإيجار',
    'غدا',
    'الساعة',
    '9',
    'كل',
    'يوم',
    'الجمعة',
    'قبل',
    'ساعة',
    'بعد',
    'أسبوع',
    '٣',
    'أيام',
    'شراء‏',
    'حليب',
  ],
};
const strange = [
  '#tag',
  '@Home',
  '!high',
  '//',
  'https://x.test/a',
  '^',
  '*5',
  'after:x',
  ':Release',
  '"two',
  'words"',
  '\\',
  '\\\\srv',
  '-',
  '1.',
  '[x]',
  '[ ]',
  '[x]Echo',
  'dl-abcd',
  ',',
  'p1',
  '2026-12-04',
  '🎉',
  '**b**',
  'שלום',
  'x',
];

const written = (locale: string) =>
  fc.record({
    title: fc
      .array(fc.constantFrom(...words[locale]!, ...words[locale]!, ...strange), { minLength: 1, maxLength: 6 })
      .map(all => all.join(' ')),
    day: fc.option(fc.integer({ min: -400, max: 800 })),
    start: fc.option(fc.integer({ min: 0, max: 20 }), { freq: 1 }),
    minutes: fc.option(fc.integer({ min: 0, max: 1439 })),
    priority: fc.constantFrom(0, 0, 1, 3, 5, 9),
    tags: fc.uniqueArray(fc.constantFrom('release', 'two words', 'ä/ö', 'c++', '日本', 'say "x"', '1'), {
      maxLength: 2,
    }),
    rrule: fc.constantFrom(
      null,
      null,
      'FREQ=DAILY;INTERVAL=3',
      'FREQ=WEEKLY',
      'FREQ=MONTHLY;BYDAY=-1FR',
      'FREQ=YEARLY;BYWEEKNO=20',
    ),
    alarms: fc.constantFrom([], [], [{ minutesBefore: 10 }], [{ minutesBefore: 1440 }], [{ minutesBefore: -5 }]),
    estimate: fc.constantFrom(null, null, '30m', '1h30m', '2h'),
    url: fc.constantFrom(null, null, 'https://example.com/a?b=c#d', 'https://x.test/a)b'),
    listName: fc.constantFrom(undefined, undefined, 'Work', 'Family Shared', 'Liste „A“'),
  });

function documentFieldsOf({ day, start, minutes, ...rest }: Awaited<ReturnType<typeof sample>>) {
  const at = (days: number) => Date.UTC(2026, 10, 29) + days * 86_400_000 + (minutes ?? 0) * 60_000;
  const isAllDay = minutes === null;
  const offset = (value: number) => value - (isAllDay ? 0 : wallOf(value, clock.timeZone) - value);
  return {
    ...rest,
    due: day === null ? null : offset(at(day)),
    dtstart: start === null || day === null ? null : offset(at(day - start)),
    isAllDay,
    timezone: isAllDay ? null : 'UTC',
    rrule: day === null ? null : rest.rrule,
    fromCompletion: false,
    after: [],
    ...(rest.listName === undefined ? { listName: undefined as never } : {}),
  };
}
const sample = async (locale: string) => fc.sample(written(locale), 1)[0]!;

describe('lines of tasks as text', () => {
  for (const locale of Object.keys(words))
    it(`mean the same in ${locale}, and are written as they are read`, () => {
      const context: QuickAddContext = {
        clock,
        locale,
        lists: ['Work', 'Family Shared', 'Liste „A“', 'Home'],
        templates: ['Release'],
      };
      const writer = new WordWriter(context);
      const read = (line: string) => {
        const { text, ranges } = withoutBackslashes(line);
        return parseQuickAdd(text, { ...context, rejected: ranges });
      };
      fc.assert(
        fc.property(written(locale), drawn => {
          const fields = documentFieldsOf(drawn);
          const line = writer.write(fields);
          const found = read(line);
          const { input } = found;
          assert.equal(found.title, sanitize(fields.title).trim(), line);
          const minute = (value: number | null | undefined) => (value == null ? null : Math.floor(value / 60_000));
          // A word of the title can be such that no date may be beside it: then there is none.
          if (input.due != null) assert.equal(minute(input.due), minute(fields.due), line);
          if (input.dtstart != null) assert.equal(minute(input.dtstart), minute(fields.dtstart), line);
          assert.equal(input.priority ?? 0, fields.priority, line);
          assert.equal(input.estimate ?? null, fields.estimate, line);
          assert.deepEqual(
            input.tags ?? [],
            fields.tags.filter(tag => !tag.includes('"')),
            line,
          );
          const again = writer.write({
            ...fields,
            due: input.due ?? null,
            dtstart: input.dtstart ?? null,
            isAllDay: input.isAllDay ?? false,
            timezone: input.timezone ?? null,
            tags: input.tags ?? [],
            rrule: input.rrule ?? null,
            alarms: input.alarms ?? [],
            url: input.url ?? null,
            title: found.title,
            ...(found.listName === undefined ? { listName: undefined as never } : { listName: found.listName }),
          });
          assert.equal(again, line);
          const whole = writeLine({ indent: 2, box: 'x', number: 3, words: line, id: 'dl-k3f9' });
          const { at: _at, from: _from, idFrom: _idFrom, ...taken } = readLine(whole, 0)!;
          assert.deepEqual(taken, { indent: 2, box: 'x', number: 3, words: line, id: 'dl-k3f9' });
          assert.equal(readLine(line, 0)?.words, line, 'without its frame');
        }),
        { numRuns: runs },
      );
    });

  it('are ticked without a space after the box, but not by what only looks like one', () => {
    const read = (raw: string) => {
      const { box, words } = readLine(raw, 0)!;
      return `${box}|${words}`;
    };
    assert.deepEqual(['[x]Echo', '  - [X]été', '2. [-]Echo', '[ ]Echo', '[x] Echo'].map(read), [
      'x|Echo',
      'x|été',
      '-|Echo',
      '|Echo',
      'x|Echo',
    ]);
    for (const title of ['[]byte', '[x](link)', '[x]2', '[xx]Echo']) assert.equal(read(title), `|${title}`);
  });

  it('keep their ID if words are typed after it', () => {
    const raw = '  [x] Call Ana  dl-K3f9 !high tomorrow';
    const line = readLine(raw, 0)!;
    assert.deepEqual([line.words, line.id], ['Call Ana !high tomorrow', 'dl-k3f9']);
    for (const word of ['Call', 'Ana', '!high', 'tomorrow'])
      assert.equal(columnOf(line, line.words.indexOf(word)), raw.indexOf(word), word);
    assert.equal(raw.slice(line.idFrom).slice(0, 7), 'dl-K3f9');
    assert.equal(withIdAtEnd(raw), '  [x] Call Ana !high tomorrow  dl-k3f9');
    assert.equal(readLine('Call Ana  dl-k3f9 like dl-m2aa', 0)!.id, 'dl-k3f9', 'the one that was written');
    assert.equal(readLine('Do as dl-k3f9 says', 0)!.id, undefined, 'a mention');
    assert.equal(readLine('Read  dl-k3f9 again  dl-m2aa', 0)!.id, 'dl-m2aa', 'the last one');
  });

  it('move a part into a subtask, above those that are there', () => {
    const moved = (raw: string, next: string) => withPartBelow(raw, next, raw.indexOf(':p'), raw.indexOf(':p') + 2);
    assert.equal(moved('  Trip :p !high  dl-k3f9', '  Rent'), '  Trip !high  dl-k3f9\n    :p');
    assert.equal(moved('Trip  dl-k3f9 :p', '\tSocks'), 'Trip  dl-k3f9\n    :p');
    assert.equal(moved(':p Trip :p  dl-k3f9', ''), 'Trip :p  dl-k3f9\n  :p');
  });

  it('are not taken over by a line above that mentions their ID', () => {
    const [base, mine] = ['Fix login  dl-k3f9\n', 'Ask Bob.  dl-k3f9 is late\nFix login  dl-k3f9\n'].map(text =>
      readText(text, 'list'),
    ) as [ReturnType<typeof readText>, ReturnType<typeof readText>];
    const { ids, changed } = compareTexts(base, mine, base, new Map());
    assert.deepEqual([...ids], [[mine.tasks[1], 'dl-k3f9']]);
    assert.deepEqual(changed, []);
  });

  it('say a title with an ID amid its words as it is', () => {
    const writer = new WordWriter({ clock, locale: 'en-US' });
    const title = 'Read  dl-k3f9 again';
    const fields = { due: null, dtstart: null, isAllDay: false, timezone: null, priority: 0, tags: [], url: null };
    const line = writer.write({
      ...fields,
      title,
      rrule: null,
      fromCompletion: false,
      alarms: [],
      estimate: null,
      after: [],
    });
    assert.equal(readLine(line, 0)!.id, undefined);
    assert.equal(withoutBackslashes(line).text, title);
  });

  it('change nothing if nothing was edited', () => {
    const text = 'One  dl-aaaa\n  1. Two  dl-bbbb\n  2. Three  dl-cccc\n[x] Four  dl-dddd\n';
    for (const same of [
      text,
      text.replaceAll('\n', '\r\n'),
      text.replaceAll('  1.', '\t1.').replaceAll('  2.', '\t2.'),
      `\ufeff${text}\n\n`,
    ]) {
      const base = readText(text, 'list');
      const { changed, created, vanished, problems, order, rows } = compareTexts(
        base,
        readText(same, 'list'),
        base,
        new Map(),
      );
      assert.deepEqual([changed, created, vanished, problems, order, rows], [[], [], [], [], [], []]);
    }
  });

  // If each line goes through all lines of its words, this takes minutes.
  it('of one title are matched in their order without their IDs, however many they are', () => {
    const ids = Array.from({ length: 60_000 }, (_, at) => `dl-${at.toString(36).padStart(5, '0')}`);
    const base = readText(ids.map(id => `Same  ${id}\n`).join(''), 'list');
    const { ids: found, problems } = compareTexts(base, readText('Same\n'.repeat(ids.length), 'list'), base, new Map());
    assert.deepEqual([[...found.values()], problems], [ids, []]);
  });

  it('that were not accepted are put back in place', () => {
    const text = 'One  dl-aaaa\nTwo  dl-bbbb\n';
    const left = [
      { raw: '!high', keysAbove: ['dl-bbbb', 'dl-aaaa'] },
      { raw: 'Mine', id: 'dl-aaaa', keysAbove: [] },
      { raw: 'First', keysAbove: [] },
    ];
    assert.equal(withLeftovers(text, left), 'First\nMine  dl-aaaa\nTwo  dl-bbbb\n!high\n');
  });
});
