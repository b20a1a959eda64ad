import { uniqueTags } from '../fields/tags';
import type { TaskEdit } from '../fields/values';
import type { Range } from '../kernel/range';
import { describeRepeat } from '../recurrence/ruleText';
import { ruleWords } from '../recurrence/ruleWords';
import { dayMs, minuteMs } from '../time/units';
import { type AddToken, composeAlarms, type Dates } from './alarms';
import { dayOnly } from './calendar';
import type { CollectedParts } from './collect';
import { pointLabel, spanLabel } from './labels';
import type { ParseContext } from './parseContext';
import { firstPoint, isTimed, type Point, pointOf, pointText, rruleOf, storedValue, withTime } from './resolve';
import { hasDays } from './rule';
import type { PhraseTime, QuickAddContext, QuickAddResult, QuickAddToken, TokenKind } from './types';

interface ComposedTask {
  readonly input: TaskEdit;
  readonly tokens: QuickAddToken[];
  readonly fromCompletion: boolean;
  readonly isSpan?: true;
  readonly isAmount?: true;
  readonly listName?: string;
  readonly otherLists?: QuickAddResult['otherLists'];
  readonly after?: readonly string[];
}

export function compose(context: ParseContext, collected: CollectedParts, options: QuickAddContext): ComposedTask {
  const input: TaskEdit = {};
  const tokens: QuickAddToken[] = [];
  const token = (range: Range, kind: TokenKind, value: string, label: string) =>
    tokens.push({ from: range[0], to: range[1], kind, value, label });

  const tags = collected.signed.filter(({ kind }) => kind === 'tag');
  for (const { range, value } of tags) token(range, 'tag', value, value);
  if (tags.length > 0) input.tags = uniqueTags(tags.map(({ value }) => value));
  const last = (kind: TokenKind) => {
    const found = collected.signed.findLast(signed => signed.kind === kind);
    if (found) token(found.range, kind, found.value, found.value);
    return found?.value;
  };
  const priority = last('priority');
  if (priority !== undefined) input.priority = Number(priority);
  const note = last('note');
  if (note) input.description = note;
  const url = last('url');
  if (url !== undefined) input.url = url;
  const estimate = last('estimate');
  if (estimate !== undefined) input.estimate = estimate;
  const listName = last('list');
  const otherLists = collected.signed
    .filter(({ kind }) => kind === 'list')
    .slice(0, -1)
    .map(({ range: [from, to], value: name }) => ({ from, to, name }));
  const template = last('template');
  const after = collected.signed.filter(({ kind }) => kind === 'after');
  for (const { range, value } of after) token(range, 'after', value, value);

  const { due, start, isSpan } = composeDates(context, collected, input, token);
  composeAlarms(context, collected, input, isSpan ? { start } : { due, start }, options, token);
  return {
    input,
    tokens,
    fromCompletion: collected.repeat?.value.fromCompletion ?? false,
    ...(isSpan ? { isSpan } : {}),
    ...(collected.isAmount ? { isAmount: true } : {}),
    ...(listName === undefined ? {} : { listName }),
    ...(otherLists.length > 0 ? { otherLists } : {}),
    ...(template === undefined ? {} : { template }),
    ...(after.length > 0 ? { after: after.map(({ value }) => value) } : {}),
  };
}

/** The last date counts, and the last time that is separate from it; words that are not needed stay in the title. */
function pickDate(moments: CollectedParts['moments']): { moment?: PhraseTime; ranges: Range[] } {
  const dated = moments.findLast(({ value }) => value.day !== undefined || value.instant !== undefined);
  const loose = moments.findLast(({ value }) => value.day === undefined && value.instant === undefined);
  if (!dated) return loose ? { moment: loose.value, ranges: [loose.range] } : { ranges: [] };
  if (loose && dated.value.minutes === undefined && dated.value.instant === undefined) {
    return {
      moment: { ...loose.value, ...dated.value, minutes: loose.value.minutes },
      ranges: [dated.range, loose.range],
    };
  }
  return { moment: dated.value, ranges: [dated.range] };
}

function composeDates(
  context: ParseContext,
  collected: CollectedParts,
  input: TaskEdit,
  token: AddToken,
): Dates & { isSpan?: true } {
  const { repeat } = collected;
  const { moment, ranges } = pickDate(collected.moments);
  const begun = collected.starts.at(-1);
  let start = begun && pointOf(context, begun.value);
  let due = moment && pointOf(context, moment);
  let length: Length | undefined = moment;
  if (repeat) {
    const isDated = moment?.day !== undefined || moment?.instant !== undefined;
    const used = isDated || repeat.value.minutes === undefined ? moment : undefined;
    const series = used ? { ...repeat.value, minutes: used.minutes ?? repeat.value.minutes } : repeat.value;
    due = firstPoint(context, series, isDated ? moment : (series.start ?? begun?.value));
    // A series counts from DTSTART, and a DTSTART apart from the days that the rule names would be an extra occurrence.
    if (!isDated || hasDays(repeat.value.rule)) start = undefined;
    input.rrule = rruleOf(context, repeat.value, due);
    token(repeat.range, 'repeat', input.rrule, describeRepeat(input.rrule, ruleWords(context.locale), repeat.value));
    if (!used) ranges.length = 0;
    length = used ?? repeat.value;
  }
  const span = begun ? undefined : spanOf(context, due, length);
  if (span) ({ start, due } = span);
  const label = span ? spanLabel(context, span.start, span.due) : due && pointLabel(context, due);
  if (due) for (const range of ranges) token(range, 'due', pointText(due), label!);
  if (begun) {
    const point = start ?? pointOf(context, begun.value);
    token(begun.range, 'start', pointText(point), pointLabel(context, point));
  }

  // DTSTART and DUE share one type (RFC 5545 3.8.2.3): if one has a time, the other becomes the edge of its day.
  if (due && start && isTimed(due) && !isTimed(start)) start = withTime(context, start.day);
  else if (due && start && !isTimed(due) && isTimed(start)) {
    due = withTime(context, due.day + (23 * 60 + 59) * minuteMs);
    if (repeat) input.rrule = rruleOf(context, repeat.value, due);
  }
  const either = due ?? start;
  if (either) {
    input.isAllDay = !isTimed(either);
    input.timezone = storedValue(context, either, repeat !== undefined).timezone;
  }
  if (due) input.due = storedValue(context, due, repeat !== undefined).value;
  if (start) input.dtstart = storedValue(context, start, repeat !== undefined).value;
  return { due, start, ...(span ? { isSpan: true } : {}) };
}

type Length = Pick<PhraseTime, 'end' | 'days'>;

/** From one time to another of its day, or from one day to another. */
function spanOf(context: ParseContext, start: Point | undefined, { end, days = 0 }: Length = {}) {
  if (!start || (end === undefined && days === 0)) return undefined;
  const day = dayOnly(isTimed(start) ? start.wall : start.day) + days * dayMs;
  if (end === undefined) return { start, due: { day } };
  return days > 0 || isTimed(start) ? { start, due: withTime(context, day + end * minuteMs) } : undefined;
}
