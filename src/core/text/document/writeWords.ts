import type { AlarmInput, EpochMs, Task } from '../../kernel/model';
import { splitWords } from '../../quickAdd/languages/words';
import { parseContextOf } from '../../quickAdd/parseContext';
import { parseQuickAdd } from '../../quickAdd/parseQuickAdd';
import type { QuickAddContext, QuickAddResult } from '../../quickAdd/types';
import { parseRule } from '../../recurrence/rrule';
import { ruleTextOf } from '../../recurrence/ruleText';
import { type RuleWords, ruleWords } from '../../recurrence/ruleWords';
import { isoText, wallOf } from '../../time/dates';
import { sanitize } from '../cleanText';
import { readLine } from './line';
import { withBackslashes, withoutBackslashes } from './literal';

/** The fields of a task that the words of a line can express. */
interface LineFields extends Pick<Task, 'title' | 'isAllDay' | 'timezone' | 'priority' | 'tags' | 'url' | 'rrule'> {
  /** The dates; those of the occurrence that the line stands for if it is a series. */
  readonly due: EpochMs | null;
  readonly dtstart: EpochMs | null;
  readonly fromCompletion: boolean;
  readonly alarms: readonly AlarmInput[];
  /** The name of the list, if the line has to name it. */
  readonly listName?: string | undefined;
  /** `1h30m`. */
  readonly estimate: string | null;
  /** Short IDs of tasks that it depends on. */
  readonly after: readonly string[];
}

/** The words of Quick Add's languages for the priorities that have one. */
const priorityWords: Readonly<Record<string, readonly [high: string, medium: string, low: string]>> = {
  en: ['high', 'medium', 'low'],
  de: ['hoch', 'mittel', 'niedrig'],
  fr: ['haute', 'moyenne', 'basse'],
  pt: ['alta', 'média', 'baixa'],
  ar: ['عالية', 'متوسطة', 'منخفضة'],
};

const minutesOf = [
  [10_080, 'weeks'],
  [1440, 'days'],
  [60, 'hours'],
] as const;

