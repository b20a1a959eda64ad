import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { FocusedRow, TaskTarget } from '../contributions/commandTargets';
import { Emitter } from '../core/kernel/events';
import type { Id } from '../core/kernel/model';

/** The data of a row of a tree, whichever tree it is in. */
interface Branch {
  readonly kind: string;
  readonly listId?: Id;
  readonly filterId?: string;
}

/** A tree or a widget, whose selection counts while it is visible. */
export interface SelectionSource {
  readonly visible: boolean;
  readonly selection: readonly unknown[];
  /** Takes the focus back. */
  focus?(): void;
}

/**
 * Knows the rows that a command means when it is called without any, by a key or from the palette: in a tree the
 * focused row, with all selected ones if it is one of them; in a widget, the selected rows.
 */
export class TaskSelection {
  readonly #trees = new Set<SelectionSource>();
  readonly #focused = new Emitter<{
    readonly view: SelectionSource;
    readonly node: unknown;
    readonly isMeant: boolean;
  }>();
  /** The row of a tree that has the focus when a key is pressed, and whether the key means it. */
  readonly onFocused = this.#focused.event;
  readonly #focusOf = new WeakMap<SelectionSource, () => void>();
  #last: SelectionSource | undefined;
  #keysUnderWay = 0;
  /** Two at a time would take each other's toggles for rows that came or went. */
  #search: Promise<unknown> = Promise.resolve();

  /** `focus`: a tree cannot do it by itself. */
  track(
    view: SelectionSource & Pick<vscode.TreeView<unknown>, 'onDidChangeSelection'>,
    focus?: () => void,
  ): vscode.Disposable {
    this.#trees.add(view);
    if (focus) this.#focusOf.set(view, focus);
    const listening = view.onDidChangeSelection(() => this.use(view));
    return vscode.Disposable.from(listening, new vscode.Disposable(() => this.forget(view)));
  }

  use(source: SelectionSource): void {
    this.#last = source;
  }

  /** Gives the focus back to the tree or the widget that was used last; undefined if none was used. */
  get wayBack(): (() => void) | undefined {
    const source = this.#last;
    if (!source) return undefined;
    const focus = this.#focusOf.get(source) ?? (() => source.focus?.());
    return () => source.visible && focus();
  }

  /** Gives the focus back to the widget that was used last: one whose menu was used is that. A tree has it back by itself. */
  focusPage(): void {
    if (this.#last && !this.#trees.has(this.#last)) this.#last.focus?.();
  }

  /** Tests whether commands that are called without rows mean those of this view. */
  isIn(source: SelectionSource): boolean {
    return this.#last === source;
  }

  forget(source: SelectionSource): void {
    this.#trees.delete(source);
    if (this.#last === source) this.#last = undefined;
  }

  /** `inTree`: a key of a tree asks, so that what was selected in a widget before does not count. */
  async current(inTree = false): Promise<readonly TaskTarget[]> {
    return (await this.#rows(inTree)).filter(isTaskTarget);
  }

  /** All selected rows if this row is one of them, as in a menu of several rows; otherwise this row alone. */
  selectedWith(target: TaskTarget): readonly TaskTarget[] {
    const selected = (this.#last?.visible ? this.#last.selection : []).filter(isTaskTarget);
    const isTarget = (one: TaskTarget) =>
      taskIdOf(one) === taskIdOf(target) && targetOccurrence(one) === targetOccurrence(target);
    return selected.some(isTarget) ? selected : [target];
  }

  /** The one list or filter that is meant instead, for keys that mean whatever has the focus. */
  async currentBranch(inTree = false): Promise<Pick<Branch, 'listId' | 'filterId'> | undefined> {
    const [node, ...others] = (await this.#rows(inTree)) as readonly (Partial<Branch> | null)[];
    return (node?.kind === 'list' || node?.kind === 'filter') && others.length === 0 ? node : undefined;
  }

  /** The row of a tree that has the focus, whatever is selected. */
  async focusedRow(): Promise<unknown> {
    return (await this.#findFocused(true))?.node;
  }

  /** True while a command that a key of a tree called runs, its questions included. */
  get isKeyUnderWay(): boolean {
    return this.#keysUnderWay > 0;
  }

  async byKey<T>(work: () => Promise<T>): Promise<T> {
    this.#keysUnderWay++;
    try {
      return await work();
    } finally {
      this.#keysUnderWay--;
    }
  }

  async #rows(inTree: boolean): Promise<readonly unknown[]> {
    const selected = this.#last?.visible ? this.#last.selection : [];
    const isInWidget = this.#last !== undefined && !this.#trees.has(this.#last) && selected.length > 0;
    const found = isInWidget && !inTree ? undefined : await this.#findFocused(inTree);
    if (found && inTree) this.#focused.fire({ view: found.view, node: found.node, isMeant: true });
    return found?.rows ?? selected;
  }

  /** For a key that means no row and may take away the one with the focus: the row after it gets the focus then. */
  async noteFocus(): Promise<void> {
    const found = await this.#findFocused(false);
    if (found) this.#focused.fire({ view: found.view, node: found.node, isMeant: false });
  }

  #findFocused(inTree: boolean): Promise<Focused | undefined> {
    const found = this.#search.then(() => this.#searchTrees(inTree));
    this.#search = found.catch(() => {});
    return found;
  }

  /** `inTree`: a tree has the focus, even if it does not reveal at once which row. */
  async #searchTrees(inTree: boolean): Promise<Focused | undefined> {
    const trees = [...this.#trees].filter(({ visible }) => visible);
    for (let attempts = 0; attempts < maxAttempts && trees.length > 0; attempts++) {
      const found = await focusedIn(trees);
      if (typeof found !== 'string') return found;
      if (found === 'nowhere' && !inTree) return undefined;
      await pause(retryDelayMs);
    }
    return undefined;
  }
}

/** A tree that is being redrawn does not know its rows for a moment: it is asked again. */
const maxAttempts = 10;
const retryDelayMs = 50;

interface Focused {
  readonly view: SelectionSource;
  readonly node: unknown;
  /** The rows that a key means there: all that are selected if the row is one of them. */
  readonly rows: readonly unknown[];
}

/**
 * The row that has the focus. An extension knows the selected rows but not the focused one, and arrow keys move the
 * focus alone. Toggling the focused row shows which one it is; toggling it again puts the selection back. If it does
 * not, the result is of no use: rows came or went meanwhile.
 */
async function focusedIn(trees: readonly SelectionSource[]): Promise<Focused | 'nowhere' | 'unclear'> {
  const selections = () => trees.map(({ selection }) => [...selection]);
  const before = selections();
  await toggleFocused();
  const toggled = selections();
  await toggleFocused();
  const after = selections();
  const at = trees.findIndex((_, tree) => !isSame(before[tree]!, toggled[tree]!));
  if (at < 0) return isSame(before.flat(), after.flat()) ? 'nowhere' : 'unclear';
  const [first, second] = [before[at]!, toggled[at]!];
  const [added, removed] = [without(second, first), without(first, second)];
  if (added.length + removed.length !== 1 || !isSame(first, after[at]!)) return 'unclear';
  const rows = removed.length === 1 ? first : added;
  return { view: trees[at]!, node: removed[0] ?? added[0], rows };
}

const without = (nodes: readonly unknown[], others: readonly unknown[]) => nodes.filter(node => !others.includes(node));

const isSame = (some: readonly unknown[], others: readonly unknown[]): boolean =>
  some.length === others.length && without(some, others).length === 0;

const toggleFocused = () => vscode.commands.executeCommand('list.toggleSelection');

export function isTaskTarget(value: unknown): value is TaskTarget {
  return typeof value === 'number' || (typeof value === 'object' && value !== null && 'taskId' in value);
}

/** A row of a widget, as the page's menu hands it over. A task's own page does not mean rows selected elsewhere. */
export const isMenuOfRow = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'webviewSection' in value &&
  !String(value.webviewSection).endsWith('.form');

export const isFocusedRow = (value: unknown): value is FocusedRow =>
  typeof value === 'object' && value !== null && 'focused' in value;

/** A row of the Lists tree, as its menus hand it over. */
export const isListRow = (value: TaskTarget): boolean =>
  typeof value === 'object' && 'branch' in value && (value as { branch: Branch }).branch.kind === 'list';

export const taskIdOf = (target: TaskTarget) => (typeof target === 'number' ? target : target.taskId);

/** The occurrence of a series that a view means; null if it names none. */
export const targetOccurrence = (target: TaskTarget) =>
  typeof target === 'number' ? null : (target.occurrence ?? null);
