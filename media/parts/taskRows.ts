import { html, LitElement, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { t } from '../../src/views/l10n';
import type { GroupView, RowAct, RowView } from '../../src/views/protocol';
import { cardTemplate } from './cardTemplate';
import { cssVars } from './cssVar';
import { allowDrop, endDrop, startDrag, takeDrop } from './drag';
import * as glyphs from './glyphs';
import { rowKeys } from './rowKeys';
import { rowId, rowTemplate } from './rowTemplate';
import { type Item, inSight, itemKey, layOut } from './window';

export interface ActEvent {
  readonly act: RowAct;
  readonly keys: readonly string[];
}

const margin = 400;
const mostCards = 200;

/**
 * Groups of rows as one tree that takes the focus as a whole; the arrows move an active row in it, as in VS Code's own
 * lists. Only what is in sight is in the document.
 */
export class TaskRows extends LitElement {
  static override properties = {
    groups: { attribute: false },
    rows: { attribute: false },
    label: { type: String },
    headless: { type: Boolean },
    cards: { type: Boolean },
    folds: { attribute: false },
    active: { state: true },
    selected: { state: true },
    offset: { state: true },
  };

  declare groups: readonly GroupView[];
  declare rows: ReadonlyMap<string, RowView>;
  declare label: string;
  /** The heading of the one group stands outside. */
  declare headless: boolean;
  /** Cards of any height instead of rows; all of them are drawn. */
  declare cards: boolean;
  /** Groups whose fold differs from what they start with. */
  declare folds: ReadonlySet<string>;
  declare active: string | undefined;
  declare selected: ReadonlySet<string>;
  declare offset: number;
  #items: readonly Item[] = [];
  #anchor: string | undefined;

  constructor() {
    super();
    this.groups = [];
    this.rows = new Map();
    this.label = '';
    this.headless = false;
    this.cards = false;
    this.folds = new Set();
    this.selected = new Set();
    this.offset = 0;
  }

  override createRenderRoot() {
    return this;
  }

  override focus(): void {
    this.querySelector<HTMLElement>('.tree')?.focus();
  }

  protected override willUpdate(): void {
    this.#items = layOut(this.groups, this.rows, group => this.#isOpen(group), this.headless);
    if (this.active !== undefined && !this.#items.some(item => itemKey(item) === this.active)) this.active = undefined;
  }

  override render() {
    const last = this.#items.at(-1);
    const height = last ? last.top + last.height : 0;
    const seen = this.cards
      ? this.#items.slice(0, mostCards)
      : inSight(this.#items, this.offset - margin, this.offset + (this.clientHeight || 800) + margin);
    const before = this.cards ? 0 : (seen[0]?.top ?? 0);
    return html`
      <div
        class="tree"
        role="tree"
        tabindex="0"
        aria-label=${this.label}
        aria-multiselectable="true"
        aria-activedescendant=${this.active === undefined ? nothing : rowId(this.active)}
        @keydown=${this.#onKey}
        @focus=${this.#onFocus}
        ${cssVars({ '--height': this.cards ? 'auto' : `${height}px`, '--before': `${before}px` })}
      >
        ${repeat(seen, itemKey, item => (item.kind === 'group' ? this.#group(item) : this.#row(item)))}
      </div>
    `;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener('scroll', () => {
      this.offset = this.scrollTop;
    });
  }

  #group(item: Extract<Item, { kind: 'group' }>) {
    const { group, open } = item;
    const key = itemKey(item);
    return html`
      <div
        class="group ${group.tone} ${this.active === key ? 'active' : ''}"
        id=${rowId(key)}
        role="treeitem"
        aria-level="1"
        aria-expanded=${open}
        aria-label=${t('{0}, {1}', group.label, group.rows.length)}
        data-group=${group.key}
        @dragover=${(event: DragEvent) => group.place && allowDrop(event)}
        @dragleave=${endDrop}
        @drop=${(event: DragEvent) => takeDrop(event, group.key)}
        @click=${() => {
          this.active = key;
          this.#fold(group);
        }}
      >
        <span class="twist ${open ? 'open' : ''}">${glyphs.chevron}</span>
        ${group.color ? html`<i class="dot" ${cssVars({ '--list': group.color })}></i>` : nothing}
        <span class="name" dir="auto">${group.label}</span>
        ${group.detail ? html`<bdi class="detail">${group.detail}</bdi>` : nothing}
        ${group.folded || isEmptyDay(group) ? nothing : html`<span class="count">${group.rows.length}</span>`}
      </div>
    `;
  }

  #row({ row, group, position }: Extract<Item, { kind: 'row' }>) {
    return (this.cards ? cardTemplate : rowTemplate)(
      row,
      {
        active: this.active === row.key,
        selected: this.selected.has(row.key),
        level: 2 + row.depth,
        position,
        size: group.rows.length,
      },
      {
        act: (act, key) => this.#act(act, key),
        pick: (key, event) => this.#pick(key, event),
        drag: (event, key) => startDrag(event, this.selected.has(key) ? this.#shownOf(this.selected) : [key]),
      },
    );
  }

  #isOpen = (group: GroupView) => group.folded === this.folds.has(group.key);

  #fold(group: GroupView): void {
    this.dispatchEvent(new CustomEvent('fold', { detail: group.key }));
  }

  /** On a selected row an act means all selected ones; on another row it means that one. */
  #act(act: RowAct, key: string): void {
    const keys = this.selected.has(key) && act !== 'open' && act !== 'rename' ? this.#shownOf(this.selected) : [key];
    this.dispatchEvent(new CustomEvent<ActEvent>('act', { detail: { act, keys }, bubbles: true }));
  }

  #shownOf = (keys: ReadonlySet<string>) => [...keys].filter(key => this.rows.has(key));

  #pick(key: string, event: MouseEvent): void {
    this.active = key;
    if (event.shiftKey) this.#selectTo(key);
    else if (event.ctrlKey || event.metaKey) this.#toggle(key);
    else this.selected = new Set();
    if (!event.shiftKey) this.#anchor = key;
  }

  #toggle(key: string): void {
    const next = new Set(this.selected);
    if (!next.delete(key)) next.add(key);
    this.selected = next;
  }

  #selectTo(key: string): void {
    const keys = this.#items.filter(item => item.kind === 'row').map(itemKey);
    const [from, to] = [keys.indexOf(this.#anchor ?? key), keys.indexOf(key)].sort((a, b) => a - b) as [number, number];
    this.selected = new Set(keys.slice(Math.max(from, 0), to + 1));
  }

  #onFocus = () => {
    this.active ??=
      this.#items.find(item => item.kind === 'row')?.row.key ?? (this.#items[0] && itemKey(this.#items[0]));
  };

  #onKey = (event: KeyboardEvent) => {
    const at = this.#items.findIndex(item => itemKey(item) === this.active);
    const item = this.#items[at];
    const handled =
      this.#move(event, at) ||
      (item?.kind === 'row' ? this.#rowKey(event, item.row) : item ? this.#groupKey(event, item) : false);
    if (handled) {
      event.preventDefault();
      event.stopPropagation();
    }
  };

  #move(event: KeyboardEvent, at: number): boolean {
    const page = Math.max(1, Math.floor(this.clientHeight / 30) - 1);
    const steps: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: this.#items.length - 1,
      PageDown: at + page,
      PageUp: at - page,
    };
    if (event.ctrlKey || event.metaKey) return false;
    if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') return this.#sideways(event);
    if (event.altKey) return false;
    let to = steps[event.key];
    if (to === undefined) return false;
    to = Math.min(Math.max(to, 0), this.#items.length - 1);
    const item = this.#items[to];
    if (!item) return true;
    const key = itemKey(item);
    if (event.shiftKey && item.kind === 'row') this.#selectTo(key);
    else {
      this.selected = new Set();
      this.#anchor = key;
    }
    this.active = key;
    this.#intoSight(item);
    return true;
  }

  /** To the next column, with Alt taking the rows along; the columns around this one decide. */
  #sideways(event: KeyboardEvent): boolean {
    const key = this.active;
    if (!this.headless) return false;
    const step = (event.key === 'ArrowRight') === (document.dir !== 'rtl') ? 1 : -1;
    const keys = key === undefined ? [] : this.selected.has(key) ? this.#shownOf(this.selected) : [key];
    this.dispatchEvent(
      new CustomEvent('sideways', { detail: { step, keys: event.altKey ? keys : [] }, bubbles: true }),
    );
    return true;
  }

  #rowKey(event: KeyboardEvent, row: RowView): boolean {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if ((event.ctrlKey || event.metaKey) && event.key === 'a') {
      this.selected = new Set(this.rows.keys());
      return true;
    }
    if (!plain) return false;
    const act = rowKeys[event.key];
    if (act) this.#act(act, row.key);
    else if (event.key === 'Escape' && this.selected.size > 0) this.selected = new Set();
    else if (event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10')) this.#menuAt(row.key);
    else return false;
    return true;
  }

  #groupKey(event: KeyboardEvent, { group, open }: Extract<Item, { kind: 'group' }>): boolean {
    const rtl = document.dir === 'rtl';
    const [opens, closes] = rtl ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft'];
    if (
      event.key === 'Enter' ||
      event.key === ' ' ||
      (event.key === opens && !open) ||
      (event.key === closes && open)
    ) {
      this.#fold(group);
      return true;
    }
    return false;
  }

  #menuAt(key: string): void {
    const row = this.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (!row) return;
    const { left, bottom } = row.getBoundingClientRect();
    row.dispatchEvent(
      new MouseEvent('contextmenu', { bubbles: true, composed: true, clientX: left + 24, clientY: bottom }),
    );
  }

  #intoSight(item: Item): void {
    if (this.cards) {
      this.querySelector(`[data-key="${CSS.escape(itemKey(item))}"]`)?.scrollIntoView({ block: 'nearest' });
      return;
    }
    if (item.top < this.scrollTop) this.scrollTop = item.top;
    else if (item.top + item.height > this.scrollTop + this.clientHeight)
      this.scrollTop = item.top + item.height - this.clientHeight;
    this.offset = this.scrollTop;
  }
}

/** An empty day of a week says nothing of its emptiness. */
const isEmptyDay = ({ detail, rows }: GroupView) => detail !== undefined && rows.length === 0;

customElements.define('dueline-rows', TaskRows);
