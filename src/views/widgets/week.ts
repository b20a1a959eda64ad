import { isClosed } from '../../core/fields/status';
import type { Occurrence } from '../../core/kernel/model';
import type { DayRow } from '../../core/meetings/hourSlots';
import { type Day, daysBetween, instantOf, parseDay, weekday as weekdayOf } from '../../core/time/dates';
import { weekNumber } from '../../core/time/weekStart';
import { widgets } from '../../query/agenda/widgets';
import { findFilter } from '../../query/eval/savedFilters';
import { splitQuery } from '../../query/parse/splitQuery';
import { numeral, t } from '../../shared/l10n';
import type { GroupView } from '../../shared/widgetProtocol';
import { daysLater } from '../../ui/reschedule';
import { dayFor, longDay, weekdayLabel } from '../../ui/text/dateText';
import { type Groups, options, scope } from './groups';
import { meetingsOfDays } from './meetings';
import { dayOfSetup, shownWeeks } from './setup';
import type { WidgetContext } from './widgetContext';

/** The maximum of completed tasks shown in a week. */
const maxDoneRows = 300;
const maxUnscheduledRows = 500;

/**
 * The days of whole weeks: all-day tasks before timed ones, repeating tasks on each of their days, and completed tasks
 * at the end of their day.
 */
export function weekGroups(context: WidgetContext): Groups {
  const { now, rows, setup, style } = context;
  const { from: first, to } = shownWeeks(setup, style);
  const days = Array.from({ length: daysBetween(first, to) + 1 }, (_, index) => daysLater(first, index));
  const month = widgets[setup.kind].layout === 'month' ? dayOfSetup(setup, style).slice(0, 7) : undefined;
  const { open, isCut } = setup.weeksAway === 0 ? thisWeek(context) : otherWeek(context, days);
  const allDone = setup.filter === '' ? found(context, days, `is:done limit:${maxDoneRows + 1}`) : [];
  const done = byDay(context, allDone.slice(0, maxDoneRows));
  const isSorted = filterOf(context).directives.sort !== undefined;
  const tasks = new Set<number>();
  const meetingsOf = meetingsOfDays(context, days);
  const groups = days.map((day): GroupView => {
    const items = [open, done].flatMap(kind => ordered(kind.get(day) ?? [], isSorted, context));
    for (const { task } of items) if (!isClosed(task)) tasks.add(task.masterId ?? task.id);
    const keys = rows(day, items, { on: day });
    const isByHour = month === undefined && !isSorted;
    const meetings = meetingsOf(
      day,
      isByHour ? () => items.map((item, at) => dayRow(keys[at]!, item, context)) : undefined,
    );
    return {
      key: day,
      label: weekdayLabel(day),
      accessibleLabel: longDay(day),
      detail: numeral(Number(day.slice(8))),
      tone: day === now ? 'accent' : 'plain',
      folded: false,
      dropValues: { day },
      ...(month !== undefined && weekdayOf(day) === style.firstDay
        ? { week: weekNumber(day, style.firstDay, context.engine.locale) }
        : {}),
      ...(meetings ? { meetings } : {}),
      ...(month !== undefined && !day.startsWith(month) ? { isOutside: true } : {}),
      rows: keys,
    };
  });
  return {
    groups: [...groups, ...unscheduledGroups(context, days)],
    open: tasks.size,
    isCut,
    isDoneCut: allDone.length > maxDoneRows,
    dropValues: { day: days.includes(now) ? now : first },
  };
}

/** Tasks on none of the days: overdue ones from before, and those without a date. */
function unscheduledGroups(context: WidgetContext, days: readonly Day[]): GroupView[] {
  const { conditions, directives } = filterOf(context);
  const filter = conditions === '' ? '' : `(${conditions})`;
  const group = (key: string, label: string, tone: GroupView['tone'], condition: string, sort: string): GroupView => {
    const query = [`is:open ${condition} limit:${maxUnscheduledRows}`, filter, directives.sort ?? sort].join(' ');
    const items = context.engine.query(query, scope(context));
    return { key, label, tone, folded: true, isUnscheduled: true, rows: context.rows(key, items) };
  };
  return [
    group('overdue', t('Overdue'), 'overdue', `is:overdue -due:${days[0]}..${days.at(-1)}`, 'sort:due'),
    group('noDate', t('No Date'), 'plain', 'no:due no:start -is:subtask', 'sort:priority,title'),
  ].filter(({ rows }) => rows.length > 0);
}

/** The open tasks of a week by day. */
interface OpenDays {
  readonly open: ReadonlyMap<Day, readonly Occurrence[]>;
  readonly isCut: boolean;
}

function thisWeek(context: WidgetContext): OpenDays {
  const { groups, isCut = false } = context.engine.widget(context.setup.kind, options(context));
  const days = groups.flatMap(({ key, items }) => (parseDay(key) ? [[parseDay(key)!, items] as const] : []));
  return { open: new Map(days), isCut };
}

function otherWeek(context: WidgetContext, days: readonly Day[]): OpenDays {
  const items = found(context, days, 'is:open show:occurrences');
  return { open: byDay(context, items), isCut: context.engine.isCut(items) };
}

function found(context: WidgetContext, days: readonly Day[], condition: string): readonly Occurrence[] {
  const range = `${days[0]}..${days.at(-1)}`;
  const { conditions, directives } = filterOf(context);
  const filter = conditions === '' ? '' : `(${conditions})`;
  return context.engine.query(
    [condition, `(due:${range} OR (no:due start:${range}))`, filter, directives.sort ?? ''].join(' '),
    scope(context),
  );
}

function byDay({ style }: WidgetContext, items: readonly Occurrence[]): Map<Day, Occurrence[]> {
  const days = new Map<Day, Occurrence[]>();
  for (const row of items) {
    const day = dayFor((row.due ?? row.dtstart)!, row.task, style);
    if (days.get(day)?.push(row) === undefined) days.set(day, [row]);
  }
  return days;
}

/** The widget's filter, its conditions apart from the order that it asks for. Throws `query`. */
function filterOf(context: WidgetContext) {
  const query = options(context).filter ?? '';
  return splitQuery(findFilter(query, context.engine.settings)?.query ?? query);
}

function dayRow(key: string, { task, due, dtstart }: Occurrence, { style }: WidgetContext): DayRow {
  if (isClosed(task)) return { key, at: Number.POSITIVE_INFINITY };
  if (task.isAllDay) return { key, at: Number.NEGATIVE_INFINITY };
  return { key, at: instantOf((due ?? dtstart)!, task.timezone, style.clock.timeZone) };
}

/** All-day tasks first; each kind in the requested order, or else by time. */
function ordered(items: readonly Occurrence[], isSorted: boolean, { style }: WidgetContext): readonly Occurrence[] {
  const at = ({ task, due, dtstart }: Occurrence) => instantOf((due ?? dtstart)!, task.timezone, style.clock.timeZone);
  return items.toSorted((a, b) => Number(b.task.isAllDay) - Number(a.task.isAllDay) || (isSorted ? 0 : at(a) - at(b)));
}
