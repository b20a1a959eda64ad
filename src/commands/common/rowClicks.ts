import * as vscode from 'vscode';
import type { ClickedRow, TaskTarget } from '../../contributions/commandTargets';
import type { Id } from '../../core/kernel/model';

/** The time between the two clicks of a double click, and between Enter and the editor's opening of the row. */
const doubleClickMs = 500;

/**
 * Distinguishes a click on a row from a double click and from Enter: VS Code runs the same command for each, twice for
 * a double click, without any sign of which it was.
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
