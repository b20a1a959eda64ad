import type { DuelineEngine } from '../../api';
import { isClosed } from '../../core/fields/status';
import { isDuelineError } from '../../core/kernel/errors';
import type { Occurrence } from '../../core/kernel/model';
import { type Day, today } from '../../core/time/dates';
import { type Grouping, widgets } from '../../query/agenda/widgets';
import { brief, briefName, listed, t, tn } from '../../shared/l10n';
import {
  type Control,
  type DropValues,
  type Frame,
  type GroupView,
  hours,
  type LoadView,
  type WidgetSetup,
} from '../../shared/widgetProtocol';
import { explain } from '../../ui/errors';
import { isActive, movedFrom } from '../../ui/occurrences';
import { dateStyle } from '../../ui/settings/settings';
import { claimWords } from '../../ui/text/claimText';
import { codeText } from '../../ui/text/codeLinks';
import { dayRange, hourNames, longDay, mediumDay, monthName } from '../../ui/text/dateText';
import { openBlockers, parentTitle } from '../../ui/text/taskText';
import { SyncIssues } from '../tree/syncIssues';
import { boardGroups } from './board';
import { doneMap } from './doneMap';
import { type Groups, listsGroups, tasksGroups, todayGroups, upNextGroups } from './groups';
import { widgetName } from './kinds';
import { loadsOf } from './loads';
import { meetingsControl, nextMeetingOf } from './meetings';
import type { RowLine } from './rowDelivery';
import { type RowCache, rowSummary } from './rowView';
import { dayOfSetup, isByHand, shownWeeks } from './setup';
import { weekGroups } from './week';
import type { WidgetContext } from './widgetContext';

/** The content of a widget at this moment. */
export interface WidgetContent {
  readonly frame: Frame;
  /** For the title of the pane around the page. */
  readonly description: string;
  readonly groups: readonly GroupView[];
  readonly lines: readonly RowLine[];
  /** The values of a task that is added here, unless its words name others. */
  readonly dropValues?: DropValues | undefined;
}

/** The page size of a group: rows shown at first, and added per *more*. */
const [firstRows, moreRows] = [200, 500];

/** `inPane`: the pane around the page shows its name already. */
export function widgetContent(
  engine: DuelineEngine,
  setup: WidgetSetup,
  inPane: boolean,
  cache: RowCache,
  /** By group, how often more of its rows were asked for. */
  extraPages: ReadonlyMap<string, number> = new Map(),
): WidgetContent {
  const style = dateStyle(engine);
  const now = today(style.clock, style.startHour);
  const lines: RowLine[] = [];
  const found = new Map<string, Occurrence[]>();
  const lists = new Map(engine.lists().map(list => [list.id, list]));
  const progress = engine.childProgress();
  const issues = new SyncIssues(engine);
  const context: WidgetContext = {
    engine,
    setup,
    style,
    lists,
    now,
    maxRowsOf: group => firstRows + (extraPages.get(group) ?? 0) * moreRows,
    rows: (group, items, more) => {
      if (found.get(group)?.push(...items) === undefined) found.set(group, [...items]);
      return items.map(item => {
        const base = `${group}/${item.task.id}`;
        const occurrence = item.task.rrule === null ? '' : `@${item.due ?? item.dtstart}`;
        // The next occurrences of a series have its subtasks, also one with values of its own.
        const { id, masterId } = item.task;
        const done = progress.get(isClosed(item.task) ? id : (masterId ?? id));
        const moved = movedFrom(engine, item.task, style);
        const codeLocation = codeText(item.task);
        const blockedBy = openBlockers(engine, item.task);
        const setting = {
          style,
          lists,
          movedFrom: moved,
          codeLocation,
          blockedBy,
          parent: more?.depth ? undefined : parentTitle(engine, item.task),
          syncProblem: issues.of(item.task),
          active: isActive(engine, item.task),
          claimed: claimWords(engine, item.task),
          ...(done ? { progress: done } : {}),
          ...more,
        };
        const key = base + occurrence;
        lines.push({ summary: rowSummary(item, key, setting), details: () => cache.row(item, key, now, setting) });
        return key;
      });
    },
  };
  try {
    const shown = groupsOf(context);
    const { groups, empty, dropValues } = shown;
    const added = dropValues ?? defaultDropValues(context);
    const loads = loadsOf(context, found, groups);
    const load = widgets[setup.kind].grouping === 'today' ? loads?.ofToday() : undefined;
    const description = descriptionOf(context, shown);
    return {
      frame: frameOf(context, inPane, { description, empty, load, dropValues: added }),
      description,
      groups: loads?.of(groups) ?? groups,
      lines,
      dropValues: added,
    };
  } catch (error) {
    if (!isDuelineError(error)) throw error;
    const frame = frameOf(context, inPane, { description: '', problem: explain(error) });
    return { frame, description: '', groups: [], lines: [] };
  }
}

