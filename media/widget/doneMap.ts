import { html, nothing } from 'lit';
import { numeral } from '../../src/shared/l10n';
import type { DoneMap } from '../../src/shared/widgetProtocol';

/** A column a week, with a mark a day; the same as a table for a screen reader. If it is narrow, only the last weeks. */
export const doneMapTemplate = ({ label, weekdays, weeks }: DoneMap) => html`
  <section class="done-map" aria-label=${label}>
    <p class="facts"><bdi>${label}</bdi></p>
    <div class="marks" aria-hidden="true">
      ${weeks.map(
        ({ days, month }) => html`<div class="marks-week">
          <span class="month">${month ? html`<bdi>${month}</bdi>` : nothing}</span>
          ${days.map(({ level, label }) => html`<span class="mark" data-level=${level} title=${label ?? nothing}></span>`)}
        </div>`,
      )}
    </div>
    <table class="visually-hidden">
      <caption>${label}</caption>
      <thead>
        <tr><td></td>${weekdays.map(day => html`<th scope="col">${day}</th>`)}</tr>
      </thead>
      <tbody>
        ${weeks.map(
          ({ label, days }) => html`<tr>
            <th scope="row">${label}</th>
            ${days.map(({ count }) => html`<td>${numeral(count)}</td>`)}
          </tr>`,
        )}
      </tbody>
    </table>
  </section>
`;
