import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import type { Account, Id, TaskList } from '../../core/kernel/model';
import { minuteMs } from '../../core/time/units';
import { isolate, listed, rowLabel, t } from '../../shared/l10n';
import { setting } from '../../ui/settings/settings';
import { localize } from '../../ui/text/errorText';
import { listIcon } from '../../ui/text/listIcon';
import {
  accountFlags,
  accountLabel,
  accountNames,
  accountWording,
  duplicatesNote,
  notSyncedWord,
} from '../../ui/text/syncText';
import type { ViewController } from '../../ui/viewController';
import type { BranchContent } from './branchRows';
import { rows } from './door';
import { type ListCount, listCounts } from './listCounts';
import type { BranchNode, FolderNode, NoteNode, TaskNode, TreeNode } from './nodes';
import { TaskTree } from './taskTree';

/** Account › List › Task › Subtask. Local lists come first, without a folder around them. */
export class ListsTree extends TaskTree {
  /** A query that narrows every list. */
  filter: string | undefined;
  #counts: ((list: Id) => ListCount) | undefined;
  /** The text that each list was last drawn with. */
  readonly #drawn = new Map<BranchNode, string>();

  /** The state that each account was last drawn with. */
  readonly #accounts = new Map<FolderNode, string | undefined>();

  constructor(engine: DuelineEngine, name: string) {
    super(engine, name);
    if (!engine.syncing) return;
    const timer = setInterval(() => this.redraw(...this.#aged()), minuteMs);
    this.disposables.add({ dispose: () => clearInterval(timer) });
  }

  /** Accounts whose last sync was a minute longer ago. */
  #aged(): FolderNode[] {
    const known = new Map(this.engine.accounts().map(account => [account.id, account]));
    return [...this.#accounts].flatMap(([node, was]) => {
      const account = known.get(node.accountId!);
      return account && this.#wordingOf(account) !== was ? [node] : [];
    });
  }

