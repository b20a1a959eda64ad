import { normalizeWord } from './words';

export type Unit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year' | 'workday' | 'weekend';
export type Frequency = 'MINUTELY' | 'HOURLY' | 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';

/**
 * Words that hold a phrase together and have no value of their own. A number after a `label` identifies one of several;
 * an `idiom` is not a date whatever it contains; text after a `link` has nothing to do with the date before it. A day
 * right after `about`, an `article` or `except` belongs to that word, and with it to the title.
 */
type Marker =
  | 'every'
  | 'other'
  | 'next'
  | 'this'
  | 'in'
  | 'at'
  | 'prefix'
  | 'the'
  | 'dayNumber'
  | 'of'
  | 'and'
  | 'until'
  | 'starting'
  | 'for'
  | 'times'
  | 'afterDone'
  | 'ago'
  | 'agoPrefix'
  | 'fromNow'
  | 'after'
  | 'weekOn'
  | 'am'
  | 'pm'
  | 'oclock'
  | 'partPrefix'
  | 'ofMonth'
  | 'endOf'
  | 'outOf'
  | 'reminder'
  | 'reminderNoun'
  | 'remindMe'
  | 'remindTo'
  | 'remindLast'
  | 'before'
  | 'spanFrom'
  | 'between'
  | 'rangeTo'
  | 'lasting'
  | 'label'
  | 'about'
  | 'article'
  | 'except'
  | 'idiom'
  | 'link';

export type Meaning =
  | { readonly k: 'day'; readonly offset: number; readonly hour?: number; readonly shortFor?: string }
  | { readonly k: 'weekday'; readonly day: number; readonly ambiguity: 0 | 1 | 2; readonly joined?: boolean }
  | { readonly k: 'weekdays'; readonly day: number }
  | { readonly k: 'month'; readonly month: number; readonly full: boolean }
  | { readonly k: 'unit'; readonly unit: Unit; readonly n: number }
  | { readonly k: 'number'; readonly n: number }
  | { readonly k: 'ordinal'; readonly n: number }
  | { readonly k: 'part'; readonly hour: number }
  | { readonly k: 'clock'; readonly hour: number }
  | { readonly k: 'past'; readonly minutes: number }
  | { readonly k: 'fraction'; readonly minutes: number }
  | { readonly k: 'rule'; readonly unit: Unit; readonly n: number }
  | { readonly k: 'end'; readonly unit: Unit }
  | { readonly k: Marker };

/**
 * A language's words for quick add. Keys and values may be phrases of several words; everything is folded when the
 * lexicon is built, so accents and case are here as people write them.
 */
export interface Vocabulary {
  /** Offsets from today, and the hour if the word names one ("tonight"). */
  readonly days: Readonly<Record<string, number | readonly [offset: number, hour: number]>>;
  /** Short forms of days that are also names ("tom"): recognized only alone or next to words about time. */
  readonly shortDays?: Readonly<Record<string, string>>;
  /** Seven lists, Sunday first. */
  readonly weekdays: readonly (readonly string[])[];
  /** Weekdays that are also ordinary words ("sun"): recognized only next to words about time. */
  readonly ambiguousWeekdays: Readonly<Record<string, number>>;
  /** Two-letter forms and the like: ambiguous, and at the end of a line they also need a capital. */
  readonly shortWeekdays: Readonly<Record<string, number>>;
  /** "mondays", "montags": says weekly by itself. */
  readonly everyWeekday: readonly (readonly string[])[];
  /** Twelve lists; the first of each is the full name. */
  readonly months: readonly (readonly string[])[];
  readonly units: Readonly<Partial<Record<Unit, readonly string[]>>>;
  /** Arabic duals and "half an hour": a unit with its count inside. */
  readonly countedUnits: Readonly<Record<string, readonly [Unit, number]>>;
  readonly numbers: Readonly<Record<string, number>>;
  /** -1 is the last one. */
  readonly ordinals: Readonly<Record<string, number>>;
  /** Parts of a day, with the hour they stand for. */
  readonly parts: Readonly<Record<string, number>>;
  /** Noon and midnight. */
  readonly clocks: Readonly<Record<string, number>>;
  /** "quarter past 9": minutes added to the hour that follows. */
  readonly past: Readonly<Record<string, number>>;
  /** "9 heures et demie": minutes added to the hour before. */
  readonly fractions: Readonly<Record<string, number>>;
  /** "weekly", "every weekday" as one word. */
  readonly rules: Readonly<Record<string, readonly [Unit, number]>>;
  /** "eom", "Monatsende": the last day of this one. */
  readonly ends: Readonly<Record<string, Unit>>;
  readonly markers: Readonly<Partial<Record<Marker, readonly string[]>>>;
  /** People say "at 5" and mean the afternoon. */
  readonly twelveHours: boolean;
  /** "3p" next to a date is 15:00. */
  readonly shortHalves?: boolean;
  /** "at 9" needs no further word. French would take every "a 3" for an hour. */
  readonly bareHours: boolean;
  /** A noun may follow a day and be named by it ("Sunday paper"): any word that follows, or one with a capital. */
  readonly nounsJoin?: 'any' | 'capital';
}

