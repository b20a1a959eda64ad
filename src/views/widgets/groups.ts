import { isClosed } from '../../core/fields/status';
import { walkTree } from '../../core/kernel/descent';
import type { Id, Occurrence, Task } from '../../core/kernel/model';
import { type Day, momentOf, parseDay } from '../../core/time/dates';
import { widgets } from '../../query/agenda/widgets';
import { groupItems } from '../../query/eval/group';
import { findFilter, resolveFilter } from '../../query/eval/savedFilters';
import { splitQuery } from '../../query/parse/splitQuery';
import type { GroupField } from '../../query/parse/syntax';
import { groupFields, has } from '../../query/parse/vocabulary';
import { briefName, isolate, t, tn } from '../../shared/l10n';
import type { DropValues, Frame, GroupView } from '../../shared/widgetProtocol';
import { remindedRows, withoutReminded } from '../../ui/pendingReminders';
import { codeLinks } from '../../ui/text/codeLinks';
import { cssColor } from '../../ui/text/cssColor';
import { rowMoment } from '../../ui/text/dateText';
import { dayHeading, groupLabel } from '../../ui/text/groupText';
import { titleOf } from '../../ui/text/taskText';
import { NestedRows } from '../tree/nestedRows';
import { optionsOf } from './setup';
import type { WidgetContext } from './widgetContext';

export interface Groups {
  readonly groups: readonly GroupView[];
  readonly open: number;
  /** Tasks repeat so often that some of their dates are left out. */
  readonly isCut?: boolean;
  /** More has been completed than is shown. */
  readonly isDoneCut?: boolean;
  readonly empty?: Frame['empty'];
  readonly dropValues?: DropValues;
}

export const options = ({ engine, setup, lists }: WidgetContext) =>
  optionsOf(setup, [...lists.values()], engine.settings);

export const scope = (context: WidgetContext) => {
  const { lists } = options(context);
  return lists ? { lists } : {};
};

/** The completed tasks that a query finds, the last ones first, up to `max`. */
export function completed(context: WidgetContext, query: string, max = 200) {
  const found = context.engine.query(`${query} sort:-done limit:${max + 1}`, scope(context));
  return { done: found.slice(0, max), isDoneCut: found.length > max };
}

/** Open tasks of the file and the branch in front. */
function rowsOfOpenFile({ engine, setup }: WidgetContext, lists: readonly Id[] | undefined): readonly Occurrence[] {
  if (setup.filter !== '' || !codeLinks()?.here().length) return [];
  return engine.query('(in:file or in:branch) is:open', lists ? { lists } : {});
}

/**
 * Reminders that wait for an answer, tasks linked to the active file, Overdue, Today, and the tasks completed today,
 * collapsed.
 */
export function todayGroups(context: WidgetContext): Groups {
  const { engine, now, rows, setup } = context;
  const widgetOptions = options(context);
  const { lists } = widgetOptions;
  const reminded = remindedRows(engine, lists);
  const here = withoutReminded(rowsOfOpenFile(context, lists), reminded);
  // The rows shown above them or in other groups are left out, which takes all rows.
  const isWhole = reminded.length + here.length > 0 || setup.group !== '';
  const groupLimit = Math.max(context.maxRowsOf('overdue'), context.maxRowsOf('today'));
  const snapshot = engine.widget(setup.kind, isWhole ? widgetOptions : { ...widgetOptions, groupLimit });
  const found = (key: string) => snapshot.groups.find(group => group.key === key);
  const of = (key: string) => withoutReminded(found(key)?.items ?? [], [...reminded, ...here]);
  const countOf = (key: string) => (isWhole ? of(key).length : (found(key)?.count ?? 0));
  const { done, isDoneCut } = setup.filter === '' ? completed(context, 'done:today') : noneDone;
  const group = (
    key: string,
    label: string,
    tone: GroupView['tone'],
    items: readonly Occurrence[],
    { folded = false, count = items.length, ...more }: { folded?: boolean; count?: number; reminds?: true } = {},
  ) => {
    const first = items.slice(0, context.maxRowsOf(key));
    return {
      key,
      label,
      tone,
      folded,
      ...(key === 'today' ? { dropValues: { day: now } } : {}),
      rows: rows(key, first, { on: now, ...more }),
      ...(count > first.length ? { more: count - first.length } : {}),
    };
  };
  const groups = [
    group('reminders', t('Reminders'), 'warning', reminded, { reminds: true }),
    group('here', t('Here'), 'accent', here),
    group('overdue', t('Overdue'), 'overdue', of('overdue'), { count: countOf('overdue') }),
    ...(regrouped(of('today'), context, now) ?? [
      group('today', t('Today'), 'plain', of('today'), { count: countOf('today') }),
    ]),
    group('done', tn(done.length, '{0} done today', '{0} done today'), 'plain', done, { folded: true }),
  ].filter(({ rows }) => rows.length > 0);
  const open = reminded.length + here.length + countOf('overdue') + countOf('today');
  if (open > 0) return { groups, open, isDoneCut, dropValues: { day: now } };
  const next = nextText(context);
  const empty: Frame['empty'] = {
    text: done.length > 0 ? t('All done for today.') : t('Nothing due today.'),
    link: { label: t('Plan tomorrow'), act: 'planTomorrow' },
    ...(next ? { next } : {}),
  };
  return { groups, open, isDoneCut, dropValues: { day: now }, empty };
}

