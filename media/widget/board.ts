import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { t } from '../../src/shared/l10n';
import type { GroupView } from '../../src/shared/widgetProtocol';
import { cssVars } from '../page/cssVar';
import { post } from '../page/host';
import { listColor } from '../page/listColor';
import * as glyphs from '../rows/glyphs';
import { addButton, countOf, countTemplate, isOver } from '../rows/groupTemplate';
import { addTo } from '../rows/rowsKeyboard';
import { Columns } from './columns';

/** Groups as the columns of a board: with limits, some collapsed, and below each other where they have rows. */
class Board extends Columns {
  protected override readonly gap = 4;
  protected override readonly wraps = false;

  /** The column that the person collapses or expands: its button is drawn again, and keeps the focus. */
  #folding: string | undefined;

  /** The first cell of each column. */
  get #heads(): readonly GroupView[] {
    const { columns } = this;
    const first = columns[0]?.board?.row?.key;
    return columns.filter(({ board }) => board?.row?.key === first);
  }

  get #hasRows(): boolean {
    return this.columns[0]?.board?.row !== undefined;
  }

  protected override get above(): number {
    return this.#hasRows ? this.#heads.filter(({ board }) => !board?.isCollapsed).length : 0;
  }

  protected override get open(): readonly GroupView[] {
    return this.columns.filter(({ board }) => !board?.isCollapsed);
  }

  protected override grid(): TemplateResult {
    const heads = this.#heads;
    const hasRows = this.#hasRows;
    const stop = this.open.find(cell => this.tabOf(cell) === 0)?.board?.key;
    const widths = heads.map(({ board }) => (board?.isCollapsed ? '34px' : 'minmax(220px, 1fr)')).join(' ');
    return html`<div class="columns board ${hasRows ? 'rows' : ''}" ${cssVars({ '--columns': widths })}>
      ${hasRows ? heads.map(head => html`<div class="top-of ${head.board?.isCollapsed ? 'collapsed' : ''}">${this.#columnHead(head, head.board?.key === stop ? 0 : -1)}</div>`) : nothing}
      ${repeat(
        this.columns,
        ({ key }) => key,
        (cell, at) => html`${hasRows && at % heads.length === 0 ? this.#rowHead(cell) : nothing}${this.column(cell)}`,
      )}
    </div>`;
  }

  protected override column(cell: GroupView): TemplateResult {
    if (!cell.board?.isCollapsed) return super.column(cell);
    return this.section(cell, this.#hasRows ? nothing : this.#columnHead(cell, 0));
  }

  protected override head(cell: GroupView, tab: number): TemplateResult {
    if (!this.#hasRows) return this.#columnHead(cell, tab);
    return html`<div class="head">${cell.place ? addButton(tab, () => addTo(this, cell)) : nothing}</div>`;
  }

  #rowHead({ board }: GroupView) {
    const { key, label, color } = board!.row!;
    const cells = this.columns.filter(one => one.board?.row?.key === key);
    return html`<div class="head row-head">
      ${dot(color)}
      <h2 class="name" dir="auto">${label}</h2>
      ${countTemplate(this.#count(cells), undefined)}
    </div>`;
  }

  /** The name of a column with how much it has, and how much it should have at most. */
  #columnHead(cell: GroupView, tab: number): TemplateResult {
    const { key, id, column, limit, isCollapsed } = cell.board!;
    const count = this.#count(this.columns.filter(({ board }) => board?.key === key));
    const fold = isCollapsed ? t('Expand {0}', column) : t('Collapse {0}', column);
    return html`
      <div class="head">
        <button class="act fold" data-column=${key} tabindex=${isCollapsed ? 0 : tab} aria-expanded=${!isCollapsed} title=${fold} aria-label=${fold} @click=${() => this.#fold(key, id)}>
          <span class="twist ${isCollapsed ? '' : 'open'}">${glyphs.chevron}</span>
        </button>
        ${dot(cell.color)}
        <h2 class="name" dir="auto">${column}</h2>
        ${countTemplate(count, limit)}
        ${isOver(count, limit) ? html`<span class="unseen">${t('over the limit')}</span>` : nothing}
        ${cell.place && !isCollapsed && !this.#hasRows ? addButton(tab, () => addTo(this, cell)) : nothing}
      </div>
    `;
  }

  #count = (cells: readonly GroupView[]) => cells.reduce((sum, cell) => sum + countOf(cell, this.rows), 0);

  #fold(key: string, column: string): void {
    this.#folding = key;
    post({ type: 'collapse', column });
  }

  protected override updated(changed: PropertyValues<Board>): void {
    super.updated(changed);
    if (this.#folding === undefined || !changed.has('groups')) return;
    this.querySelector<HTMLElement>(`.fold[data-column="${CSS.escape(this.#folding)}"]`)?.focus();
    this.#folding = undefined;
  }
}

const dot = (color: string | undefined) =>
  color ? html`<i class="dot" ${cssVars({ '--list': listColor(color) })}></i>` : nothing;

customElements.define('dueline-board', Board);
