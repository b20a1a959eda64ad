import * as vscode from 'vscode';
import type { TodoTarget } from '../../contributions/commandTargets';
import type { CommandId } from '../../contributions/definitions';
import { isClosed } from '../../core/fields/status';
import { isolate, t } from '../../shared/l10n';
import { titleOf } from '../../ui/text/taskText';
import { isFile } from '../openFiles';
import type { TodoTasks } from './todoTasks';
import { todoOn } from './todoTexts';

/** In the light bulb: a task from the comment, which stays as it is unless it is to have the task's ID; then what is its task. */
export class TodoActions implements vscode.CodeActionProvider, vscode.Disposable {
  readonly #registered = vscode.languages.registerCodeActionsProvider({ pattern: '**' }, this, {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  });

  constructor(private readonly tasks: Pick<TodoTasks, 'on'>) {}

  provideCodeActions(document: vscode.TextDocument, { start }: vscode.Range): vscode.CodeAction[] {
    const todo = isFile(document) ? todoOn(document, start.line) : undefined;
    if (!todo) return [];
    const target: TodoTarget = { file: document.uri.toString(), line: todo.line };
    const task = this.tasks.on(document, todo);
    if (task)
      return isClosed(task)
        ? ifTrusted(action(t('Remove This {0}', todo.word), 'dueline.removeTodo', target))
        : [action(t('Open {0}', isolate(titleOf(task))), 'dueline.open', task.id)];
    // The task of another store, or of another user.
    if (todo.taskId !== undefined) return [];
    return [
      action(t('Create Task from This {0}', todo.word), 'dueline.addFromTodo', target),
      ...ifTrusted(
        action(t('Create Task from This {0} and Write Its ID', todo.word), 'dueline.addFromTodoWithId', target),
      ),
    ];
  }

  dispose(): void {
    this.#registered.dispose();
  }
}

/** In Restricted Mode nothing is offered that changes a file. */
const ifTrusted = (offered: vscode.CodeAction): vscode.CodeAction[] => (vscode.workspace.isTrusted ? [offered] : []);

function action(title: string, command: CommandId, argument: unknown): vscode.CodeAction {
  const made = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  made.command = { command, title, arguments: [argument] };
  return made;
}
