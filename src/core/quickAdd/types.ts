import type { TaskEdit } from '../fields/values';
import type { DateFormat, TimeFormat } from '../kernel/dateFormats';
import type { DuelineError } from '../kernel/errors';
import type { EpochMs } from '../kernel/model';
import type { Range } from '../kernel/range';
import type { FirstDay } from '../kernel/settings';
import type { Clock } from '../time/clock';

/** In UTF-16 units. No title is that long, and a line is read again with each letter that is typed. */
export const maxLineLength = 10_000;

export type Language = 'en' | 'de' | 'fr' | 'pt' | 'ar';

/** The context that a phrase about time needs. */
export interface WhenContext {
  readonly clock: Clock;
  /** BCP 47 tag: chip labels, order of day and month in 1/2, first day of the week. Default `en-US`. */
  readonly locale?: string;
  /**
   * The languages that are understood, most important first; of the later ones only words without a meaning in the
   * first.
   */
  readonly languages?: readonly Language[];
  /** The day of a time without one, encoded as if it were UTC. Default: the day of the next such time. */
  readonly day?: number;
  /** The settings that matter here; `EngineSettings` fits. `quickAddLanguage` counts if `languages` is absent. */
  readonly settings?: {
    readonly dayStartHour?: number;
    readonly firstDay?: FirstDay;
    readonly quickAddLanguage?: 'auto' | Language;
    readonly allDayAlarmTime?: string;
    readonly dateFormat?: DateFormat;
    readonly timeFormat?: TimeFormat;
  };
}

export interface QuickAddContext extends WhenContext {
  /**
   * Words that the user rejected stay in the title: ranges of the text, or indexes of the tokens that parsing without
   * them returns.
   */
  readonly rejected?: readonly (Range | number)[];
  /** Names of the lists there are: `@Family Shared` then needs no quotes. */
  readonly lists?: readonly string[];
  /** Names of the templates there are. */
  readonly templates?: readonly string[];
  /** If false, dates and times stay in the title. */
  readonly parseDates?: boolean;
  /** The line is a title of one word and a date, so “3d” alone is a date, too. */
  readonly onlyDates?: boolean;
  /** `todoist`: `#List`, `@tag`, `p1` to `p4`. */
  readonly syntax?: 'default' | 'todoist';
}

/** The meaning of a phrase: a civil day, minutes since its midnight, or both; or an instant ("in 3 hours"). */
export interface PhraseTime {
  readonly day?: number;
  readonly minutes?: number;
  /** The minutes are in the afternoon only because nothing says which half of the day: "at 5". */
  readonly isGuess?: boolean | undefined;
  readonly instant?: number;
  /** The minutes at which it ends, if the text has two times: "3pm to 4pm". */
  readonly end?: number;
  /** The number of days after which it ends, if the text has two days: "Dec 1 to Dec 5". */
  readonly days?: number;
}

export type TokenKind =
  | 'due'
  | 'start'
  | 'repeat'
  | 'reminder'
  | 'tag'
  | 'priority'
  | 'list'
  | 'note'
  | 'url'
  | 'after'
  | 'estimate'
  | 'template';

/** One recognised part of the line, [from, to) in UTF-16 units of the text. */
export interface QuickAddToken {
  readonly from: number;
  readonly to: number;
  readonly kind: TokenKind;
  /** For programs: a wall time (`2026-12-01`, `2026-12-01T09:00`), an RRULE, minutes before, a name, a number. */
  readonly value: string;
  /** For a chip, in the context's locale. */
  readonly label: string;
}

/** A word of the title that is nearly one for a day: “tomorow”. */
export interface NearDay {
  readonly from: number;
  readonly to: number;
  /** The word for the day. */
  readonly text: string;
}

/** A word of the title that is a priority in other programs: “p1”. */
export interface NearPriority {
  readonly from: number;
  readonly to: number;
  /** The number of RFC 5545; 0 is none. */
  readonly priority: number;
}

export interface QuickAddResult {
  readonly input: TaskEdit;
  /** The list that `@` names; the caller checks that it exists. */
  readonly listName?: string;
  /** The other names after `@`, in the order of the text: they count if no list has the last name. */
  readonly otherLists?: readonly { readonly from: number; readonly to: number; readonly name: string }[];
  /** The template that the task is made of. */
  readonly template?: string;
  /** The tasks that `after:` names. */
  readonly after?: readonly string[];
  /** In the order of the text; they do not overlap. */
  readonly tokens: readonly QuickAddToken[];
  readonly title: string;
  /** The next occurrence counts from the completion, not from the due date. */
  readonly fromCompletion: boolean;
  /**
   * The line has two times or two days: the task starts at the first and is due at the second, and reminders count from
   * the start.
   */
  readonly isSpan?: true;
  /** The line has a length of time instead of a date, which counts from now: “3d”. */
  readonly isAmount?: true;
  /** A word of the title that may be meant as a day. */
  readonly nearDay?: NearDay;
  readonly nearPriority?: NearPriority;
  /** `invalid` if nothing is left for a title, or if the line is too long to be read. */
  readonly problem?: DuelineError;
}

export interface When {
  readonly due: EpochMs;
  readonly isAllDay: boolean;
  /** Null for a civil date, `UTC` for an instant. */
  readonly timezone: string | null;
}

/** A date that was typed. */
export interface ReadDate extends When {
  /** The whole date, as on a chip. */
  readonly label: string;
  /** The text is a length of time instead of a date. */
  readonly isAmount: boolean;
}
