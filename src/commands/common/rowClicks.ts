import * as vscode from 'vscode';
import type { ClickedRow, TaskTarget } from '../../contributions/commandTargets';
import type { Id } from '../../core/kernel/model';

/** The time between the two clicks of a double click. */
const doubleClickMs = 500;

/**
 * Distinguishes a click on a row from a double click and from Enter: VS Code runs the same command for each, twice for
 * a double click, without any sign of which it was.
 */
export class RowClicks {
  /** The last click and when the window was done with it. */
  #last: { readonly id: Id; at: number } | undefined;
  /** Enter, until VS Code has opened the row. */
  #enter: object | undefined;

  /** VS Code opens the row that has the focus, of a task or not, before it answers the next question. */
  async enter(): Promise<void> {
    const enter = {};
    this.#enter = enter;
    try {
      await vscode.commands.executeCommand('list.select');
      await roundTrip();
    } finally {
      if (this.#enter === enter) this.#enter = undefined;
    }
  }

  /** Opens the row as a preview or permanently; VS Code keeps the second click back while it is busy with the first one. */
  async open(target: TaskTarget | ClickedRow | undefined, show: (isPreview: boolean) => Promise<void>): Promise<void> {
    if (typeof target !== 'object' || !('clicked' in target)) return show(false);
    const click = { id: target.taskId, at: Number.POSITIVE_INFINITY };
    const isPreview = this.#isPreview(click.id);
    this.#last = click;
    this.#enter = undefined;
    try {
      await show(isPreview);
      await roundTrip();
    } finally {
      click.at = performance.now();
    }
  }

  #isPreview(id: Id): boolean {
    const [now, last] = [performance.now(), this.#last];
    const isSecond = last?.id === id && now - last.at < doubleClickMs;
    const opensByTwo = vscode.workspace.getConfiguration('workbench.list').get('openMode') === 'doubleClick';
    return !isSecond && !opensByTwo && !this.#enter;
  }
}

/** Any question to the window: its answer comes after all that was asked before is done. */
const roundTrip = () => vscode.commands.executeCommand('noop');
