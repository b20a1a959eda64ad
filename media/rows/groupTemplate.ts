import { html, nothing } from 'lit';
import { numeral, t } from '../../src/shared/l10n';
import type { GroupView } from '../../src/shared/widgetProtocol';
import type { KnownRow } from '../../src/shared/widgetRow';
import { cssVars } from '../page/cssVar';
import { listColor } from '../page/listColor';
import type { GroupItem } from '../page/window';
import * as glyphs from './glyphs';
import { rowId } from './rowTemplate';

interface GroupPlace {
  readonly key: string;
  readonly active: boolean;
  readonly isDropTarget: boolean;
  readonly count: number;
  readonly size: number;
}

export function openCount({ rows: keys }: GroupView, rows: ReadonlyMap<string, KnownRow>): number {
  let open = 0;
  for (const key of keys) if (['open', 'doing'].includes(rows.get(key)?.state ?? '')) open++;
  return open;
}

/** What is open counts; where nothing is, all. */
export const countOf = (group: GroupView, rows: ReadonlyMap<string, KnownRow>): number =>
  openCount(group, rows) || group.rows.length;

/** A heading that folds what stands below it. */
export function groupTemplate(
  { group, open, position }: GroupItem,
  { key, active, isDropTarget, count, size }: GroupPlace,
  onClick: () => void,
) {
  const accessibleLabel = group.accessibleLabel ?? group.label;
  const counts = !group.folded && !isEmptyDay(group);
  return html`
    <div
      class="group ${group.tone} ${group.folded ? 'past' : ''} ${active ? 'active' : ''} ${isDropTarget ? 'landing' : ''}"
      id=${rowId(key)}
      role="treeitem"
      aria-level="1"
      aria-expanded=${open}
      aria-posinset=${position}
      aria-setsize=${size}
      aria-label=${counts ? t('{0}, {1}', accessibleLabel, count) : accessibleLabel}
      data-group=${group.key}
      @click=${onClick}
    >
      <span class="twist ${open ? 'open' : ''}">${glyphs.chevron}</span>
      ${group.color ? html`<i class="dot" ${cssVars({ '--list': listColor(group.color) })}></i>` : nothing}
      <span class="name" dir="auto">${group.label}</span>
      ${group.detail ? html`<bdi class="detail">${group.detail}</bdi>` : nothing}
      ${counts ? html`<span class="count">${numeral(count)}</span>` : nothing}
    </div>
  `;
}

/** An empty day of a week says nothing of its emptiness. */
const isEmptyDay = ({ detail, rows }: GroupView) => detail !== undefined && rows.length === 0;
