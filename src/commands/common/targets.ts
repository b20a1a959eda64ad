import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import type { FocusedRow, ListTarget, TaskTarget } from '../../contributions/commandTargets';
import { DuelineError } from '../../core/kernel/errors';
import type { Task, TaskList } from '../../core/kernel/model';
import { isolate, t } from '../../shared/l10n';
import type { Announcement } from '../../ui/announcements';
import { showQuickPick } from '../../ui/dialogs';
import type { TaskOccurrence } from '../../ui/occurrences';
import {
  isFocusedRow,
  isMenuOfRow,
  isTaskTarget,
  type TaskSelection,
  targetOccurrence,
  taskIdOf,
} from '../../ui/selection';
import { accountNames } from '../../ui/text/syncText';
import { withIcon } from '../../ui/withIcon';
import { pickTask } from './pickTask';

/**
 * Finds the tasks that a command applies to.
 *
 * @example
 * const rows = await targets.occurrences(target, selection, t('Select a task to delete'));
 */
export class TargetResolver {
  constructor(
    private readonly engine: DuelineEngine,
    readonly selection: TaskSelection,
  ) {}

  /**
   * The rows a command was called on, else those selected in the tree that was used last, else what `ask` returns; a text is
   * the placeholder of a picker of one task. Empty if the user picks none.
   */
  async occurrences(
    target: TaskTarget | FocusedRow | undefined,
    selected: readonly TaskTarget[] | undefined,
    ask: string | (() => Promise<readonly TaskOccurrence[]>),
  ): Promise<readonly TaskOccurrence[]> {
    const called = (selected ?? []).filter(isTaskTarget);
    const pointedAt = isTaskTarget(target)
      ? isMenuOfRow(target)
        ? this.selection.selectedWith(target)
        : [target]
      : undefined;
    const targets = called.length > 0 ? called : (pointedAt ?? (await this.selection.current(isFocusedRow(target))));
    if (targets.length === 0) {
      // A key of a tree has no effect on a row that is not a task.
      if (isFocusedRow(target)) return [];
      if (typeof ask !== 'string') return ask();
      const picked = await pickTask(this.engine, ask);
      return picked ? [{ task: picked, occurrence: null }] : [];
    }
    const rows = new Map<string, TaskOccurrence>();
    for (const one of targets) {
      const [task, occurrence] = [this.engine.task(taskIdOf(one)), targetOccurrence(one)];
      if (task) rows.set(`${task.id}@${occurrence}`, { task, occurrence });
    }
    if (rows.size === 0) throw new DuelineError('notFound', t('This task no longer exists.'));
    return [...rows.values()];
  }

  /** The tasks of these rows, for commands on a whole series. */
  async tasks(...called: Parameters<TargetResolver['occurrences']>): Promise<readonly Task[]> {
    return tasksOf(await this.occurrences(...called));
  }

  async task(target: TaskTarget | FocusedRow | undefined, placeholder: string): Promise<Task | undefined> {
    return (await this.tasks(target, undefined, placeholder))[0];
  }
}

/** The rows that may be changed: the engine refuses a whole change if one of its tasks is in a read-only list. */
export function withoutReadOnly<Row extends Pick<TaskOccurrence, 'task'>>(
  engine: Pick<DuelineEngine, 'lists'>,
  rows: readonly Row[],
): readonly Row[] {
  const readOnly = new Set(engine.lists().flatMap(({ id, isReadOnly }) => (isReadOnly ? [id] : [])));
  return rows.filter(({ task }) => !readOnly.has(task.listId));
}

/** Each task once. */
export const tasksOf = (rows: readonly Pick<TaskOccurrence, 'task'>[]): readonly Task[] => [
  ...new Map(rows.map(({ task }) => [task.id, task])).values(),
];

/**
 * The current state of the same tasks, without those that are gone: while a question is open, other windows and sync go
 * on, and their changes must not be overwritten with outdated values.
 */
export const currentTasks = (engine: DuelineEngine, tasks: readonly Task[]): readonly Task[] =>
  tasks.flatMap(({ id }) => engine.task(id) ?? []);

/** The current state of the same occurrences, as in {@link currentTasks}. */
export const currentOccurrences = (engine: DuelineEngine, rows: readonly TaskOccurrence[]): readonly TaskOccurrence[] =>
  rows.flatMap(row => currentTasks(engine, [row.task]).map(task => ({ ...row, task })));

interface ListChoice extends vscode.QuickPickItem {
  readonly list?: TaskList;
}

interface ListQuestion {
  readonly placeholder: string;
  readonly accepts?: (list: TaskList) => boolean;
  /** Also offers to create a list, with this name as the suggestion. */
  readonly newName?: string;
}

export async function pickList(
  engine: DuelineEngine,
  { placeholder, accepts = () => true, newName }: ListQuestion,
): Promise<TaskList | undefined> {
  const accounts = accountNames(engine);
  const choices: ListChoice[] = engine
    .lists()
    .filter(accepts)
    .map(list => {
      const account = list.accountId === null ? undefined : isolate(accounts.get(list.accountId) ?? '');
      const notes = [account, list.isVisible ? undefined : t('hidden')].filter(Boolean);
      return { label: isolate(list.name), description: notes.join(' · '), list };
    });
  if (newName !== undefined) choices.push({ ...withIcon('add', t('New List…')), alwaysShow: true });
  const picked = await showQuickPick(choices, { placeHolder: placeholder, matchOnDescription: true });
  if (!picked || picked.list) return picked?.list;
  const made = await vscode.commands.executeCommand<Announcement | undefined>('dueline.list.new', newName);
  return engine.lists().find(list => list.id === made?.listId);
}

export async function listFor(
  engine: DuelineEngine,
  target: ListTarget | undefined,
  question: ListQuestion,
): Promise<TaskList | undefined> {
  const id = typeof target === 'number' ? target : target?.listId;
  if (id === undefined) return pickList(engine, question);
  const list = engine.lists().find(one => one.id === id);
  if (!list) throw new DuelineError('notFound', t('This list no longer exists.'));
  return list;
}