const groupings: Readonly<Record<Grouping, (context: WidgetContext) => Groups>> = {
  today: todayGroups,
  days: upNextGroups,
  week: weekGroups,
  lists: listsGroups,
  query: tasksGroups,
};

/** Throws `query`. */
function groupsOf(context: WidgetContext): Groups {
  const { grouping, layout } = widgets[context.setup.kind];
  return (layout === 'board' ? boardGroups : groupings[grouping])(context);
}

interface WidgetText {
  readonly description: string;
  readonly empty?: Frame['empty'];
  readonly problem?: string;
  readonly load?: LoadView | undefined;
  readonly dropValues?: DropValues | undefined;
}

/** If the user chose lists, the first writable one of them gets the added task. */
function defaultDropValues({ setup, lists }: WidgetContext): DropValues | undefined {
  const chosen = [...lists.values()].find(({ name, isReadOnly }) => setup.lists.includes(name) && !isReadOnly);
  return chosen && { listId: chosen.id };
}

function frameOf(
  context: WidgetContext,
  inPane: boolean,
  { description, empty, problem, load, dropValues }: WidgetText,
): Frame {
  const { setup, engine, style } = context;
  const { grouping, layout, isOrdered, hasMap } = widgets[setup.kind];
  return {
    label: widgetName(setup),
    ...(inPane ? {} : { heading: widgetName(setup) }),
    aside: [weeksLabel(context), inPane ? '' : description].filter(Boolean).join(' · '),
    layout: layout === 'columns' && setup.stacked ? 'list' : layout,
    hasCards: grouping === 'week',
    controls: controlsOf(context, inPane),
    ...(layout === 'week' ? { hours: hourNames(hours, style) } : {}),
    placeholder: placeholderOf(context, dropValues),
    ...(empty ? { empty } : {}),
    ...(load ? { load } : {}),
    ...(problem === undefined ? {} : { problem }),
    ...(grouping === 'today' ? nextMeetingOf(context) : {}),
    ...(hasMap && problem === undefined ? { map: doneMap(context) } : {}),
    ...(isOrdered && isByHand(setup, engine.settings) ? { byHand: true } : {}),
  };
}

function descriptionOf({ setup, now }: WidgetContext, { open, isCut, isDoneCut }: Groups): string {
  const day = widgets[setup.kind].grouping === 'today' ? [mediumDay(now)] : [];
  const count = open === 0 ? [] : [tn(open, '{0} open', '{0} open')];
  const repeats = isCut ? [t('some repeats are not shown')] : [];
  const done = isDoneCut ? [t('some completed tasks are not shown')] : [];
  return [...day, ...count, ...repeats, ...done].join(' · ');
}

function placeholderOf({ setup, now }: WidgetContext, dropValues: DropValues | undefined): string {
  const { day } = dropValues ?? {};
  if (day == null) return t('Add a task…');
  if (widgets[setup.kind].grouping === 'days') return t('Add a task for today or later…');
  return day === now ? t('Add a task for today…') : t('Add a task for {0}…', longDay(day as Day));
}

/** The way to the setup is in the title of the view or the tab. */
function controlsOf(context: WidgetContext, inPane: boolean): Control[] {
  const { setup } = context;
  const { grouping, layout, view } = widgets[setup.kind];
  // The sidebar is narrow.
  if (inPane && view.container === 'sidebar') return [];
  const isMonth = layout === 'month';
  const weeks: Control[] =
    grouping === 'week'
      ? [
          { act: 'previous', label: isMonth ? t('Previous month') : t('Previous week'), glyph: 'previous' },
          { act: 'now', label: isMonth ? t('This month') : t('This week') },
          { act: 'next', label: isMonth ? t('Next month') : t('Next week'), glyph: 'next' },
        ]
      : [];
  const lists = setup.lists.length === 0 ? t('All lists') : listed(setup.lists.slice(0, 10).map(briefName));
  const filter = setup.filter === '' ? t('All tasks') : brief(setup.filter);
  return [
    ...weeks,
    ...(grouping === 'week' || grouping === 'today' ? meetingsControl(context.engine) : []),
    { act: 'pickLists', label: lists, glyph: 'menu' },
    { act: 'pickFilter', label: filter, glyph: 'menu' },
  ];
}

function weeksLabel({ setup, style }: WidgetContext): string {
  const { grouping, layout } = widgets[setup.kind];
  if (grouping !== 'week') return '';
  if (layout === 'month') return monthName(dayOfSetup(setup, style));
  const { from, to } = shownWeeks(setup, style);
  return dayRange(from, to);
}
