import { isClosed } from '../../core/fields/status';
import type { Id, Occurrence } from '../../core/kernel/model';
import { BranchRows, type RowGroup, type RowRequest, type ShownRows } from './branchRows';
import { type NestedRows, sameKeys } from './nestedRows';
import type { BranchNode, FolderNode, GroupNode, MoreNode, RowParent, TaskNode, TreeNode } from './nodes';
import { TreePages } from './pagination';

/** Knows which nodes are below which, a page of rows at a time, and which of them a change of rows concerns. */
export class RowNodes {
  readonly #nodes = new Map<string, TreeNode>();
  readonly #rows: BranchRows;
  readonly #pages = new TreePages();

  /** `onGrow`: a node shows more rows than before. */
  constructor(
    ask: (branch: BranchNode) => RowRequest,
    private readonly onGrow: (parent: RowParent) => void,
  ) {
    this.#rows = new BranchRows(ask);
  }

  /** The same object for the same id, so that focus, selection and expansion outlive a refresh. */
  keep<N extends TreeNode>(node: N): N {
    const known = this.#nodes.get(node.id);
    if (known && known.parent === node.parent && node.kind !== 'note' && node.kind !== 'more') return known as N;
    this.#nodes.set(node.id, node);
    return node;
  }

  /** The rows of a node's branch. Throws `query` if its filter cannot be read. */
  rowsOf(node: TaskNode): NestedRows {
    return this.#rows.of(node.branch).rows;
  }

  rowOf(node: TaskNode): Occurrence | undefined {
    return this.#rows.known(node.branch)?.rows.row(node.key);
  }

