import * as vscode from 'vscode';
import type { Id } from '../core/model';
import type { FocusedRow, TaskTarget } from '../ids';

/** A tree or a widget: what is selected in it counts while it shows. */
export interface Selecting {
  readonly visible: boolean;
  readonly selection: readonly unknown[];
}

/**
 * Knows which rows a command means when it is called without any, by a key or from the palette. In a tree that is the
 * row with the focus, and with it all that are selected where it is one of them; in a widget what is selected.
 */
export class TaskSelection {
  readonly #trees = new Set<Selecting>();
  #last: Selecting | undefined;

  track(view: vscode.TreeView<unknown>): vscode.Disposable {
    this.#trees.add(view);
    const listening = view.onDidChangeSelection(() => this.use(view));
    return vscode.Disposable.from(listening, new vscode.Disposable(() => this.forget(view)));
  }

  use(place: Selecting): void {
    this.#last = place;
  }

  forget(place: Selecting): void {
    this.#trees.delete(place);
    if (this.#last === place) this.#last = undefined;
  }

  /** `inTree`: a key of a tree asks, so that what was selected in a widget before does not count. */
  async current(inTree = false): Promise<readonly TaskTarget[]> {
    return (await this.#rows(inTree)).filter(isTaskTarget);
  }

  /** All that is selected where this row is one of them, as a menu on several rows means it; else the row alone. */
  around(target: TaskTarget): readonly TaskTarget[] {
    const selected = (this.#last?.visible ? this.#last.selection : []).filter(isTaskTarget);
    return selected.some(one => taskIdOf(one) === taskIdOf(target)) ? selected : [target];
  }

  /** The one list that is meant instead, for keys that mean whatever has the focus. */
  async currentList(inTree = false): Promise<Id | undefined> {
    const [node, ...others] = await this.#rows(inTree);
    const isList = typeof node === 'object' && node !== null && 'listId' in node && !('taskId' in node);
    return isList && others.length === 0 ? (node.listId as Id) : undefined;
  }

  /**
   * An extension is told what is selected, not what has the focus, and arrow keys move the focus alone. Toggling the
   * focused row shows which one it is; toggling it again puts the selection back.
   */
  async #rows(inTree: boolean): Promise<readonly unknown[]> {
    const selected = this.#last?.visible ? this.#last.selection : [];
    const isInWidget = this.#last !== undefined && !this.#trees.has(this.#last) && selected.length > 0;
    const trees = [...this.#trees].filter(({ visible }) => visible);
    if (trees.length === 0 || (isInWidget && !inTree)) return selected;
    const before = new Map(trees.map(tree => [tree, tree.selection]));
    await toggleFocused();
    const tree = trees.find(one => one.selection.length !== before.get(one)!.length);
    if (!tree) return selected;
    const known = before.get(tree)!;
    const added = tree.selection.find(node => !known.includes(node));
    await toggleFocused();
    return added === undefined ? known : [added];
  }
}

const toggleFocused = () => vscode.commands.executeCommand('list.toggleSelection');

export function isTaskTarget(value: unknown): value is TaskTarget {
  return typeof value === 'number' || (typeof value === 'object' && value !== null && 'taskId' in value);
}

export const isFocusedRow = (value: unknown): value is FocusedRow =>
  typeof value === 'object' && value !== null && 'focused' in value;

export const taskIdOf = (target: TaskTarget) => (typeof target === 'number' ? target : target.taskId);
