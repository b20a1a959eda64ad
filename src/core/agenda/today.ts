import { calendarTime } from '../filter/eval/sort';
import type { Occurrence } from '../model';
import type { TodayPart } from '../settings';
import type { Moment } from '../time/dates';
import { groupToday } from './groups';
import type { WidgetSnapshot } from './types';

/** A whole Today with only the parts that a person wants in it. */
export function onlyParts(
  whole: WidgetSnapshot,
  wanted: readonly TodayPart[],
  moment: Moment,
  limit = Number.POSITIVE_INFINITY,
): WidgetSnapshot {
  const of = (group: string) => whole.groups.find(({ key }) => key === group)?.items ?? [];
  const overdue = wanted.includes('overdue') ? of('overdue') : [];
  const today = of('today').filter(item => wanted.includes(isDueToday(item, moment) ? 'due' : 'startingToday'));
  return { kind: whole.kind, ...groupToday(overdue, today, limit) };
}

const isDueToday = ({ due, task }: Occurrence, moment: Moment) =>
  due !== null && calendarTime(due, task, moment) < moment.today.civilEnd;
