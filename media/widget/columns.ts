import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import { numeral, t, tn } from '../../src/shared/l10n';
import { type GroupView, hours } from '../../src/shared/widgetProtocol';
import type { KnownRow } from '../../src/shared/widgetRow';
import { allowDrop, carriesRows, dropInto, hasLeft } from '../drag/drag';
import { FocusKeeper } from '../focus/focusKeeper';
import { cssVars } from '../page/cssVar';
import { post } from '../page/hostMessages';
import { lastAnswer } from '../page/lastAnswer';
import { listColor, listDot, themeNumber } from '../page/listColor';
import { MediaController, ResizeController, sizeOfPage } from '../page/resize';
import { addButton, countOf, headingTemplate, loadTemplate, openCount } from '../rows/groupTemplate';
import { meetingBlocks } from '../rows/meetings';
import { addTo, type ColumnMove } from '../rows/rowsKeyboard';
import type { TaskRows } from '../rows/taskRows';
import '../rows/taskRows';

/** Groups side by side: lists with their progress, or the days of a week with cards. */
export class ColumnLayout extends LitElement {
  static override properties = {
    groups: { attribute: false },
    rows: { attribute: false },
    week: { type: Boolean },
    showsUnscheduled: { type: Boolean },
    hours: { attribute: false },
    byHand: { type: Boolean },
    dropTarget: { state: true },
    stop: { state: true },
    room: { state: true },
    isByHour: { state: true },
    folds: { state: true },
  };

  declare groups: readonly GroupView[];
  declare rows: ReadonlyMap<string, KnownRow>;
  declare week: boolean;
  declare byHand: boolean;
  /** The unscheduled tasks are shown next to the days. */
  declare showsUnscheduled: boolean;
  /** Names of the hours of a day that rows can be dragged to. */
  declare hours: readonly string[] | undefined;
  /** Unscheduled groups that are folded. */
  declare folds: ReadonlySet<string>;
  /** The group that dragged rows would land in, and at which hour. */
  declare dropTarget: { readonly key: string; readonly hour: number | undefined } | undefined;

  /** The column that the user was in last: the Tab key stops at it, and the arrows move on to the others. */
  declare stop: string | undefined;

  /**
   * The room for the texts of its cards. With container queries, the browser would compute the style of each column
   * separately.
   */
  declare room: 'wide' | 'narrow' | 'tiny';
  /** The meetings of a day are between its rows, by the hour, and not above them. */
  declare isByHour: boolean;
  readonly #lowPage = new MediaController(this, '(max-height: 300px)');

  /** The last content of each column, returned again if nothing in it has changed. */
  #slices = new Map<string, Slice>();
  #before = this.#slices;
  /** Rows that are new or other ones since the last drawing. */
  #changed: ReadonlySet<string> = new Set();
  #unscheduled: readonly GroupView[] = [];
  /** The column at which the Tab key stops. */
  #tabStop: string | undefined;
  /** The index of the column that the user was in. */
  #position = -1;

  constructor() {
    super();
    this.groups = [];
    this.rows = new Map();
    this.week = false;
    this.showsUnscheduled = false;
    this.folds = new Set();
    this.byHand = false;
    this.#fit(sizeOfPage().width / 7);
    new ResizeController(this, () => {
      const column = this.querySelector('.column');
      if (column) this.#fit(column.clientWidth);
    });
    // Another week or month has other columns.
    new FocusKeeper(this, () => this);
    this.addEventListener('columnmove', event => this.#moveToColumn(event as CustomEvent<ColumnMove>));
  }

  #fit(width: number): void {
    this.room = roomOf(width);
    this.isByHour = width >= minHourWidth;
  }

  override createRenderRoot() {
    return this;
  }

  override focus(options?: FocusOptions): void {
    this.#listOf(this.#stopAt())?.focus(options);
  }

  /** To a column or the unscheduled tasks, and there to a row as soon as it comes: what was not drawn is drawn first. */
  async follow(group: string, row?: string): Promise<void> {
    await this.updateComplete;
    if (!this.#listOf(group)) {
      this.stop = group;
      await this.updateComplete;
    }
    const list = this.#listOf(group);
    if (row !== undefined) list?.follow(group, row);
    await list?.updateComplete;
    list?.focus();
  }

