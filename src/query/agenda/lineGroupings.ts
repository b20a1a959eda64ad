import type { Occurrence } from '../../core/kernel/model';
import type { TodayPart } from '../../core/kernel/settings';
import type { Moment } from '../../core/time/dates';
import { dayMs } from '../../core/time/units';
import type { LineColumn } from '../eval/lineTable';
import { calendarTime } from '../eval/sort';
import { dayOfLine, seriesOf } from './groups';
import type { LineGrouping, LineView } from './lineView';
import { type WidgetKind, widgets } from './widgets';

/** Days are counted from the epoch, on the user's calendar. */
const dayOf = (value: number | null, { task }: Occurrence, moment: Moment): number | undefined =>
  value === null ? undefined : Math.floor(calendarTime(value, task, moment) / dayMs);

const series: LineColumn = { reads: ['masterId', 'id'], value: seriesOf };
const list: LineColumn = { reads: ['listId'], value: ({ task }) => task.listId };

/** How many tasks are on the days of a view that was grouped by day, each counted once. */
export function distinctCount({ table }: LineView): number {
  const ids = table.values[1]!;
  return new Set(table.slots().map(slot => ids[slot])).size;
}

/** How the lines of a kind of widget are grouped: Today into 0 overdue and 1 today, by day or list, or all as 0. */
export function linesBy(kind: WidgetKind, moment: Moment, parts: readonly TodayPart[]): LineGrouping {
  switch (widgets[kind].grouping) {
    case 'today':
      return today(moment, parts);
    case 'days':
    case 'week':
      return {
        columns: [{ reads: ['due', 'dtstart'], value: item => dayOfLine(item, moment) }, series],
        groupOf: (slot, { values }) => values[0]![slot]!,
      };
    case 'lists':
      return { columns: [list], groupOf: (slot, { values }) => values[0]![slot]! };
    case 'query':
      return { columns: [], groupOf: () => 0 };
  }
}

function today(moment: Moment, parts: readonly TodayPart[]): LineGrouping {
  const dueDay: LineColumn = { reads: ['due'], value: item => dayOf(item.due, item, moment) };
  const startDay: LineColumn = { reads: ['dtstart'], value: item => dayOf(item.dtstart, item, moment) };
  const day = moment.today.civilStart / dayMs;
  const group = (part: TodayPart) => (parts.includes(part) ? (part === 'overdue' ? 0 : 1) : Number.NaN);
  return {
    columns: [dueDay, startDay],
    groupOf: (slot, table, now) => {
      const [dueDay, startDay] = table.values;
      if (table.isOverdue(slot, now)) return group('overdue');
      if (dueDay![slot]! <= day) return group('due');
      return startDay![slot] === day ? group('startingToday') : Number.NaN;
    },
  };
}
