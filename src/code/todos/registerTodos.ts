import type * as vscode from 'vscode';
import { Disposables } from '../../core/kernel/events';
import type { Services } from '../../ui/services';
import type { CurrentCode } from '../here';
import type { LocationMemory } from '../locationMemory';
import type { OpenFiles } from '../openFiles';
import type { WorkingCopies } from '../workingCopies';
import { DoneTodos } from './doneTodos';
import { TodoActions } from './todoActions';
import { todoCommands } from './todoCommands';
import { TodoFiles } from './todoFiles';
import { TodoTasks } from './todoTasks';
import { TodoTree } from './todoTree';
import { WorkspaceTodos } from './workspaceTodos';

interface CodeParts {
  readonly files: OpenFiles;
  readonly copies: WorkingCopies;
  readonly memory: LocationMemory;
  readonly here: CurrentCode;
}

/** TODO comments: their list, their light bulb, and the commands for them. */
export function registerTodos(
  { engine, selection, commands }: Pick<Services, 'engine' | 'selection' | 'commands'>,
  { files, copies, memory, here }: CodeParts,
): vscode.Disposable {
  const owned = new Disposables();
  const workspace = new WorkspaceTodos();
  const tasks = new TodoTasks(engine, files, copies, memory);
  const todos = owned.add(new TodoFiles(copies, () => here.copy));
  owned.add(new TodoTree(engine, todos, tasks, files, selection));
  owned.add(new TodoActions(tasks));
  owned.add(todoCommands(commands, engine, todos, workspace));
  owned.add(new DoneTodos(engine, tasks));
  return owned;
}
