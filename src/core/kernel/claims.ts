import type { EditClient } from './editLabel';
import type { EpochMs, Id } from './model';

/** An agent works on a task: no other agent may change it. */
export interface TaskClaim extends EditClient {
  readonly at: EpochMs;
}

/** The tasks that agents have claimed, over all processes. A claim ends with its agent. */
export interface TaskClaims {
  /** Until then, nobody has a task. Rejects if the store cannot be read. */
  open(): Promise<void>;
  /** The claim on the task with a UID; undefined if nobody has it now. */
  of(uid: string): TaskClaim | undefined;
  /** The tasks that someone has. */
  held(): ReadonlyMap<Id, TaskClaim>;
  /** True if another client works on one of these tasks. */
  isOthers(uids: readonly string[], client: EditClient): boolean;
  /**
   * Takes all of them for the client and returns what was free before; undefined, with none taken, if another has one.
   * They end with this process if `isProcess` is true, else some time after the last command of the client.
   */
  take(uids: readonly string[], client: EditClient, isProcess: boolean): Promise<readonly string[] | undefined>;
  /** The client has run a command: the claims of one without a process go on. */
  renew(client: EditClient): Promise<void>;
  /** Releases the client's claims on these tasks; all of them if none are named. */
  release(client: EditClient, uids?: readonly string[]): Promise<void>;
  /** Ends claims of any client, for the user. True if there was one. */
  end(uids: readonly string[]): Promise<boolean>;
}