  #listOf(group: string | undefined): TaskRows | null {
    const isUnscheduled = this.#unscheduled.some(({ key }) => key === group);
    return this.querySelector(
      `${isUnscheduled ? '.unscheduled' : `[data-group="${CSS.escape(group ?? '')}"]`} dueline-rows`,
    );
  }

  override render() {
    return html`
      ${this.#unscheduled.length > 0 ? this.#unscheduledTemplate() : nothing}
      ${this.grid()}
    `;
  }

  /** The columns, without the unscheduled tasks. */
  protected grid(): TemplateResult {
    return html`<div class="columns ${this.week ? 'week' : 'lists'} ${this.room}">
      ${repeat(
        this.columns,
        ({ key }) => key,
        group => this.column(group),
      )}
    </div>`;
  }

  /** Its rows are shown elsewhere in the page, which shows each row once. */
  protected isOpened(_group: GroupView): boolean {
    return false;
  }

  /** The number of columns in a row of the grid; 0: there is only one row. */
  protected get columnsPerRow(): number {
    return 0;
  }

  /** After the last column of a row, the arrows move on to the first of the next row. */
  protected readonly wraps: boolean = true;
  /** Between rows, in pixels. */
  protected readonly gap: number = 0;
  /** The height of cards in its rows. */
  protected readonly cardHeight: number = 0;
  protected readonly overscan: number = 200;
  protected get height(): number {
    return 0;
  }
  /** Pixels of an hour between the rows of a day; 0: each meeting has one line; undefined: all are above the rows. */
  protected get hourHeight(): number | undefined {
    if (!this.week || !this.isByHour) return undefined;
    return this.#lowPage.matches ? 0 : 38;
  }

  /** The columns that show their rows. */
  protected get open(): readonly GroupView[] {
    return this.columns;
  }

  protected override willUpdate(changed: PropertyValues<ColumnLayout>): void {
    if (changed.has('rows')) this.#changed = changedRows(changed.get('rows') ?? new Map(), this.rows);
    else this.#changed = new Set();
    this.#tabStop = this.#stopAt();
    this.#before = this.#slices;
    this.#slices = new Map();
    if (changed.has('groups') || changed.has('showsUnscheduled'))
      this.#unscheduled = this.showsUnscheduled
        ? unscheduledOf(this.groups).map(group => ({ ...group, folded: false }))
        : [];
  }

  protected get columns(): readonly GroupView[] {
    return this.#columnsOf(this.groups);
  }

  #columnsOf = lastAnswer((groups: readonly GroupView[]) => groups.filter(({ isUnscheduled }) => !isUnscheduled));

  #sliceOf(group: GroupView): Slice {
    const before = this.#before.get(group.key);
    const isSame = before?.groups[0] === group && !group.rows.some(key => this.#changed.has(key));
    const slice = isSame ? before : sliceOf(group, this.rows, before);
    this.#slices.set(group.key, slice);
    return slice;
  }

  #unscheduledTemplate() {
    return html`
      <section class="unscheduled" aria-label=${t('Unscheduled')}>
        <dueline-rows
          has-lists-beside
          .label=${t('Unscheduled')}
          .groups=${this.#unscheduled}
          .rows=${this.rows}
          .folds=${this.folds}
          @fold=${(event: CustomEvent<string>) => {
            const folds = new Set(this.folds);
            if (!folds.delete(event.detail)) folds.add(event.detail);
            this.folds = folds;
          }}
        ></dueline-rows>
      </section>
    `;
  }

  /** The column that the user was in, or the one at its position; else today, else the first column that has something. */
  #stopAt(): string | undefined {
    const { open } = this;
    const at = open.findIndex(({ key }) => key === this.stop);
    if (at >= 0) this.#position = at;
    const was = open[this.#position];
    const filled = open.filter(({ rows }) => rows.length > 0);
    return (was ?? filled.find(({ tone }) => tone === 'accent') ?? filled[0] ?? open[0])?.key;
  }

  protected tabOf = ({ key }: GroupView): 0 | -1 => (key === this.#tabStop ? 0 : -1);

  /** A note on a column for a screen reader besides its name and its count. */
  protected noteOf(_group: GroupView): string | undefined {
    return undefined;
  }

  /** The load that is shown below its head, if any. */
  protected loadOf(group: GroupView): Pick<GroupView, 'load'> {
    return group;
  }

  /** Other values that the look of a column depends on; a column for which nothing has changed is not drawn again. */
  protected lookOf(_group: GroupView): readonly unknown[] {
    return [];
  }

  protected column(group: GroupView): unknown {
    const slice = this.#sliceOf(group);
    const isOpened = this.isOpened(group);
    const target = this.dropTarget?.key === group.key ? this.dropTarget.hour : null;
    const { hours, byHand, columnsPerRow, height, week } = this;
    const note = this.noteOf(group);
    const size = [columnsPerRow, height, week, this.hourHeight];
    const look = [target, isOpened, hours, byHand, ...size, this.tabOf(group), themeNumber(), note];
    return guard([slice, ...look, ...this.lookOf(group)], () =>
      this.#columnTemplate(group, isOpened ? withoutRows(slice) : slice, note),
    );
  }

  #columnTemplate(group: GroupView, slice: Slice, note: string | undefined): TemplateResult {
    const tab = this.tabOf(group);
    const isTarget = this.dropTarget?.key === group.key;
    return this.section(
      group,
      html`
        ${this.head(group, tab)}
        ${loadTemplate(this.loadOf(group))}
        ${group.progress ? progressTemplate(group, group.progress) : nothing}
        ${this.meetings(group, tab)}
        ${isTarget && this.hours ? hoursTemplate(this.hours, this.dropTarget?.hour) : nothing}
        <dueline-rows
          hides-headings
          has-lists-beside
          .cards=${this.week}
          .cardHeight=${this.cardHeight}
          .room=${this.height}
          .hourHeight=${this.hourHeight}
          .overscan=${this.overscan}
          .hasListsAbove=${this.columnsPerRow > 0}
          .gap=${this.gap}
          .byHand=${this.byHand}
          .label=${note === undefined ? slice.label : t('{0}, {1}', slice.label, note)}
          .tab=${tab}
          .groups=${slice.groups}
          .rows=${slice.rows}
        ></dueline-rows>
      `,
    );
  }

  /** A section that takes in rows that are dropped on it. */
  protected section(group: GroupView, content: TemplateResult | typeof nothing): TemplateResult {
    const isTarget = this.dropTarget?.key === group.key;
    const classes = [
      group.tone,
      isTarget && 'landing',
      group.isOutside && 'outside',
      group.board?.isCollapsed && 'collapsed',
    ];
    return html`
      <section
        class="column ${classes.filter(Boolean).join(' ')}"
        role="group"
        data-group=${group.key}
        aria-label=${group.accessibleLabel ?? group.label}
        @focusin=${() => {
          this.stop = group.key;
        }}
        @dragover=${(event: DragEvent) => this.#onDragOver(event, group)}
        @dragleave=${(event: DragEvent) => {
          if (hasLeft(event)) this.dropTarget = undefined;
        }}
        @drop=${(event: DragEvent) => {
          const hour = this.dropTarget?.hour;
          this.dropTarget = undefined;
          const dropped = dropInto(event, group.key, hour);
          // A collapsed column shows no rows.
          if (dropped !== undefined) void this.follow(group.key, dropped);
        }}
      >
        ${content}
      </section>
    `;
  }

  protected head(group: GroupView, tab: number): TemplateResult {
    return html`
      <div class="head">
        ${listDot(group.color)}
        ${headingTemplate(group, group.label)}
        <bdi class="count">${group.detail ?? numeral(countOf(group, this.rows))}</bdi>
        ${group.dropValues ? addButton(tab, () => addTo(this, group)) : nothing}
      </div>
    `;
  }

  /** The meetings of the day of a column above its tasks, unless they are by the hour. */
  protected meetings({ meetings }: GroupView, tab: number): unknown {
    return meetings && this.hourHeight === undefined ? meetingBlocks(meetings, tab) : nothing;
  }

  #onDragOver(event: DragEvent, group: GroupView): void {
    if (!group.dropValues || !carriesRows(event)) return;
    allowDrop(event);
    const hour = this.hours && hourAt(event);
    if (this.dropTarget?.key !== group.key || this.dropTarget.hour !== hour) this.dropTarget = { key: group.key, hour };
  }

  /** Unscheduled rows go to today if it is one of the days; past columns that take none. Collapsed ones take them. */
  #moveToColumn({ detail: { step, isUpright, keys }, target }: CustomEvent<ColumnMove>): void {
    const isMove = keys.length > 0;
    const columns = isMove ? this.columns : this.open;
    // Each row has as many columns as the others.
    const perRow = (this.columnsPerRow * columns.length) / this.open.length;
    const by = isUpright ? step * perRow : step;
    const own = (target as Element).closest<HTMLElement>('.column')?.dataset.group;
    // The unscheduled tasks are before the first column.
    const from = own === undefined ? -1 : columns.findIndex(({ key }) => key === own);
    const today = own === undefined && isMove ? columns.findIndex(({ tone }) => tone === 'accent') : -1;
    let at = today >= 0 ? today : from + by;
    while (isMove && columns[at] && !columns[at]!.dropValues) at += by;
    const rowAt = (index: number) => Math.floor(index / perRow);
    if (!this.wraps && perRow > 0 && !isUpright && rowAt(at) !== rowAt(from)) return;
    const group = at === -1 && !isMove ? this.#unscheduled[0] : columns[at];
    if (!group) return;
    if (isMove) post({ type: 'move', keys, group: group.key });
    // A collapsed column shows no rows: the focus stays where it is.
    void this.follow(group.key, keys[0]);
  }
}

