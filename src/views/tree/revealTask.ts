import * as vscode from 'vscode';
import { views } from '../../contributions/ids';
import type { Id } from '../../core/kernel/model';
import type { TaskSelection } from '../../ui/selection';
import { isListRow, isTaskTarget } from '../../ui/selection';
import type { ViewController } from '../../ui/viewController';
import type { ListsTree } from './listsTree';
import type { TreeNode } from './nodes';

/** Selects and focuses rows of the Lists tree for commands that move them elsewhere. */
export class TaskRevealer implements Pick<ViewController, 'reveal' | 'revealAfterMove' | 'keepFocus'> {
  constructor(
    private readonly selection: TaskSelection,
    private readonly log: vscode.LogOutputChannel,
    private readonly tree: ListsTree,
    private readonly view: vscode.TreeView<TreeNode>,
  ) {}

  reveal: ViewController['reveal'] = (task, focus = true) => this.#show(() => this.tree.nodeOf(task.id), focus, true);

  revealAfterMove: ViewController['revealAfterMove'] = async (id, from, focus = true) => {
    if (this.#isHere(from)) await this.shift(id, focus);
  };

  keepFocus: ViewController['keepFocus'] = (ids, from) => {
    const node = ids.length > 0 && this.#isHere(from) ? this.tree.nodeOf(ids[0]!) : undefined;
    const neighbor = node && this.tree.neighborOf(node, new Set(ids));
    return async () => (neighbor ? this.#try(() => neighbor, true) : undefined);
  };

  /** Shows a task of this tree at its present position. */
  shift(id: Id, focus: boolean): Promise<void> {
    return this.#try(() => this.tree.nodeOf(id), focus);
  }

  #isHere(row: unknown): boolean {
    return isTaskTarget(row) ? isListRow(row) : this.selection.isIn(this.view);
  }

  /** The editor refuses if the user has folded or left the row's parent meanwhile. */
  async #try(find: () => TreeNode | undefined, focus: boolean): Promise<void> {
    if (!this.view.visible) return;
    await this.#show(find, focus).catch(error => this.log.debug(`Lists: ${error}`));
  }

  /** Without the focus, what has it and otherwise what is selected stay as they are. */
  async #show(find: () => TreeNode | undefined, focus: boolean, select = focus): Promise<void> {
    // The editor reveals no row in a view that it has asked for none yet, and reports no error.
    if (!this.view.visible) await vscode.commands.executeCommand(`${views.lists}.focus`, { preserveFocus: !focus });
    await this.tree.shown;
    // Otherwise the latest change is drawn a moment later, and the editor would look for the row in its old position.
    this.tree.flush();
    const node = find();
    if (node) await this.view.reveal(node, { select, focus, expand: false });
  }
}
