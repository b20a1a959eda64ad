import * as vscode from 'vscode';
import { tagParts } from '../../core/fields/tags';
import { quote } from '../../query/parse/lexer';
import { listed, numeral, rowLabel, t, tn } from '../../shared/l10n';
import { labeledBuiltInFilters } from '../../ui/builtInFilters';
import { remindedRows } from '../../ui/pendingReminders';
import { savedFilters, setting } from '../../ui/settings/settings';
import { accountFilters } from '../../ui/text/syncText';
import type { BranchContent, RowRequest } from './branchRows';
import { FilterCounts } from './filterCounts';
import { groupFieldOf } from './groupedRows';
import type { BranchNode, FolderNode, MoreNode, TaskNode, TrashNode, TreeNode } from './nodes';
import { RemindersOnTop } from './remindersOnTop';
import { TaskTree } from './taskTree';
import { TrashRows } from './trashRows';

const todayId = 'builtIn:today';
/** They show what widgets do. */
const widgetFilters: readonly string[] = [todayId, 'builtIn:upNext'];
const trashFolder: FolderNode = { kind: 'folder', id: 'trash', parent: undefined };
const widgetFolder: FolderNode = { kind: 'folder', id: 'widgets', parent: undefined };

interface ShownFilter {
  readonly id: string;
  readonly name: string;
  readonly query: string;
  readonly icon: string;
  readonly kind: 'builtIn' | 'saved' | 'tag';
  readonly isPinned?: boolean;
}