/** A column that is narrower has no room for times and titles next to each other, in pixels. */
const minHourWidth = 110;

const roomOf = (width: number) => (width > 170 ? 'wide' : width > 130 ? 'narrow' : 'tiny');

export const unscheduledOf = (groups: readonly GroupView[]) => groups.filter(({ isUnscheduled }) => isUnscheduled);

/** The hour of a day that the pointer is at, along the end of its column. */
function hourAt({ clientX, clientY, currentTarget }: DragEvent): number | undefined {
  const strip = (currentTarget as Element).querySelector('.hours')?.getBoundingClientRect();
  if (!strip || clientX < strip.left || clientX > strip.right || clientY < strip.top) return undefined;
  const index = Math.floor(((clientY - strip.top) / strip.height) * hours.length);
  return hours[Math.min(index, hours.length - 1)];
}

const hoursTemplate = (names: readonly string[], at: number | undefined) => html`
  <div class="hours" aria-hidden="true">
    ${names.map((name, index) => html`<span class=${hours[index] === at ? 'at' : ''}><bdi>${name}</bdi></span>`)}
  </div>
`;

interface Slice {
  readonly groups: readonly [GroupView];
  readonly rows: ReadonlyMap<string, KnownRow>;
  /** For screen readers. */
  readonly label: string;
}

