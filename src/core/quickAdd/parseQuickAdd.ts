import { DuelineError } from '../errors';
import type { AlarmInput, TaskInput } from '../model';
import { uniqueTags } from '../tags';
import { minuteMs } from './calendar';
import { collect, type Findings, type Reminder } from './collect';
import { describeRepeat } from './describe';
import { pointLabel, reminderLabel } from './labels';
import type { Moment } from './moments';
import { repeatWords } from './repeatWords';
import { firstPoint, isTimed, type Point, pointOf, pointText, repeatText, stored, timed } from './resolve';
import { type Scene, sceneOf } from './scene';
import type { QuickAddContext, QuickAddResult, QuickAddToken, TokenKind } from './types';
import { type Range, splitWords } from './words';

/**
 * One line to a task. Never throws: a line without a title comes back with a `problem`. Further lines become the
 * description.
 */
export function parseQuickAdd(text: string, context: QuickAddContext): QuickAddResult {
  const rejected = context.rejected ?? [];
  const ranges = rejected.filter((entry): entry is Range => typeof entry !== 'number');
  const indexes = rejected.filter(entry => typeof entry === 'number');
  if (indexes.length > 0) {
    const { tokens } = read(text, context, []);
    for (const index of indexes) {
      const token = tokens[index];
      if (token) ranges.push([token.from, token.to]);
    }
  }
  return read(text, context, ranges);
}

function read(text: string, context: QuickAddContext, rejected: readonly Range[]): QuickAddResult {
  const lineEnd = /\r\n?|\n/.exec(text);
  const line = lineEnd ? text.slice(0, lineEnd.index) : text;
  const words = splitWords(line, rejected);
  const scene = sceneOf(words, context);
  const findings = collect(line, words, scene, context);
  const result = compose(scene, findings, context);
  result.tokens.sort((a, b) => a.from - b.from);

  const { input } = result;
  const below = lineEnd ? text.slice(lineEnd.index).trim() : '';
  if (below !== '') input.description = input.description ? `${input.description}\n${below}` : below;
  const left = titleOf(line, result.tokens);
  // A pasted address alone is a task about that address.
  const title = left === '' && input.url ? input.url : left;
  input.title = title;
  return {
    ...result,
    title,
    ...(title === '' ? { problem: new DuelineError('invalid', 'The task has no title.') } : {}),
  };
}

