import { html, nothing } from 'lit';
import { numeral, t } from '../../src/shared/l10n';
import type { Frame, MeetingView } from '../../src/shared/widgetProtocol';
import { cssVars } from '../page/cssVar';
import { post } from '../page/hostMessages';
import { listColor } from '../page/listColor';

const edge = ({ color }: MeetingView) => cssVars(color ? { '--list': listColor(color) } : {});

const open = (meetings: readonly MeetingView[]) => post({ type: 'meetings', keys: meetings.map(({ key }) => key) });

const words = ({ time, title }: MeetingView) =>
  html`${time === undefined ? nothing : html`<bdi class="at">${time}</bdi> `}<bdi>${title}</bdi>`;

/** The meetings of a day, each a block with the color of its calendar at the edge. */
export const meetingBlocks = (meetings: readonly MeetingView[], tab: number) => html`
  <ul class="meetings" aria-label=${t('Meetings')}>
    ${meetings.map(
      meeting => html`<li>
        <button
          class="meeting ${meeting.isFree ? 'free' : ''}"
          tabindex=${tab}
          title=${meeting.hover}
          @click=${() => open([meeting])}
          ${edge(meeting)}
        >${words(meeting)}</button>
      </li>`,
    )}
  </ul>
`;

/** The same in one line: the first, and how many more. */
export function meetingLine(meetings: readonly MeetingView[], tab: number) {
  const [first] = meetings;
  if (!first) return html`<div class="meeting"></div>`;
  const more = meetings.length - 1;
  return html`<button
    class="meeting ${meetings.every(({ isFree }) => isFree) ? 'free' : ''}"
    tabindex=${tab}
    title=${meetings.map(({ time, title }) => [time, title].filter(Boolean).join(' ')).join('\n')}
    @click=${() => open(meetings)}
    ${edge(first)}
  >${words(first)}${more > 0 ? html` <bdi class="at">+${numeral(more)}</bdi>` : nothing}</button>`;
}

/** On top of Today: the meeting that is now or next, and when there is time after it. */
export const nextMeetingLine = ({ view, after }: NonNullable<Frame['meeting']>) => html`
  <button class="meeting next" title=${view.hover} @click=${() => open([view])} ${edge(view)}>
    ${words(view)} <bdi class="at">· ${after}</bdi>
  </button>
`;