  /** The visible children of a node. Throws `query` if the branch's filter cannot be read. */
  childrenOf(parent: RowParent): TreeNode[] {
    if (isBranch(parent) && this.#rows.fresh(parent).groups) return this.#groupNodes(parent);
    const keys = this.keysBelow(parent);
    const visible = this.#pages.of(parent.id);
    const nodes: TreeNode[] = keys.slice(0, visible).map(key => this.#taskNode(key, parent));
    const count = keys.length - nodes.length;
    // Another id for each page, so that the focus does not travel down with the node.
    const id = `${parent.id}/more/${visible}`;
    if (count > 0) nodes.push(this.keep<MoreNode>({ kind: 'more', id, visible: visible, count, parent }));
    return nodes;
  }

  groupOf({ branch, key }: GroupNode): RowGroup | undefined {
    return this.#rows.of(branch).groups?.find(group => group.key === key);
  }

  /** Keys of all rows below a node, in the order shown. */
  keysBelow(parent: RowParent): readonly string[] {
    switch (parent.kind) {
      case 'task':
        return this.rowsOf(parent).childrenOf(parent.key);
      case 'group':
        return this.groupOf(parent)?.roots ?? [];
      default:
        return this.#rows.of(parent).rows.roots;
    }
  }

  /** The node of a task in a branch, opened or not, for revealing it: with all pages up to its own. */
  find(branch: BranchNode, taskId: Id): TaskNode | undefined {
    const { rows } = this.#rows.of(branch);
    const key = rows.keyOf(taskId);
    const task = key === undefined ? undefined : rows.row(key)?.task;
    if (key === undefined || !task) return undefined;
    const above = task.parentId === null ? undefined : rows.keyOf(task.parentId);
    const isBelow = above !== undefined && rows.childrenOf(above).includes(key);
    const parent = (isBelow && this.find(branch, task.parentId!)) || this.#topOf(branch, key);
    const index = this.keysBelow(parent).indexOf(key);
    if (this.#pages.reach(parent.id, index)) this.onGrow(parent);
    return this.#taskNode(key, parent);
  }

  /**
   * The open tasks of the same parent that are below what the node is below, itself among them, in the order shown: of a
   * changed occurrence its series, which has the parent.
   */
  besides(node: TaskNode): readonly Id[] {
    const rows = this.rowsOf(node);
    const tasks = this.keysBelow(node.parent).flatMap(key => rows.row(key)?.task ?? []);
    const parentId = rows.row(node.key)?.task.parentId;
    const open = tasks.filter(task => task.parentId === parentId && !isClosed(task));
    return [...new Set(open.map(({ id, masterId }) => masterId ?? id))];
  }

  /** The node that follows if these are gone: the next row below the same parent, else the one before, else the parent. */
  neighborOf(node: TaskNode, gone: ReadonlySet<Id>): TreeNode {
    const rows = this.rowsOf(node);
    const keys = this.keysBelow(node.parent);
    const at = keys.indexOf(node.key);
    const stays = (key: string) => !gone.has(rows.row(key)!.task.id);
    const key = keys.slice(at + 1).find(stays) ?? keys.slice(0, at).findLast(stays);
    return key === undefined ? node.parent : this.#taskNode(key, node.parent);
  }

  /** Shows the next page in place of the *more* node; returns its first row. */
  showMore({ parent, visible }: MoreNode): TaskNode | undefined {
    if (isFolder(parent)) return undefined;
    this.#pages.reach(parent.id, visible);
    this.onGrow(parent);
    const key = this.keysBelow(parent)[visible];
    return key === undefined ? undefined : this.#taskNode(key, parent);
  }

  onCollapse(node: TreeNode): void {
    if (node.kind === 'task' || node.kind === 'group' || isBranch(node)) this.#pages.forget(node.id);
    if (isBranch(node)) this.#rows.forget(node);
  }

  /** Everything is asked for again. */
  clear(): void {
    this.#rows.clear();
  }

  /** Applies a change of rows; returns the nodes to redraw. Redrawing a node redraws those below it. */
  changed(): Set<TreeNode> {
    const stale = new Set<TreeNode>();
    for (const { branch, before, after, replaced } of this.#rows.reload()) {
      if (!before || !after) stale.add(branch);
      else {
        if (before.rows !== after.rows) this.#compare(branch, before, after, stale);
        for (const key of replaced) this.#addKnown(`${branch.id}/${key}`, stale);
      }
    }
    return stale;
  }

  #compare(branch: BranchNode, before: ShownRows, after: ShownRows, stale: Set<TreeNode>): void {
    const tops = [branch.id, ...(before.groups ?? []).map(group => groupId(branch, before, group.key))];
    const gone = before.rows.keysMissingIn(after.rows);
    for (const top of tops) for (const key of gone) this.#nodes.delete(`${top}/${key}`);
    const { top, keys } = after.rows.changesSince(before.rows, this.#pages.of(branch.id));
    const isOther = before.groups || after.groups ? !sameKeys(keysOf(before), keysOf(after)) : top;
    if (isOther) {
      stale.add(branch);
      return;
    }
    for (const [at, { key, roots }] of (after.groups ?? []).entries()) {
      const id = groupId(branch, after, key);
      if (!sameKeys(before.groups?.[at]?.roots ?? [], roots, this.#pages.of(id))) this.#addKnown(id, stale);
    }
    for (const id of tops) for (const key of keys) this.#addKnown(`${id}/${key}`, stale);
  }

  #addKnown(id: string, nodes: Set<TreeNode>): void {
    const node = this.#nodes.get(id);
    if (node) nodes.add(node);
  }

  #groupNodes(branch: BranchNode): GroupNode[] {
    const visible = this.#rows.of(branch);
    return (visible.groups ?? []).map(({ key }) => {
      const id = groupId(branch, visible, key);
      return this.keep<GroupNode>({ kind: 'group', id, key, by: visible.by, branch, parent: branch });
    });
  }

  /** The parent of a row that has no parent row: its group, the first of several, or the branch. */
  #topOf(branch: BranchNode, key: string): RowParent {
    return this.#groupNodes(branch).find(group => this.keysBelow(group).includes(key)) ?? branch;
  }

  #taskNode(key: string, parent: RowParent): TaskNode {
    const branch = isBranch(parent) ? parent : parent.branch;
    const group = parent.kind === 'group' ? parent : parent.kind === 'task' ? parent.group : undefined;
    const id = `${(group ?? branch).id}/${key}`;
    const taskId = () => this.#rows.known(branch)?.rows.row(key)?.task.id ?? Number(key.split('@')[0]);
    return this.keep<TaskNode>({
      kind: 'task',
      id,
      get taskId() {
        return taskId();
      },
      key,
      branch,
      ...(group && { group }),
      parent,
    });
  }
}

const groupId = (branch: BranchNode, { by }: ShownRows, key: string) => `${branch.id}/${by}:${key}`;
const keysOf = ({ groups }: ShownRows) => (groups ?? []).map(({ key }) => key);
const isFolder = (node: TreeNode): node is FolderNode => node.kind === 'account' || node.kind === 'folder';
const isBranch = (node: TreeNode): node is BranchNode => node.kind === 'list' || node.kind === 'filter';
