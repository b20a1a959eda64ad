import type * as vscode from 'vscode';
import { type Changes, hasWords, type Words } from './changes';
import { DataTransfer, EventEmitter, enums } from './values';

interface TreeRow {
  readonly node: unknown;
  readonly item: vscode.TreeItem;
  readonly label: string;
  readonly description: string;
  readonly level: number;
  readonly isOpen: boolean | undefined;
  readonly isChecked: boolean | undefined;
}

const labelOf = ({ label, resourceUri }: vscode.TreeItem): string =>
  (typeof label === 'object' ? label.label : label) ?? resourceUri?.path.split('/').at(-1) ?? '';

/** One tree view: its rows as the user sees them, read again after each change event of the provider. */
export class TreeDouble {
  title: string | undefined;
  #message: string | undefined;
  #description: string | undefined;
  badge: vscode.ViewBadge | undefined;
  visible = true;
  selection: readonly unknown[] = [];
  activeItem: unknown;
  /** Key of the row that has the focus. */
  #focused: string | undefined;
  rows: readonly TreeRow[] = [];
  readonly #open = new Map<string, boolean>();
  readonly #expanded = new EventEmitter<{ element: unknown }>();
  readonly #collapsed = new EventEmitter<{ element: unknown }>();
  readonly #selected = new EventEmitter<{ selection: readonly unknown[] }>();
  readonly #active = new EventEmitter<{ activeItem: unknown }>();
  readonly #shown = new EventEmitter<{ visible: boolean }>();
  readonly #checked = new EventEmitter<{ items: readonly (readonly [unknown, number])[] }>();
  readonly onDidExpandElement = this.#expanded.event;
  readonly onDidCollapseElement = this.#collapsed.event;
  readonly onDidChangeSelection = this.#selected.event;
  readonly onDidChangeActiveItem = this.#active.event;
  readonly onDidChangeVisibility = this.#shown.event;
  readonly onDidChangeCheckboxState = this.#checked.event;
  #reading: Promise<void> = Promise.resolve();
  #isStale = false;

