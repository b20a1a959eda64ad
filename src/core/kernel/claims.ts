import type { EditClient } from './editLabel';
import type { EpochMs, Id } from './model';

/** An agent works on a task: no other agent may change it. */
export interface TaskClaim extends EditClient {
  readonly at: EpochMs;
}

/** An agent that claims tasks: by the tools its claims end with this process, in a terminal some time after its last command. */
export interface Claimant extends EditClient {
  readonly isProcess: boolean;
  /** The working tree that it works in; absent if its folder is in none. */
  readonly tree?: string | undefined;
}

/**
 * The tasks that agents have claimed, over all processes. A claim ends with its agent. An agent that claims a task by the tools has it
 * in a terminal too, and the other way round.
 */
export interface TaskClaims {
  /** Until then, nobody has a task. Rejects if the store cannot be read. */
  open(): Promise<void>;
  /** The claim on the task with a UID; undefined if nobody has it now. */
  of(uid: string): TaskClaim | undefined;
  /** The tasks that someone has. */
  held(): ReadonlyMap<Id, TaskClaim>;
  /** True if another client works on one of these tasks. */
  isOthers(uids: readonly string[], client: Claimant): boolean;
  /**
   * Claims all tasks for the client, and returns those that were free before; undefined, with none claimed, if another
   * client has one of them.
   */
  take(uids: readonly string[], client: Claimant): Promise<readonly string[] | undefined>;
  /** The client has run a command, which extends its claims from a terminal. */
  renew(client: Claimant): Promise<void>;
  /** Releases the client's claims on these tasks; all of this connection if none are named. */
  release(client: Claimant, uids?: readonly string[]): Promise<void>;
  /** Ends claims of any client, for the user. True if there was one. */
  end(uids: readonly string[]): Promise<boolean>;
}