/** The next task that is due after today, of those that the widget is about. */
function nextText(context: WidgetContext): string | undefined {
  const { engine, setup, style } = context;
  const filter = findFilter(setup.filter, engine.settings)?.query ?? setup.filter;
  const { conditions } = splitQuery(filter);
  const query = `${conditions === '' ? '' : `(${conditions}) `}is:open due:>today sort:due`;
  const [row] = engine.query(query, { ...scope(context), limit: 1 });
  const when = row && rowMoment(row, style);
  return when && t('Next: {0} · {1}', isolate(titleOf(row.task)), when);
}

/** The next days that have something, each under its date. */
export function upNextGroups(context: WidgetContext): Groups {
  const { engine, rows, setup, style } = context;
  const { groups, openCount } = engine.widget(setup.kind, options(context));
  const empty: Frame['empty'] = { text: t('Nothing coming up.'), link: { label: t('Add a task'), act: 'quickAdd' } };
  const all = groups.flatMap(({ items }) => items);
  const byDay = (): GroupView[] =>
    groups.map(({ key, items }) => {
      const day = parseDay(key);
      return {
        key,
        label: day ? dayHeading(day, context) : key,
        tone: day === context.now ? 'accent' : 'plain',
        folded: false,
        ...(day ? { dropValues: { day } } : {}),
        rows: rows(key, items, { ...(day ? { on: day } : {}), style }),
      };
    });
  return {
    groups: regrouped(all, context) ?? byDay(),
    open: openCount,
    dropValues: { day: context.now },
    ...(openCount > 0 ? {} : { empty }),
  };
}

/** Groups by the field that the widget is set to, instead of its own groups; undefined if it is set to none. */
function regrouped(items: readonly Occurrence[], context: WidgetContext, on?: Day): GroupView[] | undefined {
  const { engine, rows, lists, setup, style } = context;
  if (setup.group === '' || !has(groupFields, setup.group)) return undefined;
  const sortContext = {
    moment: momentOf(style.clock, style.startHour),
    lists: [...lists.values()],
    locale: engine.locale,
  };
  return groupItems(items, setup.group as GroupField, [], sortContext).map(({ key, label, items }) => {
    const list = setup.group === 'list' ? lists.get(Number(key)) : undefined;
    return {
      key,
      label: groupLabel(key, label, context),
      tone: 'plain',
      folded: false,
      ...(list ? { color: cssColor(list.color), ...(list.isReadOnly ? {} : { dropValues: { listId: list.id } }) } : {}),
      rows: rows(key, items, { ...(on ? { on } : {}), withoutList: list !== undefined }),
    };
  });
}

