import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { numeral, t, tn } from '../../src/shared/l10n';
import { type GroupView, hours } from '../../src/shared/widgetProtocol';
import type { KnownRow } from '../../src/shared/widgetRow';
import { allowDrop, carriesRows, dropInto, isGone } from '../drag/drag';
import { cssVars } from '../page/cssVar';
import { post } from '../page/host';
import { listColor } from '../page/listColor';
import { addButton, countOf, openCount } from '../rows/groupTemplate';
import { addTo } from '../rows/rowsKeyboard';
import type { TaskRows } from '../rows/taskRows';
import '../rows/taskRows';

/** Groups side by side: lists with their progress, or the days of a week with cards. */
export class Columns extends LitElement {
  static override properties = {
    groups: { attribute: false },
    rows: { attribute: false },
    week: { type: Boolean },
    hasTray: { type: Boolean },
    hours: { attribute: false },
    byHand: { type: Boolean },
    dropTarget: { state: true },
    stop: { state: true },
    folds: { state: true },
  };

  declare groups: readonly GroupView[];
  declare rows: ReadonlyMap<string, KnownRow>;
  declare week: boolean;
  declare byHand: boolean;
  /** What has none of the days is beside them. */
  declare hasTray: boolean;
  /** Names of the hours of a day that rows can be dragged to. */
  declare hours: readonly string[] | undefined;
  /** Groups of the tray that are folded. */
  declare folds: ReadonlySet<string>;
  /** The group that dragged rows would land in, and at which hour. */
  declare dropTarget: { readonly key: string; readonly hour: number | undefined } | undefined;

  /** The column that the person was in last: the Tab key stops at it, and the arrows go on to the others. */
  declare stop: string | undefined;

  /** What a column was given last, to be given again where nothing in it has changed. */
  #slices = new Map<string, Slice>();
  #tray: readonly GroupView[] = [];
  /** At which column the Tab key stops. */
  #tabStop: string | undefined;

  constructor() {
    super();
    this.groups = [];
    this.rows = new Map();
    this.week = false;
    this.hasTray = false;
    this.folds = new Set();
    this.byHand = false;
    this.addEventListener('sideways', event => this.#sideways(event as CustomEvent<Sideways>));
  }

  override createRenderRoot() {
    return this;
  }

  override focus(options?: FocusOptions): void {
    this.querySelector<TaskRows>(`[data-group="${CSS.escape(this.#stopAt() ?? '')}"] dueline-rows`)?.focus(options);
  }

  override render() {
    return html`
      ${this.#tray.length > 0 ? this.#trayTemplate() : nothing}
      ${this.grid()}
    `;
  }

  /** Without the tray. */
  protected grid(): TemplateResult {
    return html`<div class="columns ${this.week ? 'week' : 'lists'}">
      ${repeat(
        this.columns,
        ({ key }) => key,
        group => this.column(group),
      )}
    </div>`;
  }

  /** Its rows are shown elsewhere in the page, where each row is once. */
  protected isOpened(_group: GroupView): boolean {
    return false;
  }

  /** How many columns on the one below another is; 0: there is none. */
  protected get above(): number {
    return 0;
  }

  /** After the last column of a row, the arrows go on to the first of the next. */
  protected readonly wraps: boolean = true;
  /** Between rows, in pixels. */
  protected readonly gap: number = 0;
  /** As its rows have them. */
  protected readonly cardHeight: number = 0;
  protected readonly overscan: number = 200;
  protected get room(): number {
    return 0;
  }

  /** Those that show their rows. */
  protected get open(): readonly GroupView[] {
    return this.columns;
  }

  protected override willUpdate(changed: PropertyValues<Columns>): void {
    this.#tabStop = this.#stopAt();
    const before = this.#slices;
    this.#slices = new Map(this.groups.map(group => [group.key, sliceOf(group, this.rows, before.get(group.key))]));
    if (changed.has('groups') || changed.has('hasTray'))
      this.#tray = this.hasTray ? trayOf(this.groups).map(group => ({ ...group, folded: false })) : [];
  }

  protected get columns(): readonly GroupView[] {
    return this.groups.filter(({ tray }) => !tray);
  }

  #trayTemplate() {
    return html`
      <section class="tray" aria-label=${t('Unscheduled')}>
        <dueline-rows
          sideways
          .label=${t('Unscheduled')}
          .groups=${this.#tray}
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

  /** Where the person was, else today, else the first column that has something. */
  #stopAt(): string | undefined {
    const { open } = this;
    const was = open.find(({ key }) => key === this.stop);
    const filled = open.filter(({ rows }) => rows.length > 0);
    return (was ?? filled.find(({ tone }) => tone === 'accent') ?? filled[0] ?? open[0])?.key;
  }

  protected tabOf = ({ key }: GroupView): 0 | -1 => (key === this.#tabStop ? 0 : -1);

  get #lists(): TaskRows[] {
    return [...this.querySelectorAll<TaskRows>('.tray dueline-rows, .column dueline-rows')];
  }

  protected column(group: GroupView): TemplateResult {
    const own = this.#slices.get(group.key)!;
    const slice = this.isOpened(group) ? withoutRows(own) : own;
    const tab = this.tabOf(group);
    const isTarget = this.dropTarget?.key === group.key;
    return this.section(
      group,
      html`
        ${this.head(group, tab)}
        ${group.progress ? progressTemplate(group, group.progress) : nothing}
        ${isTarget && this.hours ? hoursTemplate(this.hours, this.dropTarget?.hour) : nothing}
        <dueline-rows
          headless
          sideways
          .cards=${this.week}
          .cardHeight=${this.cardHeight}
          .room=${this.room}
          .overscan=${this.overscan}
          .above=${this.above}
          .gap=${this.gap}
          .byHand=${this.byHand}
          .label=${slice.label}
          .tab=${tab}
          .groups=${slice.groups}
          .rows=${slice.rows}
        ></dueline-rows>
      `,
    );
  }

  /** What takes in rows that are dropped on it. */
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
        data-group=${group.key}
        aria-label=${group.accessibleLabel ?? group.label}
        @focusin=${() => {
          this.stop = group.key;
        }}
        @dragover=${(event: DragEvent) => this.#onDragOver(event, group)}
        @dragleave=${(event: DragEvent) => {
          if (isGone(event)) this.dropTarget = undefined;
        }}
        @drop=${(event: DragEvent) => {
          const hour = this.dropTarget?.hour;
          this.dropTarget = undefined;
          dropInto(event, group.key, hour);
        }}
      >
        ${content}
      </section>
    `;
  }

