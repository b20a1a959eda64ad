import type { DuelineEngine } from '../api';
import { t, tn } from '../shared/l10n';

export function todayRows(engine: Pick<DuelineEngine, 'widget'>) {
  const { groups } = engine.widget('today');
  const rows = groups.filter(({ key }) => key !== 'done').flatMap(group => group.items);
  return { rows, overdue: rows.filter(row => row.isOverdue).length };
}

export function countSentence(open: number, overdue: number): string {
  if (open === 0) return t('No tasks due today');
  const due = tn(open, '{0} task for today', '{0} tasks for today');
  return overdue === 0 ? due : t('{0}, {1}', due, tn(overdue, '{0} overdue', '{0} overdue'));
}
