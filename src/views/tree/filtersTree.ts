import * as vscode from 'vscode';
import type { Change } from '../../api';
import { tagParts } from '../../core/fields/tags';
import type { Id } from '../../core/kernel/model';
import { quote } from '../../query/parse/lexer';
import { listed, numeral, rowLabel, t, tn } from '../../shared/l10n';
import { labeledBuiltInFilters } from '../../ui/builtInFilters';
import { showError } from '../../ui/errors';
import { savedFilters, setting } from '../../ui/settings/settings';
import { accountFilters } from '../../ui/text/syncText';
import type { Icon } from '../../ui/text/taskIcon';
import type { BranchContent } from './branchRows';
import { FilterCounts } from './filterCounts';
import { groupFieldOf } from './groupedRows';
import type { BranchNode, FolderNode, MoreNode, TaskNode, TrashNode, TreeNode } from './nodes';
import { TaskTree } from './taskTree';
import { TrashRows } from './trashRows';

/** The widgets above show what these find. */
const widgetFilters: readonly string[] = ['today', 'upNext'];
const trashFolder: FolderNode = { kind: 'folder', id: 'trash', parent: undefined };

interface ShownFilter {
  readonly id: string;
  readonly name: string;
  readonly query: string;
  readonly icon: string | Icon;
  readonly kind: 'builtIn' | 'saved' | 'tag';
  readonly isPinned?: boolean;
}

/** Built-in filters, the saved ones, then the tags; each opens to its tasks. */
export class FiltersTree extends TaskTree {
  #shownFilters = new Map<string, ShownFilter>();
  readonly #trash = new TrashRows(this.engine);
  #hasTrash = false;
  #trashIsOpen = false;
  #shownTags: readonly string[] = [];
  #idle: readonly string[] = [];
  #tagCounts = new Map<string, number>();
  /** Tags by the count that they were last drawn with. */
  readonly #drawnTags = new Map<BranchNode, number | undefined>();
  readonly #counts = this.disposables.add(
    new FilterCounts(this.engine, ids => this.redraw(...ids.flatMap(id => this.#branches.get(`filter/${id}`) ?? []))),
  );
  readonly #branches = new Map<string, BranchNode>();

  constructor(...args: ConstructorParameters<typeof TaskTree>) {
    super(...args);
    void this.shown.then(() => this.#lookIntoTrash());
    const { engine } = this;
    const isGone = (id: Id) => engine.task(id) === undefined;
    const onChange = ({ tasks }: Change) => {
      if (!this.#hasTrash && tasks.some(isGone)) this.#lookIntoTrash();
    };
    this.disposables.add(engine.onDidChange(onChange));
  }

  /** The row of the trash appears once something is in it, and stays: nothing moves under the pointer. */
  #lookIntoTrash(): void {
    const show = (entries: readonly unknown[]) => {
      if (this.#hasTrash || entries.length === 0) return;
      this.#hasTrash = true;
      this.refresh();
    };
    void this.engine.trash().then(show).catch(showError);
  }

  /** Rows that are not always there come last, so that no other row moves when one appears. */
  protected rootNodes(): readonly (FolderNode | BranchNode)[] {
    this.#idle = this.#idleFilters();
    const late = accountFilters().map(({ id }) => id);
    const builtIn = builtInFilters(id => !widgetFilters.includes(id) && !late.includes(id));
    const needed = builtInFilters(id => late.includes(id) && !this.#idle.includes(id));
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
    const tags = this.#tags().length > 0 ? [this.#tagFolder()] : [];
    const trash = this.#hasTrash ? [this.keep<FolderNode>(trashFolder)] : [];
    const toBranch = (filter: ShownFilter) => this.#branch(filter, undefined);
    return [...[...pinned, ...builtIn, ...others].map(toBranch), ...tags, ...trash, ...needed.map(toBranch)];
  }

  /** Filters for the sync that find nothing: they are hidden until they are needed. */
  #idleFilters(): readonly string[] {
    const hasAccounts = this.engine.accounts().length > 0;
    const findsAny = (query: string) => hasAccounts && this.engine.query(query, { limit: 1 }).length > 0;
    return accountFilters().flatMap(({ id, query }) => (findsAny(query) ? [] : id));
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
    const item = new vscode.TreeItem(t('Tags'), vscode.TreeItemCollapsibleState.Collapsed);
    item.id = node.id;
    item.contextValue = 'tags';
    item.iconPath = new vscode.ThemeIcon('tag');
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
    item.iconPath = typeof filter.icon === 'string' ? new vscode.ThemeIcon(filter.icon) : filter.icon;
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

const builtInFilters = (isShown: (id: string) => boolean): ShownFilter[] =>
  labeledBuiltInFilters()
    .filter(({ id }) => isShown(id))
    .map(filter => ({ ...filter, id: `builtIn:${filter.id}`, kind: 'builtIn' as const }));
