import type { DuelineEngine } from '../api';
import type { Occurrence } from '../core/kernel/model';
import { t, tn } from '../shared/l10n';

export interface TodayCount {
  /** The first of them. */
  readonly rows: readonly Occurrence[];
  readonly open: number;
  readonly overdue: number;
}

/** How many tasks Today has, and the first few of them: with very many, the others are not read. */
export function todayCount(engine: Pick<DuelineEngine, 'widget'>): TodayCount {
  const { groups, openCount } = engine.widget('today', { groupLimit: 20 });
  const overdue = groups.find(({ key }) => key === 'overdue')?.count ?? 0;
  return { rows: groups.flatMap(group => group.items), open: openCount, overdue };
}

export function countSentence(open: number, overdue: number): string {
  if (open === 0) return t('No tasks due today');
  const due = tn(open, '{0} task for today', '{0} tasks for today');
  return overdue === 0 ? due : t('{0}, {1}', due, tn(overdue, '{0} overdue', '{0} overdue'));
}
