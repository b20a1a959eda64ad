import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import type { TodoTarget } from '../../contributions/commandTargets';
import { views } from '../../contributions/ids';
import { anchorsOf } from '../../core/code/anchors';
import { withoutComment, withTaskId } from '../../core/code/todoEdits';
import { DuelineError } from '../../core/kernel/errors';
import type { Id } from '../../core/kernel/model';
import { brief, isolate, t } from '../../shared/l10n';
import type { Announcement } from '../../ui/announcements';
import type { CommandRunner } from '../../ui/commandRunner';
import { showQuickPick } from '../../ui/dialogs';
import { writeSetting } from '../../ui/settings/settings';
import { codeLinks } from '../../ui/text/codeLinks';
import type { TodoFiles } from './todoFiles';
import type { TodoInFile } from './todoTasks';
import { todoAt } from './todoTexts';
import { scopeNames } from './todoTree';
import type { WorkspaceTodos } from './workspaceTodos';

type Engine = Pick<DuelineEngine, 'task' | 'shortIdOf' | 'apply'>;

/** Commands on TODO comments: from their rows, the light bulb, or for the line with the cursor. */
export function todoCommands(
  commands: CommandRunner,
  engine: Engine,
  files: TodoFiles,
  workspace: WorkspaceTodos,
): vscode.Disposable {
  return vscode.Disposable.from(
    commands.on('dueline.addFromTodo', addTask),
    commands.on('dueline.addFromTodoWithId', async target => {
      checkTrust();
      const at = await commentOf(target);
      const id = await addTask(target);
      if (id !== undefined) await writeId(engine, id, at);
    }),
    commands.on('dueline.removeTodo', async target => removeComments([await commentOf(target)])),
    commands.on('dueline.findTodos', async () => {
      const found = await vscode.window.withProgress(
        {
          location: vscode.ProgressLocation.Notification,
          title: t('Searching for TODO comments…'),
          cancellable: true,
        },
        (progress, token) => workspace.find(progress, token),
      );
      if (!found) return;
      await files.showWorkspace(found);
      await vscode.commands.executeCommand(`${views.todos}.focus`);
    }),
    commands.on('dueline.showTodosOf', () => pickScope(files)),
  );
}

/** In Restricted Mode files are only read. */
function checkTrust(): void {
  if (!vscode.workspace.isTrusted)
    throw new DuelineError('invalid', t('In Restricted Mode, Dueline does not change files.'));
}

async function pickScope(files: TodoFiles): Promise<void> {
  const names = scopeNames();
  const scopes = ['openFiles', 'branch', 'workspace'] as const;
  const items = scopes.map(scope => ({
    label: names[scope],
    scope,
    ...(scope === files.scope && { description: t('current') }),
  }));
  const picked = await showQuickPick(items, { placeHolder: t('Select where to search for TODO comments') });
  if (picked?.scope === 'workspace') await vscode.commands.executeCommand('dueline.findTodos');
  else if (picked) await files.choose(picked.scope, scope => writeSetting('dueline.todos.scope', scope));
}

async function commentOf(target: TodoTarget | undefined): Promise<TodoInFile> {
  const editor = vscode.window.activeTextEditor;
  const document = target ? await vscode.workspace.openTextDocument(vscode.Uri.parse(target.file)) : editor?.document;
  const todo = document && todoAt(document, target?.line ?? editor!.selection.active.line, target?.text);
  if (todo) return { document, todo };
  throw new DuelineError(
    'notFound',
    target ? t('The TODO comment is no longer there.') : t('Place the cursor on a TODO comment first.'),
  );
}

async function addTask(target: TodoTarget | undefined): Promise<Id | undefined> {
  const { document, todo } = await commentOf(target);
  const location = await codeLinks()?.at(document, todo.line, true);
  if (!location)
    throw new DuelineError('invalid', t('Open a saved file first. The task is linked to its current line.'));
  const done = await vscode.commands.executeCommand<Announcement | undefined>('dueline.quickAdd', {
    text: todo.text,
    notes: todo.notes,
    location,
  });
  return done?.added?.[0];
}

/** The line is another one then, and is found by that on other computers. */
async function writeId(engine: Engine, id: Id, { document, todo: before }: TodoInFile): Promise<void> {
  const { uri } = document;
  const { todo } = await commentOf({ file: uri.toString(), line: before.line, text: before.text });
  const edit = new vscode.WorkspaceEdit();
  const { from, to, text } = withTaskId(document.getText(), todo, engine.shortIdOf(id));
  edit.replace(uri, new vscode.Range(document.positionAt(from), document.positionAt(to)), text);
  const at = new vscode.Position(todo.line, todo.character);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
  if (!(await vscode.workspace.applyEdit(edit)))
    throw new DuelineError('invalid', t('The file cannot be edited. The ID was not written.'));
  const location = await codeLinks()?.at(document, todo.line, true);
  const old = anchorsOf(engine.task(id) ?? { unknownProperties: null }).find(({ isTodo }) => isTodo);
  if (location && old)
    await engine.apply([{ type: 'anchors', id, edit: { replace: [{ source: old.source, by: location.anchor }] } }]);
}

/** Removes comments in sight of the user: the undo of their editor brings them back. */
export async function removeComments(comments: readonly TodoInFile[]): Promise<void> {
  checkTrust();
  const [first] = comments;
  if (!first) return;
  const edit = new vscode.WorkspaceEdit();
  for (const { document, todo } of comments) {
    const { from, to } = withoutComment(document.getText(), todo);
    edit.delete(document.uri, new vscode.Range(document.positionAt(from), document.positionAt(to)));
  }
  const { document, todo } = first;
  const at = new vscode.Position(todo.line, 0);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
  if (!(await vscode.workspace.applyEdit(edit)))
    throw new DuelineError('invalid', t('The file cannot be edited. The comment was not removed.'));
  vscode.window.setStatusBarMessage(t('Removed “{0}”', isolate(brief(todo.text || todo.word, 60))), 5000);
}
