import { html, nothing, type TemplateResult } from 'lit';
import { t } from '../../src/shared/l10n';
import type { RowAct, Side } from '../../src/shared/widgetProtocol';
import type { KnownRow, RowDetails } from '../../src/shared/widgetRow';
import { cssVars } from '../page/cssVar';
import { listColor } from '../page/listColor';
import * as glyphs from './glyphs';

interface RowPosition {
  readonly active: boolean;
  readonly selected: boolean;
  readonly level: number;
  readonly position: number;
  readonly size: number;
  /** Dragged rows would land here. */
  readonly dropSide: Side | undefined;
  /** The pointer or the keyboard is on it. */
  readonly hasButtons: boolean;
}

interface RowStyle {
  readonly kind: 'row' | 'card';
  readonly vars: Readonly<Record<string, string>>;
  readonly words: TemplateResult;
}

/** 26 px for a title alone, 42 px with the muted second line; the windowing counts on it. */
export const rowHeight = ({ isTall }: KnownRow) => (isTall ? 42 : 26);

const stateClasses = ({ state, overdue, reminds, after }: RowDetails, { active, selected, dropSide }: RowPosition) =>
  [
    state,
    active && 'active',
    selected && 'selected',
    overdue && 'overdue',
    reminds && 'reminds',
    after && 'blocked',
    dropSide && `land-${dropSide}`,
  ]
    .filter(Boolean)
    .join(' ');

export const rowId = (key: string) => `row-${key}`;

const isClosed = ({ state }: RowDetails): boolean => state === 'done' || state === 'cancelled';

/** The ring that completes and reopens. `rowPointer.ts` reads from `data-act` what a click on a button does. */
const checkTemplate = (row: RowDetails): TemplateResult => html`
  <button
    class="check ${row.priority}"
    tabindex="-1"
    aria-hidden="true"
    title=${isClosed(row) ? t('Reopen') : t('Complete')}
    data-act="complete"
    ?disabled=${row.readOnly}
  >
    ${isClosed(row) ? glyphs.tick : row.state === 'open' && row.priority !== 'none' ? glyphs.strokes[row.priority] : nothing}
  </button>
`;

/** The frame that rows and cards share: everything but their appearance and texts. */
function rowFrame(row: RowDetails, position: RowPosition, { kind, vars, words }: RowStyle): TemplateResult {
  const closed = isClosed(row);
  return html`
    <div
      class="${kind} ${stateClasses(row, position)}"
      id=${rowId(row.key)}
      role="treeitem"
      aria-level=${position.level}
      aria-posinset=${position.position}
      aria-setsize=${position.size}
      aria-selected=${position.selected}
      aria-checked=${closed}
      data-key=${row.key}
      data-vscode-context=${menuContext(row, closed)}
      draggable=${row.readOnly ? 'false' : 'true'}
      ${cssVars(vars)}
    >
      ${checkTemplate(row)}
      <span class="visually-hidden">${row.accessibleLabel}</span>
      <div class="words" aria-hidden="true">${words}</div>
    </div>
  `;
}

/** A moved occurrence shows on hover its date in the series. */
const repeatSign = (row: RowDetails) => html`<span title=${row.moved ?? nothing}>${glyphs.repeat}</span>`;

const urgency = { high: '!!!', medium: '!!', low: '!' } as const;

/** Symbols for fields that a row has no room for; its label for a screen reader has them in words. */
const signs = ({ issue, takes, isPrivate, alarm, linked, noted, state, priority }: RowDetails) => [
  // The half ring of a started task leaves no room for it.
  ...(state === 'doing' && priority !== 'none'
    ? [html`<span class="urgency ${priority}">${urgency[priority]}</span>`]
    : []),
  ...(issue ? [html`<span class="issue" title=${issue}>${glyphs.warning}</span>`] : []),
  ...(takes ? [html`<bdi class="takes">${glyphs.watch}${takes}</bdi>`] : []),
  ...(isPrivate ? [glyphs.key] : []),
  ...(alarm ? [html`<span class="bell">${glyphs.bell}</span>`] : []),
  ...(linked ? [linkButton(glyphs.link)] : []),
  ...(noted ? [glyphs.notes] : []),
];

/** A click leads to the code, or to the page that the task is linked to. */
const linkButton = (words: TemplateResult) => html`
  <button class="to-link" tabindex="-1" aria-hidden="true" title=${t('Open link')} data-act="openLink">${words}</button>
`;

/** In one order on rows and cards. */
const buttonsTemplate = (row: RowDetails, { hasButtons }: RowPosition) =>
  hasButtons
    ? html`
        <span class="acts">
          ${row.reminds ? actButton('snooze', glyphs.snooze, t('Snooze…')) : nothing}
          ${actButton('due', glyphs.calendar, t('Due Date…'))}
          ${actButton('postpone', glyphs.postpone, t('Postpone…'))}
          ${actButton('menu', glyphs.more, t('More Actions…'))}
        </span>
      `
    : nothing;

