import type { DuelineEngine } from '../api';
import { today } from '../core/dates';
import type { Occurrence } from '../core/model';
import { t, tn } from './l10n';
import type { Frame, GroupView, RowView } from './protocol';
import { rowView } from './rowView';
import { dateStyle } from './settings';
import { mediumDay } from './when';

/** What a widget shows at this moment. */
export interface WidgetContent {
  readonly frame: Frame;
  readonly groups: readonly GroupView[];
  readonly rows: readonly RowView[];
  /** What a task gets that is added here, where its words say nothing else. */
  readonly place?: GroupView['place'];
}

/** Overdue, Today, and what is done today folded away. */
export function todayContent(engine: DuelineEngine): WidgetContent {
  const style = dateStyle(engine);
  const lists = new Map(engine.lists().map(list => [list.id, list]));
  const now = today(style.clock, style.startHour);
  const snapshot = engine.widget('today');
  const of = (key: string) => snapshot.groups.find(group => group.key === key)?.items ?? [];
  const done = engine.query('done:today sort:-done limit:200');

  const rows: RowView[] = [];
  const group = (
    key: string,
    label: string,
    tone: GroupView['tone'],
    items: readonly Occurrence[],
    folded = false,
  ): GroupView => ({
    key,
    label,
    tone,
    folded,
    rows: items.map(item => {
      const view = rowView(item, `${key}/${item.task.id}`, { style, lists, on: now });
      rows.push(view);
      return view.key;
    }),
  });
  const groups = [
    group('overdue', t('Overdue'), 'overdue', of('overdue')),
    group('today', t('Today'), 'plain', of('today')),
    group('done', tn(done.length, '{0} done today', '{0} done today'), 'plain', done, true),
  ].filter(({ rows }) => rows.length > 0);

  const open = of('overdue').length + of('today').length;
  return {
    frame: {
      label: t('Today'),
      aside: mediumDay(now),
      layout: 'list',
      placeholder: t('Add a task for today…'),
      footer: open === 0 ? '' : tn(open, '{0} open', '{0} open'),
      ...(open > 0
        ? {}
        : {
            empty: {
              text: done.length > 0 ? t('Everything for today is done.') : t('Nothing is due today.'),
              link: { label: t('Plan tomorrow?'), act: 'planTomorrow' },
            },
          }),
    },
    groups,
    rows,
    place: { day: now },
  };
}
