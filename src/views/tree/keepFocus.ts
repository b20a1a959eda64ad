import type * as vscode from 'vscode';
import type { Id } from '../../core/model';
import { isKeyUnderWay, type TaskSelection } from '../../ui/selection';
import type { TaskNode, TreeNode } from './nodes';
import type { TaskTree } from './taskTree';

interface Place {
  readonly node: TaskNode;
  /** Of the series that it belongs to, else its own: an occurrence that is moved becomes a task of its own. */
  readonly series: Id;
  /** What has the focus next where the row goes away, and with it all that are selected. */
  readonly next: TreeNode;
}

/**
 * Where a key takes the focused row away, the one that follows gets the focus: the editor would leave the tree without
 * any, and the next arrow would begin at its top.
 */
export function keepFocus(
  selection: TaskSelection,
  tree: TaskTree,
  view: vscode.TreeView<TreeNode>,
): { dispose(): void }[] {
  let place: Place | undefined;
  const placeOf = (node: TaskNode): Place => {
    const gone = new Set([node, ...view.selection].flatMap(one => (one.kind === 'task' ? one.taskId : [])));
    const task = tree.rowOf(node)?.task;
    return { node, series: task?.masterId ?? node.taskId, next: tree.neighborOf(node, gone) };
  };
  const isShown = (node: TreeNode) => {
    const children = node.parent && tree.childrenOf(node.parent);
    return children === undefined || (Array.isArray(children) && children.includes(node));
  };
  return [
    selection.onFocused(({ view: at, node }) => {
      place = at === view && (node as TreeNode).kind === 'task' ? placeOf(node as TaskNode) : undefined;
      // The arrows move the focus alone: without this the row that was clicked before would look as if it were meant too.
      if (place && view.selection.length > 0 && !view.selection.includes(place.node))
        view.reveal(place.node, { focus: true, select: true }).then(undefined, () => undefined);
    }),
    tree.onDidChangeTreeData(() => {
      const was = place;
      const isGone = was && !isShown(was.node);
      // Later the user may be elsewhere. While the key's command runs, other changes come as well, as by a sync.
      if (isGone || !isKeyUnderWay()) place = undefined;
      if (!isGone) return;
      const { branch, taskId } = was.node;
      const elsewhere = [taskId, ...tree.tasksOf(was.series)].map(id => tree.find(branch, id));
      const next = [...elsewhere, was.next, branch].find(node => node && isShown(node));
      // The person may have left the tree meanwhile, or folded what is around the row.
      if (next && view.visible) view.reveal(next, { focus: true, select: false }).then(undefined, () => undefined);
    }),
  ];
}
