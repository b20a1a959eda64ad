import { html, LitElement } from 'lit';
import { dayMs } from '../../src/core/time/units';
import { currentLocale, numeral, t } from '../../src/shared/l10n';
import * as glyphs from '../rows/glyphs';

const civil = (day: string) => Date.parse(`${day}T00:00Z`);
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const later = (day: string, days: number) => dayOf(civil(day) + days * dayMs);

/** The same day of another month, or its last. */
function monthsLater(day: string, months: number): string {
  const date = new Date(civil(day));
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return dayOf(Date.UTC(year, month, Math.min(date.getUTCDate(), last)));
}

const words = (day: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(currentLocale(), { ...options, timeZone: 'UTC' }).format(civil(day));

/** A month of days, one of which is picked by mouse or keys (the grid of a date picker, WAI-ARIA). */
class CalendarGrid extends LitElement {
  static override properties = {
    selected: { attribute: false },
    today: { attribute: false },
    firstDay: { attribute: false },
    at: { state: true },
  };

  /** `YYYY-MM-DD`, or empty. */
  declare selected: string;
  declare today: string;
  /** 0 Sunday … 6 Saturday. */
  declare firstDay: number;
  /** The day that the keys are at. */
  declare at: string | undefined;
  #takesFocus = true;

  override createRenderRoot() {
    return this;
  }

  override render() {
    this.at ??= this.selected || this.today;
    const { at } = this;
    const first = `${at.slice(0, 8)}01`;
    const from = later(first, -((new Date(civil(first)).getUTCDay() - this.firstDay + 7) % 7));
    const weeks = [0, 1, 2, 3, 4, 5].map(week => later(from, week * 7)).filter(day => day < monthsLater(first, 1));
    const days = [0, 1, 2, 3, 4, 5, 6];
    return html`
      <div class="month">
        <button type="button" class="act twist previous" aria-label=${t('Previous month')} @click=${() => this.#turn(-1)}>${glyphs.chevron}</button>
        <span id="month-name" aria-live="polite">${words(at, { month: 'long', year: 'numeric' })}</span>
        <button type="button" class="act twist" aria-label=${t('Next month')} @click=${() => this.#turn(1)}>${glyphs.chevron}</button>
      </div>
      <table role="grid" aria-labelledby="month-name" @keydown=${(event: KeyboardEvent) => this.#onKey(event)}>
        <thead>
          <tr>${days.map(day => html`<th scope="col" abbr=${words(later(from, day), { weekday: 'long' })}>${words(later(from, day), { weekday: 'narrow' })}</th>`)}</tr>
        </thead>
        <tbody>
          ${weeks.map(week => html`<tr>${days.map(day => this.#day(later(week, day), first))}</tr>`)}
        </tbody>
      </table>
    `;
  }

  #day(day: string, first: string) {
    const classes = [day.slice(0, 7) !== first.slice(0, 7) && 'outside', day === this.today && 'today'].filter(Boolean);
    return html`<td
      role="gridcell"
      class=${classes.join(' ')}
      tabindex=${day === this.at ? 0 : -1}
      aria-selected=${day === this.selected}
      aria-label=${words(day, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })}
      aria-current=${day === this.today ? 'date' : 'false'}
      data-day=${day}
      @click=${() => this.#pick(day)}
    >${numeral(Number(day.slice(8)))}</td>`;
  }

  protected override updated(): void {
    if (this.#takesFocus) this.querySelector<HTMLElement>('td[tabindex="0"]')?.focus();
    this.#takesFocus = false;
  }

  #turn(months: number): void {
    this.at = monthsLater(this.at!, months);
  }

  #onKey(event: KeyboardEvent): void {
    const at = this.at!;
    const forward = getComputedStyle(this).direction === 'rtl' ? -1 : 1;
    const inWeek = (new Date(civil(at)).getUTCDay() - this.firstDay + 7) % 7;
    const steps: Readonly<Record<string, () => string>> = {
      ArrowRight: () => later(at, forward),
      ArrowLeft: () => later(at, -forward),
      ArrowDown: () => later(at, 7),
      ArrowUp: () => later(at, -7),
      Home: () => later(at, -inWeek),
      End: () => later(at, 6 - inWeek),
      PageDown: () => monthsLater(at, event.shiftKey ? 12 : 1),
      PageUp: () => monthsLater(at, event.shiftKey ? -12 : -1),
    };
    if (event.key === 'Enter' || event.key === ' ') this.#pick(at);
    else if (steps[event.key]) this.at = steps[event.key]!();
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.#takesFocus = true;
  }

  #pick(day: string): void {
    this.dispatchEvent(new CustomEvent('pick', { detail: day }));
  }
}

customElements.define('dueline-calendar', CalendarGrid);
