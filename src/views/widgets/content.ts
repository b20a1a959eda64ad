import type { DuelineEngine } from '../../api';
import { today } from '../../core/dates';
import { isDuelineError } from '../../core/errors';
import { explain } from '../errors';
import { plain, t, tn } from '../l10n';
import type { Control, Frame, GroupView, RowView } from '../protocol';
import { daysLater } from '../reschedule';
import { rowView } from '../rowView';
import { dateStyle } from '../settings';
import { mediumDay } from '../when';
import { listsGroups, tasksGroups, todayGroups, upNextGroups, weekGroups } from './groups';
import type { Making } from './making';
import { type WidgetSetup, weekStart } from './setup';

/** What a widget shows at this moment. */
export interface WidgetContent {
  readonly frame: Frame;
  readonly groups: readonly GroupView[];
  readonly rows: readonly RowView[];
  /** What a task gets that is added here, where its words say nothing else. */
  readonly place?: GroupView['place'];
}

const names = (): Record<WidgetSetup['kind'], string> => ({
  today: t('Today'),
  upNext: t('Up Next'),
  lists: t('Lists'),
  week: t('Week'),
  tasks: t('Tasks'),
});

export const widgetName = (setup: Pick<WidgetSetup, 'kind' | 'title' | 'filter'>) => setup.title ?? names()[setup.kind];

/** `inPane`: the pane around the page shows its name already. */
export function widgetContent(engine: DuelineEngine, setup: WidgetSetup, inPane: boolean): WidgetContent {
  const style = dateStyle(engine);
  const rows: RowView[] = [];
  const lists = new Map(engine.lists().map(list => [list.id, list]));
  const progress = engine.childProgress();
  const making: Making = {
    engine,
    setup,
    style,
    lists,
    now: today(style.clock, style.startHour),
    rows: (group, items, more) =>
      items.map(item => {
        const base = `${group}/${item.task.id}`;
        const occurrence = item.task.rrule === null ? '' : `@${item.due ?? item.dtstart}`;
        const done = progress.get(item.task.id);
        const view = rowView(item, base + occurrence, { style, lists, ...(done ? { progress: done } : {}), ...more });
        rows.push(view);
        return view.key;
      }),
  };
  try {
    const { groups, open, empty, place } = makers[setup.kind](making);
    return { frame: frameOf(making, inPane, { open, empty }), groups, rows, ...(place ? { place } : {}) };
  } catch (error) {
    if (!isDuelineError(error)) throw error;
    return { frame: frameOf(making, inPane, { open: 0, problem: explain(error) }), groups: [], rows: [] };
  }
}

const makers = { today: todayGroups, upNext: upNextGroups, lists: listsGroups, week: weekGroups, tasks: tasksGroups };

interface Said {
  readonly open: number;
  readonly empty?: Frame['empty'];
  readonly problem?: string;
}

function frameOf(making: Making, inPane: boolean, { open, empty, problem }: Said): Frame {
  const { setup, now } = making;
  return {
    label: widgetName(setup),
    ...(inPane ? {} : { heading: widgetName(setup) }),
    aside: setup.kind === 'week' ? weekLabel(making) : setup.kind === 'today' && !inPane ? mediumDay(now) : '',
    layout: setup.kind === 'week' ? 'week' : setup.kind === 'lists' ? 'columns' : 'list',
    // The side bar is narrow: what Today shows there is chosen from its menu.
    controls: inPane && setup.kind === 'today' ? [] : controlsOf(setup),
    placeholder: setup.kind === 'today' ? t('Add a task for today…') : t('Add a task…'),
    footer: open === 0 ? '' : tn(open, '{0} open', '{0} open'),
    ...(empty ? { empty } : {}),
    ...(problem === undefined ? {} : { problem }),
  };
}

function controlsOf(setup: WidgetSetup): Control[] {
  const lists = setup.lists.length === 0 ? t('All lists') : setup.lists.map(plain).join(', ');
  const filter = setup.filter === '' ? t('All tasks') : plain(setup.filter);
  const week: Control[] =
    setup.kind === 'week'
      ? [
          { act: 'previous', label: t('Previous week'), glyph: 'previous' },
          { act: 'now', label: t('This week') },
          { act: 'next', label: t('Next week'), glyph: 'next' },
        ]
      : [];
  return [
    ...week,
    { act: 'pickLists', label: lists, glyph: 'menu' },
    { act: 'pickFilter', label: filter, glyph: 'menu' },
  ];
}

function weekLabel({ setup, style }: Making): string {
  const first = weekStart(setup, style);
  return t('{0} – {1}', mediumDay(first), mediumDay(daysLater(first, 6)));
}
