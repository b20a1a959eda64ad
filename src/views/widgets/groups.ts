import { type Day, daysBetween, parseDay } from '../../core/dates';
import type { Occurrence } from '../../core/model';
import { type PriorityBucket, priorityWord } from '../describe';
import { currentLocale, t, tn } from '../l10n';
import { cssColor } from '../listIcon';
import { NestedRows } from '../nestedRows';
import type { Frame, GroupView } from '../protocol';
import { daysLater } from '../reschedule';
import { dayFor, dayLabel, mediumDay, weekdayName } from '../when';
import type { Making } from './making';
import { optionsOf, weekStart } from './setup';

export interface Groups {
  readonly groups: readonly GroupView[];
  readonly open: number;
  readonly empty?: Frame['empty'];
  readonly place?: GroupView['place'];
}

const options = ({ setup, lists }: Making) => optionsOf(setup, [...lists.values()]);
const scope = (making: Making) => {
  const { lists } = options(making);
  return lists ? { lists } : {};
};

/** Overdue, Today, and what is done today folded away. */
export function todayGroups(making: Making): Groups {
  const { engine, now, rows, setup } = making;
  const snapshot = engine.widget('today', options(making));
  const of = (key: string) => snapshot.groups.find(group => group.key === key)?.items ?? [];
  const done = setup.filter !== '' ? [] : engine.query('done:today sort:-done limit:200', scope(making));
  const group = (
    key: string,
    label: string,
    tone: GroupView['tone'],
    items: readonly Occurrence[],
    folded = false,
  ) => ({
    key,
    label,
    tone,
    folded,
    ...(key === 'today' ? { place: { day: now } } : {}),
    rows: rows(key, items, { on: now }),
  });
  const groups = [
    group('overdue', t('Overdue'), 'overdue', of('overdue')),
    group('today', t('Today'), 'plain', of('today')),
    group('done', tn(done.length, '{0} done today', '{0} done today'), 'plain', done, true),
  ].filter(({ rows }) => rows.length > 0);
  const open = of('overdue').length + of('today').length;
  const empty: Frame['empty'] = {
    text: done.length > 0 ? t('Everything for today is done.') : t('Nothing is due today.'),
    link: { label: t('Plan tomorrow?'), act: 'planTomorrow' },
  };
  return { groups, open, place: { day: now }, ...(open > 0 ? {} : { empty }) };
}

/** The next days that have something, each under its date. */
export function upNextGroups(making: Making): Groups {
  const { engine, rows, style } = making;
  const { groups, openCount } = engine.widget('upNext', options(making));
  const empty: Frame['empty'] = { text: t('Nothing is coming up.'), link: { label: t('Add a task'), act: 'quickAdd' } };
  return {
    groups: groups.map(({ key, items }) => {
      const day = parseDay(key);
      return {
        key,
        label: day ? dayHeading(day, making) : key,
        tone: day === making.now ? 'accent' : 'plain',
        folded: false,
        ...(day ? { place: { day } } : {}),
        rows: rows(key, items, { ...(day ? { on: day } : {}), style }),
      };
    }),
    open: openCount,
    ...(openCount > 0 ? {} : { empty }),
  };
}

/** "Tomorrow", then weekday and date. */
function dayHeading(day: Day, { now, style }: Pick<Making, 'now' | 'style'>): string {
  const away = daysBetween(now, day);
  return Math.abs(away) <= 1 && style.dateFormat === 'relative' ? dayLabel(day, style) : mediumDay(day);
}

/** A column a list, with its progress; sub-tasks stand under their parents. */
export function listsGroups(making: Making): Groups {
  const { engine, lists } = making;
  const { groups, openCount } = engine.widget('lists', options(making));
  const done = engine.doneCounts();
  const open = engine.openCounts();
  return {
    groups: groups.map(({ key, label, items }) => {
      const list = lists.get(Number(key));
      const finished = done.get(Number(key)) ?? 0;
      const nested = new NestedRows(items, { nest: true, showClosed: true });
      return {
        key,
        label,
        tone: 'plain',
        folded: false,
        ...(list ? { color: cssColor(list.color) } : {}),
        ...(list && !list.isReadOnly ? { place: { listId: list.id } } : {}),
        progress: { done: finished, total: finished + (open.get(Number(key)) ?? 0) },
        rows: flatten(nested, nested.roots, 0, making, key),
      };
    }),
    open: openCount,
    ...(groups.length > 0
      ? {}
      : { empty: { text: t('There is no list to show.'), link: { label: t('New list'), act: 'newList' as const } } }),
  };

  function flatten(
    nested: NestedRows,
    keys: readonly string[],
    depth: number,
    { rows }: Making,
    group: string,
  ): string[] {
    return keys.flatMap(key => {
      const row = nested.row(key)!;
      const own = rows(group, [row], {
        depth: Math.min(depth, 6),
        withoutList: true,
      });
      return [...own, ...flatten(nested, nested.childrenOf(key), depth + 1, making, group)];
    });
  }
}

