import { type Day, parseDay } from '../../core/dates';
import { findFilter } from '../../core/filter/saved';
import type { Occurrence } from '../../core/model';
import { isClosed } from '../describe';
import { numeral } from '../l10n';
import type { GroupView } from '../protocol';
import { daysLater } from '../reschedule';
import { dayFor, longDay, weekdayName } from '../when';
import { type Groups, options, scope } from './groups';
import type { Making } from './making';
import { weekStart } from './setup';

/** Of what is done in a week, no more is shown. */
const mostDone = 300;

/**
 * Seven days from the first day of the week: all-day tasks before timed ones, repeating tasks on each of their days,
 * and what is done at the end of its day.
 */
export function weekGroups(making: Making): Groups {
  const { now, rows, setup, style } = making;
  const first = weekStart(setup, style);
  const days = Array.from({ length: 7 }, (_, index) => daysLater(first, index));
  const open = setup.weeksAway === 0 ? thisWeek(making) : found(making, days, 'is:open show:occurrences');
  const done = setup.filter === '' ? found(making, days, `is:done limit:${mostDone}`) : new Map<Day, Occurrence[]>();
  const tasks = new Set<number>();
  const groups = days.map((day): GroupView => {
    const items = [...ordered(open.get(day) ?? [], setup.sort), ...ordered(done.get(day) ?? [], setup.sort)];
    for (const { task } of items) if (!isClosed(task)) tasks.add(task.masterId ?? task.id);
    return {
      key: day,
      label: weekdayName(day),
      spoken: longDay(day),
      detail: numeral(Number(day.slice(8))),
      tone: day === now ? 'accent' : 'plain',
      folded: false,
      place: { day },
      rows: rows(day, items, { on: day }),
    };
  });
  return { groups, open: tasks.size, place: { day: days.includes(now) ? now : first } };
}

function thisWeek(making: Making): Map<Day, readonly Occurrence[]> {
  const { groups } = making.engine.widget('week', options(making));
  return new Map(groups.flatMap(({ key, items }) => (parseDay(key) ? [[parseDay(key)!, items] as const] : [])));
}

function found(making: Making, days: readonly Day[], condition: string): Map<Day, Occurrence[]> {
  const { engine, style } = making;
  const range = `${days[0]}..${days[6]}`;
  const items = engine.query(
    `${condition} (due:${range} OR (no:due start:${range}))${filterOf(making)}`,
    scope(making),
  );
  const byDay = new Map<Day, Occurrence[]>();
  for (const row of items) {
    const day = dayFor((row.due ?? row.dtstart)!, row.task, style);
    if (byDay.get(day)?.push(row) === undefined) byDay.set(day, [row]);
  }
  return byDay;
}

/** The widget's filter as one more condition; its `sort:` stays. */
function filterOf(making: Making): string {
  const query = options(making).filter ?? '';
  const saved = findFilter(query, making.engine.settings.filters)?.query ?? query;
  const sort = /(?:^|\s)(sort:\S+)/.exec(saved)?.[1] ?? '';
  const condition = saved.replace(/(?:^|\s)(?:sort|group|limit|show):\S+/g, ' ').trim();
  return [condition === '' ? '' : ` (${condition})`, sort === '' ? '' : ` ${sort}`].join('');
}

/** All-day tasks first; within a kind as it was asked for, else by time. */
const ordered = (items: readonly Occurrence[], sort: string) =>
  items.toSorted(
    (a, b) =>
      Number(b.task.isAllDay) - Number(a.task.isAllDay) ||
      (sort === '' ? (a.due ?? a.dtstart ?? 0) - (b.due ?? b.dtstart ?? 0) : 0),
  );
