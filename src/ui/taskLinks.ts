import * as vscode from 'vscode';
import type { DuelineEngine } from '../api';
import { percentDecoded } from '../core/fields/percent';
import { DuelineError } from '../core/kernel/errors';
import type { Id, Task, TaskInput } from '../core/kernel/model';
import { isolate, t } from '../shared/l10n';
import { type Announce, perform } from './announcements';
import { showWarning } from './notifications';
import { pathLeaves } from './text/syncText';
import { titleOf } from './text/taskText';

/** The schemes that other programs' data may ask the editor to open: never a command, nor another extension's handler. */
const outside = /^(?:https?|mailto|tel|webcal)$/;
/** The schemes of files that the editor opens itself. */
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

/** Links a task to a file or line; if the task is on a server, asks before sending it a path of this computer. */
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

/** True if a list may get an address: a path of this computer goes to a server only if the user agrees. */
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

/**
 * Opens a task's link: files here, at their line, pages and addresses in the system's programs. Tasks and notes come from
 * other people too: a file outside the workspace is neither opened nor searched for before the user agrees.
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

/** True if the file may be opened: for one outside the workspace, the user is asked. */
export async function mayOpen(uri: vscode.Uri): Promise<boolean> {
  // An untitled document is no file yet, and has no path to join.
  if (uri.scheme === 'untitled') return true;
  const file = vscode.Uri.joinPath(uri, '.').with({ fragment: '' });
  if (vscode.workspace.getWorkspaceFolder(file)) return true;
  const detail = isolate(file.scheme === 'file' ? file.fsPath : file.toString(true));
  const open = t('Open');
  return (await showWarning(t('Open a file outside this workspace?'), { modal: true, detail }, open)) === open;
}

/** Opens a file that a note names: one in a workspace folder, `src/file.ts:12`, or the URI of a file, which may be elsewhere. */
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