/** Seven days from the first day of the week, all-day tasks before timed ones, repeating tasks on each of their days. */
export function weekGroups(making: Making): Groups {
  const { now, rows, setup, style } = making;
  const first = weekStart(setup, style);
  const days = Array.from({ length: 7 }, (_, index) => daysLater(first, index));
  const byDay = setup.weeksAway === 0 ? thisWeek(making) : otherWeek(making, days);
  let open = 0;
  const groups = days.map((day): GroupView => {
    const items = allDayFirst(byDay.get(day) ?? []);
    open += items.filter(({ task }) => task.status < 2).length;
    return {
      key: day,
      label: weekdayName(day),
      detail: String(Number(day.slice(8)).toLocaleString(currentLocale())),
      tone: day === now ? 'accent' : 'plain',
      folded: false,
      place: { day },
      rows: rows(day, items, { on: day }),
    };
  });
  return { groups, open };
}

function thisWeek(making: Making): Map<Day, readonly Occurrence[]> {
  const { groups } = making.engine.widget('week', options(making));
  return new Map(groups.flatMap(({ key, items }) => (parseDay(key) ? [[parseDay(key)!, items] as const] : [])));
}

function otherWeek(making: Making, days: readonly Day[]): Map<Day, readonly Occurrence[]> {
  const { engine, setup, style } = making;
  const range = `${days[0]}..${days[6]}`;
  const filter = setup.filter === '' ? '' : queryOf(making);
  const found = engine.query(
    `is:open show:occurrences (due:${range} OR (no:due start:${range}))${filter}`,
    scope(making),
  );
  const byDay = new Map<Day, Occurrence[]>();
  for (const row of found) {
    const day = dayFor((row.due ?? row.dtstart)!, row.task, style);
    if (byDay.get(day)?.push(row) === undefined) byDay.set(day, [row]);
  }
  return byDay;
}

/** A saved filter's query, or the query itself, as one more condition. */
function queryOf({ engine, setup }: Making): string {
  const saved = engine.settings.filters.find(({ name, id }) => name === setup.filter || id === setup.filter);
  const query = (saved?.query ?? setup.filter).replace(/(?:^|\s)(?:sort|group|limit|show):\S+/g, ' ').trim();
  return query === '' ? '' : ` (${query})`;
}

const allDayFirst = (items: readonly Occurrence[]) =>
  items.toSorted(
    (a, b) =>
      Number(b.task.isAllDay) - Number(a.task.isAllDay) || (a.due ?? a.dtstart ?? 0) - (b.due ?? b.dtstart ?? 0),
  );

/** Any filter or query, in the groups that it asks for. */
export function tasksGroups(making: Making): Groups {
  const { engine, rows, setup } = making;
  const { groups, openCount } = engine.widget('tasks', options(making));
  const shown = groups.filter(({ items }) => items.length > 0);
  return {
    groups: shown.map(({ key, label, items }) => {
      const day = parseDay(key);
      return {
        key,
        label: groupLabel(key, label, making),
        tone: day && day < making.now ? 'overdue' : 'plain',
        folded: false,
        ...(day ? { place: { day } } : {}),
        rows: rows(key, items, day ? { on: day } : {}),
      };
    }),
    open: openCount,
    ...(shown.length > 0
      ? {}
      : {
          empty: {
            text: setup.filter === '' ? t('There is no open task.') : t('No task matches this filter.'),
            link:
              setup.filter === ''
                ? { label: t('Add a task'), act: 'quickAdd' as const }
                : { label: t('Choose another filter'), act: 'pickFilter' as const },
          },
        }),
  };
}

/** A group's heading; `label` is what the group calls itself where it has a name. */
export function groupLabel(key: string, label: string, making: Pick<Making, 'now' | 'style'>): string {
  const day = parseDay(key);
  if (day) return dayHeading(day, making);
  const states: Record<string, string> = {
    all: t('Tasks'),
    none: t('Without'),
    todo: t('To do'),
    started: t('In progress'),
    done: t('Done'),
    cancelled: t('Canceled'),
  };
  if (['high', 'medium', 'low'].includes(key)) return priorityWord(key as PriorityBucket);
  return states[key] ?? label;
}