function changedRows(before: ReadonlyMap<string, KnownRow>, rows: ReadonlyMap<string, KnownRow>): Set<string> {
  const changed = new Set<string>();
  for (const [key, row] of rows) if (before.get(key) !== row) changed.add(key);
  if (rows.size - changed.size < before.size) for (const key of before.keys()) if (!rows.has(key)) changed.add(key);
  return changed;
}

/** One group with its own rows. */
function sliceOf(group: GroupView, rows: ReadonlyMap<string, KnownRow>, before: Slice | undefined): Slice {
  const own = group.rows.flatMap(key => {
    const row = rows.get(key);
    return row ? [[key, row] as const] : [];
  });
  const open = openCount(group, rows);
  const counted =
    open === 0 && group.rows.length > 0 ? numeral(countOf(group, rows)) : tn(open, '{0} open', '{0} open');
  const named = t('{0}, {1}', group.accessibleLabel ?? group.label, counted);
  const label = group.load ? t('{0}, {1}', named, group.load.label) : named;
  // The same groups again, so that its rows keep their positions.
  const groups = before?.groups[0] === group ? before.groups : ([group] as const);
  return { groups, rows: new Map(own), label };
}

const withoutRows = (slice: Slice): Slice => ({
  ...slice,
  groups: [{ ...slice.groups[0], rows: [] }],
  rows: new Map(),
});

function progressTemplate(group: GroupView, { done, total }: NonNullable<GroupView['progress']>) {
  const share = total > 0 ? done / total : 0;
  return html`<div
    class="progress"
    role="progressbar"
    aria-label=${t('Progress of {0}', group.label)}
    aria-valuemin="0"
    aria-valuemax=${Math.max(total, 1)}
    aria-valuenow=${done}
    aria-valuetext=${t('{0} of {1}', done, total)}
    title=${t('{0} of {1}', done, total)}
    ${cssVars({ '--share': `${Math.round(share * 100)}%`, '--list': listColor(group.color ?? 'currentcolor') })}
  ></div>`;
}

customElements.define('dueline-columns', ColumnLayout);
