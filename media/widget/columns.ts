import { html, LitElement, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { numeral, t, tn } from '../../src/shared/l10n';
import type { GroupView } from '../../src/shared/widgetProtocol';
import type { KnownRow } from '../../src/shared/widgetRow';
import { allowDrop, carriesRows, dropInto, isGone } from '../drag/drag';
import { cssVars } from '../page/cssVar';
import { tell } from '../page/host';
import { listColor } from '../page/listColor';
import * as glyphs from '../rows/glyphs';
import { countOf, openCount } from '../rows/groupTemplate';
import type { TaskRows } from '../rows/taskRows';
import '../rows/taskRows';

/** Groups side by side: lists with their progress, or the days of a week with cards. */
class Columns extends LitElement {
  static override properties = {
    groups: { attribute: false },
    rows: { attribute: false },
    week: { type: Boolean },
    byHand: { type: Boolean },
    dropTarget: { state: true },
    stop: { state: true },
  };

  declare groups: readonly GroupView[];
  declare rows: ReadonlyMap<string, KnownRow>;
  declare week: boolean;
  declare byHand: boolean;
  /** The group that dragged rows would land in. */
  declare dropTarget: string | undefined;

  /** The column that the person was in last: the Tab key stops at it, and the arrows go on to the others. */
  declare stop: string | undefined;

  /** What a column was given last, to be given again where nothing in it has changed. */
  #slices = new Map<string, Slice>();

  constructor() {
    super();
    this.groups = [];
    this.rows = new Map();
    this.week = false;
    this.byHand = false;
    this.addEventListener('sideways', event => this.#sideways(event as CustomEvent<Sideways>));
  }

  override createRenderRoot() {
    return this;
  }

  override focus(options?: FocusOptions): void {
    const stop = this.#stopAt();
    this.#lists[this.groups.findIndex(({ key }) => key === stop)]?.focus(options);
  }

  override render() {
    return html`
      <div class="columns ${this.week ? 'week' : 'lists'}">
        ${repeat(
          this.groups,
          ({ key }) => key,
          group => this.#column(group),
        )}
      </div>
    `;
  }

  protected override willUpdate(): void {
    const before = this.#slices;
    this.#slices = new Map(this.groups.map(group => [group.key, sliceOf(group, this.rows, before.get(group.key))]));
  }

  /** Where the person was, else today, else the first column that has something. */
  #stopAt(): string | undefined {
    const was = this.groups.find(({ key }) => key === this.stop);
    const filled = this.groups.filter(({ rows }) => rows.length > 0);
    return (was ?? filled.find(({ tone }) => tone === 'accent') ?? filled[0] ?? this.groups[0])?.key;
  }

  get #lists(): TaskRows[] {
    return [...this.querySelectorAll<TaskRows>('dueline-rows')];
  }

  #column(group: GroupView) {
    const slice = this.#slices.get(group.key)!;
    const open = openCount(group, this.rows);
    const accessibleLabel = t('{0}, {1}', group.accessibleLabel ?? group.label, tn(open, '{0} open', '{0} open'));
    const tab = group.key === this.#stopAt() ? 0 : -1;
    return html`
      <section
        class="column ${group.tone} ${this.dropTarget === group.key ? 'landing' : ''}"
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
          this.dropTarget = undefined;
          dropInto(event, group.key);
        }}
      >
        <div class="head">
          ${group.color ? html`<i class="dot" ${cssVars({ '--list': listColor(group.color) })}></i>` : nothing}
          <h2 class="name" dir="auto">${group.label}</h2>
          <bdi class="count">${group.detail ?? numeral(countOf(group, this.rows))}</bdi>
          ${
            group.place
              ? html`<button class="act add" tabindex=${tab} title=${t('Add a task here')} aria-label=${t('Add a task here')} @click=${() => this.#add(group)}>
                  ${glyphs.plus}
                </button>`
              : nothing
          }
        </div>
        ${group.progress ? progressTemplate(group, group.progress) : nothing}
        <dueline-rows
          headless
          .cards=${this.week}
          .byHand=${this.byHand}
          .label=${accessibleLabel}
          .tab=${tab}
          .groups=${slice.groups}
          .rows=${slice.rows}
        ></dueline-rows>
      </section>
    `;
  }

  #add(group: GroupView): void {
    this.dispatchEvent(new CustomEvent('addhere', { detail: group, bubbles: true }));
  }

  #onDragOver(event: DragEvent, group: GroupView): void {
    if (!group.place || !carriesRows(event)) return;
    allowDrop(event);
    this.dropTarget = group.key;
  }

  #sideways({ detail: { step, keys }, target }: CustomEvent<Sideways>): void {
    const lists = this.#lists;
    const at = lists.indexOf(target as TaskRows) + step;
    const [neighbour, group] = [lists[at], this.groups[at]];
    if (!neighbour || !group) return;
    if (keys.length > 0) {
      if (!group.place) return;
      neighbour.follow(group.key, keys[0]!);
      tell({ type: 'move', keys, group: group.key });
    }
    neighbour.focus();
  }
}

interface Slice {
  readonly groups: readonly [GroupView];
  readonly rows: ReadonlyMap<string, KnownRow>;
}

/** One group with its own rows; the one before where it is the same. */
function sliceOf(group: GroupView, rows: ReadonlyMap<string, KnownRow>, before: Slice | undefined): Slice {
  if (before?.groups[0] === group && group.rows.every(key => rows.get(key) === before.rows.get(key))) return before;
  const own = group.rows.flatMap(key => {
    const row = rows.get(key);
    return row ? [[key, row] as const] : [];
  });
  return { groups: [group], rows: new Map(own) };
}

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
