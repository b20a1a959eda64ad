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
  /** The last click and when the window was done with it. */
  #last: { readonly id: Id; at: number } | undefined;
  #enteredAt = Number.NEGATIVE_INFINITY;

  /** VS Code opens the row that has the focus, of a task or not. */
  async enter(): Promise<void> {
    this.#enteredAt = Number.POSITIVE_INFINITY;
    await vscode.commands.executeCommand('list.select');
    if (this.#enteredAt === Number.POSITIVE_INFINITY) this.#enteredAt = performance.now();
  }

  /** Opens the row as a preview or permanently; VS Code keeps the second click back while it is busy with the first one. */
  async open(target: TaskTarget | ClickedRow | undefined, show: (isPreview: boolean) => void): Promise<void> {
    if (typeof target !== 'object' || !('clicked' in target)) return show(false);
    const click = { id: target.taskId, at: Number.POSITIVE_INFINITY };
    show(this.#isPreview(click.id));
    this.#last = click;
    this.#enteredAt = Number.NEGATIVE_INFINITY;
    try {
      await roundTrip();
    } finally {
      click.at = performance.now();
    }
  }

  #isPreview(id: Id): boolean {
    const [now, last] = [performance.now(), this.#last];
    const isSecond = last?.id === id && now - last.at < doubleClickMs;
    const opensByTwo = vscode.workspace.getConfiguration('workbench.list').get('openMode') === 'doubleClick';
    return !isSecond && !opensByTwo && now - this.#enteredAt > doubleClickMs;
  }
}

/** Any question to the window: its answer comes after all that was asked before is done. */
const roundTrip = () => vscode.commands.executeCommand('noop');
