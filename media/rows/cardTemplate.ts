import { html, nothing, type TemplateResult } from 'lit';
import { t } from '../../src/shared/l10n';
import type { RowView } from '../../src/shared/widgetRow';
import { listColor } from '../page/listColor';
import { type RowHandlers, type RowPlace, repeatSign, shell } from './rowTemplate';

/** A task as a card of the week: the list's colour at its start edge, up to three lines of title, what matters below. */
export function cardTemplate(row: RowView, place: RowPlace, on: RowHandlers): TemplateResult {
  const facts = [row.when, row.progress].filter(Boolean).join(' · ');
  const words = html`
    <div class="title" dir="auto">${row.title}</div>
    ${
      facts || row.recurring || row.overdue
        ? html`<div class="when">${row.recurring ? repeatSign(row) : nothing}<bdi>${row.overdue && !row.when ? t('overdue') : facts}</bdi></div>`
        : nothing
    }
  `;
  return shell(row, place, on, {
    kind: 'card',
    vars: { '--list': listColor(row.list?.color ?? 'transparent') },
    words,
  });
}
