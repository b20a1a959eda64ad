import * as vscode from 'vscode';
import { views } from '../contributions/ids';
import { Disposables } from '../core/kernel/events';
import { dragTypes, dropTypesOf } from '../ui/draggedTasks';
import type { Services } from '../ui/services';
import { fullTitleOf } from '../ui/text/taskText';
import type { TreeDrag } from './tree/dragAndDrop';
import { FiltersTree } from './tree/filtersTree';
import { keepFocus } from './tree/keepFocus';
import { ListsTree } from './tree/listsTree';
import type { TaskNode, TreeNode } from './tree/nodes';
import { TaskRevealer } from './tree/revealTask';
import type { TaskTree } from './tree/taskTree';

export interface Trees extends vscode.Disposable {
  readonly lists: ListsTree;
  readonly filters: FiltersTree;
  readonly listsView: vscode.TreeView<TreeNode>;
  readonly listsFocus: TaskRevealer;
}

type TreeServices = Pick<Services, 'engine' | 'log' | 'selection' | 'announce'>;
type NewDrag = (...parts: ConstructorParameters<typeof TreeDrag>) => TreeDrag;

/**
 * Creates the trees, which show tasks while the rest of the extension is still loading. `newDrag` is called when a row
 * is dragged: until then its script is not read.
 */
export function registerTrees(services: TreeServices, newDrag: NewDrag): Trees {
  const { engine, selection, log } = services;
  const owned = new Disposables();
  const lists = owned.add(new ListsTree(engine, views.lists));
  const filters = owned.add(new FiltersTree(engine, views.filters));
  const listsView = showTree(services, newDrag, lists, owned, (id, focus) => listsFocus.shift(id, focus));
  const listsFocus = new TaskRevealer(selection, log, lists, listsView);
  showTree(services, newDrag, filters, owned);
  return { lists, filters, listsView, listsFocus, dispose: () => owned.dispose() };
}

/** The MIME types are known at once; the controller is created when a drag begins. */
function dragOf(treeId: string, make: () => TreeDrag): vscode.TreeDragAndDropController<TreeNode> {
  let made: TreeDrag | undefined;
  const drag = () => (made ??= make());
  return {
    dragMimeTypes: dragTypes,
    dropMimeTypes: dropTypesOf(treeId),
    handleDrag: (nodes, data) => drag().handleDrag(nodes, data),
    handleDrop: (onto, data) => drag().handleDrop(onto, data),
  };
}

function showTree(
  services: TreeServices,
  newDrag: NewDrag,
  tree: TaskTree,
  owned: Disposables,
  onDropped?: TreeDrag['onDropped'],
): vscode.TreeView<TreeNode> {
  const view = owned.add(
    vscode.window.createTreeView(tree.name, {
      treeDataProvider: tree,
      manageCheckboxStateManually: true,
      canSelectMany: true,
      showCollapseAll: true,
      dragAndDropController: dragOf(tree.name, () => {
        const titleOf = (node: TaskNode) => fullTitleOf(services.engine.task(node.taskId) ?? { title: '' });
        return newDrag(services.engine, titleOf, services.announce, onDropped);
      }),
    }),
  );
  owned.add(view.onDidChangeCheckboxState(({ items }) => tree.onChecked(items)));
  owned.add(view.onDidCollapseElement(({ element }) => tree.onCollapse(element)));
  owned.add(view.onDidExpandElement(({ element }) => tree.onExpand(element)));
  owned.add(view.onDidChangeSelection(({ selection }) => void showMore(tree, view, selection)));
  owned.add(services.selection.track(view, () => void vscode.commands.executeCommand(`${tree.name}.focus`)));
  for (const part of keepFocus(services.selection, tree, view)) owned.add(part);
  return view;
}

/** Choosing the row that stands for more shows them, and goes on from the first of them. */
async function showMore(tree: TaskTree, view: vscode.TreeView<TreeNode>, selected: readonly TreeNode[]): Promise<void> {
  const [node, ...others] = selected;
  if (node?.kind !== 'more' || others.length > 0) return;
  const first = tree.showMore(node);
  // The editor refuses if the user has folded the parent meanwhile.
  if (first) await view.reveal(first, { select: true, focus: true }).then(undefined, () => undefined);
}
