import * as vscode from 'vscode';
import type { MoveTarget, TaskChange } from '../api';
import { showError } from './errors';
import type { TaskNode, TreeNode } from './nodes';
import type { Parts } from './parts';

/** What travels when tasks are dragged within Dueline: their ids. */
export const taskMime = 'application/vnd.code.tree.dueline.lists';
const text = 'text/plain';

/**
 * Tasks dropped on a list move there, dropped on a task become its sub-tasks, and text dropped becomes tasks, a line
 * each. The keyboard does the same with Move to List, Indent, Outdent, Move Up and Move Down.
 */
export class TreeDrag implements vscode.TreeDragAndDropController<TreeNode> {
  readonly dragMimeTypes: string[];
  readonly dropMimeTypes: string[];

  constructor(
    private readonly parts: Parts,
    treeId: string,
    private readonly titleOf: (node: TaskNode) => string,
  ) {
    this.dragMimeTypes = [text];
    this.dropMimeTypes = [...new Set([taskMime, `application/vnd.code.tree.${treeId.toLowerCase()}`, text])];
  }

  handleDrag(nodes: readonly TreeNode[], data: vscode.DataTransfer): void {
    const tasks = nodes.filter(node => node.kind === 'task');
    if (tasks.length === 0) return;
    data.set(taskMime, new vscode.DataTransferItem(JSON.stringify(tasks.map(({ taskId }) => taskId))));
    data.set(text, new vscode.DataTransferItem(tasks.map(this.titleOf).join('\n')));
  }

  async handleDrop(target: TreeNode | undefined, data: vscode.DataTransfer): Promise<void> {
    const to = target && placeOf(target, this.parts);
    if (!to) return;
    try {
      const dragged = data.get(taskMime);
      if (dragged) await this.#move(readIds(await dragged.asString()), to);
      else await this.#add((await data.get(text)?.asString()) ?? '', to);
    } catch (error) {
      void showError(error);
    }
  }

  async #move(ids: readonly number[], to: MoveTarget): Promise<void> {
    const changes: TaskChange[] = ids.filter(id => id !== to.parentId).map(id => ({ type: 'move', id, to }));
    if (changes.length > 0) await this.parts.engine.apply(changes);
  }

  async #add(dropped: string, to: MoveTarget): Promise<void> {
    const lines = dropped.split(/\r?\n/).filter(line => line.trim() !== '');
    if (lines.length > 500 || to.listId === undefined) return;
    const { listId, parentId } = to;
    await this.parts.engine.apply(
      lines.map(title => ({
        type: 'create',
        listId,
        input: { title: title.trim(), ...(parentId ? { parentId } : {}) },
      })),
    );
  }
}

function placeOf(node: TreeNode, parts: Parts): MoveTarget | undefined {
  if (node.kind === 'list') return { listId: node.listId, parentId: null, before: null };
  if (node.kind !== 'task' || node.branch.kind !== 'list') return undefined;
  const task = parts.engine.task(node.taskId);
  return task && { listId: task.listId, parentId: task.id, before: null };
}

function readIds(said: string): number[] {
  const ids: unknown = JSON.parse(said);
  return Array.isArray(ids) ? ids.filter(id => Number.isSafeInteger(id)) : [];
}
