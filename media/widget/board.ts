import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { t } from '../../src/shared/l10n';
import type { GroupView } from '../../src/shared/widgetProtocol';
import { cssVars } from '../page/cssVar';
import { post } from '../page/hostMessages';
import { lastAnswer } from '../page/lastAnswer';
import { listDot } from '../page/listColor';
import { ResizeController, sizeOfPage } from '../page/resize';
import * as glyphs from '../rows/glyphs';
import { addButton, countOf, countTemplate, headingTemplate, isOverLimit, loadTemplate } from '../rows/groupTemplate';
import { addTo } from '../rows/rowsKeyboard';
import { rowHeight } from '../rows/rowTemplate';
import { collapsedWidth, columnsInSight, columnWidth, type LanePart, laneParts } from './boardWindow';
import { ColumnLayout } from './columns';

/** The height of a cell's head above its cards, in pixels. */
const cellHead = 30;

/** Groups as the columns of a board: with limits, some collapsed, and below each other if they have rows. */
class Board extends ColumnLayout {
  static override properties = { ...ColumnLayout.properties, drawn: { state: true } };

  protected override readonly gap = 4;
  protected override readonly wraps = false;
  /** The columns in sight, as one text: another one has the board drawn again. */
  declare drawn: string;
  #scrolled = 0;
  readonly #size = new ResizeController(this, () => this.#measure());

  /** The column that the user collapses or expands: its button is drawn again, and keeps the focus. */
  #folding: string | undefined;

