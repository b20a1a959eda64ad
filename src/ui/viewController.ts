import type * as vscode from 'vscode';
import type { FocusedRow, NamedText, TaskTarget } from '../contributions/commandTargets';
import type { EpochMs, Id, Task } from '../core/kernel/model';
import type { WidgetKind } from '../query/agenda/widgets';
import type { WidgetSetup } from '../shared/widgetProtocol';

/** Commands control everything on the screen through this. */
export interface ViewController extends vscode.Disposable {
  refresh(): void;
  /**
   * Opens the form of a task, or of one occurrence of a series; shows the one that is open. A preview leaves the focus
   * alone, and the next one replaces it.
   */
  openTask(task: Task, occurrence?: EpochMs | null, isPreview?: boolean): void;
  /** Opens an empty form, for the default list if none is named. */
  newTask(listId?: Id): Promise<void>;
  /** Opens a widget as an editor tab. */
  openWidget(setup: WidgetSetup): void;
  /** Shows a widget's pane with the form for what it shows. */
  configureWidget(kind: WidgetKind): Promise<void>;
  /** Shows the form for what the widget in the active tab shows. */
  configureTab(): void;
  /** The text of the widget in the pane of that kind, or else in the active tab. */
  widgetText(kind: WidgetKind | undefined): NamedText | undefined;
  /** Selects a task in the Lists tree and unfolds its parents; it gets the focus by default. */
  reveal(task: Task, focus?: boolean): Promise<void>;
  /**
   * After a command on these rows has moved a task elsewhere in the Lists tree: unfolds its parents, so that it does
   * not vanish under a folded one. It gets the focus by default.
   */
  revealAfterMove(id: Id, from: TaskTarget | FocusedRow | undefined, focus?: boolean): Promise<void>;
  /** Called before tasks leave these rows of the Lists tree. The returned function then puts the focus on the row that follows them. */
  keepFocus(ids: readonly Id[], from: TaskTarget | FocusedRow | undefined): () => Promise<void>;
  /**
   * The open tasks of the same parent that are next to each other with this one in the Lists tree, itself among them,
   * in the order shown there; undefined if the tree does not show it.
   */
  siblings(id: Id): readonly Id[] | undefined;
  /** Narrows the Lists tree to what a query finds; undefined shows all again. */
  readonly filter: { readonly text: string | undefined; set(text: string | undefined): void };
}
