import type * as vscode from 'vscode';
import type { CodeLocation } from '../../contributions/commandTargets';
import type { AnchorEdit } from '../../core/code/anchors';
import type { TaskBranch } from '../../core/code/branches';
import type { Repository } from '../../core/code/repository';
import { isClosed } from '../../core/fields/status';
import type { Event } from '../../core/kernel/events';
import type { Id, Task } from '../../core/kernel/model';
import { addition, isolate, t } from '../../shared/l10n';

/** A link of a task to code, with what this computer knows about it. */
export interface CodeLink {
  /** Identifies it among the links of its task. */
  readonly source: string;
  /** `session.ts:118` */
  readonly label: string;
  /** The folder of the file in its repository; empty if unknown. */
  readonly folder: string;
  /** The code is neither in its old line nor anywhere else in its file. */
  readonly isStale: boolean;
  /** Only the lines around it are the same, so it may be another one. */
  readonly isProbable: boolean;
  /** The TODO comment that the task was made from is no longer there. */
  readonly isGone: boolean;
  /** The link is in the notes. */
  readonly isInNotes: boolean;
}

interface GitBranch {
  readonly name?: string;
  readonly commit?: string;
}

/** The part of a repository of the git extension that is used here (its API, version 1). */
export interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
  createBranch(name: string, checkout: boolean): Promise<void>;
  checkout(branch: string): Promise<void>;
  readonly state?: { readonly HEAD?: GitBranch; readonly onDidChange?: vscode.Event<void> };
  // The members below are missing in older versions.
  readonly onDidCommit?: vscode.Event<void>;
  getBranches?(query: { readonly remote: boolean }): Promise<readonly GitBranch[]>;
  getBranchBase?(name: string): Promise<GitBranch | undefined>;
  getMergeBase?(one: string, other: string): Promise<string | undefined>;
  status?(): Promise<void>;
  createStash?(options: { readonly message: string; readonly includeUntracked: boolean }): Promise<void>;
  popStash?(): Promise<void>;
}

export type LinkedTask = Pick<Task, 'id' | 'unknownProperties'>;

interface FoundTodo {
  readonly text: string;
  readonly notes: string | undefined;
  readonly lastLine: number;
}

/** The answers about tasks and files that the code room provides. */
export interface CodeLinks {
  /** Its anchors, and its links to files of the working copies that are known here. */
  of(task: LinkedTask): readonly CodeLink[];
  /** Undefined for a text that is no file. `isTodo`: for a task that is made from a TODO comment there. */
  at(document: vscode.TextDocument, line: number, isTodo?: boolean): Promise<CodeLocation | undefined>;
  /** The code location of a link to a file of the open folders; undefined for every other link. */
  atLink(link: string): Promise<CodeLocation | undefined>;
  /** Links a task to a line. The new link replaces those to the file whose code is not found there. */
  link(task: Task, document: vscode.TextDocument, line: number): Promise<AnchorEdit | undefined>;
  /** The code locations of a task as they are found now; undefined if its own lines agree. */
  pin(task: Task): Promise<AnchorEdit | undefined>;
  /** The TODO comment that begins on a line, if the words have what makes it one. */
  todoIn(document: vscode.TextDocument, line: number, words: string): FoundTodo | undefined;
  open(task: Task, source: string): Promise<void>;
  /** The position of the cursor, also if another tab covers its file: `session.ts:118`. */
  cursor(): { readonly document: vscode.TextDocument; readonly line: number; readonly label: string } | undefined;
  /** The cursor is on another line, or in another file. */
  readonly onDidMove: Event<void>;
  /** The open tasks of the active file and of the branch. */
  here(): readonly Id[];
  /** The repository of the active file, with the ids by which every computer recognizes it. */
  repository(): Promise<Repository | undefined>;
  /** Names of the repositories of this window, by the ids that tasks have for them. */
  repositoryNames(): Promise<ReadonlyMap<string, string>>;
  /** True if a branch of that repository is the task's. */
  isBranchOf(task: Task, name: string): boolean;
  /** The branch for the task to store, if its name does not identify the task. */
  branchLine(name: string): TaskBranch | undefined;
  /** How the branch of a task ended; undefined while it exists. */
  endOf(id: Id): 'merged' | 'deleted' | undefined;
  /**
   * The repository with this root, or the active one, or that of the only folder; undefined if the git extension is not
   * available. Throws `invalid` if it could be any of several folders.
   */
  git(root?: vscode.Uri): Promise<GitRepository | undefined>;
  /** The roots of the open repositories, that in front first: of several working trees the first one's. */
  mainTrees(): Promise<readonly vscode.Uri[]>;
  /** The repository with this root; undefined if the folder is not one. */
  repositoryAt(root: vscode.Uri): Promise<Repository | undefined>;
}

let registered: CodeLinks | undefined;
let wereMissed = false;

/**
 * The answers of the code room; undefined until it is registered, and in tests without it.
 *
 * @example
 * codeLinks()?.of(task) ?? []
 */
export const codeLinks = (): CodeLinks | undefined => registered;

export function offerCodeLinks(links: CodeLinks): void {
  registered = links;
}

/** True if rows were drawn before code locations were available. */
export const linksWereMissed = (): boolean => wereMissed;

/** `session.ts:118`, and whether the code, or the comment that the task was made from, is no longer there. */
export function codeLinkText({ label, isStale, isProbable, isGone }: CodeLink): string {
  if (isGone) return t('{0} (comment removed)', isolate(label));
  if (isStale) return t('{0} (stale)', isolate(label));
  return isProbable ? t('{0} (probably here)', isolate(label)) : isolate(label);
}

/** For a row: whether the branch was merged or deleted, since the end of a row is cut, and the first code link. */
export function codeText(task: LinkedTask & Pick<Task, 'status'>): string | undefined {
  if (!registered) wereMissed = true;
  const [first, ...others] = registered?.of(task) ?? [];
  const location = first && `${codeLinkText(first)}${others.length > 0 ? ` ${addition(others.length)}` : ''}`;
  const end = isClosed(task) ? undefined : registered?.endOf(task.id);
  const branch = end && (end === 'merged' ? t('merged branch') : t('deleted branch'));
  return [branch, location].filter(Boolean).join(' · ') || undefined;
}
