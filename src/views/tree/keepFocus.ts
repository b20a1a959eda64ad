import type * as vscode from 'vscode';
import type { TaskSelection } from '../../ui/selection';
import type { BranchNode, TaskNode, TreeNode } from './nodes';
import type { TaskTree } from './taskTree';

interface FocusedNode {
  readonly node: TaskNode | BranchNode;
  /** The rows that may have the focus next if the row goes away: the first of them that is shown gets it. */
  readonly heirs: () => readonly (TreeNode | undefined)[];
}

/**
 * If a key removes the focused row, the next one gets the focus: otherwise the editor would leave the tree without a
 * focus, and the next arrow key would begin at its top.
 */
export function keepFocus(
  selection: TaskSelection,
  tree: TaskTree,
  view: vscode.TreeView<TreeNode>,
): { dispose(): void }[] {
  let focused: FocusedNode | undefined;
  const focusedAt = (node: TreeNode): FocusedNode | undefined => {
    if (node.kind === 'task') return { node, heirs: heirsOfTask(tree, node, view.selection) };
    if (node.kind === 'list' || node.kind === 'filter') return { node, heirs: heirsOfBranch(tree, node) };
    return undefined;
  };
  const isShown = (node: TreeNode) => tree.rowsAround(node).includes(node);
  return [
    selection.onFocused(({ view: at, node, isMeant }) => {
      focused = at === view ? focusedAt(node as TreeNode) : undefined;
      // The arrows move the focus alone: without this the row that was clicked before would look as if it were meant too.
      // It has the focus already; a focus that comes late would close what the key asks.
      if (isMeant && focused && view.selection.length > 0 && !view.selection.includes(focused.node))
        view.reveal(focused.node, { focus: false, select: true }).then(undefined, () => undefined);
    }),
    tree.onDidChangeTreeData(() => {
      const was = focused;
      const isGone = was && !isShown(was.node);
      // Later the user may be elsewhere. While the key's command runs, other changes come as well, as by a sync.
      if (isGone || !selection.isKeyUnderWay) focused = undefined;
      if (!isGone) return;
      const next = was.heirs().find(node => node && isShown(node));
      // The user may have left the tree meanwhile, or collapsed the parents of the row.
      if (next && view.visible) view.reveal(next, { focus: true, select: false }).then(undefined, () => undefined);
    }),
  ];
}

/** An occurrence that is moved becomes a task of its own: the series that it belongs to is searched. */
function heirsOfTask(tree: TaskTree, node: TaskNode, selected: readonly TreeNode[]): FocusedNode['heirs'] {
  const gone = new Set([node, ...selected].flatMap(one => (one.kind === 'task' ? one.taskId : [])));
  const series = tree.rowOf(node)?.task.masterId ?? node.taskId;
  const next = tree.neighborOf(node, gone);
  const { branch, taskId } = node;
  return () => [...[taskId, ...tree.tasksOf(series)].map(id => tree.find(branch, id)), next, branch];
}

function heirsOfBranch(tree: TaskTree, node: BranchNode): FocusedNode['heirs'] {
  const rows = tree.rowsAround(node);
  const at = rows.indexOf(node);
  return () => [...rows.slice(at + 1), ...rows.slice(0, at).reverse(), node.parent];
}
