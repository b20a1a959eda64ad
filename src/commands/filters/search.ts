import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import type { Occurrence, Task } from '../../core/kernel/model';
import { t } from '../../shared/l10n';
import type { CommandServices } from '../../ui/services';
import { todayCount } from '../../ui/todayCount';
import type { ViewController } from '../../ui/viewController';
import { type SearchAction, searchTask } from '../common/searchTask';

const maxTodayTasks = 15;
const maxRecentTasks = 10;

export const searchCommands = ({ commands, engine }: CommandServices, shown: Pick<ViewController, 'reveal'>) =>
  commands.on('dueline.search', async query => {
    const task = await searchTask(engine, {
      title: t('Search Tasks'),
      placeholder: t('Type text or a query: due:week #work -is:recurring'),
      start: typeof query === 'string' ? query : '',
      groups: () => startOf(engine),
      leaves: true,
      actions: actionsOf(shown),
      queryAction: {
        icon: 'save',
        label: t('Save Filter'),
        run: text => vscode.commands.executeCommand('dueline.filter.save', text),
      },
    });
    if (task) await openTask(task);
  });

const openTask = (task: Task) => vscode.commands.executeCommand('dueline.open', task.id);

/** The tasks that the user most likely wants: today's, and those changed last. */
function startOf(engine: DuelineEngine) {
  const today = todayCount(engine).rows.slice(0, maxTodayTasks);
  const known = new Set(today.map(({ task }) => task.id));
  const changed = engine.query('sort:-modified', { limit: maxTodayTasks + maxRecentTasks });
  const recent: readonly Occurrence[] = changed.filter(({ task }) => !known.has(task.id)).slice(0, maxRecentTasks);
  return [
    { label: t('Today'), rows: today },
    { label: t('Recently changed'), rows: recent },
  ];
}

const actionsOf = (shown: Pick<ViewController, 'reveal'>): readonly SearchAction[] => [
  {
    icon: 'check',
    label: t('Complete'),
    closes: false,
    run: task => vscode.commands.executeCommand('dueline.complete', task.id),
  },
  { icon: 'edit', label: t('Open Task'), closes: true, run: openTask },
  { icon: 'list-tree', label: t('Show in Lists'), closes: true, run: task => shown.reveal(task) },
];
