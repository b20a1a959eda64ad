import { html, nothing } from 'lit';
import { t } from '../../src/views/l10n';
import type { GroupView, RowView } from '../../src/views/protocol';
import { cssVars } from './cssVar';
import * as glyphs from './glyphs';
import { listColor } from './listColor';
import { rowId } from './rowTemplate';
import type { GroupItem } from './window';

interface GroupPlace {
  readonly key: string;
  readonly active: boolean;
  readonly landing: boolean;
  readonly count: number;
}

/** What is open counts; where nothing is, all. */
export function countOf({ rows: keys }: GroupView, rows: ReadonlyMap<string, RowView>): number {
  let open = 0;
  for (const key of keys) if (['open', 'doing'].includes(rows.get(key)?.state ?? '')) open++;
  return open || keys.length;
}

/** A heading that folds what stands below it. */
export function groupTemplate(
  { group, open }: GroupItem,
  { key, active, landing, count }: GroupPlace,
  onClick: () => void,
) {
  return html`
    <div
      class="group ${group.tone} ${group.folded ? 'past' : ''} ${active ? 'active' : ''} ${landing ? 'landing' : ''}"
      id=${rowId(key)}
      role="treeitem"
      aria-level="1"
      aria-expanded=${open}
      aria-label=${t('{0}, {1}', group.label, count)}
      data-group=${group.key}
      @click=${onClick}
    >
      <span class="twist ${open ? 'open' : ''}">${glyphs.chevron}</span>
      ${group.color ? html`<i class="dot" ${cssVars({ '--list': listColor(group.color) })}></i>` : nothing}
      <span class="name" dir="auto">${group.label}</span>
      ${group.detail ? html`<bdi class="detail">${group.detail}</bdi>` : nothing}
      ${group.folded || isEmptyDay(group) ? nothing : html`<span class="count">${count}</span>`}
    </div>
  `;
}

/** An empty day of a week says nothing of its emptiness. */
const isEmptyDay = ({ detail, rows }: GroupView) => detail !== undefined && rows.length === 0;