/** A name that needs no quotes wherever it is: "Work", "home/garden". */
const plainName = /^\p{L}[\p{L}\p{M}\p{N}_/-]*$/u;
/** A word that no sign, no number and no punctuation of Quick Add's is in: "milk", "co-op". */
const plainWord = /^[\p{L}\p{M}][\p{L}\p{M}_-]*$/u;
/** "https://example.com/a?b=c", which ends in no punctuation. */
const plainUrl = /^[a-z][a-z0-9+.-]{1,20}:\/\/[^\s()"'<>\\]*[\p{L}\p{N}/=&%#_-]$/iu;

/** The parts of a line besides its title, in the order in which they are written. */
type Part = 'dates' | 'repeat' | 'alarms' | 'estimate' | 'priority' | 'tags' | 'list' | 'after' | 'url';
type Parts = ReadonlyMap<Part, string>;
/** The parts that are unambiguous after every title without words about time. */
const certain: ReadonlySet<Part> = new Set(['dates', 'estimate', 'priority', 'tags', 'list', 'after']);

/** The most lines that are cached. */
const maxKnown = 20_000;

/**
 * Writes tasks in Quick Add syntax. Dates are written as `2026-12-04`, which means the same on every day and in all
 * languages. Fields that the syntax cannot express are left out.
 */
export class WordWriter {
  readonly #repeats: RuleWords;
  readonly #priorities: readonly string[];
  readonly #titles = new Map<string, { readonly text: string; readonly isPlain: boolean }>();
  readonly #lines = new Map<string, string>();

  constructor(private readonly context: QuickAddContext) {
    const { locale = 'en-US', settings } = context;
    const setting = settings?.quickAddLanguage ?? 'auto';
    const language = setting === 'auto' || locale.startsWith(setting) ? locale : setting;
    this.#repeats = ruleWords(language);
    this.#priorities = priorityWords[language.slice(0, 2).toLowerCase()] ?? priorityWords.en!;
  }

  write(fields: LineFields): string {
    const title = titleOf(fields);
    const { text, isPlain } = this.#written(title);
    const parts = this.#partsOf(fields);
    const line = joined(text, parts);
    if (isPlain && [...parts.keys()].every(part => certain.has(part))) return line;
    const key = `${line}\n${fields.due} ${fields.dtstart} ${fields.isAllDay} ${fields.fromCompletion}`;
    let proven = this.#lines.get(key);
    if (proven === undefined) {
      proven = this.#proven(fields, title, text, parts);
      if (this.#lines.size > maxKnown) this.#lines.clear();
      this.#lines.set(key, proven);
    }
    return proven;
  }

  /** The first way to write it that is read as it is meant. Parts that are read otherwise are left out. */
  #proven(fields: LineFields, title: string, text: string, all: Parts): string {
    const parts = new Map(all);
    for (;;) {
      const line = joined(text, parts);
      // "Decide about" would include a date after it, and a comma before a date does not belong to the title.
      const turned = [joined('', parts), text].filter(Boolean).join(' ');
      const ways = [line, turned, joined(withBackslashes(title, startsOf(title)), parts)];
      const right = ways.find(way => this.#wrongIn(way, fields, title, parts).length === 0);
      if (right !== undefined) return right;
      const wrong = this.#wrongIn(line, fields, title, parts);
      // A repeat also sets a date, which may not be the right one.
      const isRepeat = parts.has('repeat') && (wrong.includes('dates') || wrong.includes('repeat'));
      const part = isRepeat
        ? 'repeat'
        : ([...parts.keys()].find(one => wrong.includes(one)) ?? [...parts.keys()].at(-1));
      if (part === undefined) return line;
      parts.delete(part);
    }
  }

  /** The parts that the line would be misread in; parts that it leaves out must not be read from it. */
  #wrongIn(line: string, fields: LineFields, title: string, parts: Parts): (Part | 'title')[] {
    const { input, fromCompletion, listName, after = [], title: read } = this.#read(line);
    const { timeZone } = this.context.clock;
    const isRight: Record<Part | 'title', boolean> = {
      title: read === title,
      dates: sameDates(input, parts.has('dates') ? fields : {}, timeZone),
      repeat:
        sameRule(input.rrule, parts.has('repeat') ? fields.rrule : null) &&
        fromCompletion === (parts.has('repeat') && fields.fromCompletion),
      alarms: sameAlarms(input.alarms ?? [], parts.has('alarms') ? fields.alarms : []),
      estimate: (input.estimate ?? null) === (parts.has('estimate') ? fields.estimate : null),
      priority: (input.priority ?? 0) === (parts.has('priority') ? fields.priority : 0),
      tags: String(input.tags ?? []) === String(parts.has('tags') ? fields.tags.filter(isSayable) : []),
      list: listName === (parts.has('list') ? fields.listName : undefined),
      after: String(after) === String(parts.has('after') ? fields.after : []),
      url: (input.url ?? null) === (parts.has('url') || fields.url === title ? fields.url : null),
    };
    return (Object.keys(isRight) as (Part | 'title')[]).filter(part => !isRight[part]);
  }

  #read(line: string): QuickAddResult {
    const { text, ranges } = withoutBackslashes(line);
    return parseQuickAdd(text, { ...this.context, rejected: ranges });
  }

  #written(title: string): { readonly text: string; readonly isPlain: boolean } {
    let found = this.#titles.get(title);
    if (!found) {
      found = this.#isPlain(title) ? { text: title, isPlain: true } : { text: this.#literal(title), isPlain: false };
      if (this.#titles.size > maxKnown) this.#titles.clear();
      this.#titles.set(title, found);
    }
    return found;
  }

  /** No word of it can mean anything but itself. */
  #isPlain(title: string): boolean {
    const all = title.split(' ');
    if (!all.every(word => plainWord.test(word))) return false;
    const { phrases } = parseContextOf(splitWords(title, []), this.context);
    return phrases.words.every((_, at) => phrases.meanings(at).length === 0);
  }

  /** With a backslash before each word that Quick Add, or the line, would take for something else. */
  #literal(title: string): string {
    const offsets = new Set<number>();
    const line = readLine(title, 0);
    const isFrame = readLine(`${title}  dl-0000`, 0)?.words !== title;
    if (isFrame || line?.words !== title) {
      offsets.add(title.search(/\S/));
      if (line?.id) offsets.add(line.idFrom);
    }
    for (let turns = 0; turns < maxTurns; turns++) {
      const text = withBackslashes(title, offsets);
      const { tokens, title: read } = this.#read(text);
      if (tokens.length === 0) return text;
      // A pasted address alone is its own title.
      if (tokens.length === 1 && tokens[0]!.kind === 'url' && read === title) return text;
      for (const { from } of tokens) offsets.add(startBefore(title, from));
    }
    return withBackslashes(title, startsOf(title));
  }

  #partsOf(fields: LineFields): Map<Part, string> {
    const parts = new Map<Part, string>();
    const set = (part: Part, words: readonly string[]) => words.length > 0 && parts.set(part, words.join(' '));
    const { timeZone } = this.context.clock;
    if (this.context.parseDates !== false) {
      set('dates', [
        ...(fields.dtstart === null ? [] : [`^${dateText(fields.dtstart, fields, timeZone, 'T')}`]),
        ...(fields.due === null ? [] : [dateText(fields.due, fields, timeZone, ' ')]),
      ]);
      set('repeat', fields.rrule === null ? [] : this.#repeatText(fields.rrule, fields.fromCompletion));
      set('alarms', fields.alarms.every(isPlainAlarm) ? fields.alarms.map(alarmText) : []);
    }
    set('estimate', fields.estimate === null ? [] : [`~${fields.estimate}`]);
    const todoist = this.context.syntax === 'todoist';
    const sign = { tag: todoist ? '@' : '#', list: todoist ? '#' : '@' };
    set('priority', this.#priorityText(fields.priority));
    set(
      'tags',
      fields.tags.filter(isSayable).map(tag => sign.tag + nameText(tag)),
    );
    set(
      'list',
      fields.listName !== undefined && isSayable(fields.listName) ? [sign.list + nameText(fields.listName)] : [],
    );
    set(
      'after',
      fields.after.map(id => `after:${id}`),
    );
    set('url', fields.url !== null && plainUrl.test(fields.url) && fields.url !== titleOf(fields) ? [fields.url] : []);
    return parts;
  }

  #repeatText(rrule: string, fromCompletion: boolean): string[] {
    const found = ruleTextOf(rrule, this.#repeats);
    if (!found?.isWhole) return [];
    return [fromCompletion ? `${found.text} ${this.#repeats.afterCompletion}` : found.text];
  }

  #priorityText(priority: number): string[] {
    if (priority === 0) return [];
    const word = { 1: this.#priorities[0], 5: this.#priorities[1], 9: this.#priorities[2] }[priority];
    return [`!${word ?? priority}`];
  }
}

