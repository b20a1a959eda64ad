import type { DuelineEngine, ParsedQuickAdd } from '../../api';
import { estimateText, readEstimate } from '../../core/fields/estimate';
import { priorityOf } from '../../core/fields/priority';
import { estimateOf } from '../../core/fields/values';
import type { AlarmInput, EpochMs, Id, Task } from '../../core/kernel/model';
import { checkRule } from '../../core/recurrence/instances';
import type { Day } from '../../core/time/dates';
import { plain, t, tn } from '../../shared/l10n';
import type { ChipKind, ChipSuggestion, ChipSuggestions, FormAlarm, FormChange } from '../../shared/taskEditorProtocol';
import { alarmChoices } from '../../ui/alarmChoices';
import { nearDays } from '../../ui/presetDays';
import { dateStyle } from '../../ui/settings/settings';
import { alarmLabel } from '../../ui/text/alarmText';
import { mediumDay, momentLabel } from '../../ui/text/dateText';
import { localize } from '../../ui/text/errorText';
import { lengthText } from '../../ui/text/lengthText';
import { commonRules } from '../../ui/text/ruleText';
import { chipLabel } from '../../ui/text/taskText';
import { blockerSuggestions } from './blockerSuggestions';
import { dayIn, previewRule, priorityName } from './form';
import { wallFields, wallOfTask } from './formDates';
import { editOf, isSameAlarm } from './formEdit';

interface Chip {
  readonly kind: ChipKind;
  /** The task as the form shows it: a series has the dates of the occurrence. */
  readonly task: Task;
  readonly series: Task;
  /** The reminder that the new one takes the place of. */
  readonly replaces?: FormAlarm | undefined;
}

const maxNames = 8;