/** Built-in filters, the saved ones, then the tags; each opens to its tasks. */
export class FiltersTree extends TaskTree {
  #shownFilters = new Map<string, ShownFilter>();
  readonly #trash = new TrashRows(this.engine);
  #trashIsOpen = false;
  #shownTags: readonly string[] = [];
  #idle: readonly string[] = [];
  readonly #reminders = new RemindersOnTop();
  #waiting: readonly string[] = [];
  #tagCounts = new Map<string, number>();
  /** Tags by the count that they were last drawn with. */
  readonly #drawnTags = new Map<BranchNode, number | undefined>();
  readonly #counts = this.disposables.add(
    new FilterCounts(this.engine, ids => this.redraw(...ids.flatMap(id => this.#branches.get(`filter/${id}`) ?? []))),
  );
  readonly #branches = new Map<string, BranchNode>();

  constructor(...args: ConstructorParameters<typeof TaskTree>) {
    super(...args);
    this.disposables.add(this.engine.reminders.onDidChange(() => this.#onReminders()));
  }

  /** Every edit may have changed what waits; few have. */
  #onReminders(): void {
    const waiting = this.engine.reminders.pending().map(({ key }) => key);
    if (String(waiting) === String(this.#waiting)) return;
    this.#waiting = waiting;
    this.flush();
  }

  protected rootNodes(): readonly (FolderNode | BranchNode)[] {
    const builtIn = this.#builtIn().filter(({ id }) => !widgetFilters.includes(id));
    this.#idle = this.#idleFilters();
    const saved = savedFilters().map(filter => ({
      id: `saved:${filter.id}`,
      name: filter.name,
      query: filter.query,
      icon: filter.icon ?? (filter.pinned ? 'pinned' : 'filter'),
      kind: 'saved' as const,
      isPinned: filter.pinned ?? false,
    }));
    const pinned = saved.filter(({ isPinned }) => isPinned);
    const others = saved.filter(({ isPinned }) => !isPinned);
    const branches = [...pinned, ...builtIn, ...others].map(filter => this.#branch(filter, undefined));
    const tags = this.#tags().length > 0 ? [this.#tagFolder()] : [];
    return [...branches, this.keep<FolderNode>(widgetFolder), ...tags, this.keep<FolderNode>(trashFolder)];
  }

  /** Filters for the sync that find nothing: they are hidden until they are needed. */
  #idleFilters(): readonly string[] {
    const hasAccounts = this.engine.accounts().length > 0;
    const findsAny = (query: string) => hasAccounts && this.engine.query(query, { limit: 1 }).length > 0;
    return accountFilters().flatMap(({ id, query }) => (findsAny(query) ? [] : id));
  }

  #builtIn(): ShownFilter[] {
    const idle = this.#idleFilters();
    return labeledBuiltInFilters()
      .filter(({ id }) => !idle.includes(id))
      .map(filter => ({ ...filter, id: `builtIn:${filter.id}`, kind: 'builtIn' as const }));
  }

  protected override async childrenOfFolder(node: FolderNode): Promise<TreeNode[]> {
    if (node.id !== trashFolder.id) return super.childrenOfFolder(node);
    this.#trashIsOpen = true;
    const deleted = await this.#trash.under(node);
    return deleted.length > 0 ? deleted : [this.note(node, t('The trash is empty'))];
  }

  protected override trashItem(node: TrashNode): vscode.TreeItem {
    return this.#trash.item(node);
  }

  protected override alsoStale(): readonly TreeNode[] | 'all' {
    const trash = this.#trashIsOpen ? [this.keep<FolderNode>(trashFolder)] : [];
    const before = this.#shownTags;
    const tags = this.#tags();
    this.#counts.recount();
    if (String(this.#idle) !== String(this.#idleFilters())) return 'all';
    if (String(before) === String(tags)) return [...trash, ...this.#recountedTags()];
    return before.length === 0 || tags.length === 0 ? 'all' : [...trash, this.#tagFolder()];
  }

  override onCollapse(node: TreeNode): void {
    if (node.id === trashFolder.id) {
      this.#trashIsOpen = false;
      this.#trash.onCollapse(trashFolder);
    }
    super.onCollapse(node);
  }

  override showMore(node: MoreNode): TaskNode | undefined {
    if (node.parent.id !== trashFolder.id) return super.showMore(node);
    this.#trash.showMore(node);
    this.redraw(this.keep<FolderNode>(trashFolder));
    return undefined;
  }

  protected branchesOf(folder: FolderNode): readonly BranchNode[] {
    if (folder.id === widgetFolder.id)
      return this.#builtIn()
        .filter(({ id }) => widgetFilters.includes(id))
        .map(filter => this.#branch(filter, folder));
    return this.#tags().map(tag =>
      this.#branch({ id: `tag:${tag}`, name: tag, query: `tag:${quote(tag)}`, icon: 'tag', kind: 'tag' }, folder),
    );
  }

  #recountedTags(): readonly BranchNode[] {
    const drawn = [...this.#drawnTags].filter(([{ filterId }]) =>
      this.#tagCounts.has(this.#shownFilters.get(filterId!)!.name),
    );
    return drawn.filter(([node, was]) => this.#countOf(node) !== was).map(([node]) => node);
  }

  override refresh(): void {
    this.#counts.forget();
    this.#drawnTags.clear();
    super.refresh();
  }

  protected folderItem(node: FolderNode): vscode.TreeItem {
    if (node.id === trashFolder.id) return this.#trash.folderItem(node);
    const isTags = node.id !== widgetFolder.id;
    const name = isTags ? t('Tags') : listed([t('Today'), t('Up Next')]);
    const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Collapsed);
    item.id = node.id;
    item.contextValue = isTags ? 'tags' : 'widgets';
    item.iconPath = new vscode.ThemeIcon(isTags ? 'tag' : 'calendar');
    return item;
  }

  protected branchItem(node: BranchNode): vscode.TreeItem {
    const filter = this.#shownFilters.get(node.filterId!)!;
    const item = new vscode.TreeItem(
      filter.kind === 'builtIn' ? filter.name : rowLabel(filter.name),
      vscode.TreeItemCollapsibleState.Collapsed,
    );
    item.id = node.id;
    const isJoined = filter.kind === 'tag' && tagParts(filter.name).length > 1;
    item.contextValue = `filter.${filter.kind}${filter.isPinned ? '.pinned' : ''}${isJoined ? '.joined' : ''}`;
    item.iconPath = new vscode.ThemeIcon(filter.icon);
    // The user has not written the query of a built-in filter.
    if (filter.kind !== 'builtIn') item.tooltip = filter.query;
    const count = this.#countOf(node);
    if (filter.kind === 'tag') this.#drawnTags.set(node, count);
    if (count) item.description = numeral(count);
    const label = filter.kind === 'tag' ? t('tag {0}', filter.name) : t('filter {0}', filter.name);
    const accessibleParts = count === undefined ? [] : [tn(count, '{0} task', '{0} tasks')];
    item.accessibilityInformation = { label: listed([label, ...accessibleParts]) };
    return item;
  }

  protected override requestOf(branch: BranchNode, request: RowRequest): RowRequest {
    if (branch.filterId !== todayId) return request;
    return this.#reminders.request(request, remindedRows(this.engine), this.#shownFilters.get(todayId)!.name);
  }

  #countOf(node: BranchNode): number | undefined {
    const { id, kind, name, query } = this.#shownFilters.get(node.filterId!)!;
    return kind === 'tag' ? this.#tagCounts.get(name) : this.#counts.of(id, query);
  }

  protected contentOf(branch: BranchNode): BranchContent {
    const { query } = this.#shownFilters.get(branch.filterId!)!;
    const group = groupFieldOf(query, setting('dueline.group.default'));
    return { query, nest: false, group, showClosed: true };
  }

  #tags(): readonly string[] {
    const tags = this.engine.tags();
    this.#tagCounts = new Map(tags.map(({ name, count }) => [name, count]));
    this.#shownTags = tags.map(({ name }) => name);
    return this.#shownTags;
  }

  #tagFolder(): FolderNode {
    return this.keep<FolderNode>({ kind: 'folder', id: 'tags', parent: undefined });
  }

  #branch(filter: ShownFilter, parent: FolderNode | undefined): BranchNode {
    this.#shownFilters.set(filter.id, filter);
    const node = this.keep<BranchNode>({ kind: 'filter', id: `filter/${filter.id}`, filterId: filter.id, parent });
    this.#branches.set(node.id, node);
    return node;
  }
}
