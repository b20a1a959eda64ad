import { html, LitElement, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { t } from '../../src/views/l10n';
import type { GroupView, RowView } from '../../src/views/protocol';
import { cssVars } from './cssVar';
import { allowDrop, carriesRows, dropInto, isGone } from './drag';
import * as glyphs from './glyphs';
import { countOf } from './groupTemplate';
import { tell } from './host';
import type { TaskRows } from './taskRows';
import './taskRows';

/** Groups side by side: lists with their progress, or the days of a week with cards. */
export class Columns extends LitElement {
  static override properties = {
    groups: { attribute: false },
    rows: { attribute: false },
    week: { type: Boolean },
    byHand: { type: Boolean },
    landing: { state: true },
  };

  declare groups: readonly GroupView[];
  declare rows: ReadonlyMap<string, RowView>;
  declare week: boolean;
  declare byHand: boolean;
  /** The group that dragged rows would land in. */
  declare landing: string | undefined;

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

  override focus(): void {
    const first = this.#lists.find(rows => rows.groups[0]?.rows.length);
    (first ?? this.#lists[0])?.focus();
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

  get #lists(): TaskRows[] {
    return [...this.querySelectorAll<TaskRows>('dueline-rows')];
  }

  #column(group: GroupView) {
    return html`
      <section
        class="column ${group.tone} ${this.landing === group.key ? 'landing' : ''}"
        data-group=${group.key}
        aria-label=${group.label}
        @dragover=${(event: DragEvent) => this.#onDragOver(event, group)}
        @dragleave=${(event: DragEvent) => {
          if (isGone(event)) this.landing = undefined;
        }}
        @drop=${(event: DragEvent) => {
          this.landing = undefined;
          dropInto(event, group.key);
        }}
      >
        <div class="head">
          ${group.color ? html`<i class="dot" ${cssVars({ '--list': group.color })}></i>` : nothing}
          <span class="name" dir="auto">${group.label}</span>
          <bdi class="count">${group.detail ?? countOf(group, this.rows)}</bdi>
          ${
            group.place
              ? html`<button class="act add" title=${t('Add a task here')} aria-label=${t('Add a task here')} @click=${() => this.#add(group)}>
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
          .label=${group.label}
          .groups=${[group]}
          .rows=${this.rows}
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
    this.landing = group.key;
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
    title=${t('{0} of {1}', done, total)}
    ${cssVars({ '--share': `${Math.round(share * 100)}%`, '--list': group.color ?? 'currentcolor' })}
  ></div>`;
}

customElements.define('dueline-columns', Columns);
