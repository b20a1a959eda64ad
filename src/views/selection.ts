import * as vscode from 'vscode';
import type { Id } from '../core/model';
import type { TaskTarget } from '../ids';

/** A tree or a widget: what is selected in it counts while it shows. */
export interface Selecting {
  readonly visible: boolean;
  readonly selection: readonly unknown[];
}

/** Knows which rows a command means when it is called without any: those selected where the person was last. */
export class TaskSelection {
  #last: Selecting | undefined;

  track(view: vscode.TreeView<unknown>): vscode.Disposable {
    const listening = view.onDidChangeSelection(() => this.use(view));
    return vscode.Disposable.from(listening, new vscode.Disposable(() => this.forget(view)));
  }

  use(place: Selecting): void {
    this.#last = place;
  }

  forget(place: Selecting): void {
    if (this.#last === place) this.#last = undefined;
  }

  current(): readonly TaskTarget[] {
    if (!this.#last?.visible) return [];
    return this.#last.selection.filter(isTaskTarget);
  }

  /** All that is selected where this row is one of them, as a menu on several rows means it; else the row alone. */
  around(target: TaskTarget): readonly TaskTarget[] {
    const selected = this.current();
    return selected.some(one => taskIdOf(one) === taskIdOf(target)) ? selected : [target];
  }

  /** The one list that is selected instead, for keys that mean whatever is selected. */
  currentList(): Id | undefined {
    const [node, ...others] = this.#last?.visible ? this.#last.selection : [];
    const isList = typeof node === 'object' && node !== null && 'listId' in node && !('taskId' in node);
    return isList && others.length === 0 ? (node.listId as Id) : undefined;
  }
}

export function isTaskTarget(value: unknown): value is TaskTarget {
  return typeof value === 'number' || (typeof value === 'object' && value !== null && 'taskId' in value);
}

export const taskIdOf = (target: TaskTarget) => (typeof target === 'number' ? target : target.taskId);
