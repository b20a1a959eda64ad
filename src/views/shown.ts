import type * as vscode from 'vscode';
import type { WidgetKind } from '../core/agendaTypes';
import type { EpochMs, Id, Task } from '../core/model';
import type { WidgetSetup } from './widgets/setup';

/** What commands may ask of everything that is on the screen. */
export interface Shown extends vscode.Disposable {
  refresh(): void;
  /** Opens the form of a task, or of one occurrence of a series; shows the one that is open. */
  openTask(task: Task, occurrence?: EpochMs | null): void;
  /** An empty form, for the default list where none is named. */
  newTask(listId?: Id): void;
  /** Opens a widget as an editor tab. */
  openWidget(setup: WidgetSetup): void;
  /** Shows a widget's pane with the form for what it shows. */
  configureWidget(kind: WidgetKind): Promise<void>;
  /** Selects a task in the Lists tree, opening what is around it. */
  reveal(task: Task): Promise<void>;
  /** Narrows the Lists tree to what a query finds; undefined shows all again. */
  readonly filter: { readonly text: string | undefined; set(text: string | undefined): void };
}