  #wordingOf(account: Account): string | undefined {
    const { syncing, clock } = this.engine;
    const state = syncing?.accountState(account.id);
    return accountWording(state, syncing?.isPaused ?? false, clock.now(), account);
  }

  protected rootNodes(): readonly (FolderNode | BranchNode)[] {
    const local = this.#visibleLists(list => list.accountId === null).map(list => this.#branch(list));
    const accounts = this.engine.accounts().map(account =>
      this.keep<FolderNode>({
        kind: 'account',
        id: `account/${account.id}`,
        accountId: account.id,
        parent: undefined,
      }),
    );
    return [...local, ...accounts];
  }

  protected branchesOf(folder: FolderNode): readonly BranchNode[] {
    return this.#visibleLists(list => list.accountId === folder.accountId).map(list => this.#branch(list, folder));
  }

  protected folderItem(node: FolderNode): vscode.TreeItem {
    const account = this.engine.accounts().find(one => one.id === node.accountId);
    const name = accountNames(this.engine).get(node.accountId!) ?? '';
    const item = new vscode.TreeItem(rowLabel(name), vscode.TreeItemCollapsibleState.Expanded);
    item.id = node.id;
    const isPaused = this.engine.syncing?.isPaused ?? false;
    const state = account && this.engine.syncing?.accountState(account.id);
    item.contextValue = accountFlags(state, isPaused);
    const isFailing = state?.problem === 'action';
    item.iconPath = isFailing
      ? new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'))
      : new vscode.ThemeIcon('account');
    item.tooltip = state?.error ? localize(state.error) : (account?.lastSyncError ?? account?.username ?? undefined);
    const wording = account && this.#wordingOf(account);
    this.#accounts.set(node, wording);
    item.description = wording;
    item.accessibilityInformation = { label: accountLabel(item.label as string, wording) };
    return item;
  }

  protected branchItem(node: BranchNode): vscode.TreeItem {
    const list = this.listOf(node.listId!);
    const item = new vscode.TreeItem(rowLabel(list?.name ?? ''), vscode.TreeItemCollapsibleState.Collapsed);
    item.id = node.id;
    const off = list && notSyncedWord(list);
    item.contextValue = [
      'list',
      list?.accountId === null ? 'local' : 'remote',
      list?.isReadOnly ? 'readOnly' : 'writable',
      ...(off ? ['notSynced'] : []),
    ].join('.');
    if (list) item.iconPath = listIcon(list);
    const count = this.#countOf(node.listId!);
    this.#drawn.set(node, this.#lookOf(node));
    const notes = [count.text, list?.isReadOnly ? t('read-only') : undefined, off];
    item.description = notes.filter(Boolean).join(' · ');
    const name = isolate(list?.name ?? '');
    const label = list?.isReadOnly ? t('list {0}, read-only', name) : t('list {0}', name);
    item.accessibilityInformation = {
      label: listed([label, count.accessibleLabel, off ?? ''].filter(part => part !== '')),
    };
    return item;
  }

  protected contentOf(branch: BranchNode): BranchContent {
    const lists = [branch.listId!];
    const nest = setting('dueline.tree.nestSubtasks');
    const sort = `sort:${setting('dueline.tree.sort')}`;
    const { groupFieldOf, sortIn } = rows();
    const group = groupFieldOf(this.filter ?? '', setting('dueline.group.default'));
    if (this.filter !== undefined) {
      const query = sortIn(this.filter) ? this.filter : `${this.filter} ${sort}`;
      // A filter finds closed tasks if it asks for them.
      return { query, lists, nest, group, showClosed: true };
    }
    // Closed subtasks come along for their parent's progress.
    const showClosed = setting('dueline.tree.showCompleted');
    const query = `${showClosed ? '' : '(is:open OR is:subtask) '}show:done ${sort}`;
    return { query, lists, nest, group, showClosed };
  }

  /** Tasks that are in another list as well are above the others, in one row. */
  protected override childrenOfBranch(branch: BranchNode): TreeNode[] {
    const note = duplicatesNote(this.engine, branch.listId!);
    const nodes = super.childrenOfBranch(branch);
    const id = `${branch.id}/duplicates`;
    return note ? [this.keep<NoteNode>({ kind: 'note', id, parent: branch, ...note }), ...nodes] : nodes;
  }

  protected override emptyNote(): string {
    return this.filter === undefined ? super.emptyNote() : t('No tasks match the filter');
  }

  protected override alsoStale(): readonly TreeNode[] {
    this.#counts = undefined;
    return [...this.#drawn].filter(([node, was]) => this.#lookOf(node) !== was).map(([node]) => node);
  }

  override refresh(): void {
    this.#counts = undefined;
    this.#drawn.clear();
    this.#accounts.clear();
    super.refresh();
  }

  /** A task's node, if its list is shown and no filter leaves it out. */
  nodeOf(taskId: Id): TaskNode | undefined {
    const listId = this.engine.task(taskId)?.listId;
    const list = this.lists().find(({ id, isVisible }) => id === listId && isVisible);
    return list && this.find(this.branchOfList(list), taskId);
  }

  /** See {@link ViewController.siblings}. */
  siblings(taskId: Id): readonly Id[] | undefined {
    const node = this.nodeOf(taskId);
    return node && this.besides(node);
  }

  branchOfList(list: TaskList): BranchNode {
    const folder =
      list.accountId === null ? undefined : this.rootNodes().find(node => node.id === `account/${list.accountId}`);
    return this.#branch(list, folder as FolderNode | undefined);
  }

  #countOf(list: Id): ListCount {
    this.#counts ??= listCounts(this.engine, this.filter, filter => rows().parseQuery(filter).limit);
    return this.#counts(list);
  }

  #lookOf({ listId }: BranchNode): string {
    return `${this.#countOf(listId!).text} ${duplicatesNote(this.engine, listId!)?.text ?? ''}`;
  }

  #visibleLists(which: (list: TaskList) => boolean): readonly TaskList[] {
    return this.lists().filter(list => list.isVisible && which(list));
  }

  #branch(list: TaskList, parent?: FolderNode): BranchNode {
    return this.keep<BranchNode>({ kind: 'list', id: `list/${list.id}`, listId: list.id, parent });
  }
}
