import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import { anchorsOf } from '../../core/code/anchors';
import type { Todo } from '../../core/code/todos';
import { isClosed } from '../../core/fields/status';
import type { Id, Task } from '../../core/kernel/model';
import { fileOfAnchor } from '../findFile';
import type { LocationMemory } from '../locationMemory';
import type { OpenFiles } from '../openFiles';
import { pathIn, type WorkingCopies } from '../workingCopies';
import { todoOn, todosIn } from './todoTexts';

export interface TodoInFile {
  readonly document: vscode.TextDocument;
  readonly todo: Todo;
}

/** The task of a TODO comment, by the ID that is written in it or the code location that its task has; and the other way round. */
export class TodoTasks {
  constructor(
    private readonly engine: Pick<DuelineEngine, 'task' | 'tasksByShortIds'>,
    private readonly files: OpenFiles,
    private readonly copies: WorkingCopies,
    private readonly memory: LocationMemory,
  ) {}

  /** The task of a comment in an open file. */
  on({ uri }: vscode.TextDocument, todo: Todo): Task | undefined {
    const found = this.files.in(uri).filter(({ line, anchor }) => anchor.isTodo && line === todo.line);
    return this.#first([...this.#named(todo), ...found.map(({ task }) => task)]);
  }

  /** The tasks of comments, by the lines of these. */
  async of(uri: vscode.Uri, todos: readonly Todo[]): Promise<ReadonlyMap<number, Task>> {
    const copy = await this.copies.of(uri);
    const isOpen = this.files.of(uri) !== undefined;
    const found = isOpen
      ? this.files.in(uri)
      : this.files.anchored({ copy, path: pathIn(copy, uri) }).map(found => {
          const seen = this.memory.of(found.anchor);
          return { ...found, line: seen?.isStale ? undefined : (seen?.line ?? found.anchor.line) };
        });
    return new Map(
      todos.flatMap(todo => {
        const here = found.filter(({ line, anchor }) => anchor.isTodo && line === todo.line);
        const task = this.#first([...this.#named(todo), ...here.map(({ task }) => task)]);
        return task ? [[todo.line, task] as const] : [];
      }),
    );
  }

  /** The comments that a task was made from, if they are still there. */
  async commentsOf(task: Task): Promise<TodoInFile[]> {
    const found: TodoInFile[] = [];
    for (const anchor of anchorsOf(task).filter(({ isTodo }) => isTodo)) {
      const uri = await fileOfAnchor(anchor, this.copies, this.memory);
      if (!uri) continue;
      const document = await vscode.workspace.openTextDocument(uri);
      await this.files.open(document);
      const line = this.files.locationOf({ task: task.id, anchor })?.line;
      const todo =
        (line === undefined ? undefined : todoOn(document, line)) ??
        todosIn(document).find(one => this.#named(one).includes(task.id));
      if (todo) found.push({ document, todo });
    }
    return found;
  }

  #named({ taskId }: Todo): Id[] {
    const task = taskId === undefined ? undefined : this.engine.tasksByShortIds([taskId]).get(taskId);
    return task ? [task.id] : [];
  }

  /** The first open one if there are several. */
  #first(ids: readonly Id[]): Task | undefined {
    const tasks = ids.flatMap(id => this.engine.task(id) ?? []);
    return tasks.find(task => !isClosed(task)) ?? tasks[0];
  }
}
