import * as vscode from 'vscode';
import type { DuelineEngine } from '../api';
import type { CodeLocation } from '../contributions/commandTargets';
import type { AnchorEdit } from '../core/code/anchors';
import type { TaskBranch } from '../core/code/branches';
import type { Repository } from '../core/code/repository';
import { percentDecoded } from '../core/fields/percent';
import { isClosed } from '../core/fields/status';
import { DuelineError } from '../core/kernel/errors';
import type { Event } from '../core/kernel/events';
import type { Id, Task, TaskInput } from '../core/kernel/model';
import { isolate, numeral, t } from '../shared/l10n';
import { type Announce, perform } from './announcements';
import { showWarning } from './notifications';
import { pathLeaves } from './text/syncText';
import { titleOf } from './text/taskText';

/** The schemes that other programs' data may ask the editor to open: never a command, nor another extension's handler. */
const outside = /^(?:https?|mailto|tel|webcal)$/;
const inside = /^(?:file|vscode-remote|vscode-vfs|vscode-userdata|untitled)$/;

/** A link to a file, or to one line of it: `file:///notes.md#L12`. */
const linkTo = (file: vscode.Uri, line?: number): string =>
  file.with({ fragment: line === undefined ? '' : `L${line + 1}` }).toString();

/** A task has one address (RFC 5545 3.8.4.6); a further link goes to its notes, so that none replaces another. */
function linkPatch(task: Pick<Task, 'url' | 'description'>, link: string): TaskInput {
  if (task.url === null || task.url === '') return { url: link };
  if (task.url === link || task.description?.includes(`](${link})`)) return {};
  const name = link.replace(/#.*$/, '').split('/').at(-1) || link;
  const line = `[${percentDecoded(name).replace(/[[\]\\]/g, '\\$&')}](${link})`;
  return { description: task.description ? `${task.description}\n${line}` : line };
}

/** Links a task to a file or line; if the task lives on a server, asks before a path of this machine goes there. */
export async function linkTask(
  engine: Pick<DuelineEngine, 'task' | 'lists' | 'accounts' | 'updateTask' | 'stepOf'>,
  taskId: Id,
  link: string,
  announce: Announce,
): Promise<boolean> {
  const current = () => {
    const task = engine.task(taskId);
    if (task) return task;
    throw new DuelineError('notFound', t('This task no longer exists.'));
  };
  const task = current();
  if (Object.keys(linkPatch(task, link)).length === 0) return true;
  if (!(await confirmPathInList(engine, task, link))) return false;
  // The notes may have been written on while the question was open.
  announce(
    await perform(
      engine,
      () => engine.updateTask(taskId, linkPatch(current(), link)),
      () => t('Linked {0}', isolate(titleOf(task))),
    ),
  );
  return true;
}

/** Tests whether an address may go into a list: one of this machine goes to a server only if the user agrees. */
export async function confirmPathInList(
  { lists, accounts }: Pick<DuelineEngine, 'lists' | 'accounts'>,
  { listId }: Pick<Task, 'listId'>,
  link: string,
): Promise<boolean> {
  const list = lists().find(({ id }) => id === listId);
  if (list == null || list.accountId === null || outside.test(vscode.Uri.parse(link).scheme)) return true;
  const account = accounts().find(({ id }) => id === list.accountId);
  if (!account) return true;
  const go = t('Link');
  const picked = await showWarning(
    t('Add the file path to the task?'),
    { modal: true, detail: pathLeaves(account) },
    go,
  );
  return picked === go;
}

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
  // Absent from older ones.
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

/** The questions about tasks and files that the room of code answers. */
export interface CodePlaces {
  /** Its anchors, and its links to files of the working copies that are known here. */
  of(task: LinkedTask): readonly CodeLink[];
  /** Undefined for a text that is no file. `isTodo`: for a task that is made from a TODO comment there. */
  at(document: vscode.TextDocument, line: number, isTodo?: boolean): Promise<CodeLocation | undefined>;
  /** The code location of a link to a file of the open folders; undefined for every other link. */
  atLink(link: string): Promise<CodeLocation | undefined>;
  /** Links a task to a line, in the place of what it had in the file and is not found there. */
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
  /** Open tasks of what is in front: the file, and the branch. */
  here(): readonly Id[];
  /** By which the code in front is known on every computer. */
  repository(): Promise<Repository | undefined>;
  /** Names of the repositories of this window, by the ids that tasks know them by. */
  repositoryNames(): Promise<ReadonlyMap<string, string>>;
  /** Tests whether a branch of that repository is the task's. */
  isBranchOf(task: Task, name: string): boolean;
  /** The line that a task keeps for a branch whose name does not identify the task. */
  branchLine(name: string): TaskBranch | undefined;
  /** The end that the branch of a task came to. */
  endOf(id: Id): 'merged' | 'deleted' | undefined;
  /** The repository in front; undefined if the git extension is not available. */
  git(): Promise<GitRepository | undefined>;
  /** The roots of the open repositories, that in front first: of several working trees the first one's. */
  mainTrees(): Promise<readonly vscode.Uri[]>;
}

let registeredPlaces: CodePlaces | undefined;
let wereMissed = false;

/**
 * The answers of the code room; undefined until it is registered, and in tests without it.
 *
 * @example
 * codePlaces()?.of(task) ?? []
 */
export const codePlaces = (): CodePlaces | undefined => registeredPlaces;

export function offerCodePlaces(places: CodePlaces): void {
  registeredPlaces = places;
}

/** Tests whether rows were drawn before code locations were available. */
export const placesWereMissed = (): boolean => wereMissed;

/** `session.ts:118`, and whether the code, or the comment that the task was made from, is no longer there. */
export function codeLinkText({ label, isStale, isProbable, isGone }: CodeLink): string {
  if (isGone) return t('{0} (comment removed)', isolate(label));
  if (isStale) return t('{0} (stale)', isolate(label));
  return isProbable ? t('{0} (probably here)', isolate(label)) : isolate(label);
}

/** For a row: the first code link, and whether the branch was merged or deleted. */
export function codeText(task: LinkedTask & Pick<Task, 'status'>): string | undefined {
  if (!registeredPlaces) wereMissed = true;
  const [first, ...others] = registeredPlaces?.of(task) ?? [];
  const place = first && `${codeLinkText(first)}${others.length > 0 ? ` +${numeral(others.length)}` : ''}`;
  const end = isClosed(task) ? undefined : registeredPlaces?.endOf(task.id);
  const question = end && (end === 'merged' ? t('merged: complete?') : t('branch deleted: complete?'));
  return [place, question].filter(Boolean).join(' · ') || undefined;
}

/**
 * Opens a task's link: files here, at their line, pages and addresses in the system's programs. Tasks and notes come from
 * other people too: a file outside the workspace is neither opened nor looked for before the user agrees.
 */
export async function openTaskLink(link: string): Promise<void> {
  const uri = vscode.Uri.parse(link);
  if (outside.test(uri.scheme)) {
    await vscode.env.openExternal(uri);
    return;
  }
  if (!inside.test(uri.scheme) && !vscode.workspace.getWorkspaceFolder(uri.with({ fragment: '' })))
    throw new DuelineError('invalid', t('Dueline cannot open links that start with “{0}:”.', uri.scheme));
  if (!(await mayOpen(uri))) return;
  const line = /^L(\d{1,9})$/.exec(uri.fragment)?.[1];
  const file = uri.with({ fragment: '' });
  const there = await vscode.workspace.fs.stat(file).then(
    () => true,
    () => uri.scheme === 'untitled',
  );
  if (!there) throw new DuelineError('notFound', t('Linked file not found: {0}', isolate(file.path)));
  const at = new vscode.Position(Math.max(0, Number(line ?? 1) - 1), 0);
  await vscode.commands.executeCommand('vscode.open', file, {
    ...(line ? { selection: new vscode.Range(at, at) } : {}),
  });
}

/** If a file outside the workspace may be opened: the user is asked. */
export async function mayOpen(uri: vscode.Uri): Promise<boolean> {
  // It is no file yet, and has no path to join.
  if (uri.scheme === 'untitled') return true;
  const file = vscode.Uri.joinPath(uri, '.').with({ fragment: '' });
  if (vscode.workspace.getWorkspaceFolder(file)) return true;
  const detail = isolate(file.scheme === 'file' ? file.fsPath : file.toString(true));
  const open = t('Open');
  return (await showWarning(t('Open a file outside this workspace?'), { modal: true, detail }, open)) === open;
}

/** Opens what a note names: a file of a workspace folder, `src/file.ts:12`, or the URI of a file, which may be elsewhere. */
export async function openFile(text: string): Promise<void> {
  if (/^[\w+.-]{2,}:\/\//.test(text)) return openTaskLink(text);
  const [, path = text, line] = /^(.{1,2000}?)(?::(\d{1,7}))?(?::\d{1,7})?$/.exec(text) ?? [];
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    // On Windows `\` leads from folder to folder too, also out of this one.
    const file = vscode.Uri.joinPath(uri, path.replaceAll('\\', '/'));
    const isInside = file.path.startsWith(uri.path.endsWith('/') ? uri.path : `${uri.path}/`);
    const isThere =
      isInside &&
      (await vscode.workspace.fs.stat(file).then(
        ({ type }) => type !== vscode.FileType.Directory,
        () => false,
      ));
    if (isThere) return openTaskLink(linkTo(file, line === undefined ? undefined : Math.max(0, Number(line) - 1)));
  }
  throw new DuelineError('notFound', t('File not found in this workspace: {0}', isolate(path)));
}
