import * as vscode from 'vscode';
import { views } from '../contributions/ids';
import { Disposables } from '../core/kernel/events';
import { dragTypes, dropTypesOf } from '../ui/draggedTasks';
import type { Services } from '../ui/services';
import { rows } from './door';
import type { TreeDrag } from './tree/dragAndDrop';
import type { FiltersTree } from './tree/filtersTree';
import { keepFocus } from './tree/keepFocus';
import { ListsTree } from './tree/listsTree';
import type { TreeNode } from './tree/nodes';
import { TaskRevealer } from './tree/revealTask';
import type { TaskTree } from './tree/taskTree';

interface ListsView extends vscode.Disposable {
  readonly lists: ListsTree;
  readonly listsView: vscode.TreeView<TreeNode>;
  readonly listsFocus: TaskRevealer;
}

interface FiltersView extends vscode.Disposable {
  readonly filters: FiltersTree;
}

export type Trees = Omit<ListsView & FiltersView, 'dispose'>;

type TreeServices = Pick<Services, 'engine' | 'log' | 'selection' | 'announce'>;
export type NewDrag = (...parts: ConstructorParameters<typeof TreeDrag>) => TreeDrag;

/**
 * Creates the tree of lists, which shows them while the rest of the extension is still loading. `newDrag` is called when
 * a row is dragged: until then its script is not read.
 */
export function registerLists(services: TreeServices, newDrag: NewDrag): ListsView {
  const { engine, selection, log } = services;
  const owned = new Disposables();
  const lists = owned.add(new ListsTree(engine, views.lists));
  const listsView = showTree(services, newDrag, lists, owned, (id, focus) => listsFocus.shift(id, focus));
  const listsFocus = new TaskRevealer(selection, log, lists, listsView);
  return { lists, listsView, listsFocus, dispose: () => owned.dispose() };
}

/** Creates the tree of filters, whose rows need more code than those of lists. */
export function registerFilters(services: TreeServices, newDrag: NewDrag): FiltersView {
  const owned = new Disposables();
  const filters = owned.add(new (rows().FiltersTree)(services.engine, views.filters));
  showTree(services, newDrag, filters, owned);
  return { filters, dispose: () => owned.dispose() };
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
      dragAndDropController: dragOf(tree.name, () => newDrag(services.engine, services.announce, onDropped)),
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

/** Choosing the row for more rows shows them, and moves on to the first of them. */
async function showMore(tree: TaskTree, view: vscode.TreeView<TreeNode>, selected: readonly TreeNode[]): Promise<void> {
  const [node, ...others] = selected;
  if (node?.kind !== 'more' || others.length > 0) return;
  const first = tree.showMore(node);
  // The editor refuses if the user has folded the parent meanwhile.
  if (first) await view.reveal(first, { select: true, focus: true }).then(undefined, () => undefined);
}
