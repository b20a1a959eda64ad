import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import { isClosed } from '../../core/fields/status';
import { isDuelineError } from '../../core/kernel/errors';
import { Disposables } from '../../core/kernel/events';
import type { Id, Occurrence, TaskList } from '../../core/kernel/model';
import { parseDay } from '../../core/time/dates';
import { t, tn } from '../../shared/l10n';
import { explain } from '../../ui/errors';
import type { DateStyle } from '../../ui/settings/settings';
import { dateStyle, setting } from '../../ui/settings/settings';
import { sidebarWidth } from '../../ui/sidebarWidth';
import type { TaskContext } from '../../ui/text/taskText';
import type { BranchContent, RowRequest } from './branchRows';
import { debounceChanges } from './debounceChanges';
import { rows } from './door';
import type { NestedRows } from './nestedRows';
import type { BranchNode, FolderNode, MoreNode, NoteNode, TaskNode, TrashNode, TreeNode } from './nodes';
import { RowNodes } from './nodeTree';
import { RefreshQueue } from './refreshQueue';
import { SyncIssues } from './syncIssues';

/** How long the editor takes to send an answer, at most: if the process is busy by then, the answer waits. */
const sendingMs = 10;

/**
 * A tree of tasks under branches, which shows a page of rows at a time. After a change, the rows of open branches are
 * queried again, and only nodes whose row or children differ are redrawn.
 */
