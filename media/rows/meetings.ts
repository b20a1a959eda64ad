import { html, nothing, type TemplateResult } from 'lit';
import { addition, t, tn } from '../../src/shared/l10n';
import type { DayMeetings, Frame, MeetingView } from '../../src/shared/widgetProtocol';
import { cssVars } from '../page/cssVar';
import { post } from '../page/hostMessages';
import { listColor } from '../page/listColor';
import { meetingLineHeight, type PlacedBlock } from './hourLayout';

const edge = ({ color }: MeetingView) => cssVars(color ? { '--list': listColor(color) } : {});

const open = (meetings: readonly MeetingView[]) => post({ type: 'meetings', keys: meetings.map(({ key }) => key) });

const words = ({ time, title }: Pick<MeetingView, 'time' | 'title'>) =>
  html`${time === undefined ? nothing : html`<bdi class="at">${time}</bdi> `}<bdi class="what">${title}</bdi>`;

/** The meetings of a day, each a block with the color of its calendar at the edge. */
export const meetingBlocks = ({ shown, more = 0 }: DayMeetings, tab: number) => html`
  <ul class="meetings" aria-label=${t('Meetings')}>
    ${shown.map(meeting => html`<li>${meetingButton(meeting, tab, words(meeting))}</li>`)}
    ${more > 0 ? html`<li class="meeting rest">${tn(more, '{0} more', '{0} more')}</li>` : nothing}
  </ul>
`;

const meetingButton = (meeting: MeetingView, tab: number, content: TemplateResult, kind = '') => html`<button
  class="meeting ${meeting.isFree ? 'free' : ''} ${kind}"
  tabindex=${tab}
  title=${meeting.hover}
  @click=${() => open([meeting])}
  ${edge(meeting)}
>${content}</button>`;

/** A line of a wider day has room for the end, too, in pixels. */
const wideDay = 170;
/** The pixels of a digit, at most, with a share of the margins of its line. */
const digitWidth = 8;

/** The meetings of a day between its rows, each as high as it is long. */
export const hoursTemplate = (blocks: readonly PlacedBlock[], tab: number, width: number) =>
  blocks.length === 0
    ? nothing
    : html`<ul class="meetings by-hour" aria-label=${t('Meetings')}>
        ${blocks.map(({ shown, top, height }) => {
          const lines = Math.floor(height / meetingLineHeight);
          // The first line of several has the time.
          const position = cssVars({ '--top': `${top}px`, '--size': `${height}px`, '--lines': `${lines - 1}` });
          if (typeof shown === 'number')
            return html`<li class="meeting rest" ${position}>${tn(shown, '{0} more', '{0} more')}</li>`;
          const { time, range = time, title } = shown;
          const isTall = time !== undefined && lines > 1;
          const hasRoom = isTall ? range!.length * digitWidth < width : width > wideDay;
          const content = words({ title, time: hasRoom ? range : time });
          return html`<li ${position}>${meetingButton(shown, tab, content, isTall ? 'tall' : '')}</li>`;
        })}
      </ul>`;

/** The room that rows leave for meetings. */
export const spaceTemplate = (height: number) =>
  html`<div class="space" role="none" ${cssVars({ '--size': `${height}px` })}></div>`;

/** The number of other meetings, such as "+2"; "" if there are none. */
const restOf = ({ shown, more = 0 }: DayMeetings): string => {
  const rest = shown.length - 1 + more;
  return rest > 0 ? addition(rest) : '';
};

/** The first meeting of a day and the number of others, in one line. */
export function meetingLine(day: DayMeetings, tab: number) {
  const { shown } = day;
  const [first] = shown;
  const rest = restOf(day);
  if (!first) return nothing;
  return html`<button
    class="meeting ${shown.every(({ isFree }) => isFree) ? 'free' : ''}"
    tabindex=${tab}
    title=${shown.map(({ time, title }) => [time, title].filter(Boolean).join(' ')).join('\n')}
    @click=${(event: Event) => {
      event.stopPropagation();
      open(shown);
    }}
    ${edge(first)}
  >${words(first)}${rest === '' ? nothing : html` <bdi class="at">${rest}</bdi>`}</button>`;
}

/** The line for a screen reader. */
export const meetingLabel = (day: DayMeetings): string => {
  const { time = '', title = '' } = day.shown[0] ?? {};
  return [time, title, restOf(day)].filter(Boolean).join(' ');
};

/** The line above Today: the current or next meeting, and when the user is free afterwards. */
export const nextMeetingLine = ({ view, after }: NonNullable<Frame['meeting']>) => html`
  <button class="meeting next" title=${view.hover} @click=${() => open([view])} ${edge(view)}>
    ${words(view)} <bdi class="at">· ${after}</bdi>
  </button>
`;
