import { html, LitElement, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { t } from '../../src/views/l10n';
import type { GroupView, RowView } from '../../src/views/protocol';
import { cssVars } from './cssVar';
import { allowDrop, endDrop, takeDrop } from './drag';
import { tell } from './host';
import type { TaskRows } from './taskRows';
import './taskRows';

/** Groups side by side: lists with their progress, or the days of a week with cards. */
export class Columns extends LitElement {
  static override properties = {
    groups: { attribute: false },
    rows: { attribute: false },
    week: { type: Boolean },
  };

  declare groups: readonly GroupView[];
  declare rows: ReadonlyMap<string, RowView>;
  declare week: boolean;

  constructor() {
    super();
    this.groups = [];
    this.rows = new Map();
    this.week = false;
    this.addEventListener('sideways', event => this.#sideways(event as CustomEvent<{ step: number; keys: string[] }>));
  }

  override createRenderRoot() {
    return this;
  }

  override focus(): void {
    const first = [...this.querySelectorAll<TaskRows>('dueline-rows')].find(rows => rows.groups[0]?.rows.length);
    (first ?? this.querySelector<TaskRows>('dueline-rows'))?.focus();
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

  #column(group: GroupView) {
    const of = group.progress;
    const share = of && of.total > 0 ? of.done / of.total : 0;
    return html`
      <section
        class="column ${group.tone}"
        data-group=${group.key}
        aria-label=${group.label}
        @dragover=${(event: DragEvent) => group.place && allowDrop(event)}
        @dragleave=${endDrop}
        @drop=${(event: DragEvent) => takeDrop(event, group.key)}
      >
        <div class="head">
          ${group.color ? html`<i class="dot" ${cssVars({ '--list': group.color })}></i>` : nothing}
          <span class="name" dir="auto">${group.label}</span>
          <bdi class="count">${group.detail ?? group.rows.length}</bdi>
        </div>
        ${
          of
            ? html`<div
                class="progress"
                role="progressbar"
                aria-label=${t('Progress of {0}', group.label)}
                aria-valuemin="0"
                aria-valuemax=${Math.max(of.total, 1)}
                aria-valuenow=${of.done}
                ${cssVars({ '--share': `${Math.round(share * 100)}%`, '--list': group.color ?? 'currentcolor' })}
              ></div>`
            : nothing
        }
        <dueline-rows
          headless
          .cards=${this.week}
          .label=${group.label}
          .groups=${[group]}
          .rows=${this.rows}
        ></dueline-rows>
      </section>
    `;
  }

  #sideways({ detail: { step, keys }, target }: CustomEvent<{ step: number; keys: string[] }>): void {
    const columns = [...this.querySelectorAll<TaskRows>('dueline-rows')];
    const at = columns.indexOf(target as TaskRows);
    const neighbour = columns[at + step];
    const group = this.groups[at + step];
    if (!neighbour || !group) return;
    if (keys.length > 0 && group.place) tell({ type: 'move', keys, group: group.key });
    neighbour.focus();
  }
}

customElements.define('dueline-columns', Columns);
