import type { DuelineEngine } from '../api';
import type { Claimant, TaskClaims } from '../core/kernel/claims';
import type { Task } from '../core/kernel/model';
import { defaultSettings } from '../core/kernel/settings';
import type { Sidecar } from '../core/kernel/sidecar';
import { refusalError } from '../programs/cliError';
import { maxBatch } from './limits';
import { Visibility } from './visible';

/** The tools' descriptions define how a text is read, whatever the user has set. */
const { quickAddSyntax, quickAddDates, quickAddLanguage } = defaultSettings;
export const agentQuickAdd = { quickAddSyntax, quickAddDates, quickAddLanguage };

/**
 * The rules for what one agent may see and do, by its tools as by the command line. They are made again for each call,
 * since the user may change them.
 */
export class AgentRules {
  readonly visible: Visibility;
  /** The user's setting lets agents see meetings. */
  readonly mayReadMeetings: boolean;
  readonly #claims: TaskClaims;

  private constructor(
    readonly engine: DuelineEngine,
    sidecar: Sidecar,
    readonly client: Claimant,
    lists: readonly string[],
  ) {
    const listed = sidecar.get<readonly string[]>('agents', 'lists') ?? [];
    this.#claims = engine.claims!;
    this.visible = new Visibility(engine, [...lists, ...listed]);
    this.mayReadMeetings = sidecar.get<boolean>('agents', 'meetings') === true;
  }

  /** Opens the claims, and continues those of the agent. From now on, the engine writes for the agent by these rules. */
  static async of(engine: DuelineEngine, client: Claimant, lists: readonly string[] = []): Promise<AgentRules> {
    const rules = new AgentRules(engine, await engine.sidecar(), client, lists);
    await rules.#claims.open();
    if (!engine.readOnlyReason) await rules.#claims.renew(client);
    const { name, session } = client;
    engine.workFor({ name, session }, rules.mayChange);
    return rules;
  }

  /** @throws CliError if these are more than an agent changes at once */
  refuseMany({ length }: readonly Task[]): void {
    if (length <= maxBatch) return;
    throw refusalError(
      `At most ${maxBatch} tasks at once, subtasks included; these are ${length}. Nothing was changed.`,
    );
  }

  /** @throws CliError if another agent works on one of the tasks */
  refuseClaimed(tasks: readonly Task[]): void {
    const uids = tasks.map(({ uid }) => uid);
    if (this.#claims.isOthers(uids, this.client)) throw claimedByOther();
  }

  /**
   * Asked before each write of the agent: a change may reach further than the tasks that it names, to what moves or opens
   * again with them.
   *
   * @throws CliError if the task is hidden, or another agent works on it
   */
  mayChange = (task: Task): void => {
    if (!this.visible.has(task))
      throw refusalError('This would change a task that is not for agents. Nothing was changed.');
    this.refuseClaimed([task]);
  };

  /**
   * Claims tasks for the work, and releases them if that fails.
   *
   * @throws CliError if another agent works on one of them
   */
  async claim(tasks: readonly Task[], work: () => Promise<unknown>): Promise<void> {
    const uids = tasks.map(({ uid }) => uid);
    const claimed = await this.#claims.take(uids, this.client);
    if (!claimed) throw claimedByOther();
    try {
      await work();
    } catch (error) {
      await this.#claims.release(this.client, claimed);
      throw error;
    }
  }

  /** The name of the agent that works on a task, “you” for this one; undefined if none does. */
  holderOf = ({ uid }: Task): string | undefined => {
    const claim = this.#claims.of(uid);
    return claim && (this.#claims.isOthers([uid], this.client) ? claim.name : 'you');
  };

  /** Releases a task; false if this agent had not claimed it. */
  async releaseOwn(task: Task): Promise<boolean> {
    const isOwn = this.holderOf(task) === 'you';
    await this.release([task]);
    return isOwn;
  }

  release = (tasks: readonly Task[]): Promise<void> =>
    this.#claims.release(
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

/** The other agent's name is in the task's data: it could imitate the tool's own words. */
const claimedByOther = () => refusalError('Another agent works on one of these tasks. Nothing was changed.');
