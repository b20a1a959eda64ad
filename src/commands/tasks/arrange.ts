import * as vscode from 'vscode';
import type { DuelineEngine, MoveTarget } from '../../api';
import type { Task } from '../../core/kernel/model';
import { t } from '../../shared/l10n';
import { perform } from '../../ui/announcements';
import { offerManualOrder } from '../../ui/dialogs';
import { showInformation } from '../../ui/notifications';
import { openSiblings } from '../../ui/relatives';
import type { CommandServices } from '../../ui/services';
import { setting, writeSetting } from '../../ui/settings/settings';
import { belowText, besideText, nameOfTasks } from '../../ui/text/movedText';
import type { ViewController } from '../../ui/viewController';
import type { TargetResolver } from '../common/targets';

/** Drag and drop by keyboard: a task up, down, into the one above, out of its parent. */
export function arrangeCommands(
  { commands, engine }: CommandServices,
  targets: TargetResolver,
  viewController: ViewController,
): vscode.Disposable {
  const on = (id: 'dueline.moveUp' | 'dueline.moveDown' | 'dueline.indent' | 'dueline.outdent', where: Where) =>
    commands.on(id, async target => {
      const task = await targets.task(target, t('Select a task to move'));
      const to = task && where(task, engine, viewController);
      if (to && 'before' in to && to.parentId === undefined && !(await sortsByHand())) return undefined;
      if (!task || !to) return undefined;
      const text = arrangedText(engine, task, to);
      const moved = await perform(
        engine,
        () => engine.moveTask(task.id, to),
        () => text,
      );
      await viewController.revealAfterMove(task.id, target);
      return moved;
    });
  return vscode.Disposable.from(
    on('dueline.moveUp', up),
    on('dueline.moveDown', down),
    on('dueline.indent', indent),
    on('dueline.outdent', outdent),
  );
}

async function sortsByHand(): Promise<boolean> {
  if (setting('dueline.tree.sort') === 'manual') return true;
  if (!(await offerManualOrder())) return false;
  await writeSetting('dueline.tree.sort', 'manual');
  return true;
}

/** Names the row that the task is moved next to, or below. */
function arrangedText(engine: DuelineEngine, task: Task, { parentId, before }: MoveTarget): string {
  if (parentId != null && before === null) return belowText(engine, [task], parentId);
  const above = before == null ? undefined : engine.task(before);
  if (above) return besideText(engine, [task], above, 'before');
  const siblings = openSiblings(engine, parentId === undefined ? task : { ...task, parentId });
  const last = siblings.findLast(({ id }) => id !== task.id);
  return last ? besideText(engine, [task], last, 'after') : t('Moved {0}', nameOfTasks([task]));
}

type Where = (task: Task, engine: DuelineEngine, viewController: ViewController) => MoveTarget | undefined;

/** A row of one occurrence has the place of its series. */
const placeOf = (task: Task, siblings: readonly Task[]): number =>
  siblings.findIndex(({ id }) => id === (task.masterId ?? task.id));

const up: Where = (task, engine) => {
  const siblings = openSiblings(engine, task);
  const before = siblings[placeOf(task, siblings) - 1];
  return before && { before: before.id };
};

const down: Where = (task, engine) => {
  const siblings = openSiblings(engine, task);
  const at = placeOf(task, siblings);
  return at < 0 || at === siblings.length - 1 ? undefined : { before: siblings[at + 2]?.id ?? null };
};

/**
 * Moves a task below the one that the tree shows above it; if the tree does not show it, below the one before it in
 * manual order.
 */
const indent: Where = (task, engine, viewController) => {
  const siblings = viewController.siblings(task.id) ?? openSiblings(engine, task).map(({ id }) => id);
  const above = siblings[siblings.indexOf(task.masterId ?? task.id) - 1];
  if (above !== undefined) return { parentId: above, before: null };
  void showInformation(t('There is no task above to make this a subtask of.'));
  return undefined;
};

const outdent: Where = (task, engine) => {
  const parent = task.parentId === null ? undefined : engine.task(task.parentId);
  if (!parent) return undefined;
  const parentSiblings = openSiblings(engine, parent);
  const next = parentSiblings[parentSiblings.findIndex(({ id }) => id === parent.id) + 1];
  return { parentId: parent.parentId, before: next?.id ?? null };
};
