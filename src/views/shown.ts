import type * as vscode from 'vscode';
import type { Task } from '../core/model';
import type { WidgetSetup } from './widgets/setup';

/** What commands may ask of everything that is on the screen. */
export interface Shown extends vscode.Disposable {
  refresh(): void;
  /** Opens a task's form, or shows the one that is open. */
  openTask(task: Task): void;
  /** Opens a widget as an editor tab. */
  openWidget(setup: WidgetSetup): void;
  /** Selects a task in the Lists tree, opening what is around it. */
  reveal(task: Task): Promise<void>;
  /** Narrows the Lists tree to what a query finds; undefined shows all again. */
  readonly filter: { readonly text: string | undefined; set(text: string | undefined): void };
}
