import type { DuelineEngine, TaskChange } from '../api';
import type { TaskClaims } from '../core/kernel/claims';
import type { EditClient } from '../core/kernel/editLabel';
import type { Id, Task } from '../core/kernel/model';
import { defaultSettings } from '../core/kernel/settings';
import type { Sidecar } from '../core/kernel/sidecar';
import { refusalError } from '../programs/cliError';
import { Visibility } from './visible';

/** The tools' descriptions define how a text is read, whatever the user has set. */
const { quickAddSyntax, quickAddDates, quickAddLanguage } = defaultSettings;
export const agentQuickAdd = { quickAddSyntax, quickAddDates, quickAddLanguage };

interface AgentOptions {
  /** Lists that it may see although they are private, in addition to those of the editor's setting. */
  readonly lists?: readonly string[];
  /** It lives as long as this process does. */
  readonly isProcess: boolean;
}

/**
 * The rules for what one agent may see and do, by its tools as by the command line. They are made again for each call,
 * since the user may change them.
 */
export class AgentRules {
  readonly visible: Visibility;
  readonly claims: TaskClaims;

  private constructor(
    readonly engine: DuelineEngine,
    sidecar: Sidecar,
    readonly client: EditClient,
    private readonly options: AgentOptions,
  ) {
    const listed = sidecar.get<readonly string[]>('agents', 'lists') ?? [];
    this.claims = engine.claims!;
    this.visible = new Visibility(engine, [...(options.lists ?? []), ...listed]);
  }

  /** With the claims open, and those of the agent going on. */
  static async of(engine: DuelineEngine, client: EditClient, options: AgentOptions): Promise<AgentRules> {
    const rules = new AgentRules(engine, await engine.sidecar(), client, options);
    await rules.claims.open();
    if (!engine.readOnlyReason) await rules.claims.renew(client);
    return rules;
  }

  /** @throws CliError if another agent works on one of the tasks */
  refuseClaimed(tasks: readonly Task[]): void {
    const uids = tasks.map(({ uid }) => uid);
    if (this.claims.isOthers(uids, this.client)) throw claimedByOther();
  }

  /**
   * The tasks that move along with those that changes move.
   *
   * @throws CliError if one that is hidden would get into another list: it may not be hidden there
   */
  movedAlong(changes: readonly TaskChange[]): readonly Task[] {
    return changes.flatMap(change => {
      if (change.type !== 'move') return [];
      const task = this.engine.task(change.id)!;
      const below = tasksBelow(this.engine, task);
      const { listId = task.listId } = change.to;
      if (listId !== task.listId && !below.every(this.visible.has))
        throw refusalError('An agent cannot move this task to another list. Nothing was changed.');
      return below;
    });
  }

  /**
   * Claims tasks for the work, and gives back what it has claimed if that fails.
   *
   * @throws CliError if another agent works on one of them
   */
  async claim(uids: readonly string[], work: () => Promise<unknown>): Promise<void> {
    const claimed = await this.claims.take(uids, this.client, this.options.isProcess);
    if (!claimed) throw claimedByOther();
    try {
      await work();
    } catch (error) {
      await this.claims.release(this.client, claimed);
      throw error;
    }
  }

  /** False if it had not claimed the task. */
  async giveBack(task: Task): Promise<boolean> {
    const isOwn = this.claims.of(task.uid)?.session === this.client.session;
    await this.release([task]);
    return isOwn;
  }

  release = (tasks: readonly Task[]): Promise<void> =>
    this.claims.release(
      this.client,
      tasks.map(({ uid }) => uid),
    );

  /** Undoes the last step of the agent, wherever it is in the history. */
  async undo() {
    const { engine, visible, client } = this;
    const steps = await engine.undoSteps();
    const last = steps.find(({ label }) => label.client?.session === client.session);
    return (
      last &&
      (await engine.undoStep(last.id, ids => {
        const tasks = ids.flatMap(id => engine.task(id) ?? []);
        if (!tasks.every(visible.has))
          throw refusalError('Your last change can no longer be undone. Nothing was changed.');
        this.refuseClaimed(tasks);
      }))
    );
  }
}

/** The name of the other is in the data of the task: it may be made to look like words of the tool. */
const claimedByOther = () => refusalError('Another agent works on one of these tasks. Nothing was changed.');

/** The rows that move with a task: its occurrences, and all subtasks with theirs. */
function tasksBelow(engine: DuelineEngine, { id, listId }: Task): readonly Task[] {
  const rows = engine.rows(listId).filter(({ isDeleted }) => !isDeleted);
  const ids = new Set<Id>([id]);
  for (let known = 0; known < ids.size; ) {
    known = ids.size;
    for (const row of rows) if (ids.has(row.masterId ?? row.parentId ?? 0)) ids.add(row.id);
  }
  return rows.filter(row => row.id !== id && ids.has(row.id));
}
