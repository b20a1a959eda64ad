import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import type { Id, Task } from '../../core/kernel/model';
import { isolate, t, tn } from '../../shared/l10n';
import type { CommandServices } from '../../ui/services';
import { dateStyle } from '../../ui/settings/settings';
import { withIcon } from '../../ui/withIcon';
import { back, pickStep } from '../common/inputSteps';
import { listsById, taskChoice } from '../common/taskChoice';
import { openTaskMenu } from './taskMenu';

interface Step {
  readonly name: string;
  readonly query: string;
  readonly lists?: readonly Id[];
}

const maxShownTasks = 500;

function stepsOf(engine: DuelineEngine): readonly Step[] {
  const inbox = engine.lists().find(({ id }) => id === engine.defaultListId());
  return [
    ...(inbox ? [{ name: isolate(inbox.name), query: 'is:open sort:created', lists: [inbox.id] }] : []),
    { name: t('Not changed for 30 days'), query: 'is:open modified:<-30d sort:modified' },
    { name: t('Waiting'), query: '(is:blocked OR #waiting) sort:due' },
    { name: t('No Date'), query: 'no:due no:start -is:subtask sort:created' },
    { name: t('Overdue'), query: 'is:overdue sort:due' },
  ];
}

/** A walk through tasks that are easily forgotten: Enter leads from step to step, and into the actions of each task. */
export function reviewCommands({ commands, engine }: CommandServices): vscode.Disposable {
  // A user who leaves the review continues at the same step.
  let at = 0;
  return commands.on('dueline.weeklyReview', async () => {
    for (let steps = stepsOf(engine); at < steps.length; steps = stepsOf(engine)) {
      const answer = await askStep(engine, steps, at);
      if (answer === undefined) return;
      if (answer === back) at -= 1;
      else if (answer === 'next') at += 1;
      else if ((await openTaskMenu(engine, answer)) === 'dueline.open') return;
    }
    at = 0;
    vscode.window.setStatusBarMessage(t('Review finished'), 5000);
  });
}

function askStep(engine: DuelineEngine, steps: readonly Step[], at: number) {
  const { name, query, lists } = steps[at]!;
  const found = engine.query(query, { ...(lists ? { lists } : {}), limit: maxShownTasks });
  const [listNames, style] = [listsById(engine), dateStyle(engine)];
  const next = steps[at + 1];
  const goOn = next ? withIcon('arrow-right', t('Next: {0}', next.name)) : withIcon('check', t('Finish'));
  const lines: (vscode.QuickPickItem & { readonly answer: Task | 'next' })[] = [
    { ...goOn, alwaysShow: true, answer: 'next' },
    ...found.map(row => ({ ...taskChoice(row, style, listNames), answer: row.task })),
  ];
  return pickStep(lines, {
    title: t('{0}: {1}', t('Weekly Review'), t('{0}, {1}', name, tn(found.length, '{0} task', '{0} tasks'))),
    placeholder: t('Select a task, or continue'),
    step: at + 1,
    of: steps.length,
  });
}
