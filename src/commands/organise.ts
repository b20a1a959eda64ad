import * as vscode from 'vscode';
import type { TaskChange } from '../api';
import { type Id, Status, type Task, type TaskInput } from '../core/model';
import { repeatsFromCompletion } from '../core/repeatFrom';
import { bucketOf, isClosed, type PriorityBucket, priorityOf, titleOf } from '../views/describe';
import { isolate, percent, plain, t, tn } from '../views/l10n';
import type { Parts } from '../views/parts';
import type { Shown } from '../views/shown';
import { withIcon } from '../views/withIcon';
import { announce } from './history';
import { onCommand } from './register';
import { pickList, taskFor, tasksFor } from './targets';

export const organiseCommands = (parts: Parts, shown: Shown): vscode.Disposable =>
  vscode.Disposable.from(
    onCommand('dueline.start', async (target, selection) => {
      const tasks = await tasksFor(parts, target, selection, t('Start working on which task?'));
      await change(parts, tasks, () => ({ status: Status.inProcess }), t('Started'));
    }),
    onCommand('dueline.cancel', async (target, selection) => {
      const tasks = await tasksFor(parts, target, selection, t('Cancel which task?'));
      await change(parts, tasks, () => ({ status: Status.cancelled }), t('Canceled'));
    }),
    onCommand('dueline.setProgress', async (target, selection) => {
      const tasks = await tasksFor(parts, target, selection, t('Set the progress of which task?'));
      const lines = [0, 10, 25, 50, 75, 90, 100].map(progress => ({ label: percent(progress), progress }));
      const picked = tasks.length > 0 && (await vscode.window.showQuickPick(lines, { title: t('Progress') }));
      if (!picked) return;
      const { progress } = picked;
      const patch: TaskInput =
        progress === 100
          ? { status: Status.completed }
          : { percentComplete: progress, ...(progress > 0 ? { status: Status.inProcess } : {}) };
      await change(parts, tasks, () => patch, t('Progress set'));
    }),
    onCommand('dueline.setPriority', async (target, selection) => {
      const tasks = await tasksFor(parts, target, selection, t('Set the priority of which task?'));
      const bucket = tasks.length > 0 ? await askPriority() : undefined;
      // A number that lies in the chosen bucket already is kept: other clients may mean more by it.
      if (bucket)
        await change(
          parts,
          tasks,
          task => (bucketOf(task.priority) === bucket ? {} : { priority: priorityOf[bucket] }),
          t('Priority set'),
        );
    }),
    onCommand('dueline.editTags', async (target, selection) => {
      const tasks = await tasksFor(parts, target, selection, t('Edit the tags of which task?'));
      if (tasks.length > 0) await editTags(parts, tasks);
    }),
    onCommand('dueline.moveToList', async (target, selection) => {
      const tasks = await tasksFor(parts, target, selection, t('Move which task?'));
      if (tasks.length === 0) return;
      const list = await pickList(parts, {
        placeholder: t('Move to which list?'),
        accepts: one => !one.isReadOnly,
        mayCreate: true,
      });
      const changes = list ? moveChanges(tasks, { listId: list.id }) : [];
      if (!list || changes.length === 0) return;
      const ids = changes.flatMap(change => ('id' in change ? [change.id] : []));
      const goOn = shown.stay(ids, target);
      await parts.engine.apply(changes);
      await goOn();
      announce(tn(changes.length, 'Moved {0} task to {1}', 'Moved {0} tasks to {1}', isolate(list.name)));
    }),
    onCommand('dueline.addSubtask', async target => {
      const task = await taskFor(parts, target, t('Add a subtask to which task?'));
      if (!task) return;
      const place = { listId: task.listId, parentId: task.id };
      const added = await vscode.commands.executeCommand<Id | undefined>('dueline.quickAdd', place);
      // The focus stays on the parent, for the next of its steps.
      if (added !== undefined) await shown.follow(added, target, false);
    }),
    onCommand('dueline.duplicate', async (target, selection) => {
      const tasks = await tasksFor(parts, target, selection, t('Duplicate which task?'));
      await parts.engine.apply(tasks.map(copyOf));
      if (tasks.length > 0) announce(tn(tasks.length, 'Duplicated {0} task', 'Duplicated {0} tasks'));
    }),
  );

/** Below a task that moves too, nothing moves by itself: it comes along. */
function moveChanges(tasks: readonly Task[], to: { listId: number }): TaskChange[] {
  const ids = new Set(tasks.map(({ id }) => id));
  return tasks
    .filter(task => task.listId !== to.listId && !(task.parentId !== null && ids.has(task.parentId)))
    .map(({ id }) => ({ type: 'move', id, to }));
}

