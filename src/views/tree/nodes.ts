import type { Id } from '../../core/kernel/model';
import type { GroupField } from '../../query/parse/syntax';

/** Nodes are identities: VS Code refreshes by object, so one stands for its row as long as the row is shown. */
export interface TaskNode {
  readonly kind: 'task';
  readonly id: string;
  /** The task that the row shows now: in a series whose next occurrence was changed, that occurrence. */
  readonly taskId: Id;
  /** Key within the rows of its branch. */
  readonly key: string;
  readonly branch: BranchNode;
  /** The group that shows the row, if its branch has groups. */
  readonly group?: GroupNode;
  readonly parent: RowParent;
}

/** Tasks of a branch that share a due day, a priority, a tag … */
export interface GroupNode {
  readonly kind: 'group';
  readonly id: string;
  readonly key: string;
  readonly by: GroupField;
  readonly branch: BranchNode;
  readonly parent: BranchNode;
}

/** A node that can have rows below it. */
export type RowParent = BranchNode | GroupNode | TaskNode;

/** Holds tasks: a list, a filter or a tag. */
export interface BranchNode {
  readonly kind: 'list' | 'filter';
  readonly id: string;
  readonly parent: FolderNode | undefined;
  readonly listId?: Id;
  readonly filterId?: string;
}

/** A branch with other branches or with deleted tasks: an account, the tags, the trash. */
export interface FolderNode {
  readonly kind: 'account' | 'folder';
  readonly id: string;
  readonly parent: undefined;
  readonly accountId?: Id;
}

/** Says why a branch, or the trash, shows nothing. */
export interface NoteNode {
  readonly kind: 'note';
  readonly id: string;
  readonly text: string;
  readonly parent: BranchNode | FolderNode;
  readonly icon?: string;
  /** Runs when the row is chosen. */
  readonly command?: string;
}

/** Below the rows that are shown, for those that are not. */
export interface MoreNode {
  readonly kind: 'more';
  readonly id: string;
  readonly visible: number;
  readonly count: number;
  readonly parent: RowParent | FolderNode;
}

/** A deleted task. */
export interface TrashNode {
  readonly kind: 'trash';
  readonly id: string;
  readonly trashKey: string;
  readonly parent: FolderNode;
}

export type TreeNode = TrashNode | TaskNode | GroupNode | BranchNode | FolderNode | NoteNode | MoreNode;
