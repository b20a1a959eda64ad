import assert from 'node:assert/strict';
import { parseQuickAdd } from '../../../src/core/quickAdd/parseQuickAdd';
import type { QuickAddContext } from '../../../src/core/quickAdd/types';

/** Monday, 23 November 2026, 10:00. */
const monday = Date.UTC(2026, 10, 23, 10);
const here = (locale: string): QuickAddContext => ({ clock: { now: () => monday, timeZone: 'UTC' }, locale });

/** The words of each language for a range, an end and a request. */
interface Phrases {
  readonly connectives: string;
  readonly title: string;
  readonly times: readonly string[];
  readonly days: readonly string[];
  /** Patterns with A and B for a beginning and an end. */
  readonly ranges: readonly string[];
  /** Patterns with A for a date or a time. */
  readonly single: readonly string[];
}

const languages: Readonly<Record<string, Phrases>> = {
  'en-US': {
    connectives: 'from to until till through between and or starting for',
    title: 'Visit Anna',
    times: ['3pm', '15:30', 'noon', '4:15pm', '9 pm'],
    days: ['Monday', 'Friday', 'tomorrow', 'Dec 1', 'Jan 5', '12/20', 'the 5th', '2026-12-24'],
    ranges: ['from A to B', 'A to B', 'A - B', 'between A and B', 'A until B', 'from A through B', 'A or B'],
    single: [
      'until A',
      'from A',
      'to A',
      'starting A',
      'every day until A',
      'every day from A',
      'A, remind me A',
      'remind me A to',
    ],
  },
  'de-DE': {
    connectives: 'von vom bis zwischen und oder für',
    title: 'Anna besuchen',
    times: ['15 Uhr', '15:30', '16 Uhr 15', '21:00'],
    days: ['Montag', 'Freitag', 'morgen', '1. Dezember', '5.1.', '24.12.2026', '2026-12-28'],
    ranges: ['von A bis B', 'vom A bis B', 'A bis B', 'A - B', 'zwischen A und B', 'A bis zum B', 'A oder B'],
    single: ['bis A', 'von A', 'bis zum A', 'jeden Tag bis A', 'A, erinnere mich A', 'erinnere mich A daran'],
  },
  'fr-FR': {
    connectives: "de du à au jusqu'à jusqu'au entre et ou pendant",
    title: 'Voir Anna',
    times: ['15h', '15h30', 'midi', '21h'],
    days: ['lundi', 'vendredi', 'demain', '1er décembre', '5 janvier', '20/12', '2026-12-24'],
    ranges: ['de A à B', 'du A au B', 'A à B', 'A - B', 'entre A et B', "A jusqu'à B", 'A ou B'],
    single: [
      "jusqu'à A",
      "jusqu'au A",
      'de A',
      'tous les jours de A',
      "tous les jours jusqu'au A",
      'A, rappelle-moi A',
      'rappelle-moi A de',
    ],
  },
  'pt-BR': {
    connectives: 'de do da das a à ao às até entre e ou desde por',
    title: 'Ver Anna',
    times: ['15h', '15:30', '21h', '16h15'],
    days: ['segunda-feira', 'sexta-feira', 'amanhã', '1 de dezembro', 'dia 5', '20/12', '2026-12-24'],
    ranges: ['de A a B', 'das A às B', 'da A à B', 'do A ao B', 'A até B', 'A - B', 'entre A e B', 'A ou B'],
    single: [
      'até A',
      'até o A',
      'desde A',
      'todo dia até A',
      'todo dia a partir de A',
      'A, me lembre A',
      'me lembre A de',
    ],
  },
  ar: {
    connectives: 'من إلى حتى لغاية بين و أو لمدة',
    title: 'زيارة أحمد',
    times: ['الساعة 3', '15:30', 'الساعة 9 مساء', '9 صباحا'],
    days: ['الاثنين', 'الجمعة', 'غدا', '1 ديسمبر', '5 يناير', '20/12', '2026-12-24'],
    ranges: ['من A إلى B', 'A إلى B', 'من A حتى B', 'A - B', 'بين A و B', 'A أو B'],
    single: ['حتى A', 'لغاية A', 'من A', 'إلى A', 'كل يوم حتى A', 'كل يوم من A', 'A، ذكرني A', 'ذكرني A أن'],
  },
};

/** Every phrase, and what it is on the way to being typed. */
function* lines({ title, times, days, ranges, single }: Phrases): Generator<string> {
  const fill = (pattern: string, a: string, b: string) => pattern.replaceAll('A', a).replaceAll('B', b);
  const whole: string[] = [];
  for (const kind of [times, days]) {
    for (const pattern of ranges) for (const a of kind) for (const b of kind) whole.push(fill(pattern, a, b));
  }
  for (const pattern of ranges) whole.push(fill(pattern, times[0]!, days[1]!), fill(pattern, days[0]!, times[1]!));
  for (const pattern of single) for (const a of [...times, ...days]) whole.push(fill(pattern, a, a));
  for (const phrase of whole) {
    const words = phrase.split(' ');
    for (let count = 1; count <= words.length; count++) yield `${title} ${words.slice(0, count).join(' ')}`;
    yield `${phrase} ${title}`;
    yield `${title} ${phrase} #home`;
  }
}

const inTime: ReadonlySet<string> = new Set(['due', 'start', 'repeat', 'reminder']);

/** Connectives beside a part that was read: right before one about time, or with nothing but parts around them. */
function orphansOf(text: string, locale: string, connectives: ReadonlySet<string>): string[] {
  const { tokens } = parseQuickAdd(text, here(locale));
  const pieces: string[] = [];
  let from = 0;
  for (const token of tokens) {
    pieces.push(text.slice(from, token.from));
    from = token.to;
  }
  pieces.push(text.slice(from));
  return pieces.filter((piece, index) => {
    const words = piece.toLowerCase().trim().split(/\s+/);
    const isBefore = inTime.has(tokens[index]?.kind ?? '') && connectives.has(words.at(-1)!) && /\s$/.test(piece);
    return isBefore || (index > 0 && words.length === 1 && connectives.has(words[0]!));
  });
}

describe('quick add reads a phrase as a whole or not at all', () => {
  for (const [locale, phrases] of Object.entries(languages)) {
    it(`in ${locale}, even while it is being typed`, () => {
      const connectives = new Set(phrases.connectives.split(' '));
      let count = 0;
      for (const text of lines(phrases)) {
        count++;
        assert.deepEqual(orphansOf(text, locale, connectives), [], text);
      }
      assert.ok(count > 1000, String(count));
    });
  }
});
