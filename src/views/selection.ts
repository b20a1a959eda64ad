import * as vscode from 'vscode';
import type { Id } from '../core/model';
import type { TaskTarget } from '../ids';

/** Knows which rows a command means when it is called without any: those selected in the tree that was used last. */
export class TaskSelection {
  #last: vscode.TreeView<unknown> | undefined;

  track(view: vscode.TreeView<unknown>): vscode.Disposable {
    const listening = view.onDidChangeSelection(() => {
      this.#last = view;
    });
    return vscode.Disposable.from(listening, new vscode.Disposable(() => this.#last === view && this.#forget()));
  }

  current(): readonly TaskTarget[] {
    if (!this.#last?.visible) return [];
    return this.#last.selection.filter(isTaskTarget);
  }

  /** The one list that is selected instead, for keys that mean whatever is selected. */
  currentList(): Id | undefined {
    const [node, ...others] = this.#last?.visible ? this.#last.selection : [];
    const isList = typeof node === 'object' && node !== null && 'listId' in node && !('taskId' in node);
    return isList && others.length === 0 ? (node.listId as Id) : undefined;
  }

  #forget() {
    this.#last = undefined;
  }
}

export function isTaskTarget(value: unknown): value is TaskTarget {
  return typeof value === 'number' || (typeof value === 'object' && value !== null && 'taskId' in value);
}

export const taskIdOf = (target: TaskTarget) => (typeof target === 'number' ? target : target.taskId);