async function change(
  parts: Parts,
  tasks: readonly Task[],
  patchOf: (task: Task) => TaskInput,
  said: string,
): Promise<void> {
  const changes = tasks
    .map(task => ({ type: 'update' as const, id: task.id, patch: patchOf(task) }))
    .filter(({ patch }) => Object.keys(patch).length > 0);
  if (changes.length === 0) return;
  await parts.engine.apply(changes);
  announce(
    changes.length === 1
      ? t('{0}: {1}', said, isolate(titleOf(tasks[0]!)))
      : tn(changes.length, '{1}: {0} task', '{1}: {0} tasks', said),
  );
}

async function askPriority(): Promise<PriorityBucket | undefined> {
  const lines = [
    { ...withIcon('arrow-up', t('High')), bucket: 'high' as const },
    { ...withIcon('dash', t('Medium')), bucket: 'medium' as const },
    { ...withIcon('arrow-down', t('Low')), bucket: 'low' as const },
    { ...withIcon('circle-slash', t('None')), bucket: 'none' as const },
  ];
  return (await vscode.window.showQuickPick(lines, { title: t('Priority') }))?.bucket;
}

interface TagLine extends vscode.QuickPickItem {
  readonly tag: string;
}

/** Tags that all chosen tasks share are ticked; what is ticked or unticked then changes on every one of them. */
function editTags(parts: Parts, tasks: readonly Task[]): Promise<void> {
  const common = new Set(tasks[0]!.tags.filter(tag => tasks.every(task => task.tags.includes(tag))));
  const known = [...new Set([...parts.engine.tags().map(({ name }) => name), ...tasks.flatMap(task => task.tags)])];
  const lines: TagLine[] = known.map(tag => ({ label: isolate(tag), tag }));
  const pick = vscode.window.createQuickPick<TagLine>();
  pick.title =
    tasks.length === 1
      ? t('Tags of {0}', isolate(titleOf(tasks[0]!)))
      : tn(tasks.length, 'Tags of {0} task', 'Tags of {0} tasks');
  pick.placeholder = t('Tick tags, or type a new one');
  pick.canSelectMany = true;
  pick.items = lines;
  pick.selectedItems = lines.filter(({ tag }) => common.has(tag));
  pick.onDidChangeValue(text => {
    const typed = plain(text).replace(/^#/, '');
    const chosen = pick.selectedItems;
    const isNew = typed !== '' && !lines.some(({ tag }) => tag.toLocaleLowerCase() === typed.toLocaleLowerCase());
    const made: TagLine[] = isNew
      ? [{ label: isolate(typed), description: t('new tag'), tag: typed, alwaysShow: true }]
      : [];
    pick.items = [...made, ...chosen.filter(line => !lines.includes(line) && line.tag !== typed), ...lines];
    pick.selectedItems = pick.items.filter(line => chosen.some(({ tag }) => tag === line.tag));
  });
  return new Promise((resolve, reject) => {
    pick.onDidAccept(() => {
      const chosen = new Set(pick.selectedItems.map(({ tag }) => tag));
      pick.hide();
      const gone = [...common].filter(tag => !chosen.has(tag));
      const added = [...chosen].filter(tag => !common.has(tag));
      change(
        parts,
        tasks,
        task => ({
          tags: [...task.tags.filter(tag => !gone.includes(tag)), ...added.filter(tag => !task.tags.includes(tag))],
        }),
        t('Tags set'),
      ).then(resolve, reject);
    });
    pick.onDidHide(() => {
      pick.dispose();
      resolve();
    });
    pick.show();
  });
}

function copyOf(task: Task): TaskChange {
  const { title, description, location, url, color, tags, priority, classification } = task;
  const { dtstart, due, duration, isAllDay, timezone, rrule, parentId, alarms } = task;
  const dates = { dtstart, due, duration: due === null ? duration : null, isAllDay, timezone, rrule };
  const input: TaskInput = {
    ...{ title, description, location, url, color, tags, priority, classification, parentId },
    ...dates,
    ...(isClosed(task) ? {} : { status: task.status, percentComplete: task.percentComplete }),
    alarms: alarms.map(({ minutesBefore, reference, message }) => ({ minutesBefore, reference, message })),
  };
  return { type: 'create', listId: task.listId, input, from: repeatsFromCompletion(task) ? 'completion' : 'due' };
}
