import { html, nothing } from 'lit';
import { numeral, t, tn } from '../../src/shared/l10n';
import type { Frame, GroupView, MeetingView } from '../../src/shared/widgetProtocol';
import { cssVars } from '../page/cssVar';
import { post } from '../page/hostMessages';
import { listColor } from '../page/listColor';

const edge = ({ color }: MeetingView) => cssVars(color ? { '--list': listColor(color) } : {});

const open = (meetings: readonly MeetingView[]) => post({ type: 'meetings', keys: meetings.map(({ key }) => key) });

const words = ({ time, title }: MeetingView) =>
  html`${time === undefined ? nothing : html`<bdi class="at">${time}</bdi> `}<bdi>${title}</bdi>`;

/** The meetings of a day, each a block with the color of its calendar at the edge. */
export const meetingBlocks = ({ meetings = [], moreMeetings = 0 }: DayMeetings, tab: number) => html`
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
    ${moreMeetings > 0 ? html`<li class="meeting rest">${tn(moreMeetings, '{0} more', '{0} more')}</li>` : nothing}
  </ul>
`;

type DayMeetings = Pick<GroupView, 'meetings' | 'moreMeetings'>;

/** The number of other meetings, such as "+2"; "" if there are none. */
const restOf = ({ meetings = [], moreMeetings = 0 }: DayMeetings): string => {
  const rest = meetings.length - 1 + moreMeetings;
  return rest > 0 ? `+${numeral(rest)}` : '';
};

/** The first meeting of a day and the number of others, in one line. */
export function meetingLine(day: DayMeetings, tab: number) {
  const { meetings = [] } = day;
  const [first] = meetings;
  if (!first) return html`<div class="meeting"></div>`;
  const rest = restOf(day);
  return html`<button
    class="meeting ${meetings.every(({ isFree }) => isFree) ? 'free' : ''}"
    tabindex=${tab}
    title=${meetings.map(({ time, title }) => [time, title].filter(Boolean).join(' ')).join('\n')}
    @click=${(event: Event) => {
      event.stopPropagation();
      open(meetings);
    }}
    ${edge(first)}
  >${words(first)}${rest === '' ? nothing : html` <bdi class="at">${rest}</bdi>`}</button>`;
}

/** The line for a screen reader. */
export const meetingLabel = (day: DayMeetings): string => {
  const { time = '', title = '' } = day.meetings?.[0] ?? {};
  return [time, title, restOf(day)].filter(Boolean).join(' ');
};

/** The line above Today: the current or next meeting, and when the user is free afterwards. */
export const nextMeetingLine = ({ view, after }: NonNullable<Frame['meeting']>) => html`
  <button class="meeting next" title=${view.hover} @click=${() => open([view])} ${edge(view)}>
    ${words(view)} <bdi class="at">· ${after}</bdi>
  </button>
`;
