import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import type { GroupView, RowAct } from '../../src/shared/widgetProtocol';
import { isLoaded, type KnownRow } from '../../src/shared/widgetRow';
import { DropTarget } from '../drag/dropTarget';
import { cssVars } from '../page/cssVar';
import { post } from '../page/hostMessages';
import { themeNumber } from '../page/listColor';
import { ResizeController, sizeOfPage } from '../page/resize';
import {
  arrivedKey,
  beginOf,
  type GroupItem,
  hasHeading,
  type Item,
  inSight,
  itemKey,
  keysBetween,
  keysOfRows,
  layOut,
  type MoreItem,
  movedKey,
  nearestKey,
  type RowItem,
} from '../page/rowLayout';
import { CardHeights, measureSoon } from './cardHeights';
import { currentOf, GroupCounts, groupTemplate, moreTemplate } from './groupTemplate';
import { DayHours, type PlacedBlock } from './hourLayout';
import { rowsToRender } from './lazyRows';
import { hoursTemplate, spaceTemplate } from './meetings';
import { rowPointer } from './rowPointer';
import { addTo, onRowsKey } from './rowsKeyboard';
import { blankTemplate, cardTemplate, rowHeight, rowId, rowTemplate } from './rowTemplate';

export interface ActEvent {
  readonly act: RowAct;
  readonly keys: readonly string[];
}

const layoutKeys = ['groups', 'rows', 'folds', 'hidesHeadings', 'cards', 'gap', 'cardHeight', 'hourHeight'] as const;

/**
 * Groups of rows as one tree that has the focus as a whole; the arrow keys move an active row in it, as in VS Code's
 * own lists. Only visible rows are in the document.
 */
export class TaskRows extends LitElement {
  static override properties = {
    groups: { attribute: false },
    rows: { attribute: false },
    label: { type: String },
    tab: { type: Number },
    hidesHeadings: { type: Boolean, attribute: 'hides-headings' },
    cards: { type: Boolean },
    hasListsBeside: { type: Boolean, attribute: 'has-lists-beside' },
    hasListsAbove: { type: Boolean },
    byHand: { type: Boolean },
    addsToGroups: { type: Boolean },
    gap: { type: Number },
    cardHeight: { type: Number },
    room: { type: Number },
    hourHeight: { type: Number },
    overscan: { type: Number },
    folds: { attribute: false },
    active: { state: true },
    hovered: { state: true },
    selected: { state: true },
    offset: { state: true },
  };

  declare groups: readonly GroupView[];
  declare rows: ReadonlyMap<string, KnownRow>;
  declare label: string;
  /** 0: the Tab key stops here. -1: only the arrow keys of the neighboring lists lead here. */
  declare tab: 0 | -1;
  /** The heading of the one group is outside. */
  declare hidesHeadings: boolean;
  /** Other lists are to its left or right: the arrow keys move on to them. */
  declare hasListsBeside: boolean;
  /** Other lists are above or below it: the arrow keys move on to them. */
  declare hasListsAbove: boolean;
  /** Cards of any height instead of rows. */
  declare cards: boolean;
  /** Rows can be put before and after each other. */
  declare byHand: boolean;
  /** New tasks go to the active group, and each group has a button for it: the groups are columns, below each other here. */
  declare addsToGroups: boolean;
  /** Space between rows, in pixels. */
  declare gap: number;
  /** The height of every card with its margin; 0: each card is measured. */
  declare cardHeight: number;
  /** The height of the element, if it is known before the layout; 0 if not. */
  declare room: number;
  /** Pixels of an hour between the rows of a day, which have its meetings between them; undefined if they have not. */
  declare hourHeight: number | undefined;
  /** Pixels that are drawn above and below the visible part, so that scrolling shows rows at once. */
  declare overscan: number;
  /** The groups that the user has folded or unfolded. */
  declare folds: ReadonlySet<string>;
  declare active: string | undefined;
  /** The row below the pointer. */
  declare hovered: string | undefined;
  declare selected: ReadonlySet<string>;
  declare offset: number;
  readonly #dropTarget = new DropTarget(this);
  readonly #pointer = rowPointer(this);
  readonly #heights = new CardHeights();
  readonly #size: ResizeController;
  #items: readonly Item[] = [];
  /** The meetings between the rows, and the height of both. */
  #blocks: readonly PlacedBlock[] = [];
  #height = 0;
  #positions: ReadonlyMap<string, number> = new Map();
  readonly #counts = new GroupCounts();
  #anchor: string | undefined;
  #following: { readonly group: string; readonly key: string } | undefined;
  /** The index at which the rows of *more* will begin; -1: none were requested. */
  #continued = -1;
  #announced = '';
  /** Rows whose details have been requested. */
  readonly #requested = new WeakSet<KnownRow>();