  protected head(group: GroupView, tab: number): TemplateResult {
    return html`
      <div class="head">
        ${group.color ? html`<i class="dot" ${cssVars({ '--list': listColor(group.color) })}></i>` : nothing}
        <h2 class="name" dir="auto">${group.label}</h2>
        <bdi class="count">${group.detail ?? numeral(countOf(group, this.rows))}</bdi>
        ${group.place ? addButton(tab, () => addTo(this, group)) : nothing}
      </div>
    `;
  }

  #onDragOver(event: DragEvent, group: GroupView): void {
    if (!group.place || !carriesRows(event)) return;
    allowDrop(event);
    const hour = this.hours && hourAt(event);
    if (this.dropTarget?.key !== group.key || this.dropTarget.hour !== hour) this.dropTarget = { key: group.key, hour };
  }

  /** Out of the tray, rows go to today where it is one of the days; past columns that take none. */
  #sideways({ detail: { step, keys }, target }: CustomEvent<Sideways>): void {
    const lists = this.#lists;
    const columns = this.open;
    const before = lists.length - columns.length;
    const from = lists.indexOf(target as TaskRows);
    const isOut = from < before && keys.length > 0;
    const today = columns.findIndex(({ tone }) => tone === 'accent');
    let at = isOut && today >= 0 ? before + today : from + step;
    while (keys.length > 0 && at >= before && columns[at - before] && !columns[at - before]!.place) at += step;
    const rowAt = (index: number) => Math.floor((index - before) / this.above);
    if (!this.wraps && this.above > 0 && Math.abs(step) !== this.above && rowAt(at) !== rowAt(from)) return;
    const [neighbour, group] = [lists[at], columns[at - before]];
    if (!neighbour) return;
    if (keys.length > 0) {
      if (!group?.place) return;
      neighbour.follow(group.key, keys[0]!);
      post({ type: 'move', keys, group: group.key });
    }
    neighbour.focus();
  }
}

export const trayOf = (groups: readonly GroupView[]) => groups.filter(({ tray }) => tray);

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

/** One group with its own rows; the one before where it is the same. */
function sliceOf(group: GroupView, rows: ReadonlyMap<string, KnownRow>, before: Slice | undefined): Slice {
  if (before?.groups[0] === group && group.rows.every(key => rows.get(key) === before.rows.get(key))) return before;
  const own = group.rows.flatMap(key => {
    const row = rows.get(key);
    return row ? [[key, row] as const] : [];
  });
  const open = openCount(group, rows);
  const label = t('{0}, {1}', group.accessibleLabel ?? group.label, tn(open, '{0} open', '{0} open'));
  // The same groups again, so that its rows keep their places.
  const groups = before?.groups[0] === group ? before.groups : ([group] as const);
  return { groups, rows: new Map(own), label };
}

const withoutRows = (slice: Slice): Slice => ({
  ...slice,
  groups: [{ ...slice.groups[0], rows: [] }],
  rows: new Map(),
});

interface Sideways {
  readonly step: number;
  readonly keys: readonly string[];
}

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

customElements.define('dueline-columns', Columns);
