import { html, nothing } from 'lit';
import { numeral, t, tn } from '../../src/shared/l10n';
import type { GroupView, LoadView } from '../../src/shared/widgetProtocol';
import type { KnownRow } from '../../src/shared/widgetRow';
import { cssVars } from '../page/cssVar';
import { listDot } from '../page/listColor';
import type { GroupItem } from '../page/rowLayout';
import * as glyphs from './glyphs';
import { meetingLabel, meetingLine } from './meetings';
import { partsOf, rowId } from './rowTemplate';

interface GroupState {
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

/** The number of open tasks, or of all if none is open. */
export const countOf = (group: GroupView, rows: ReadonlyMap<string, KnownRow>): number =>
  (openCount(group, rows) || group.rows.length) + (group.more ?? 0);

/** Counts the tasks of groups, once for each layout of a list. */
export class GroupCounts {
  #known = new WeakMap<GroupView, number>();

  forget(): void {
    this.#known = new WeakMap();
  }

  /** The rows of a folded group can change without another layout. */
  of({ group, open }: GroupItem, rows: ReadonlyMap<string, KnownRow>): number {
    const count = (open && this.#known.get(group)) || countOf(group, rows);
    this.#known.set(group, count);
    return count;
  }
}

/** Today among days, for screen readers. */
export const currentOf = ({ detail, tone }: GroupView) =>
  detail !== undefined && tone === 'accent' ? 'date' : nothing;

/** The heading of a column: of a day, screen readers hear the date. */
export const headingTemplate = (group: GroupView, text: string | undefined) => html`
  <h2 class="name" dir="auto" aria-label=${group.accessibleLabel ?? nothing} aria-current=${currentOf(group)}>${text}</h2>
`;

export const isOverLimit = (count: number, limit: number | undefined) => limit !== undefined && count > limit;

const fraction = (count: number, limit: number | undefined) =>
  limit === undefined ? numeral(count) : `${numeral(count)}/${numeral(limit)}`;

/** How many rows there are; if there is a limit, also the limit, and a sign if there are more. */
export const countTemplate = (count: number, limit: number | undefined) => html`
  <bdi class="count ${isOverLimit(count, limit) ? 'over' : ''}" title=${limit === undefined ? nothing : t('Limit: {0}', limit)}>
    ${isOverLimit(count, limit) ? glyphs.warning : nothing}${fraction(count, limit)}
  </bdi>
`;

const loadBar = (share: number) =>
  html`<div class="load-bar" ${cssVars({ '--share': `${Math.round(share * 100)}%` })}></div>`;

/** How long tasks take, and of how much time if that is known. */
export const loadTemplate = ({ load }: { readonly load?: LoadView | undefined }) =>
  load
    ? html`<div class="load"><span class="parts">${partsOf(load.label.split(' · '), false)}</span>${barOf(load)}</div>`
    : nothing;

const barOf = (load: LoadView | undefined) => (load?.share === undefined ? nothing : loadBar(load.share));

/** A heading that folds the rows below it. */
export function groupTemplate(
  { group, open, position }: GroupItem,
  { key, active, isDropTarget, count, size }: GroupState,
  onClick: () => void,
  onAdd: (() => void) | undefined,
) {
  const accessibleLabel = group.accessibleLabel ?? group.label;
  const isPast = group.folded && !group.board;
  const counts = !isPast && !isEmptyDay(group);
  const limit = group.board?.row ? undefined : group.board?.limit;
  const meeting = group.meetings ? t('{0}, {1}', accessibleLabel, meetingLabel(group.meetings)) : accessibleLabel;
  const named = group.load ? t('{0}, {1}', meeting, group.load.label) : meeting;
  const counted = t('{0}, {1}', named, fraction(count, limit));
  return html`
    <div
      class="group ${group.tone} ${isPast ? 'past' : ''} ${active ? 'active' : ''} ${isDropTarget ? 'landing' : ''}"
      id=${rowId(key)}
      role="treeitem"
      aria-level="1"
      aria-expanded=${open}
      aria-current=${currentOf(group)}
      aria-posinset=${position}
      aria-setsize=${size}
      aria-label=${counts ? (isOverLimit(count, limit) ? t('{0}, {1}', counted, t('over the limit')) : counted) : named}
      data-group=${group.key}
      @click=${onClick}
    >
      <span class="twist ${open ? 'open' : ''}">${glyphs.chevron}</span>
      ${listDot(group.color)}
      <span class="name" dir="auto">${group.label}</span>
      ${group.detail ? html`<bdi class="detail">${group.detail}</bdi>` : nothing}
      ${group.meetings ? html`<span class="beside" aria-hidden="true">${meetingLine(group.meetings, -1)}</span>` : nothing}
      ${group.load ? html`<bdi class="load">${group.load.label}</bdi>` : nothing}
      ${counts ? countTemplate(count, limit) : nothing}
      ${onAdd ? addButton(-1, onAdd, true) : nothing}
    </div>
  `;
}

/** Shows more of a group that has not shown all. */
export const moreTemplate = (key: string, count: number, active: boolean, onClick: () => void) => html`
  <div class="row rest ${active ? 'active' : ''}" id=${rowId(key)} role="treeitem" aria-level="2" @click=${onClick}>
    <span class="words">${tn(count, '{0} more', '{0} more')}</span>
  </div>
`;

/** A button that adds to a group. Next to a heading of rows, a screen reader has the key `N` instead. */
export const addButton = (tab: number, onClick: () => void, isHidden = false) => html`
  <button
    class="act add"
    tabindex=${tab}
    aria-hidden=${isHidden ? 'true' : nothing}
    title=${t('Add a task here')}
    aria-label=${t('Add a task here')}
    @click=${(event: MouseEvent) => {
      event.stopPropagation();
      onClick();
    }}
  >
    ${glyphs.plus}
  </button>
`;

/** An empty day of a week has no text about its emptiness. */
const isEmptyDay = ({ detail, rows }: GroupView) => detail !== undefined && rows.length === 0;

/** A group as a column of a board: one that is collapsed is a folded group. */
export const asGroup = (group: GroupView): GroupView => (group.board?.isCollapsed ? { ...group, folded: true } : group);