export interface Lexicon {
  readonly meanings: ReadonlyMap<string, readonly Meaning[]>;
  /** The number of words in the longest phrase that begins with a word. */
  readonly longest: ReadonlyMap<string, number>;
  /** The longer words for a day in the future, in their usual spelling. */
  readonly days: ReadonlyMap<string, string>;
  readonly twelveHours: boolean;
  readonly bareHours: boolean;
  readonly shortHalves: boolean;
  readonly nounsJoin: Vocabulary['nounsJoin'];
}

/**
 * All words of the first vocabulary count; of the others, only those that cannot be mistaken for a word of the first.
 */
export function buildLexicon(vocabularies: readonly Vocabulary[]): Lexicon {
  const meanings = new Map<string, Meaning[]>();
  const longest = new Map<string, number>();
  const days = new Map<string, string>();
  for (const [rank, vocabulary] of vocabularies.entries()) {
    const taken = rank === 0 ? undefined : new Set(meanings.keys());
    for (const [phrase, meaning] of entriesOf(vocabulary)) {
      const key = normalizeWord(phrase);
      if (taken && (taken.has(key) || isRisky(key, meaning))) continue;
      const known = meanings.get(key);
      if (known) known.push(meaning);
      else meanings.set(key, [meaning]);
      const words = key.split(' ');
      if (words.length === 1 && phrase.length >= minDayLength && isToCome(meaning)) days.set(key, phrase);
      longest.set(words[0]!, Math.max(longest.get(words[0]!) ?? 0, words.length));
    }
  }
  const [first] = vocabularies;
  return {
    meanings,
    longest,
    days,
    twelveHours: first?.twelveHours ?? false,
    bareHours: first?.bareHours ?? false,
    shortHalves: first?.shortHalves ?? false,
    nounsJoin: first?.nounsJoin,
  };
}

const minDayLength = 6;
const isToCome = (meaning: Meaning) =>
  meaning.k === 'day' ? meaning.offset >= 0 : meaning.k === 'weekday' && meaning.ambiguity === 0 && !meaning.joined;

const isRisky = (key: string, meaning: Meaning) =>
  (meaning.k === 'day' && meaning.shortFor !== undefined) ||
  (meaning.k === 'weekday' && (meaning.ambiguity > 0 || key.length <= 4)) ||
  ((meaning.k === 'month' || meaning.k === 'unit') && key.length <= 3) ||
  meaning.k === 'am' ||
  meaning.k === 'pm';

function* entriesOf(words: Vocabulary): Generator<readonly [string, Meaning]> {
  for (const [word, value] of Object.entries(words.days)) {
    yield [
      word,
      typeof value === 'number' ? { k: 'day', offset: value } : { k: 'day', offset: value[0], hour: value[1] },
    ];
  }
  for (const [word, shortFor] of Object.entries(words.shortDays ?? {}))
    yield [word, { k: 'day', offset: Number(words.days[shortFor]), shortFor }];
  for (const [day, names] of words.weekdays.entries()) {
    for (const name of names) {
      yield [name, { k: 'weekday', day, ambiguity: 0 }];
      // Arabic writes "and" onto the word that follows.
      if (/^[\u0600-\u06ff]/.test(name)) yield [`و${name}`, { k: 'weekday', day, ambiguity: 0, joined: true }];
    }
  }
  for (const [word, day] of Object.entries(words.ambiguousWeekdays)) yield [word, { k: 'weekday', day, ambiguity: 1 }];
  for (const [word, day] of Object.entries(words.shortWeekdays)) yield [word, { k: 'weekday', day, ambiguity: 2 }];
  for (const [day, names] of words.everyWeekday.entries())
    for (const name of names) yield [name, { k: 'weekdays', day }];
  for (const [index, names] of words.months.entries()) {
    for (const [rank, name] of names.entries()) yield [name, { k: 'month', month: index + 1, full: rank === 0 }];
  }
  for (const [unit, names] of Object.entries(words.units)) {
    for (const name of names) yield [name, { k: 'unit', unit: unit as Unit, n: 1 }];
  }
  for (const [word, [unit, n]] of Object.entries(words.countedUnits)) yield [word, { k: 'unit', unit, n }];
  for (const [word, n] of Object.entries(words.numbers)) yield [word, { k: 'number', n }];
  for (const [word, n] of Object.entries(words.ordinals)) yield [word, { k: 'ordinal', n }];
  for (const [word, hour] of Object.entries(words.parts)) yield [word, { k: 'part', hour }];
  for (const [word, hour] of Object.entries(words.clocks)) yield [word, { k: 'clock', hour }];
  for (const [word, minutes] of Object.entries(words.past)) yield [word, { k: 'past', minutes }];
  for (const [word, minutes] of Object.entries(words.fractions)) yield [word, { k: 'fraction', minutes }];
  for (const [word, [unit, n]] of Object.entries(words.rules)) yield [word, { k: 'rule', unit, n }];
  for (const [word, unit] of Object.entries(words.ends)) yield [word, { k: 'end', unit }];
  for (const [marker, names] of Object.entries(words.markers)) {
    for (const name of names) yield [name, { k: marker as Marker }];
  }
}