function titleOf(line: string, tokens: readonly QuickAddToken[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const token of tokens) {
    pieces.push(line.slice(from, token.from));
    from = token.to;
  }
  pieces.push(line.slice(from));
  return pieces
    .map((piece, index) => (index === 0 ? piece : piece.replace(/^[,;:.!،؛"”»)]+(?=\s|$)/, '')))
    .map(piece => piece.trim())
    .filter(piece => piece !== '')
    .join(' ')
    .replace(/[\x00-\x08\x0a-\x1f\x7f]/g, '')
    .trim();
}

interface Composed {
  readonly input: TaskInput;
  readonly tokens: QuickAddToken[];
  readonly fromCompletion: boolean;
  readonly listName?: string;
}

function compose(scene: Scene, findings: Findings, context: QuickAddContext): Composed {
  const input: TaskInput = {};
  const tokens: QuickAddToken[] = [];
  const token = (range: Range, kind: TokenKind, value: string, label: string) =>
    tokens.push({ from: range[0], to: range[1], kind, value, label });

  const tags = findings.signed.filter(({ kind }) => kind === 'tag');
  for (const { range, value } of tags) token(range, 'tag', value, value);
  if (tags.length > 0) input.tags = uniqueTags(tags.map(({ value }) => value));
  const last = (kind: TokenKind) => {
    const found = findings.signed.findLast(signed => signed.kind === kind);
    if (found) token(found.range, kind, found.value, found.value);
    return found?.value;
  };
  const priority = last('priority');
  if (priority !== undefined) input.priority = Number(priority);
  const note = last('note');
  if (note) input.description = note;
  const url = last('url');
  if (url !== undefined) input.url = url;
  const listName = last('list');

  const { due, start } = composeDates(scene, findings, input, token);
  composeAlarms(scene, findings, input, { due, start }, context, token);
  return {
    input,
    tokens,
    fromCompletion: findings.repeat?.value.fromCompletion ?? false,
    ...(listName === undefined ? {} : { listName }),
  };
}

type AddToken = (range: Range, kind: TokenKind, value: string, label: string) => void;

interface Dates {
  readonly due?: Point;
  readonly start?: Point;
}

/** The last date counts, and the last time that stands apart from it; words not needed stay title. */
function weigh(moments: Findings['moments']): { moment?: Moment; ranges: Range[] } {
  const dated = moments.findLast(({ value }) => value.day !== undefined || value.instant !== undefined);
  const loose = moments.findLast(({ value }) => value.day === undefined && value.instant === undefined);
  if (!dated) return loose ? { moment: loose.value, ranges: [loose.range] } : { ranges: [] };
  if (loose && dated.value.minutes === undefined && dated.value.instant === undefined) {
    return { moment: { ...dated.value, minutes: loose.value.minutes }, ranges: [dated.range, loose.range] };
  }
  return { moment: dated.value, ranges: [dated.range] };
}

function composeDates(scene: Scene, findings: Findings, input: TaskInput, token: AddToken): Dates {
  const { repeat } = findings;
  const { moment, ranges } = weigh(findings.moments);
  let due: Point | undefined;
  if (repeat) {
    const timeIsSaid = repeat.value.minutes !== undefined && moment?.day === undefined && moment?.instant === undefined;
    const used = timeIsSaid ? undefined : moment;
    const value = used ? { ...repeat.value, minutes: used.minutes ?? repeat.value.minutes } : repeat.value;
    due = firstPoint(
      scene,
      value,
      used && used.day === undefined && used.instant === undefined ? undefined : (used ?? value.start),
    );
    input.rrule = repeatText(scene, repeat.value, due);
    token(repeat.range, 'repeat', input.rrule, describeRepeat(input.rrule, repeatWords(scene.locale), repeat.value));
    if (used) for (const range of ranges) token(range, 'due', pointText(due), pointLabel(scene, due));
  } else if (moment) {
    due = pointOf(scene, moment);
    for (const range of ranges) token(range, 'due', pointText(due), pointLabel(scene, due));
  }
  const begun = findings.starts.at(-1);
  let start = begun && pointOf(scene, begun.value);
  if (begun && start) token(begun.range, 'start', pointText(start), pointLabel(scene, start));

  // DTSTART and DUE share one type (RFC 5545 3.8.2.3): a date beside a time becomes the edge of its day.
  if (due && start && isTimed(due) && !isTimed(start)) start = timed(scene, start.day);
  else if (due && start && !isTimed(due) && isTimed(start)) {
    due = timed(scene, due.day + (23 * 60 + 59) * minuteMs);
    if (repeat) input.rrule = repeatText(scene, repeat.value, due);
  }
  const either = due ?? start;
  if (either) {
    input.isAllDay = !isTimed(either);
    input.timezone = stored(scene, either, repeat !== undefined).timezone;
  }
  if (due) input.due = stored(scene, due, repeat !== undefined).value;
  if (start) input.dtstart = stored(scene, start, repeat !== undefined).value;
  return { due, start };
}

function composeAlarms(
  scene: Scene,
  findings: Findings,
  input: TaskInput,
  dates: Dates,
  context: QuickAddContext,
  token: AddToken,
): void {
  const alarms = findings.reminders.map(({ range, value }) => {
    const label =
      'at' in value ? pointLabel(scene, reminderPoint(scene, value.at, dates)) : reminderLabel(scene, value);
    const text = 'at' in value ? pointText(reminderPoint(scene, value.at, dates)) : String(value.minutes);
    token(range, 'reminder', text, label);
    return alarmOf(scene, value, dates, context, findings.repeat !== undefined);
  });
  if (alarms.length > 0) input.alarms = alarms;
}

const allDayMinutes = (context: QuickAddContext): number => {
  const parts = /^(\d{1,2}):(\d{2})$/.exec(context.settings?.allDayAlarmTime ?? '09:00');
  return parts ? Number(parts[1]) * 60 + Number(parts[2]) : 540;
};

/** A time alone is meant on the day the task is due. */
function reminderPoint(scene: Scene, at: Moment, { due, start }: Dates): Point {
  const base = due ?? start;
  if (at.day === undefined && at.instant === undefined && base) {
    const wall = isTimed(base) ? base.wall : base.day;
    return pointOf(scene, { ...at, day: Math.floor(wall / 86_400_000) * 86_400_000 });
  }
  return pointOf(scene, at);
}

function alarmOf(scene: Scene, value: Reminder, dates: Dates, context: QuickAddContext, repeats: boolean): AlarmInput {
  const base = dates.due ?? dates.start;
  const reference = dates.due ? 'DUE' : 'START';
  if ('minutes' in value) {
    if (base) return { minutesBefore: value.minutes, reference };
    // Nothing to count back from: that long from now.
    return absolute(scene.now + value.minutes * minuteMs);
  }
  const point = reminderPoint(scene, value.at, dates);
  const wall = isTimed(point) ? point.wall : point.day + allDayMinutes(context) * minuteMs;
  if (repeats && base) {
    // A fixed instant would ring for the first occurrence only.
    const due = isTimed(base) ? base.wall : base.day + allDayMinutes(context) * minuteMs;
    return { minutesBefore: Math.round((due - wall) / minuteMs), reference };
  }
  const instant = isTimed(point) ? point.instant : timed(scene, wall).instant;
  return absolute(instant);
}

const absolute = (instant: number): AlarmInput => ({
  minutesBefore: -Math.floor(instant / minuteMs),
  reference: 'ABSOLUTE',
});