  /** The first cell of each column. */
  get #heads(): readonly GroupView[] {
    return this.#headsOf(this.columns);
  }

  #headsOf = lastAnswer((columns: readonly GroupView[]) => {
    const first = columns[0]?.board?.row?.key;
    return columns.filter(({ board }) => board?.row?.key === first);
  });

  get #hasRows(): boolean {
    return this.columns[0]?.board?.row !== undefined;
  }

  protected override get columnsPerRow(): number {
    return this.#hasRows ? this.#heads.filter(({ board }) => !board?.isCollapsed).length : 0;
  }

  protected override get open(): readonly GroupView[] {
    return this.#openOf(this.columns);
  }

  #openOf = lastAnswer((columns: readonly GroupView[]) => columns.filter(({ board }) => !board?.isCollapsed));

  #inSight(): readonly boolean[] {
    const sight = { from: this.#scrolled, width: this.#size.width || sizeOfPage().width };
    return columnsInSight(this.#heads, this.columns.length, sight);
  }

  #measure = (): void => {
    this.#scrolled = Math.abs(this.querySelector('.board')?.scrollLeft ?? 0);
    this.drawn = String(this.#inSight());
  };

  protected override grid(): TemplateResult {
    const heads = this.#heads;
    const hasRows = this.#hasRows;
    const stop = this.open.find(cell => this.tabOf(cell) === 0)?.board?.key;
    const widths = heads.map(({ board }) =>
      board?.isCollapsed ? `${collapsedWidth}px` : `minmax(${columnWidth}px, 1fr)`,
    );
    const inSight = this.#inSight();
    // The Tab key and the arrows find the column that the user was in.
    const isDrawn = heads.map(({ board }, at) => inSight[at]! || board?.key === stop);
    const lanes = Array.from(
      { length: Math.ceil(this.columns.length / heads.length) || 0 },
      (_, at) => at * heads.length,
    );
    return html`<div class="columns board ${hasRows ? 'rows' : ''}" @scroll=${this.#measure} ${cssVars({ '--columns': widths.join(' ') })}>
      ${hasRows ? this.#heading(heads, isDrawn, stop) : nothing}
      ${repeat(
        lanes,
        at => this.columns[at]!.key,
        at => this.#lane(this.columns.slice(at, at + heads.length), isDrawn),
      )}
    </div>`;
  }

  #heading(heads: readonly GroupView[], isDrawn: readonly boolean[], stop: string | undefined) {
    const head = (cell: GroupView) =>
      html`<div class="top-of ${cell.board?.isCollapsed ? 'collapsed' : ''}">${this.#columnHead(cell, cell.board?.key === stop ? 0 : -1)}${cell.board?.isCollapsed ? nothing : loadTemplate(cell)}</div>`;
    return repeat(laneParts(heads, isDrawn), partKey, part =>
      'cell' in part ? head(part.cell) : gapTemplate(part.gap),
    );
  }

  /** The cells of one row; cells that are not visible are replaced by empty space of their size. */
  #lane(cells: readonly GroupView[], isDrawn: readonly boolean[]) {
    const hidden = cells.filter((_, at) => !isDrawn[at]);
    const height = cellHead + Math.max(0, ...hidden.map(cell => this.#heightOf(cell)));
    return html`
      ${this.#hasRows ? this.#rowHead(cells[0]!) : nothing}
      ${repeat(laneParts(cells, isDrawn), partKey, part => ('cell' in part ? this.column(part.cell) : gapTemplate(part.gap, height)))}
    `;
  }

  #heightOf({ rows, board }: GroupView): number {
    if (board?.isCollapsed) return 0;
    return rows.reduce((sum, key) => sum + (this.rows.has(key) ? rowHeight(this.rows.get(key)!) + this.gap : 0), 0);
  }

  /**
   * The limit applies to the column, and the label of a cell names the column, since other cells have cards of it too.
   */
  protected override noteOf({ board }: GroupView): string | undefined {
    const { key, limit, column } = board!;
    if (!isOverLimit(this.#countIn(key), limit)) return undefined;
    return this.#hasRows ? t('{0}: {1}', column, t('over the limit')) : t('over the limit');
  }

  /** The head of all rows has the name. */
  protected override loadOf(cell: GroupView): Pick<GroupView, 'load'> {
    return this.#hasRows ? {} : cell;
  }

  protected override column(cell: GroupView): unknown {
    if (!cell.board?.isCollapsed) return super.column(cell);
    return this.section(cell, this.#hasRows ? nothing : this.#columnHead(cell, 0));
  }

  protected override head(cell: GroupView, tab: number): TemplateResult {
    if (!this.#hasRows) return this.#columnHead(cell, tab);
    return html`<div class="head">${cell.dropValues ? addButton(tab, () => addTo(this, cell)) : nothing}</div>`;
  }

  #rowHead(cell: GroupView) {
    const { key, label, color } = cell.board!.row!;
    return html`<div class="head row-head">
      ${listDot(color)}
      ${headingTemplate(cell, label)}
      ${countTemplate(this.#countIn(rowKey(key)), undefined)}
    </div>`;
  }

  /** The name of a column with how much it has, and how much it should have at most. */
  #columnHead(cell: GroupView, tab: number): TemplateResult {
    const { key, id, column, limit, isCollapsed } = cell.board!;
    const count = this.#countIn(key);
    return html`
      <div class="head">
        <button class="act fold" data-column=${key} tabindex=${isCollapsed ? 0 : tab} aria-expanded=${!isCollapsed} aria-label=${column} @click=${() => this.#fold(key, id)}>
          <span class="twist ${isCollapsed ? '' : 'open'}">${glyphs.chevron}</span>
        </button>
        ${listDot(cell.color)}
        ${headingTemplate(cell, column)}
        ${countTemplate(count, limit)}
        ${isOverLimit(count, limit) ? html`<span class="visually-hidden">${t('over the limit')}</span>` : nothing}
        ${cell.dropValues && !isCollapsed && !this.#hasRows ? addButton(tab, () => addTo(this, cell)) : nothing}
      </div>
    `;
  }

  /** The number of cards in a column over all rows, or in a row over all columns. */
  #countIn = (key: string) => this.#counts(this.columns, this.rows).get(key) ?? 0;

  #counts = lastAnswer((columns: readonly GroupView[], rows: ColumnLayout['rows']) => {
    const counts = new Map<string, number>();
    for (const cell of columns) {
      const { key, row } = cell.board!;
      const count = countOf(cell, rows);
      for (const one of [key, rowKey(row?.key)]) counts.set(one, (counts.get(one) ?? 0) + count);
    }
    return counts;
  });

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

/** Distinguishes a row from a column with the same key. */
const rowKey = (key: string | undefined) => `row ${key}`;

const partKey = (part: LanePart) => ('cell' in part ? part.cell.key : part.key);

const gapTemplate = (columns: number, height = 0) =>
  html`<div class="gap" ${cssVars({ '--span': `${columns}`, '--lane': `${height}px` })}></div>`;

customElements.define('dueline-board', Board);
