import { setTimeout as pause } from 'node:timers/promises';
import type * as vscode from 'vscode';
import type { DuelineEngine, TaskChange } from '../../api';
import { isClosed } from '../../core/fields/status';
import { isDuelineError } from '../../core/kernel/errors';
import type { Id, Occurrence, Task } from '../../core/kernel/model';
import { isolate, t, tn } from '../../shared/l10n';
import type { Announcement } from '../../ui/announcements';
import { ask } from '../../ui/dialogs';
import { explain } from '../../ui/errors';
import type { CommandServices } from '../../ui/services';
import { dateStyle } from '../../ui/settings/settings';
import { titleOf } from '../../ui/text/taskText';
import { applyPlan, type ChangePlan, changeMessage } from '../common/changePlan';
import { currentTasks, type TargetResolver } from '../common/targets';
import { listsById, taskChoice } from '../common/taskChoice';

interface BlockerLine extends vscode.QuickPickItem {
  readonly uid: string;
  /** Absent if no task here has the UID. */
  readonly id?: Id;
}

/** The editor takes seconds to draw more; of those, what is typed is searched for. */
const maxRows = 1000;
const typingMs = 80;

export const dependencyCommands = ({ commands, engine }: CommandServices, targets: TargetResolver): vscode.Disposable =>
  commands.on('dueline.blockedBy', async (target, selection) => {
    const tasks = await targets.tasks(target, selection, t('Select a task that depends on others'));
    const answer = tasks.length > 0 ? await askBlockers(engine, tasks) : undefined;
    return answer === 'unchanged' ? undefined : answer;
  });

/** The tasks that all of these depend on are ticked; ticking or unticking one then changes each of these. */
function askBlockers(engine: DuelineEngine, tasks: readonly Task[]): Promise<Announcement | 'unchanged' | undefined> {
  const lines = linesOf(engine, tasks);
  const first = lines(engine.query(openQuery(''), { limit: maxRows }));
  const common = sharedLines(engine, tasks, first);
  const options = {
    title:
      tasks.length === 1
        ? t('{0} is blocked by', isolate(titleOf(tasks[0]!)))
        : tn(tasks.length, '{0} task is blocked by', '{0} tasks are blocked by'),
    placeholder: t('Select the tasks to be done first'),
    canSelectMany: true,
    matchOnDescription: true,
  };
  return ask<BlockerLine, Announcement | 'unchanged'>(options, (pick, { newest, write }) => {
    const offer = (found: readonly BlockerLine[]) => {
      const chosen = [...new Set([...common, ...pick.selectedItems])];
      const selected = pick.items.length === 0 ? common : pick.selectedItems;
      const uids = new Set(chosen.map(({ uid }) => uid));
      pick.items = [...chosen, ...found.filter(({ uid }) => !uids.has(uid))];
      pick.selectedItems = selected;
    };
    const find = async (text: string, signal: AbortSignal) => {
      await pause(typingMs, undefined, { signal });
      return engine.find(openQuery(text), { limit: maxRows, signal });
    };
    offer(first);
    const isWhole = pick.items.length < maxRows;
    return {
      async onType(text) {
        const found = isWhole ? undefined : await newest.ask(signal => find(text, signal));
        if (found) offer(lines(found));
      },
      async onAccept() {
        try {
          const plan = blockersPlan(engine, tasks, common, pick.selectedItems);
          return await write(async () => (await applyPlan(engine, plan)) ?? 'unchanged');
        } catch (error) {
          if (!isDuelineError(error, 'invalid')) throw error;
          // A tick that would make a circle can be taken away again; the sentence is in sight.
          pick.title = explain(error);
        }
      },
    };
  });
}

/** Open tasks to choose from: those with the text, soonest first. */
function openQuery(text: string): string {
  const words = text.replace(/["\\]/g, ' ').trim();
  return `is:open ${words === '' ? '' : `"${words}"`} sort:due,priority`;
}

/** Tasks that were found, other than these, as lines. */
function linesOf(engine: DuelineEngine, tasks: readonly Task[]) {
  const own = new Set(tasks.map(({ uid }) => uid));
  const [lists, style] = [listsById(engine), dateStyle(engine)];
  return (found: readonly Occurrence[]): readonly BlockerLine[] => {
    const lines = found.map((row): BlockerLine => {
      const { uid, masterId, id } = row.task;
      const choice = taskChoice(row, style, lists);
      return { ...described(choice, engine.shortIdOf(row.task)), uid, id: masterId ?? id };
    });
    return lines.filter(({ uid }) => !own.has(uid));
  };
}

const described = <Item extends vscode.QuickPickItem>(item: Item, shortId: string): Item => ({
  ...item,
  description: [item.description, shortId].filter(Boolean).join(' · '),
});

/** A line for each UID that all of the tasks depend on; its task may be done, or not be here. */
function sharedLines(
  engine: DuelineEngine,
  [first, ...others]: readonly Task[],
  open: readonly BlockerLine[],
): readonly BlockerLine[] {
  const known = new Map(open.map(line => [line.uid, line]));
  const shared = engine
    .blockersOf(first!)
    .filter(({ uid }) => others.every(task => engine.blockersOf(task).some(one => one.uid === uid)));
  return shared.map(({ uid, task }): BlockerLine => {
    if (!task) return { label: t('Unknown task'), description: uid, uid };
    const line = { label: isolate(titleOf(task)), uid, id: task.id };
    return (
      known.get(uid) ??
      described({ ...line, description: isClosed(task) ? t('completed') : '' }, engine.shortIdOf(task))
    );
  });
}

function blockersPlan(
  engine: DuelineEngine,
  tasks: readonly Task[],
  common: readonly BlockerLine[],
  chosen: readonly BlockerLine[],
): ChangePlan {
  const ticked = new Set(chosen.map(({ uid }) => uid));
  const before = new Set(common.map(({ uid }) => uid));
  const add = chosen.flatMap(({ uid, id }) => (before.has(uid) ? [] : (id ?? [])));
  const remove = [...before].filter(uid => !ticked.has(uid));
  const isSame = add.length + remove.length === 0;
  return {
    label: t('Blocked by'),
    changes: () =>
      isSame ? [] : currentTasks(engine, tasks).map(({ id }): TaskChange => ({ type: 'blockers', id, add, remove })),
    message: changeMessage(
      tasks,
      title => t('{0}: {1}', t('Dependencies set'), title),
      count => tn(count, '{1}: {0} task', '{1}: {0} tasks', t('Dependencies set')),
    ),
  };
}
