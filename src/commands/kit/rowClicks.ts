import * as vscode from 'vscode';
import type { ClickedRow, TaskTarget } from '../../contributions/commandTargets';
import type { Id } from '../../core/kernel/model';

/** As long as the second click of a double click takes, and the editor to open what Enter was pressed on. */
const doubleClickMs = 500;

/**
 * Tells a click on a row from a double click and from Enter: VS Code runs the same command for each, twice for a double
 * click, and says nothing of which it was.
 */
export class RowClicks {
  #last: { readonly id: Id; readonly at: number } | undefined;
  #enteredAt = Number.NEGATIVE_INFINITY;

  /** VS Code opens the row that has the focus, of a task or not. */
  async enter(): Promise<void> {
    this.#enteredAt = performance.now();
    await vscode.commands.executeCommand('list.select');
  }

  isPreview(target: TaskTarget | ClickedRow | undefined): boolean {
    if (typeof target !== 'object' || !('clicked' in target)) return false;
    const [now, last, enteredAt] = [performance.now(), this.#last, this.#enteredAt];
    this.#last = { id: target.taskId, at: now };
    this.#enteredAt = Number.NEGATIVE_INFINITY;
    const isSecond = last?.id === target.taskId && now - last.at < doubleClickMs;
    const opensByTwo = vscode.workspace.getConfiguration('workbench.list').get('openMode') === 'doubleClick';
    return !isSecond && !opensByTwo && now - enteredAt > doubleClickMs;
  }
}
