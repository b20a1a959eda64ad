import * as vscode from 'vscode';
import type { Change, TaskChange } from '../api';
import { isDuelineError } from '../core/errors';
import { Disposables } from '../core/events';
import type { GroupField } from '../core/filter/syntax';
import type { Id, Occurrence, TaskList } from '../core/model';
import type { Surroundings } from './describe';
import { explain, showError } from './errors';
import { groupItem, groupsOf, type TreeGroup } from './groupedRows';
import { t } from './l10n';
import { NestedRows } from './nestedRows';
import type { BranchNode, FolderNode, GroupNode, NoteNode, TaskNode, TrashNode, TreeNode } from './nodes';
import type { Parts } from './parts';
import type { SyncTrouble } from './serverWords';
import { dateStyle, setting } from './settings';
import { taskItem, taskTooltip } from './taskItem';
import type { DateStyle } from './when';

/** What a branch shows. */
export interface BranchContent {
  readonly query: string;
  readonly lists?: readonly Id[];
  readonly nest: boolean;
  readonly group: GroupField;
  readonly limit?: number;
}

/**
 * A tree of tasks under branches. The rows of a branch are asked for when it opens and forgotten when it closes; after
 * a change the open ones are asked again, and only nodes whose row or children differ are drawn anew.
 */
