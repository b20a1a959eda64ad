import type { DateFormat, TimeFormat } from '../kernel/dateFormats';
import { today as todayOf, wallOf } from '../time/dates';
import { minuteMs } from '../time/units';
import { firstDayOf, firstWorkdayOf } from '../time/weekStart';
import { arabic } from './languages/arabic';
import { english } from './languages/english';
import { french } from './languages/french';
import { german } from './languages/german';
import { portuguese } from './languages/portuguese';
import { buildLexicon, type Lexicon, type Vocabulary } from './languages/vocabulary';
import type { Word } from './languages/words';
import { Phrases } from './phrases';
import type { Language, WhenContext } from './types';

const vocabularies: Readonly<Record<Language, Vocabulary>> = {
  en: english,
  de: german,
  fr: french,
  pt: portuguese,
  ar: arabic,
};

/** A line that is being parsed: its words and the moment of parsing. */
export interface ParseContext {
  readonly phrases: Phrases;
  readonly now: number;
  readonly zone: string;
  /** The wall clock now, whole minutes, encoded as if it were UTC. */
  readonly wall: number;
  /** The day it counts as, which begins at `dayStartHour`. */
  readonly today: number;
  /** The day of a time without one; undefined: that of the next such time. */
  readonly day: number | undefined;
  readonly locale: string;
  readonly dateFormat: DateFormat;
  readonly timeFormat: TimeFormat;
  /** 1/2 is the second of January. */
  readonly monthFirst: boolean;
  /** 0 Sunday … 6 Saturday. */
  readonly firstDay: number;
  /** 0 if the week ends with Friday and Saturday, else 1. */
  readonly firstWorkday: 0 | 1;
}

const known = new Map<string, Lexicon>();

function lexiconFor(languages: readonly Language[]): Lexicon {
  const key = languages.join();
  const found = known.get(key);
  if (found) return found;
  const chosen = languages.flatMap(language => vocabularies[language] ?? []);
  const lexicon = buildLexicon(chosen.length > 0 ? chosen : [english]);
  known.set(key, lexicon);
  return lexicon;
}

const languageOf = (locale: string): Language => {
  const language = locale.slice(0, 2).toLowerCase();
  return language === 'de' || language === 'fr' || language === 'pt' || language === 'ar' ? language : 'en';
};

/**
 * The languages of a context: the given ones, or else the one of the setting, or else that of the locale; English is
 * always understood, too.
 */
function languagesOf({ languages, settings, locale = 'en-US' }: WhenContext): readonly Language[] {
  if (languages && languages.length > 0) return languages;
  const setting = settings?.quickAddLanguage ?? 'auto';
  const first = setting === 'auto' ? languageOf(locale) : setting;
  return first === 'en' ? ['en'] : [first, 'en'];
}

export function parseContextOf(words: readonly Word[], options: WhenContext): ParseContext {
  const { clock, settings, locale = 'en-US' } = options;
  const now = clock.now();
  const zone = clock.timeZone;
  const day = todayOf(clock, settings?.dayStartHour ?? 0);
  return {
    phrases: new Phrases(words, lexiconFor(languagesOf(options))),
    now,
    zone,
    wall: Math.floor(wallOf(now, zone) / minuteMs) * minuteMs,
    today: Date.parse(`${day}T00:00:00Z`),
    day: options.day,
    locale,
    dateFormat: settings?.dateFormat ?? 'relative',
    timeFormat: settings?.timeFormat ?? 'auto',
    monthFirst: /^en(-US)?$/i.test(locale),
    firstDay: firstDayOf(settings?.firstDay ?? 'locale', locale),
    firstWorkday: firstWorkdayOf(settings?.firstDay ?? 'locale', locale),
  };
}