const maxTurns = 12;

const titleOf = ({ title }: LineFields) => sanitize(title ?? '').trim();

const joined = (title: string, parts: Parts) => [title, ...parts.values()].filter(Boolean).join(' ');

/** The offsets at which the words of a text begin. */
const startsOf = (text: string): ReadonlySet<number> => new Set([...text.matchAll(/\S+/g)].map(({ index }) => index));

/** The beginning of the word that contains this offset. */
const startBefore = (text: string, at: number) => at - /\S*$/.exec(text.slice(0, at))![0].length;

const isSayable = (name: string) =>
  name.trim() === name && name !== '' && name.length < 200 && !/["\n\r\t\\“”«»„]/.test(name);
const nameText = (name: string) => (plainName.test(name) ? name : `"${name}"`);

/** `2026-12-04`, `2026-12-04 09:00`: by the wall clock. */
function dateText(
  value: EpochMs,
  { isAllDay, timezone }: Pick<LineFields, 'isAllDay' | 'timezone'>,
  zone: string,
  gap: string,
) {
  const text = isoText(timezone === null ? value : wallOf(value, zone));
  return isAllDay ? text.slice(0, 10) : `${text.slice(0, 10)}${gap}${text.slice(11, 16)}`;
}

type Dates = Partial<Pick<Task, 'due' | 'dtstart' | 'isAllDay' | 'timezone'>>;

function sameDates(read: Dates, written: Dates, zone: string): boolean {
  const text = ({ isAllDay = false, timezone = null }: Dates, value: EpochMs | null | undefined) =>
    value == null ? '' : dateText(value, { isAllDay, timezone }, zone, ' ');
  return (
    text(read, read.due) === text(written, written.due) && text(read, read.dtstart) === text(written, written.dtstart)
  );
}

const sameRule = (one: string | null | undefined, other: string | null) =>
  JSON.stringify(one ? (parseRule(one) ?? one) : null) === JSON.stringify(other ? (parseRule(other) ?? other) : null);

/** True for a reminder before the due date without a message, which is all that a word can express. */
const isPlainAlarm = ({ minutesBefore, reference = 'DUE', message = null }: AlarmInput) =>
  reference === 'DUE' && minutesBefore > 0 && message === null;

function alarmText({ minutesBefore }: AlarmInput): string {
  const unit = minutesOf.find(([minutes]) => minutesBefore % minutes === 0);
  return unit ? `*${minutesBefore / unit[0]} ${unit[1]}` : `*${minutesBefore} minutes`;
}

const sameAlarms = (one: readonly AlarmInput[], other: readonly AlarmInput[]) => {
  const text = (alarms: readonly AlarmInput[]) =>
    alarms.map(({ minutesBefore, reference = 'DUE' }) => `${reference}${minutesBefore}`).join();
  return text(one) === text(other);
};