/** The meanings that the text of a chip can have, and the choices without a text. Words are read as Quick Add reads them. */
export function chipSuggestions(engine: DuelineEngine, chip: Chip, typed: string): ChipSuggestions {
  const text = typed.trim();
  switch (chip.kind) {
    case 'due':
    case 'start':
      return withReading(
        readDate(engine, chip, chip.kind, text),
        dateSuggestions(engine, chip, chip.kind),
        text === '' ? edgeHint(chip) : undefined,
      );
    case 'repeat':
      return repeatSuggestions(engine, chip, text);
    case 'alarm':
      return withReading(alarmReading(engine, chip, text), alarmSuggestions(engine, chip));
    case 'estimate':
      return estimateSuggestions(engine, chip, text.replace(/^~/, ''));
    case 'tags':
      return tagSuggestions(engine, chip, text);
    case 'after':
      return blockerSuggestions(engine, chip.series, text.replace(/^after:/i, ''));
    case 'priority':
      return named(engine, chip, text.replace(/^!/, ''), prioritySuggestions(text));
    case 'listId':
      return named(engine, chip, text.replace(/^[@#]/, ''), listSuggestions(engine, chip));
  }
}

const withReading = (
  reading: ChipSuggestion | undefined,
  others: readonly ChipSuggestion[],
  hint?: string,
): ChipSuggestions => ({
  items: [...(reading ? [reading] : []), ...others],
  preselectsFirst: reading !== undefined,
  ...(hint === undefined ? {} : { hint }),
});

/** The suggestions whose names contain the text; those that begin with it come first. */
function named(engine: DuelineEngine, chip: Chip, text: string, all: readonly ChipSuggestion[]): ChipSuggestions {
  const word = text.toLocaleLowerCase();
  const rank = ({ label }: ChipSuggestion) => label.toLocaleLowerCase().indexOf(word);
  const fitting = all.filter(offer => rank(offer) >= 0).toSorted((a, b) => Number(rank(a) > 0) - Number(rank(b) > 0));
  if (word === '') return { items: fitting, preselectsFirst: false };
  // A whole name is taken at its word, also if the user leaves the line.
  const isMeant = ({ label }: ChipSuggestion) => label.toLocaleLowerCase() === word;
  const items = fitting.map((one): ChipSuggestion => (isMeant(one) ? { ...one, isReading: true } : one));
  return items.length > 0 ? { items, preselectsFirst: true } : withReading(reading(engine, chip, 'due', text), all);
}

const field = (name: 'due' | 'start' | 'times' | 'priority' | 'listId' | 'estimate', value: string): FormChange => ({
  type: 'field',
  field: name,
  value,
});

const addAlarm = ({ minutesBefore, reference = 'DUE' }: AlarmInput): FormChange => ({
  type: 'addAlarm',
  alarm: { minutesBefore, reference, message: null },
});

/** A title is needed for the words to be read as a task's; it is not kept. */
const lead = 'x ';
const parse = (engine: DuelineEngine, text: string): ParsedQuickAdd =>
  engine.parseQuickAdd(lead + text, { onlyDates: true });

/**
 * The meaning of a whole line, if all of it is understood and can be kept. A date without a word of its own belongs to
 * `date`.
 */
function reading(engine: DuelineEngine, chip: Chip, date: 'due' | 'start', text: string): ChipSuggestion | undefined {
  if (text === '') return undefined;
  const parsed = parse(engine, text);
  if (parsed.title !== lead.trim() || parsed.tokens.length === 0) return undefined;
  const parts = parsed.tokens.map(token => messagesOf(engine, chip, date, parsed, token));
  if (!parts.every(part => part !== undefined)) return undefined;
  const changes = parts.flat();
  const label = parsed.tokens.map(chipLabel).join(' · ');
  return { label, ...detailOf(effectsOf(engine, chip, changes)), changes, isReading: true };
}

const detailOf = (parts: readonly string[]) => (parts.length === 0 ? {} : { detail: parts.join(' · ') });

/** The effects on the dates beyond the line's own words: a task cannot have one date with a time and one without. */
function effectsOf(engine: DuelineEngine, { task }: Chip, changes: readonly FormChange[]): readonly string[] {
  const zone = engine.clock.timeZone;
  const after: Task = { ...task, ...(editOf(changes, task, zone).patch as Partial<Task>) };
  const label = (value: EpochMs | null) =>
    momentLabel(wallOfTask(value, after, zone)!, { timezone: null, isAllDay: after.isAllDay }, dateStyle(engine));
  const isEffect = (name: 'due' | 'start', before: EpochMs | null, now: EpochMs | null) => {
    if (now === null) return false;
    const change = changes.findLast(change => change.type === 'field' && change.field === name);
    if (change) return change.type === 'field' && !change.value.includes('T') && !after.isAllDay;
    return before !== now || task.isAllDay !== after.isAllDay;
  };
  return [
    ...(isEffect('start', task.dtstart, after.dtstart) ? [t('starts {0}', label(after.dtstart))] : []),
    ...(isEffect('due', task.due, after.due) ? [t('due {0}', label(after.due))] : []),
  ];
}

/** The effect of a day without a time, if the other date has one. */
function edgeHint({ kind, task: { due, dtstart, isAllDay } }: Chip): string | undefined {
  if (isAllDay) return undefined;
  if (kind === 'start')
    return dtstart === null && due !== null ? t('Without a time, it starts at the beginning of the day.') : undefined;
  return due === null && dtstart !== null ? t('Without a time, it is due at the end of the day.') : undefined;
}

/** Undefined for what is none of a line: a note, a link, a template. */
function messagesOf(
  engine: DuelineEngine,
  { task }: Chip,
  date: 'due' | 'start',
  { input, listId, fromCompletion, tokens }: ParsedQuickAdd,
  { kind, value }: ParsedQuickAdd['tokens'][number],
): readonly FormChange[] | undefined {
  switch (kind) {
    case 'due':
      return [field(date, value)];
    case 'start':
      return [field('start', value)];
    case 'repeat': {
      const repeat: FormChange = { type: 'repeat', rule: input.rrule!, from: fromCompletion ? 'completion' : 'due' };
      const isDated = task.due !== null || task.dtstart !== null || tokens.some(one => one.kind === 'due');
      // A series counts from its first date, which the rule may name: "every Tuesday".
      return isDated ? [repeat] : [field('due', wallText(engine, input as Task)), repeat];
    }
    case 'priority':
      return [field('priority', value)];
    case 'estimate':
      return [field('estimate', value)];
    case 'list':
      return listId === undefined ? undefined : [field('listId', String(listId))];
    case 'tag':
      // All of them at once, with the first.
      return value === input.tags?.[0] ? [{ type: 'addTags', tags: input.tags }] : [];
    case 'reminder':
      return input.alarms?.map(addAlarm);
    default:
      return undefined;
  }
}

/** The value as the fields of the form have it; `which` if that is another date than the due one. */
function wallText(engine: DuelineEngine, task: Task, which: 'due' | 'dtstart' = 'due'): string {
  const [date, time] = wallFields(task[which], task, engine.clock.timeZone);
  return time === '' ? date : `${date}T${time}`;
}

/** A time alone is one of the day that the task has. */
function readDate(engine: DuelineEngine, chip: Chip, name: 'due' | 'start', text: string): ChipSuggestion | undefined {
  const [day] = wallText(engine, chip.task, name === 'due' ? 'due' : 'dtstart').split('T');
  const onDay = day === '' || text === '' ? undefined : parse(engine, `${day} ${text}`);
  const [only, ...others] = onDay?.tokens ?? [];
  const isTime = only?.kind === 'due' && only.from === lead.length && others.length === 0 && onDay?.title === 'x';
  if (!isTime || !only.value.startsWith(`${day}T`)) return reading(engine, chip, name, text);
  const changes = [field(name, only.value)];
  return { label: chipLabel(only), ...detailOf(effectsOf(engine, chip, changes)), changes, isReading: true };
}

/** A day keeps the time of day. */
function dateSuggestions(engine: DuelineEngine, chip: Chip, name: 'due' | 'start'): readonly ChipSuggestion[] {
  const { task } = chip;
  const [date, time] = wallText(engine, task, name === 'due' ? 'due' : 'dtstart').split('T');
  const on = (day: Day) => (time === undefined ? day : `${day}T${time}`);
  const suggest = (label: string, changes: readonly FormChange[], ...parts: readonly string[]): ChipSuggestion => ({
    label,
    ...detailOf([...parts, ...effectsOf(engine, chip, changes)]),
    changes,
  });
  const isAlone = task.due === null || task.dtstart === null;
  return [
    ...nearDays(engine).map(({ label, day }) => suggest(label, [field(name, on(day))], mediumDay(day))),
    ...(time === undefined ? [] : [suggest(t('No time'), [isAlone ? field(name, date!) : field('times', '')])]),
    ...(date === '' ? [] : [{ label: t('No date'), changes: [field(name, '')] }]),
  ];
}

function repeatSuggestions(engine: DuelineEngine, chip: Chip, text: string): ChipSuggestions {
  const { series } = chip;
  const changesFor = (rule: string): readonly FormChange[] => [{ type: 'repeat', rule, from: 'due' }];
  const usual: readonly ChipSuggestion[] = [
    ...commonRules(dayIn(engine, series)).map(({ rule, label }) => ({ label, changes: changesFor(rule) })),
    ...(series.rrule === null ? [] : [{ label: t('Does not repeat'), changes: changesFor('') }]),
  ];
  const rule = /^(?:RRULE:)?(FREQ=.*)$/i.exec(text)?.[1];
  const hintOf = (rrule: string) => nextText(previewRule(engine, series, rrule).next);
  if (rule === undefined) {
    const found = reading(engine, chip, 'due', text);
    const change = found?.changes.find(one => one.type === 'repeat');
    return withReading(found, usual, change && hintOf(change.rule));
  }
  const problem = checkRule(rule);
  if (problem) return { items: [], preselectsFirst: false, problem: localize(problem) };
  const { label } = previewRule(engine, series, rule);
  return withReading({ label, changes: changesFor(rule), isReading: true }, [], hintOf(rule));
}

const nextText = (dates: readonly string[]) => (dates.length === 0 ? '' : t('Next: {0}', dates.join(' · ')));

function alarmReading(engine: DuelineEngine, chip: Chip, text: string): ChipSuggestion | undefined {
  const alarm = parseAlarm(engine, chip.task, text);
  return alarm && { ...alarmSuggestion(engine, chip, alarm), isReading: true };
}

/** A whole line as a reminder of a task; without one, or one with a date, only moments of their own are read. */
export function parseAlarm(engine: DuelineEngine, task: Task | undefined, text: string): AlarmInput | undefined {
  if (text === '') return undefined;
  const due = task ? wallText(engine, task).replace('T', ' ') : '';
  const { title, input, tokens } = parse(engine, `${due} *${text.replace(/^\*/, '')}`);
  const [alarm] = input.alarms ?? [];
  if (title !== lead.trim() || !alarm || (alarm.reference !== 'ABSOLUTE' && due === '')) return undefined;
  return tokens.length > (due === '' ? 1 : 2) ? undefined : alarm;
}

function alarmSuggestion(engine: DuelineEngine, { replaces }: Chip, alarm: AlarmInput): ChipSuggestion {
  const { minutesBefore, reference = 'DUE' } = alarm;
  const label = alarmLabel({ minutesBefore, reference }, dateStyle(engine));
  const dropped: readonly FormChange[] = replaces ? [{ type: 'dropAlarm', alarm: replaces }] : [];
  return { label, changes: [...dropped, addAlarm(alarm)] };
}

function alarmSuggestions(engine: DuelineEngine, chip: Chip): readonly ChipSuggestion[] {
  const { task } = chip;
  const isNew = (one: AlarmInput) => !task.alarms.some(alarm => isSameAlarm(alarm, one));
  return alarmChoices(task.due !== null, task.dtstart !== null)
    .filter(isNew)
    .map(alarm => alarmSuggestion(engine, chip, alarm));
}

const usualEstimates = [15, 30, 60, 120, 240];

/** A number alone is minutes. */
function estimateSuggestions(engine: DuelineEngine, chip: Chip, text: string): ChipSuggestions {
  const suggest = (minutes: number): ChipSuggestion => ({
    label: lengthText(minutes),
    changes: [field('estimate', estimateText(minutes))],
  });
  const minutes = readEstimate(text);
  const usual = usualEstimates.filter(one => one !== minutes).map(suggest);
  const none: ChipSuggestion = { label: t('No estimate'), changes: [field('estimate', '')] };
  const others = estimateOf(chip.task) === undefined ? usual : [...usual, none];
  const read =
    minutes === undefined ? reading(engine, chip, 'due', text) : { ...suggest(minutes), isReading: true as const };
  return withReading(read, others);
}

/** Several tags come with commas between them. */
function tagSuggestions(engine: DuelineEngine, { task }: Chip, text: string): ChipSuggestions {
  const bare = (tag: string) => tag.trim().replace(/^#/, '');
  const names = text.split(',').map(bare).filter(Boolean);
  const changesFor = (tags: readonly string[]): readonly FormChange[] => [{ type: 'addTags', tags }];
  const typed = bare(text).toLocaleLowerCase();
  const used = new Set(task.tags);
  const known = engine
    .tags()
    .filter(({ name }) => !used.has(name) && name.toLocaleLowerCase().includes(typed))
    .toSorted(
      (a, b) =>
        Number(b.name.toLocaleLowerCase().startsWith(typed)) - Number(a.name.toLocaleLowerCase().startsWith(typed)) ||
        b.count - a.count,
    )
    .slice(0, maxNames);
  const suggestions = known.map(({ name, count }) => ({
    label: `#${plain(name)}`,
    detail: tn(count, '{0} task', '{0} tasks'),
    changes: changesFor([name]),
  }));
  const isWhole = [...task.tags, ...known.map(({ name }) => name)].some(name => name.toLocaleLowerCase() === typed);
  const label = names.map(name => `#${plain(name)}`).join(' ');
  const own: ChipSuggestion[] = names.length === 0 ? [] : [{ label, changes: changesFor(names), isReading: true }];
  if (isWhole) return { items: [...own, ...suggestions.filter(one => one.label !== label)], preselectsFirst: true };
  const isBegun = text !== '' && known[0]?.name.toLocaleLowerCase().startsWith(typed) === true;
  return {
    items: isBegun ? [...suggestions, ...own] : [...own, ...suggestions],
    preselectsFirst: isBegun || own.length > 0,
  };
}

function prioritySuggestions(text: string): readonly ChipSuggestion[] {
  const number = /^!?([1-9])$/.exec(text)?.[1];
  const usual = [priorityOf.high, priorityOf.medium, priorityOf.low];
  const suggest = (priority: number, label: string): ChipSuggestion => ({
    label,
    changes: [field('priority', String(priority))],
  });
  return [
    ...(number === undefined || usual.includes(Number(number)) ? usual : [Number(number)]).map(priority =>
      suggest(priority, number === undefined ? priorityName(priority) : number),
    ),
    suggest(0, t('None')),
  ];
}

function listSuggestions(engine: DuelineEngine, { task }: Chip): readonly ChipSuggestion[] {
  const counts = engine.openCounts();
  const detail = (id: Id) => tn(counts.get(id) ?? 0, '{0} task', '{0} tasks');
  return engine
    .lists()
    .filter(({ id, isReadOnly }) => !isReadOnly && id !== task.listId)
    .map(({ id, name }) => ({ label: plain(name), detail: detail(id), changes: [field('listId', String(id))] }));
}
