import type { AlarmInput, TaskInput } from '../kernel/model';
import type { Range } from '../kernel/range';
import { timeOfDay } from '../time/timeOfDay';
import { minuteMs } from '../time/units';
import { dayOnly } from './calendar';
import type { CollectedParts } from './collect';
import { pointLabel, reminderLabel } from './labels';
import type { ParseContext } from './parseContext';
import type { ReminderPhrase } from './reminderPhrases';
import { isTimed, type Point, pointOf, pointText, withTime } from './resolve';
import type { PhraseTime, QuickAddContext, TokenKind } from './types';

export type AddToken = (range: Range, kind: TokenKind, value: string, label: string) => void;

export interface Dates {
  readonly due?: Point;
  readonly start?: Point;
}

export function composeAlarms(
  context: ParseContext,
  collected: CollectedParts,
  input: TaskInput,
  dates: Dates,
  options: QuickAddContext,
  token: AddToken,
): void {
  const { reminders, request, repeat } = collected;
  const base = dates.due ?? dates.start;
  const used = reminders.filter(({ value, isInWords }) => !isInWords || 'at' in value || base);
  const alarms = used.map(({ range, value }) => {
    const label =
      'at' in value ? pointLabel(context, reminderPoint(context, value.at, dates)) : reminderLabel(context, value);
    const text = 'at' in value ? pointText(reminderPoint(context, value.at, dates)) : String(value.minutes);
    token(range, 'reminder', text, label);
    return alarmOf(context, value, dates, options, repeat !== undefined);
  });
  if (request && base) {
    const point = isTimed(base) ? base : withTime(context, base.day + allDayTime(options));
    token(request.range, 'reminder', '0', pointLabel(context, point));
    if (alarms.length === 0) alarms.push({ minutesBefore: 0, reference: dates.due ? 'DUE' : 'START' });
  }
  if (alarms.length > 0) input.alarms = alarms;
}

const allDayTime = (options: QuickAddContext): number => timeOfDay(options.settings?.allDayAlarmTime ?? '');

/** A time alone is meant on the day the task is due. */
function reminderPoint(context: ParseContext, at: PhraseTime, { due, start }: Dates): Point {
  const base = due ?? start;
  if (at.day === undefined && at.instant === undefined && base) {
    const wall = isTimed(base) ? base.wall : base.day;
    return pointOf(context, { ...at, day: dayOnly(wall) });
  }
  return pointOf(context, at);
}

function alarmOf(
  context: ParseContext,
  value: ReminderPhrase,
  dates: Dates,
  options: QuickAddContext,
  repeats: boolean,
): AlarmInput {
  const base = dates.due ?? dates.start;
  const reference = dates.due ? 'DUE' : 'START';
  if ('minutes' in value) {
    if (base) return { minutesBefore: value.minutes, reference };
    // Nothing to count back from: that long from now.
    return absolute(context.now + value.minutes * minuteMs);
  }
  const point = reminderPoint(context, value.at, dates);
  const wall = isTimed(point) ? point.wall : point.day + allDayTime(options);
  if (repeats && base) {
    // A fixed instant would ring for the first occurrence only.
    const due = isTimed(base) ? base.wall : base.day + allDayTime(options);
    return { minutesBefore: Math.round((due - wall) / minuteMs), reference };
  }
  const instant = isTimed(point) ? point.instant : withTime(context, wall).instant;
  return absolute(instant);
}

const absolute = (instant: number): AlarmInput => ({
  minutesBefore: -Math.floor(instant / minuteMs),
  reference: 'ABSOLUTE',
});