export function rowTemplate(row: RowDetails, position: RowPosition): TemplateResult {
  const words = html`
    <div class="line">
      <span class="title" dir="auto">${row.title}</span>
      ${row.parent ? html`<span class="parent" title=${row.parent}>›<bdi>${row.parent}</bdi></span>` : nothing}
      <span class="when">${row.isTall ? nothing : signs(row)}${row.recurring ? repeatSign(row) : nothing}${row.when ? html`<bdi>${row.when}</bdi>` : nothing}</span>
      ${buttonsTemplate(row, position)}
    </div>
    ${row.isTall ? secondLine(row) : nothing}
  `;
  return rowFrame(row, position, { kind: 'row', vars: row.depth > 0 ? { '--depth': `${row.depth}` } : {}, words });
}

/** Holds the space of a row whose details are on their way. */
export const blankTemplate = (row: KnownRow, { level, position, size }: RowPosition): TemplateResult => html`
  <div
    class="row blank"
    id=${rowId(row.key)}
    role="treeitem"
    aria-busy="true"
    aria-label=${t('Loading…')}
    aria-level=${level}
    aria-posinset=${position}
    aria-setsize=${size}
    data-key=${row.key}
    ${cssVars({ '--blank': `${rowHeight(row)}px` })}
  ></div>
`;

const secondLine = (row: RowDetails) => html`
  <div class="facts">
    ${row.after ? html`<span class="fact after" title=${row.after}>${glyphs.lock}<bdi>${row.after}</bdi></span>` : nothing}
    ${row.claimed ? html`<span class="fact claimed" title=${t('claimed by {0}', row.claimed)}>${glyphs.person}<bdi>${row.claimed}</bdi></span>` : nothing}
    ${row.list ? html`<span class="fact list"><i class="dot" ${cssVars({ '--list': listColor(row.list.color) })}></i><bdi>${row.list.name}</bdi></span>` : nothing}
    ${row.progress ? html`<span class="fact steps"><bdi>${row.progress}</bdi></span>` : nothing}
    ${row.codeLocation === undefined ? nothing : html`<span class="fact">${linkButton(html`${glyphs.link}<bdi>${row.codeLocation}</bdi>`)}</span>`}
    ${signs({ ...row, linked: row.linked && row.codeLocation === undefined }).map(sign => html`<span class="fact">${sign}</span>`)}
    ${row.tags.map(tag => html`<span class="fact"><bdi>#${tag}</bdi></span>`)}
    ${row.dirty ? html`<span class="fact">${glyphs.upload}</span>` : nothing}
  </div>
`;

const actButton = (act: RowAct | 'menu', glyph: TemplateResult, title: string) => html`
  <button class="act" tabindex="-1" aria-hidden="true" title=${title} data-act=${act}>${glyph}</button>
`;

const menuContext = (row: RowDetails, closed: boolean) =>
  JSON.stringify({
    webviewSection: [
      row.readOnly ? 'readOnlyTask' : 'task',
      closed ? 'done' : 'open',
      !closed && row.recurring && 'recurring',
      !closed && row.state === 'doing' && 'started',
      !closed && row.active && 'active',
      !closed && row.reminds && 'reminded',
      !closed && row.claimed && 'claimed',
      row.conflict && 'conflict',
      row.linked && 'linked',
    ]
      .filter(Boolean)
      .join('.'),
    preventDefaultContextMenuItems: true,
    taskId: row.taskId,
    occurrence: row.occurrence,
  });

/** Parts with a dot between those on the same line, and before the first one if something precedes it. */
export const partsOf = (parts: readonly string[], isAfter: boolean) =>
  parts.map(
    (part, at) =>
      html`<span class="part">${at > 0 || isAfter ? html`<span class="between"> · </span>` : nothing}<bdi>${part}</bdi></span>`,
  );

/** A task as a card of the week: the list's color at its start edge, up to three lines of title, what matters below. */
export function cardTemplate(row: RowDetails, position: RowPosition): TemplateResult {
  // A time is not broken in two.
  const [when, progress] = [row.when, row.progress].map(words => words?.replaceAll(' ', '\u00a0'));
  const facts = [row.claimed, progress, row.after].filter(fact => fact !== undefined);
  const time = when ?? (row.overdue ? t('overdue') : '');
  const words = html`
    <div class="title" dir="auto" title=${[row.title, row.when, row.parent && `› ${row.parent}`, row.after].filter(Boolean).join('\n')}>${row.after ? glyphs.lock : nothing}${row.title}</div>
    ${
      time || facts.length > 0 || row.recurring || signs(row).length > 0
        ? html`<div class="when">${time || facts.length > 0 ? html`<span class="parts">${time ? html`<bdi class=${when ? 'time' : nothing}>${time}</bdi>` : nothing}${partsOf(facts, time !== '')}</span>` : nothing}${row.recurring ? repeatSign(row) : nothing}${signs(row)}</div>`
        : nothing
    }
    ${buttonsTemplate(row, position)}
  `;
  return rowFrame(row, position, {
    kind: 'card',
    vars: { '--list': listColor(row.list?.color ?? 'transparent') },
    words,
  });
}