export abstract class TaskTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  protected readonly disposables = new Disposables();
  readonly #changed = new vscode.EventEmitter<TreeNode | TreeNode[] | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #nodes = new Map<string, TreeNode>();
  readonly #rows = new Map<string, NestedRows>();
  #style: DateStyle;
  #lists: ReadonlyMap<Id, TaskList> = new Map();
  #pending: NodeJS.Timeout | undefined;
  #pendingAll = false;
  #pendingIds = new Set<Id>();

  constructor(
    protected readonly parts: Parts,
    readonly name: string,
  ) {
    this.#style = dateStyle(parts.engine);
    this.disposables.add(parts.engine.onDidChange(change => this.#onChange(change)));
    this.disposables.add(this.#changed);
    this.disposables.add({ dispose: () => clearTimeout(this.#pending) });
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

  /** Draws everything anew: settings, midnight, or lists and accounts changed. */
  refresh(): void {
    this.#style = dateStyle(this.parts.engine);
    this.#rows.clear();
    this.#changed.fire(undefined);
  }

  /** Asks every open branch again and draws what time has changed. */
  pass(): void {
    this.#refreshRows(undefined);
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    switch (node.kind) {
      case 'task':
        return this.#taskItem(node);
      case 'note': {
        const item = new vscode.TreeItem(node.text);
        item.id = node.id;
        return item;
      }
      case 'list':
      case 'filter':
        return this.branchItem(node);
      case 'group':
        return groupItem(node, this.#groupOf(node), this.#style);
      case 'trash':
        return this.trashItem(node);
      default:
        return this.folderItem(node);
    }
  }

  getChildren(node?: TreeNode): TreeNode[] | Promise<TreeNode[]> {
    if (!node) return [...this.rootNodes()];
    switch (node.kind) {
      case 'account':
      case 'folder':
        return this.childrenOfFolder(node);
      case 'list':
      case 'filter':
        return this.#childrenOfBranch(node);
      case 'group':
        return this.#taskNodes(this.#groupOf(node)?.roots ?? [], node.branch, node);
      case 'task':
        return this.#taskNodes(this.#rowsOf(node.branch).childrenOf(node.key), node.branch, node);
      case 'note':
      case 'trash':
        return [];
    }
  }

  protected childrenOfFolder(node: FolderNode): TreeNode[] | Promise<TreeNode[]> {
    return [...this.branchesOf(node)];
  }

  /** What else a change of tasks concerns. */
  protected alsoStale(): readonly TreeNode[] {
    return [];
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return node.parent;
  }

  resolveTreeItem(item: vscode.TreeItem, node: TreeNode): vscode.TreeItem {
    if (node.kind === 'task') {
      const row = this.rowOf(node);
      if (row) item.tooltip = taskTooltip(row, this.#around(row, node));
    }
    return item;
  }

  rowOf(node: TaskNode): Occurrence | undefined {
    return this.#rows.get(node.branch.id)?.row(node.key);
  }

  /** The node of a task in a branch, opened or not, for revealing it. */
  find(branch: BranchNode, taskId: Id): TaskNode | undefined {
    const rows = this.#rowsOf(branch);
    const row = rows.row(`${taskId}`);
    if (!row) return undefined;
    const above = row.task.parentId === null ? undefined : this.find(branch, row.task.parentId);
    const group = this.#groupNodes(branch).find(one => this.#groupOf(one)?.roots.includes(`${taskId}`));
    return this.#taskNodes([`${taskId}`], branch, above ?? group ?? branch)[0];
  }

  /** A row's siblings in the order shown. */
  siblingsOf(node: TaskNode): readonly string[] {
    const rows = this.#rowsOf(node.branch);
    return node.parent.kind === 'task' ? rows.childrenOf(node.parent.key) : rows.roots;
  }

  onCollapse(node: TreeNode): void {
    if (node.kind === 'list' || node.kind === 'filter') this.#rows.delete(node.id);
  }

  /** Several boxes ticked at once are one step to undo. */
  async onChecked(items: readonly (readonly [TreeNode, vscode.TreeItemCheckboxState])[]): Promise<void> {
    const ticked = items.flatMap(([node, state]) =>
      node.kind === 'task' && state === vscode.TreeItemCheckboxState.Checked ? [{ taskId: node.taskId }] : [],
    );
    const changes: TaskChange[] = items.flatMap(([node, state]) =>
      node.kind === 'task' && state === vscode.TreeItemCheckboxState.Unchecked
        ? [{ type: 'reopen', id: node.taskId } as const]
        : [],
    );
    try {
      if (changes.length > 0) await this.parts.engine.apply(changes);
      const open = ticked.filter(({ taskId }) => (this.parts.engine.task(taskId)?.status ?? 2) < 2);
      if (open.length > 0) await vscode.commands.executeCommand('dueline.complete', open[0], open);
    } catch (error) {
      void showError(error);
    }
    // VS Code has drawn the new state already, also where the person left; show the one that is true.
    this.#changed.fire(items.map(([node]) => node).filter(node => this.#isWrong(node)));
  }

  #isWrong(node: TreeNode): boolean {
    return node.kind === 'task' && this.parts.engine.task(node.taskId)?.status === this.rowOf(node)?.task.status;
  }

  /** The same object for the same id, so that focus, selection and expansion outlive a refresh. */
  protected keep<N extends TreeNode>(node: N): N {
    const known = this.#nodes.get(node.id);
    if (known && known.parent === node.parent && !(node.kind === 'note')) return known as N;
    this.#nodes.set(node.id, node);
    return node;
  }

  protected listOf(id: Id): TaskList | undefined {
    return this.#lists.get(id);
  }

  protected lists(): readonly TaskList[] {
    const lists = this.parts.engine.lists();
    this.#lists = new Map(lists.map(list => [list.id, list]));
    return lists;
  }

  #childrenOfBranch(branch: BranchNode): TreeNode[] {
    this.#rows.delete(branch.id);
    try {
      const { roots } = this.#rowsOf(branch);
      return this.#isGrouped(branch) ? this.#groupNodes(branch) : this.#taskNodes(roots, branch, branch);
    } catch (error) {
      if (!isDuelineError(error)) throw error;
      const note: NoteNode = { kind: 'note', id: `${branch.id}/note`, text: explain(error), parent: branch };
      return [this.keep(note)];
    }
  }

  #rowsOf(branch: BranchNode): NestedRows {
    let rows = this.#rows.get(branch.id);
    if (!rows) {
      rows = this.#ask(branch);
      this.#rows.set(branch.id, rows);
    }
    return rows;
  }

  #ask(branch: BranchNode): NestedRows {
    if (this.#lists.size === 0) this.lists();
    const { query, lists, limit, nest } = this.contentOf(branch);
    const found = this.parts.engine.query(query, { ...(lists ? { lists } : {}), ...(limit ? { limit } : {}) });
    const showClosed = branch.kind === 'filter' || setting<boolean>('dueline.tree.showCompleted');
    return new NestedRows(found, { nest, showClosed });
  }

  #taskNodes(keys: readonly string[], branch: BranchNode, parent: TreeNode): TaskNode[] {
    const group = parent.kind === 'group' ? parent : parent.kind === 'task' ? parent.group : undefined;
    return keys.map(key =>
      this.keep<TaskNode>({
        kind: 'task',
        id: `${(group ?? branch).id}/${key}`,
        taskId: Number(key.split('@')[0]),
        key,
        branch,
        ...(group ? { group } : {}),
        parent,
      }),
    );
  }

  #isGrouped = (branch: BranchNode) => this.contentOf(branch).group !== 'none';

  #groupNodes(branch: BranchNode): GroupNode[] {
    const by = this.contentOf(branch).group;
    return this.#groupsOf(branch).map(({ key }) =>
      this.keep<GroupNode>({ kind: 'group', id: `${branch.id}/${by}:${key}`, key, by, branch, parent: branch }),
    );
  }

  #groupsOf(branch: BranchNode): readonly TreeGroup[] {
    const by = this.contentOf(branch).group;
    return by === 'none' ? [] : groupsOf(this.#rowsOf(branch), by, this.parts.engine);
  }

  #groupOf = ({ branch, key }: GroupNode) => this.#groupsOf(branch).find(group => group.key === key);

  #taskItem(node: TaskNode): vscode.TreeItem {
    const row = this.#rowsOf(node.branch).row(node.key);
    if (!row) return new vscode.TreeItem(t('No longer here'));
    return taskItem(row, node.id, this.#rowsOf(node.branch).childrenOf(node.key).length > 0, this.#around(row, node));
  }

  #around(row: Occurrence, node: TaskNode): Surroundings {
    const progress = this.#rows.get(node.branch.id)?.progressOf(node.key);
    const isNamed = node.branch.kind === 'list' || node.group?.by === 'list';
    const list = isNamed ? undefined : this.#lists.get(row.task.listId);
    const trouble = troubleOf(this.parts.engine, row.task.id);
    return {
      style: this.#style,
      ...(list && setting<boolean>('dueline.tree.showListName') ? { list } : {}),
      isCompact: setting<string>('dueline.tree.density') === 'compact',
      ...(progress ? { progress } : {}),
      ...(trouble ? { trouble } : {}),
    };
  }

  #onChange(change: Change): void {
    const all = change.accounts.length > 0 || change.lists.length > 0 || change.tasks.length === 0;
    this.#pendingAll ||= all;
    for (const id of change.tasks) this.#pendingIds.add(id);
    this.#pending ??= setTimeout(() => {
      this.#pending = undefined;
      const everything = this.#pendingAll;
      this.#pendingAll = false;
      const ids = [...this.#pendingIds];
      this.#pendingIds.clear();
      if (everything) {
        this.lists();
        this.refresh();
      } else {
        this.#refreshRows(ids);
      }
    }, 20);
  }

  /** A list that none of the changed tasks is in, or was in, need not be asked again; a filter must. */
  #isTouched(branch: BranchNode, rows: NestedRows, ids: readonly Id[]): boolean {
    if (branch.kind !== 'list') return true;
    return ids.some(id => {
      if (rows.row(`${id}`)) return true;
      const task = this.parts.engine.task(id);
      return task === undefined || task.listId === branch.listId;
    });
  }

  #refreshRows(ids: readonly Id[] | undefined): void {
    const stale: TreeNode[] = [];
    for (const [id, before] of this.#rows) {
      const branch = this.#nodes.get(id) as BranchNode | undefined;
      if (!branch || (ids && !this.#isTouched(branch, before, ids))) continue;
      const after = this.#askOrForget(branch);
      if (!after) {
        stale.push(branch);
        continue;
      }
      this.#rows.set(id, after);
      const { top, keys } = after.changesSince(before);
      if (top || before.size !== after.size || (keys.length > 0 && this.#isGrouped(branch))) stale.push(branch);
      // A branch that is drawn anew draws its rows with it.
      else stale.push(...keys.flatMap(key => this.#nodes.get(`${id}/${key}`) ?? []));
    }
    for (const branch of this.#closedBranches()) stale.push(branch);
    stale.push(...this.alsoStale());
    if (stale.length > 0) this.#changed.fire(stale);
  }

  #askOrForget(branch: BranchNode): NestedRows | undefined {
    try {
      return this.#ask(branch);
    } catch {
      this.#rows.delete(branch.id);
      return undefined;
    }
  }

  /** Branches that show a count of what they hold while they are closed. */
  #closedBranches(): BranchNode[] {
    return [...this.#nodes.values()].filter(
      (node): node is BranchNode => (node.kind === 'list' || node.kind === 'filter') && !this.#rows.has(node.id),
    );
  }
}

function troubleOf({ syncing }: Parts['engine'], taskId: Id): SyncTrouble | undefined {
  if (!syncing) return undefined;
  if (syncing.conflicted().has(taskId)) return { kind: 'conflict' };
  const message = syncing.rowErrors().get(taskId);
  return message === undefined ? undefined : { kind: 'refused', message };
}