export abstract class TaskTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  protected readonly disposables = new Disposables();
  readonly #changed = new vscode.EventEmitter<TreeNode | TreeNode[] | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #nodes = new RowNodes(
    branch => this.#ask(branch),
    parent => this.redraw(parent),
  );
  readonly #redraws = new RefreshQueue(
    () => this.rootNodes(),
    nodes => this.#changed.fire(nodes),
  );
  readonly #syncIssues: SyncIssues;
  #style: DateStyle;
  #rowSettings = rowSettings();
  #lists: ReadonlyMap<Id, TaskList> = new Map();
  #isShown = () => {};
  /** Resolves when the first rows have been sent to the editor. */
  readonly shown = new Promise<void>(resolve => {
    this.#isShown = resolve;
  });
  /** The titles of the blockers in each row as it was drawn last. They can change while the row does not. */
  readonly #blockers = new Map<TaskNode, string>();
  #checked: Promise<void> = Promise.resolve();

  constructor(
    protected readonly engine: DuelineEngine,
    readonly name: string,
  ) {
    this.#style = dateStyle(engine);
    this.#syncIssues = new SyncIssues(engine);
    this.disposables.add(debounceChanges(engine.onDidChange, rowsOnly => this.#onChange(rowsOnly)));
    this.disposables.add(sidebarWidth.onDidChange(() => this.#redraws.soon('all')));
    this.disposables.add(this.#redraws);
    this.disposables.add(this.#changed);
  }

  dispose(): void {
    this.disposables.dispose();
  }

  protected abstract rootNodes(): readonly (FolderNode | BranchNode)[];
  protected abstract branchesOf(folder: FolderNode): readonly BranchNode[];
  protected abstract folderItem(node: FolderNode): vscode.TreeItem;
  protected abstract branchItem(node: BranchNode): vscode.TreeItem;
  protected trashItem(node: TrashNode): vscode.TreeItem {
    return new vscode.TreeItem(node.trashKey);
  }
  protected abstract contentOf(branch: BranchNode): BranchContent;

  /** Redraws everything: settings, midnight, or lists and accounts changed. */
  refresh(): void {
    this.#style = dateStyle(this.engine);
    this.#rowSettings = rowSettings();
    this.#nodes.clear();
    this.#blockers.clear();
    this.#syncIssues.forget();
    this.#redraws.soon('all');
  }

  /** Counts what the rows at the top show, so that they are there when the editor asks. */
  prepare(): void {
    for (const node of this.rootNodes()) this.#itemOf(node);
  }

  protected redraw(...nodes: TreeNode[]): void {
    this.#redraws.now(nodes);
  }

  /** Queries every open branch again, and redraws the changed nodes at once. */
  flush(): void {
    this.#redraws.now(this.#stale());
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    const item = this.#itemOf(node);
    if (!item.collapsibleState) this.#redraws.folded(node);
    return item;
  }

  #itemOf(node: TreeNode): vscode.TreeItem {
    switch (node.kind) {
      case 'task':
        return this.#taskItem(node);
      case 'note':
        return plainItem(node.id, node.text, node.icon, node.command);
      case 'more':
        return plainItem(node.id, tn(node.count, '{0} more', '{0} more'), 'ellipsis');
      case 'list':
      case 'filter':
        return this.branchItem(node);
      case 'group':
        return rows().groupItem(node, this.#nodes.groupOf(node), this.#style);
      case 'trash':
        return this.trashItem(node);
      default:
        return this.folderItem(node);
    }
  }

  getChildren(node?: TreeNode): TreeNode[] | Promise<TreeNode[]> {
    if (!node) {
      setImmediate(() => setTimeout(this.#isShown, sendingMs));
      return this.#redraws.tops(this.rootNodes());
    }
    const children = this.childrenOf(node);
    if (Array.isArray(children)) return this.#redraws.opened(node, children);
    return children.then(later => this.#redraws.opened(node, later));
  }

  childrenOf(node: TreeNode): TreeNode[] | Promise<TreeNode[]> {
    switch (node.kind) {
      case 'account':
      case 'folder':
        return this.childrenOfFolder(node);
      case 'list':
      case 'filter':
        return this.childrenOfBranch(node);
      case 'group':
      case 'task':
        return this.#nodes.childrenOf(node);
      case 'note':
      case 'more':
      case 'trash':
        return [];
    }
  }

  /** The rows of the same parent in their order, including the node itself; empty while they are being read. */
  rowsAround({ parent }: TreeNode): readonly TreeNode[] {
    if (!parent) return this.rootNodes();
    if (parent.kind === 'account' || parent.kind === 'folder') return this.branchesOf(parent);
    const siblings = this.childrenOf(parent);
    return siblings instanceof Promise ? [] : siblings;
  }

  protected childrenOfFolder(node: FolderNode): TreeNode[] | Promise<TreeNode[]> {
    return [...this.branchesOf(node)];
  }

  /** Further nodes that a change of tasks affects; `all` if nodes at the top appear or disappear. */
  protected alsoStale(): readonly TreeNode[] | 'all' {
    return [];
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return node.parent;
  }

  resolveTreeItem(item: vscode.TreeItem, node: TreeNode): vscode.TreeItem {
    if (node.kind === 'task') {
      const row = this.rowOf(node);
      const parent = row && node.parent?.kind !== 'task' ? rows().parentTitle(this.engine, row.task) : undefined;
      if (row) item.tooltip = rows().taskTooltip(row, { ...this.#contextOf(row, node), parent });
    }
    return item;
  }

  rowOf(node: TaskNode): Occurrence | undefined {
    return this.#nodes.rowOf(node);
  }

  /** A series, and its occurrences that are tasks of their own. */
  tasksOf(series: Id): readonly Id[] {
    return [series, ...this.engine.overridesOf(series).map(({ id }) => id)];
  }

  /** The node of a task in a branch, opened or not, for revealing it. */
  find(branch: BranchNode, taskId: Id): TaskNode | undefined {
    return this.#nodes.find(branch, taskId);
  }

  protected besides = (node: TaskNode): readonly Id[] => this.#nodes.besides(node);

  neighborOf(node: TaskNode, gone: ReadonlySet<Id>): TreeNode {
    return this.#nodes.neighborOf(node, gone);
  }

  /** Shows the next page in place of the *more* node; returns its first row. */
  showMore(node: MoreNode): TaskNode | undefined {
    return this.#nodes.showMore(node);
  }

  onCollapse(node: TreeNode): void {
    this.#nodes.onCollapse(node);
    this.#redraws.folded(node);
  }

  onExpand(node: TreeNode): void {
    this.#redraws.unfolded(node);
  }

  /** Boxes that are ticked together are one undo step. A box can be unticked once its tick is written. */
  onChecked(items: readonly (readonly [TreeNode, vscode.TreeItemCheckboxState])[]): Promise<void> {
    const done = this.#checked.then(() => this.#check(items));
    this.#checked = done.catch(() => {});
    return done;
  }

  async #check(items: readonly (readonly [TreeNode, vscode.TreeItemCheckboxState])[]): Promise<void> {
    const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
    for (const newState of [Unchecked, Checked]) {
      const targets = items.flatMap(([node, state]) => {
        const task = node.kind === 'task' && state === newState ? this.engine.task(node.taskId) : undefined;
        return task && isClosed(task) !== (newState === Checked) ? [{ taskId: task.id }] : [];
      });
      if (targets.length > 0) await vscode.commands.executeCommand('dueline.complete', targets[0], targets);
    }
    // VS Code has drawn the new state already, even if the user canceled; show the true one.
    this.redraw(...items.filter(item => this.#isWrong(item)).map(([node]) => node));
  }

  #isWrong([node, state]: readonly [TreeNode, vscode.TreeItemCheckboxState]): boolean {
    const task = node.kind === 'task' ? this.engine.task(node.taskId) : undefined;
    return task !== undefined && isClosed(task) !== (state === vscode.TreeItemCheckboxState.Checked);
  }

  protected keep<N extends TreeNode>(node: N): N {
    return this.#nodes.keep(node);
  }

  protected listOf(id: Id): TaskList | undefined {
    return this.#lists.get(id);
  }

  protected lists(): readonly TaskList[] {
    const lists = this.engine.lists();
    this.#lists = new Map(lists.map(list => [list.id, list]));
    return lists;
  }

  protected childrenOfBranch(branch: BranchNode): TreeNode[] {
    try {
      const nodes = this.#nodes.childrenOf(branch);
      return nodes.length > 0 ? nodes : [this.note(branch, this.emptyNote())];
    } catch (error) {
      if (!isDuelineError(error)) throw error;
      return [this.note(branch, explain(error))];
    }
  }

  protected emptyNote(): string {
    return t('No tasks');
  }

  protected note(parent: NoteNode['parent'], text: string): NoteNode {
    return this.keep<NoteNode>({ kind: 'note', id: `${parent.id}/note`, text, parent });
  }

  #ask(branch: BranchNode): RowRequest {
    if (this.#lists.size === 0) this.lists();
    const { query, lists, limit, nest, group, showClosed } = this.contentOf(branch);
    const lines = this.engine.lines(query, { ...(lists ? { lists } : {}), ...(limit ? { limit } : {}) });
    const groups = group === 'none' ? undefined : (all: NestedRows) => rows().treeGroupsOf(all, group, this.engine);
    return { lines, nest, group, groups, showClosed };
  }

  #taskItem(node: TaskNode): vscode.TreeItem {
    const shown = this.#nodes.rowsOf(node);
    const row = shown.row(node.key);
    // For a node whose id has changed, the editor draws the parent too, at the same time, and asks it for rows that are
    // gone.
    if (!row) return plainItem(node.id, t('No longer available'));
    const geometry = { width: sidebarWidth.current, depth: depthOf(node) };
    const context = this.#contextOf(row, node);
    if (this.engine.blockersOf(row.task).length > 0) this.#blockers.set(node, String(context.blockedBy));
    else this.#blockers.delete(node);
    return rows().taskItem(row, node.id, shown.childrenOf(node.key).length > 0, context, geometry);
  }

  #contextOf(row: Occurrence, node: TaskNode): TaskContext {
    const progress = this.#nodes.rowsOf(node).progressOf(node.key);
    const ownList = this.#lists.get(row.task.listId);
    const isNamed = node.branch.kind === 'list' || node.group?.by === 'list';
    const list = isNamed ? undefined : ownList;
    const syncProblem = this.#syncIssues.of(row.task);
    const on = node.group?.by === 'due' ? parseDay(node.group.key) : undefined;
    return {
      style: this.#style,
      ...(list && this.#rowSettings.withListName ? { list } : {}),
      ...rows().factsOf(this.engine, row.task, this.#style),
      ...(on ? { on } : {}),
      ...(progress ? { progress } : {}),
      ...(syncProblem ? { syncProblem } : {}),
      ...(ownList?.isReadOnly ? { isReadOnly: true } : {}),
    };
  }

  #onChange(rowsOnly: boolean): void {
    if (rowsOnly) {
      this.#redraws.soon(this.#stale());
      return;
    }
    this.lists();
    this.refresh();
  }

  #stale(): TreeNode[] | 'all' {
    this.#syncIssues.forget();
    const stale = this.#nodes.changed();
    for (const [node, was] of this.#blockers) if (this.#blockersDiffer(node, was)) stale.add(node);
    const more = this.alsoStale();
    return more === 'all' ? more : [...stale, ...more];
  }

  #blockersDiffer(node: TaskNode, was: string): boolean {
    const row = this.rowOf(node);
    if (!row) this.#blockers.delete(node);
    return row !== undefined && String(rows().openBlockers(this.engine, row.task)) !== was;
  }
}

/** The number of nodes above a node. */
const depthOf = ({ parent }: TreeNode): number => (parent ? 1 + depthOf(parent) : 0);

/** The settings that all rows are drawn with, read once. */
const rowSettings = () => ({ withListName: setting('dueline.tree.showListName') });

/** A row that shows a message instead of a task. */
function plainItem(id: string, label: string, icon?: string, command?: string): vscode.TreeItem {
  const item = new vscode.TreeItem(label);
  item.id = id;
  if (icon) item.iconPath = new vscode.ThemeIcon(icon);
  if (command) item.command = { command, title: label };
  return item;
}
