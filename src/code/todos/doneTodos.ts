import * as vscode from 'vscode';
import type { Change, DuelineEngine } from '../../api';
import { type Disposable, Disposables } from '../../core/kernel/events';
import { type Id, Status } from '../../core/kernel/model';
import { t } from '../../shared/l10n';
import { showError } from '../../ui/errors';
import { showInformation } from '../../ui/notifications';
import { removeComments } from './todoCommands';
import type { TodoInFile, TodoTasks } from './todoTasks';

/** A task that was completed earlier was asked about then, or is not to be. */
const justNowMs = 10_000;
/** Nobody looks through a longer preview. */
const maxTasks = 50;

/**
 * Offers to remove the comments that tasks were made from, once they are done. One question at a time: what is completed
 * while it is open is part of it.
 */
export class DoneTodos implements vscode.Disposable {
  readonly #owned = new Disposables();
  readonly #done = new Set<Id>();
  #isAsking = false;

  constructor(
    private readonly engine: Pick<DuelineEngine, 'anchored' | 'task' | 'clock' | 'onDidChange'>,
    private readonly tasks: Pick<TodoTasks, 'commentsOf'>,
  ) {
    const listening: Disposable = engine.onDidChange(change => void this.#onChange(change).catch(showError));
    this.#owned.add(listening);
  }

  async #onChange({ origin, tasks }: Change): Promise<void> {
    // Nothing is offered there that changes a file.
    if (!vscode.workspace.isTrusted) return;
    if (origin !== 'user' || tasks.length === 0 || tasks.length > maxTasks) return;
    const found = this.engine.anchored().filter(({ task, anchor }) => anchor.isTodo && tasks.includes(task));
    const ids = [...new Set(found.map(({ task }) => task))].filter(id => this.#isJustDone(id));
    for (const id of ids) this.#done.add(id);
    if (ids.length === 0 || this.#isAsking || (await this.#comments()).length === 0) return;
    if (this.#isAsking) return;
    this.#isAsking = true;
    const remove = t('Remove the Comment');
    const picked = await showInformation(t('The task is done. Its TODO comment is still in the code.'), remove);
    this.#isAsking = false;
    // The light bulb and the row in the list offer it again for a comment that is left.
    const comments = picked === remove ? await this.#comments() : [];
    this.#done.clear();
    if (comments.length > 0) await removeComments(comments);
  }

  #isJustDone(id: Id): boolean {
    const task = this.engine.task(id);
    const isDone = task?.status === Status.completed && this.engine.clock.now() - (task.completedAt ?? 0) < justNowMs;
    if (!isDone) this.#done.delete(id);
    return isDone && !this.#done.has(id);
  }

  async #comments(): Promise<TodoInFile[]> {
    const tasks = [...this.#done].flatMap(id => this.engine.task(id) ?? []);
    return (await Promise.all(tasks.map(task => this.tasks.commentsOf(task)))).flat();
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
