import { html, nothing, type TemplateResult } from 'lit';
import { t } from '../../src/views/l10n';
import type { RowView } from '../../src/views/widgetRow';
import { cssVars } from './cssVar';
import * as glyphs from './glyphs';
import { listColor } from './listColor';
import {
  checkTemplate,
  isClosed,
  menuContext,
  type RowHandlers,
  type RowPlace,
  rowId,
  stateClasses,
} from './rowTemplate';

/** A task as a card of the week: the list's colour at its start edge, two lines of title, what matters below. */
export function cardTemplate(row: RowView, place: RowPlace, on: RowHandlers): TemplateResult {
  const closed = isClosed(row);
  const facts = [row.when, row.progress].filter(Boolean).join(' · ');
  return html`
    <div
      class="card ${stateClasses(row, place)}"
      id=${rowId(row.key)}
      role="treeitem"
      aria-level=${place.level}
      aria-posinset=${place.position}
      aria-setsize=${place.size}
      aria-selected=${place.selected}
      aria-checked=${closed}
      data-key=${row.key}
      data-vscode-context=${menuContext(row, closed)}
      draggable=${row.readOnly ? 'false' : 'true'}
      ${cssVars({ '--list': listColor(row.list?.color ?? 'transparent') })}
      @dragstart=${(event: DragEvent) => on.drag(event, row.key)}
      @click=${(event: MouseEvent) => on.pick(row.key, event)}
      @dblclick=${() => on.act('open', row.key)}
    >
      ${checkTemplate(row, on)}
      <span class="unseen">${row.spoken}</span>
      <div class="words" aria-hidden="true">
        <div class="title" dir="auto">${row.title}</div>
        ${
          facts || row.recurring || row.overdue
            ? html`<div class="when">${row.recurring ? glyphs.repeat : nothing}<bdi>${row.overdue && !row.when ? t('overdue') : facts}</bdi></div>`
            : nothing
        }
      </div>
    </div>
  `;
}