/** A column a list, with its progress; subtasks are under their parents. */
export function listsGroups(context: WidgetContext): Groups {
  const { engine, lists, setup } = context;
  const { groups, openCount } = engine.widget(setup.kind, options(context));
  const done = engine.doneCounts();
  const open = engine.openCounts();
  const { done: closedToo, isDoneCut } = setup.filter === '' ? closedRows(context) : noneDone;
  return {
    groups: groups.map(({ key, label, items }) => {
      const list = lists.get(Number(key));
      const finished = done.get(Number(key)) ?? 0;
      const visible = new Set(items.map(({ task }) => task.masterId ?? task.id));
      const closed = closedToo.filter(({ task }) => task.listId === list?.id && isInGroup(task, visible));
      const nested = new NestedRows([...items, ...closed], { nest: true, showClosed: true });
      return {
        key,
        label: briefName(label),
        tone: 'plain',
        folded: false,
        ...(list ? { color: cssColor(list.color) } : {}),
        ...(list && !list.isReadOnly ? { dropValues: { listId: list.id } } : {}),
        progress: { done: finished, total: finished + (open.get(Number(key)) ?? 0) },
        rows: flatten(nested, context, key),
      };
    }),
    open: openCount,
    isDoneCut,
    ...(groups.length > 0
      ? {}
      : { empty: { text: t('No lists to show.'), link: { label: t('New list'), act: 'newList' as const } } }),
  };
}

/** The rows of a list, each followed by its subtasks. */
function flatten(nested: NestedRows, context: WidgetContext, group: string): string[] {
  const rows = walkTree(
    nested.roots,
    key => nested.childrenOf(key),
    key => key,
  );
  return rows.flatMap(({ item, depth }) =>
    context.rows(group, [nested.row(item)!], { depth: Math.min(depth, 6), withoutList: true }),
  );
}

/** Tasks completed today, at the end of their list, and completed subtasks of tasks that are still open, below these. */
function closedRows(context: WidgetContext): typeof noneDone {
  const { done: today, isDoneCut } = completed(context, 'done:today');
  const { done: steps, isDoneCut: areStepsCut } = completed(context, 'is:done is:subtask', 1000);
  const ids = new Set(today.map(({ task }) => task.id));
  return {
    done: [...today, ...steps.filter(({ task }) => !ids.has(task.id))],
    isDoneCut: isDoneCut || areStepsCut,
  };
}

const noneDone: { readonly done: readonly Occurrence[]; readonly isDoneCut: boolean } = { done: [], isDoneCut: false };

const isInGroup = (task: Task, visible: ReadonlySet<number>) => task.parentId === null || visible.has(task.parentId);

/** Undefined for Done, since nobody adds completed tasks. */
const emptyLink = ({ kind, filter }: WidgetContext['setup']): NonNullable<Frame['empty']>['link'] => {
  if (filter !== '') return { label: t('Select another filter'), act: 'pickFilter' };
  return kind === 'done' ? undefined : { label: t('Add a task'), act: 'quickAdd' };
};

const emptyText = ({ kind, filter }: WidgetContext['setup']) => {
  if (filter !== '') return t('No tasks match this filter.');
  return widgets[kind].hasMap ? t('No tasks completed in the last four weeks.') : t('No open tasks.');
};

/** Any filter or query, in the groups that it asks for. */
export function tasksGroups(context: WidgetContext): Groups {
  const { engine, rows, setup } = context;
  const widgetOptions = options(context);
  const { groups, openCount, isCut = false } = engine.widget(setup.kind, widgetOptions);
  const visible = groups.filter(({ items }) => items.length > 0);
  // A tag can be named like a day.
  const isByTag = resolveFilter(widgetOptions.filter ?? '', engine.settings).group === 'tag';
  return {
    groups: visible.map(({ key, label, items }) => {
      const day = isByTag ? undefined : parseDay(key);
      const isOpen = items.some(({ task }) => !isClosed(task));
      return {
        key,
        // If all rows are in one group, the widget's own name is enough.
        label: key === 'all' ? '' : groupLabel(key, label, context),
        tone: day && day < context.now && isOpen ? 'overdue' : 'plain',
        folded: false,
        ...(day && isOpen ? { dropValues: { day } } : {}),
        rows: rows(key, items, day && isOpen ? { on: day } : {}),
      };
    }),
    open: openCount,
    isCut,
    ...(visible.length > 0
      ? {}
      : {
          empty: {
            text: emptyText(setup),
            link: emptyLink(setup),
          },
        }),
  };
}