  constructor() {
    super();
    this.groups = [];
    this.rows = new Map();
    this.label = '';
    this.tab = 0;
    this.hidesHeadings = false;
    this.cards = false;
    this.hasListsBeside = false;
    this.hasListsAbove = false;
    this.byHand = false;
    this.addsToGroups = false;
    this.gap = 0;
    this.cardHeight = 0;
    this.room = 0;
    this.overscan = 200;
    this.folds = new Set();
    this.selected = new Set();
    this.offset = 0;
    this.addEventListener('scroll', () => {
      this.offset = this.scrollTop;
    });
    // A row that arrives after the user has continued in the page is not followed.
    this.addEventListener('focusout', () => {
      if (document.hasFocus()) this.#following = undefined;
    });
    this.#size = new ResizeController(this, isWidth => {
      if (isWidth && this.#isMeasured) {
        this.#heights.forget();
        this.#layOut();
      }
      this.requestUpdate();
    });
  }

  override createRenderRoot() {
    return this;
  }

  override focus(options?: FocusOptions): void {
    this.querySelector<HTMLElement>('.tree')?.focus(options);
  }

  get items(): readonly Item[] {
    return this.#items;
  }

  itemAt(key: string): Item | undefined {
    return this.#items[this.#positions.get(key) ?? -1];
  }

  /** The group that the active line is in. */
  get activeGroup(): GroupView | undefined {
    return this.#items[this.activeIndex]?.group;
  }

  get activeIndex(): number {
    return this.active === undefined ? -1 : (this.#positions.get(this.active) ?? -1);
  }

  /** The rows that an action on this one changes: all selected rows if it is one of them, or else this row alone. */
  targetsOf = (key: string): readonly string[] => (this.selected.has(key) ? this.#visible(this.selected) : [key]);

  /** Makes a row active once it is in the group, at once if it already is. */
  follow(group: string, key: string): void {
    this.#following = { group, key };
    this.requestUpdate('groups');
  }

  protected override willUpdate(changed: PropertyValues<TaskRows>): void {
    // Cards have other heights in a low page.
    if (changed.has('hourHeight')) this.#heights.forget();
    if (layoutKeys.some(name => changed.has(name))) {
      const [{ active }, before] = [this, this.activeIndex];
      const [items, positions] = [this.#items, this.#positions];
      this.#layOut();
      const continued = this.#items[this.#continued];
      if (continued?.kind === 'row') this.active = this.#anchor = itemKey(continued);
      if (continued?.kind !== 'more') this.#continued = -1;
      const followed = this.#following && arrivedKey(this.#items, this.#following, positions);
      if (followed !== undefined) {
        this.active = followed;
        this.#following = undefined;
      } else if (this.active === undefined ? this.contains(document.activeElement) : !this.#positions.has(this.active))
        this.active = movedKey(this.#items, items[before], positions) ?? nearestKey(this.#items, items, before);
      if (this.active !== active && this.contains(document.activeElement))
        void this.updateComplete.then(() => this.#intoSight(this.#items[this.activeIndex]));
    }
  }

  override render() {
    const margin = this.#overscan;
    const visibleItems = inSight(this.#items, this.offset - margin, this.offset + this.#sight + margin);
    // A screen reader reads the active row once, so it is announced only when its details are there.
    const activeSeen = visibleItems.some(
      item => itemKey(item) === this.active && (item.kind !== 'row' || isLoaded(item.row)),
    );
    return html`
      ${hoursTemplate(this.#blocks, this.tab, this.#size.width)}
      <div
        class="tree"
        role="tree"
        tabindex=${this.tab}
        aria-label=${this.label}
        aria-multiselectable="true"
        aria-current=${this.hidesHeadings && this.groups[0] ? currentOf(this.groups[0]) : nothing}
        aria-activedescendant=${this.active !== undefined && activeSeen ? rowId(this.active) : nothing}
        @keydown=${(event: KeyboardEvent) => onRowsKey(this, event)}
        @focus=${this.#onFocus}
        @click=${this.#pointer.click}
        @dblclick=${this.#pointer.doubleClick}
        @pointerover=${this.#pointer.over}
        @pointerleave=${this.#pointer.leave}
        @dragstart=${this.#pointer.drag}
        @dragover=${this.#dropTarget.over}
        @dragleave=${this.#dropTarget.leave}
        @drop=${this.#dropTarget.drop}
        ${cssVars({ '--height': `${this.#height}px`, '--before': `${visibleItems[0] ? beginOf(visibleItems[0]) : 0}px` })}
      >
        ${repeat(visibleItems, itemKey, this.#item)}
      </div>
    `;
  }

  /** The visible height. Before the first drawing it is unknown, and at most that of the page. */
  get #sight(): number {
    return this.#size.height || this.room || sizeOfPage().height;
  }

  /** The first drawing only has the visible rows; the next frame adds those around them. */
  get #overscan(): number {
    return this.#size.height ? this.overscan : 0;
  }

  get #isMeasured(): boolean {
    return this.cards && this.cardHeight === 0;
  }

  protected override updated(): void {
    const keys = rowsToRender(this.#items, this.offset, this.#sight, this.#requested);
    if (keys.length > 0) post({ type: 'requestDetails', keys });
    if (this.#isMeasured) measureSoon(this);
    this.#announceSelection();
  }

  learnHeights(): boolean {
    return this.#heights.learn(this.querySelectorAll<HTMLElement>('.card'), this.rows);
  }

  layOutAgain(): void {
    this.#layOut();
    this.requestUpdate();
  }

  #heightOf = (row: KnownRow): number => {
    if (!this.cards) return rowHeight(row) + this.gap;
    return this.cardHeight || this.#heights.of(row);
  };

  #layOut(): void {
    const { groups, rows, isOpen, hidesHeadings } = this;
    const hours = new DayHours(groups[0], this.hourHeight);
    const { spaceBefore } = hours;
    this.#items = layOut(groups, rows, { heightOf: this.#heightOf, isOpen, hidesHeadings, spaceBefore });
    this.#blocks = hours.place(this.#items);
    const last = this.#items.at(-1);
    this.#height = (last ? last.top + last.height : 0) + spaceBefore(undefined);
    this.#counts.forget();
    this.#positions = new Map(this.#items.map((item, index) => [itemKey(item), index]));
  }

  #item = (item: Item) => {
    if (item.kind === 'group') return this.#group(item);
    if (item.kind === 'row') return item.space > 0 ? [spaceTemplate(item.space), this.#row(item)] : this.#row(item);
    return moreTemplate(itemKey(item), item.count, this.active === itemKey(item), () => this.showMore(item));
  };

  #group(item: GroupItem) {
    const key = itemKey(item);
    const dropTarget = this.#dropTarget.isIn(item.group.key);
    const count = this.#counts.of(item, this.rows);
    const size = this.groups.length;
    const onClick = () => {
      this.active = this.#anchor = key;
      this.fold(item.group);
    };
    const onAdd = this.addsToGroups && item.group.dropValues ? () => addTo(this, item.group) : undefined;
    return groupTemplate(
      item,
      { key, active: this.active === key, isDropTarget: dropTarget, count, size },
      onClick,
      onAdd,
    );
  }

  #row({ row, group, position, siblings }: RowItem) {
    const active = this.active === row.key;
    const rowPosition = {
      active,
      selected: this.selected.has(row.key),
      level: (hasHeading(group) && !this.hidesHeadings ? 2 : 1) + row.depth,
      position,
      size: siblings.count,
      dropSide: this.#dropTarget.sideOf(row.key),
      hasButtons: active || this.hovered === row.key,
    };
    return guard([row, this.cards, themeNumber(), ...Object.values(rowPosition)], () =>
      isLoaded(row) ? (this.cards ? cardTemplate : rowTemplate)(row, rowPosition) : blankTemplate(row, rowPosition),
    );
  }

  isOpen = (group: GroupView) => group.folded === this.folds.has(group.key);

  /** Requests more rows; the first of them becomes the active line. */
  showMore(item: MoreItem): void {
    this.active = itemKey(item);
    this.#continued = this.activeIndex;
    post({ type: 'more', group: item.group.key });
  }

  fold(group: GroupView): void {
    this.dispatchEvent(new CustomEvent('fold', { detail: group.key }));
  }

  act(act: RowAct, key: string): void {
    const keys = ['open', 'preview', 'rename', 'openLink', 'editAsText'].includes(act) ? [key] : this.targetsOf(key);
    this.dispatchEvent(new CustomEvent<ActEvent>('act', { detail: { act, keys }, bubbles: true }));
  }

  /** Makes a line the active one; `isExtended` selects all lines from the start of the selection to it. */
  goTo(item: Item, isExtended: boolean): void {
    const key = itemKey(item);
    if (isExtended) this.#selectTo(key);
    else {
      this.selected = new Set();
      this.#anchor = key;
    }
    this.active = key;
    this.#intoSight(item);
  }

  selectAll(): void {
    this.selected = new Set(keysOfRows(this.#items));
  }

  toggle(key: string): void {
    const next = new Set(this.selected);
    if (!next.delete(key)) next.add(key);
    this.selected = next;
    this.#anchor = key;
  }

  #visible = (keys: ReadonlySet<string>) => [...keys].filter(key => this.#positions.has(key));

  pick(key: string, event: MouseEvent): void {
    if (event.shiftKey) this.#selectTo(key);
    this.active = key;
    if (event.shiftKey) return;
    if (event.ctrlKey || event.metaKey) this.toggle(key);
    else {
      this.selected = new Set();
      this.#anchor = key;
      // In an editor tab, the preview would cover the rows.
      if (event.detail === 1 && !document.body.classList.contains('as-editor')) this.act('preview', key);
    }
  }

  /** Selects from the line at which the selection began; if that line is gone, from the active one. */
  #selectTo(key: string): void {
    if (this.#anchor === undefined || !this.#positions.has(this.#anchor)) this.#anchor = this.active ?? key;
    this.selected = new Set(keysBetween(this.#items, this.#anchor, key));
  }

  #onFocus = () => {
    const first = this.#items.find(item => item.kind === 'row') ?? this.#items[0];
    this.active ??= first && itemKey(first);
    this.#announced = '';
    this.#announceSelection();
  };

  /** Reports to the host which rows are selected or active, for commands that are run without a row. */
  #announceSelection(): void {
    if (!this.contains(document.activeElement)) return;
    const row = this.active !== undefined && this.rows.has(this.active) ? [this.active] : [];
    const keys = this.selected.size > 0 ? this.#visible(this.selected) : row;
    const joinedKeys = keys.join('\n');
    if (joinedKeys === this.#announced) return;
    this.#announced = joinedKeys;
    post({ type: 'selected', keys });
  }

  #intoSight(item: Item | undefined): void {
    if (!item) return;
    const room = this.clientHeight - (Number.parseFloat(getComputedStyle(this).scrollPaddingBlockEnd) || 0);
    if (item.top < this.scrollTop) this.scrollTop = beginOf(item);
    else if (item.top + item.height > this.scrollTop + room) this.scrollTop = item.top + item.height - room;
    this.offset = this.scrollTop;
  }
}

customElements.define('dueline-rows', TaskRows);