  constructor(
    readonly id: string,
    private readonly options: vscode.TreeViewOptions<unknown>,
    private readonly changes: Changes,
    private readonly onFocus: () => void,
    private readonly start: (id: string, ...args: unknown[]) => void,
  ) {
    options.treeDataProvider.onDidChangeTreeData?.(() => this.#read());
    this.#read();
  }

  get message(): string | undefined {
    return this.#message;
  }

  set message(message: string | undefined) {
    this.#message = message;
    this.changes.notify();
  }

  get description(): string | undefined {
    return this.#description;
  }

  set description(description: string | undefined) {
    this.#description = description;
    this.changes.notify();
  }

  /** Also asked for while rows are read: once more after that. */
  #read(): void {
    if (this.#isStale) return;
    this.#isStale = true;
    this.#reading = this.#reading.then(async () => {
      this.#isStale = false;
      this.rows = await this.#below(undefined, 0);
      this.changes.notify();
    });
  }

  async #below(parent: unknown, level: number): Promise<TreeRow[]> {
    const { treeDataProvider: provider } = this.options;
    const nodes = (await provider.getChildren(parent)) ?? [];
    const rows: TreeRow[] = [];
    for (const node of nodes) {
      const item = await provider.getTreeItem(node);
      const state = item.collapsibleState ?? 0;
      const isOpen = state === 0 ? undefined : (this.#open.get(this.#keyOf(node, item)) ?? state === 2);
      const box = item.checkboxState;
      const checked = typeof box === 'object' ? box.state : box;
      rows.push({
        node,
        item,
        label: labelOf(item),
        description: typeof item.description === 'string' ? item.description : '',
        level,
        isOpen,
        isChecked: checked === undefined ? undefined : checked === enums.TreeItemCheckboxState.Checked,
      });
      if (isOpen) rows.push(...(await this.#below(node, level + 1)));
    }
    return rows;
  }

  #keyOf = (node: unknown, item: vscode.TreeItem): string => item.id ?? (node as { id?: string }).id ?? labelOf(item);

  async reveal(node: unknown, options: { select?: boolean; focus?: boolean; expand?: boolean | number } = {}) {
    this.setVisible(true);
    const { treeDataProvider: provider } = this.options;
    const parent = await provider.getParent?.(node);
    if (parent !== undefined && parent !== null) await this.#setOpen(parent, true);
    if (options.expand) await this.#setOpen(node, true);
    await this.#reading;
    if (options.focus) this.focusOn(node);
    if (options.select ?? true) this.#select([node]);
  }

  focusOn(node: unknown): void {
    const row = this.rows.find(one => one.node === node);
    this.#focused = row && this.#keyOf(node, row.item);
    this.onFocus();
    this.changes.notify();
  }

  /** The row that has the focus, as long as it is there. */
  get focused(): TreeRow | undefined {
    return this.rows.find(({ node, item }) => this.#keyOf(node, item) === this.#focused);
  }

  /** `list.toggleSelection`: of the row that has the focus. */
  toggleSelection(): void {
    const node = this.focused?.node;
    if (node === undefined) return;
    const others = this.selection.filter(one => one !== node);
    this.#select(others.length < this.selection.length ? others : [...others, node]);
  }

  async #setOpen(node: unknown, isOpen: boolean): Promise<void> {
    const { treeDataProvider: provider } = this.options;
    const parent = await provider.getParent?.(node);
    if (isOpen && parent !== undefined && parent !== null) await this.#setOpen(parent, true);
    const item = await provider.getTreeItem(node);
    const key = this.#keyOf(node, item);
    if ((this.#open.get(key) ?? item.collapsibleState === 2) === isOpen) return;
    this.#open.set(key, isOpen);
    (isOpen ? this.#expanded : this.#collapsed).fire({ element: node });
    this.#read();
    await this.#reading;
  }

  #select(nodes: readonly unknown[]): void {
    this.selection = nodes;
    this.activeItem = nodes.at(-1);
    this.#selected.fire({ selection: nodes });
    this.#active.fire({ activeItem: this.activeItem });
    this.changes.notify();
  }

  setVisible(visible: boolean): void {
    if (this.visible === visible) return;
    this.visible = visible;
    this.#shown.fire({ visible });
  }

  dispose(): void {}

  // The user

  row(text: Words): Promise<TreeRow> {
    return this.changes.until(`a row with ${text} in ${this.id}`, () => this.find(text));
  }

  find = (text: Words): TreeRow | undefined =>
    this.rows.find(({ label, description }) => hasWords([label, description].join(' '), text));

  /** Until no row has the text. */
  gone(text: Words): Promise<true> {
    return this.changes.until(`no row with ${text} in ${this.id}`, () => this.find(text) === undefined);
  }

  async expand(text: Words): Promise<void> {
    await this.#setOpen((await this.row(text)).node, true);
  }

  async collapse(text: Words): Promise<void> {
    await this.#setOpen((await this.row(text)).node, false);
  }

  /** The arrow keys move the focus alone. */
  async focusRow(text: Words): Promise<void> {
    this.focusOn((await this.row(text)).node);
  }

  /** A click runs the command of a row, or opens and closes it if it has none. */
  async click(text: Words): Promise<void> {
    await this.#take(await this.row(text));
  }

  /** `list.select`: the same with the row that has the focus. */
  async takeFocused(): Promise<void> {
    if (this.focused) await this.#take(this.focused);
  }

  async #take({ node, item, isOpen }: TreeRow): Promise<void> {
    this.focusOn(node);
    this.#select([node]);
    if (item.command) this.start(item.command.command, ...(item.command.arguments ?? []));
    else if (isOpen !== undefined) await this.#setOpen(node, !isOpen);
  }

  async select(...texts: Words[]): Promise<void> {
    const rows = await Promise.all(texts.map(text => this.row(text)));
    this.#select(rows.map(({ node }) => node));
  }

  /** The editor draws the new state at once: of two clicks right after each other, the second one decides. */
  async tick(text: Words, to?: boolean): Promise<void> {
    const { node, isChecked } = await this.row(text);
    const { Checked, Unchecked } = enums.TreeItemCheckboxState;
    this.#checked.fire({ items: [[node, (to ?? !isChecked) ? Checked : Unchecked]] });
  }

  async drag(from: readonly Words[], to: Words | undefined): Promise<void> {
    const controller = this.options.dragAndDropController!;
    const data = new DataTransfer() as unknown as vscode.DataTransfer;
    const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose() {} }) };
    const nodes = await Promise.all(from.map(async text => (await this.row(text)).node));
    await controller.handleDrag?.(nodes, data, token as never);
    await controller.handleDrop?.(to === undefined ? undefined : (await this.row(to)).node, data, token as never);
  }
}
