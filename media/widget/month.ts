import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { addition, numeral, t, tn } from '../../src/shared/l10n';
import type { GroupView } from '../../src/shared/widgetProtocol';
import { cssVars } from '../page/cssVar';
import { ResizeController, sizeOfPage } from '../page/resize';
import { addButton, headingTemplate } from '../rows/groupTemplate';
import { meetingLine } from '../rows/meetings';
import { addTo } from '../rows/rowsKeyboard';
import type { TaskRows } from '../rows/taskRows';
import { ColumnLayout } from './columns';

/** The heights above the days, a line each of the head and the weekdays, and above the cards of a day. */
const headHeight = 60;
const dayHeight = 20;
/** The height of the line of meetings, with its margin. */
const meetingHeight = 18;

/** Six weeks below each other, with their numbers: what has no room in a day is shown when the day is opened. */
class Month extends ColumnLayout {
  static override properties = { ...ColumnLayout.properties, opened: { state: true }, space: { state: true } };

  /** The day that is opened, by its group. */
  declare opened: string | undefined;
  /** The pixels below the head of a day. */
  declare space: number;
  /** One line, with its margin. */
  protected override readonly cardHeight = 24;
  /** Cards without room in a day are not scrolled to by hand: the arrows bring up one more. */
  protected override readonly overscan = 0;
  /** A day has no room for it. */
  protected override get hourHeight(): undefined {
    return undefined;
  }
  protected override get height(): number {
    return this.#fitting(this.space) * this.cardHeight;
  }

  protected override get columnsPerRow(): number {
    return 7;
  }

  constructor() {
    super();
    this.week = true;
    this.space = (sizeOfPage().height - headHeight) / 6 - dayHeight;
    new ResizeController(this, () => this.#measure());
  }

  #measure(): void {
    const day = this.querySelector('.column');
    const head = day?.querySelector('.head');
    if (!day || !head) return;
    const space = day.getBoundingClientRect().bottom - head.getBoundingClientRect().bottom;
    if (space > 0) this.space = space;
  }

  #fitting = (space: number) => Math.max(0, Math.floor((space + 4) / this.cardHeight));

  /** How many cards a day has room for. */
  #fits = ({ meetings }: GroupView) => this.#fitting(this.space - (meetings ? meetingHeight : 0));

  protected override willUpdate(changed: PropertyValues<Month>): void {
    super.willUpdate(changed);
    // The month that is shown is another: a day of that name must not open when it comes back.
    if (!this.groups.some(({ key }) => key === this.opened)) this.opened = undefined;
  }

  protected override grid(): TemplateResult {
    const days = this.columns;
    const open = days.find(({ key }) => key === this.opened);
    const [fits, below] = [this.space, this.space - meetingHeight].map(space => `${this.#fitting(space)}`);
    const vars = { '--fits': fits!, '--fits-below': below!, '--card': `${this.cardHeight}px` };
    return html`
      <div class="columns month ${this.room}" ${cssVars(vars)}>
        <span class="weekday" aria-hidden="true">${t('Wk')}</span>
        ${days.slice(0, 7).map(({ label }) => html`<span class="weekday" aria-hidden="true">${label}</span>`)}
        ${repeat(
          days,
          ({ key }) => key,
          day => html`
            ${day.week === undefined ? nothing : html`<bdi class="number" title=${t('Week {0}', day.week)}>${numeral(day.week)}</bdi>`}
            ${this.column(day)}
          `,
        )}
      </div>
      ${open ? this.#dayTemplate(open) : nothing}
    `;
  }

  protected override head(day: GroupView, tab: number): TemplateResult {
    const hidden = day.rows.length - this.#fits(day);
    return html`
      <div class="head">
        ${headingTemplate(day, day.detail)}
        ${
          hidden > 0
            ? html`<button class="link" tabindex=${tab} @click=${() => {
                this.opened = day.key;
              }} aria-label=${tn(hidden, '{0} more', '{0} more')}>${this.room === 'tiny' ? addition(hidden) : tn(hidden, '{0} more', '{0} more')}</button>`
            : nothing
        }
        ${addButton(tab, () => addTo(this, day))}
      </div>
    `;
  }

  /** A day has no room for it. */
  protected override loadOf(): Pick<GroupView, 'load'> {
    return {};
  }

  protected override lookOf(day: GroupView): readonly unknown[] {
    return [this.#fits(day), this.room];
  }

  protected override meetings({ meetings }: GroupView, tab: number): unknown {
    return meetings ? meetingLine(meetings, tab) : nothing;
  }

  protected override isOpened({ key }: GroupView): boolean {
    return key === this.opened;
  }

  #dayTemplate(day: GroupView) {
    return html`
      <dialog class="help day" aria-label=${day.accessibleLabel ?? day.label} @close=${() => this.#close(day)}>
        <h2 class="date">${day.accessibleLabel}</h2>
        <dueline-rows hides-headings .label=${day.accessibleLabel ?? day.label} .groups=${[day]} .rows=${this.rows}></dueline-rows>
        <form method="dialog"><button class="link">${t('Close')}</button></form>
      </dialog>
    `;
  }

  protected override updated(changed: PropertyValues<Month>): void {
    super.updated(changed);
    if (this.opened === undefined) return;
    const dialog = this.querySelector<HTMLDialogElement>('dialog.day');
    if (dialog && !dialog.open) {
      dialog.showModal();
      // Its rows are drawn in an update of their own; until then the button at its end has the focus.
      const list = dialog.querySelector<TaskRows>('dueline-rows');
      void list?.updateComplete.then(() => list.focus());
    }
  }

  #close(day: GroupView): void {
    this.opened = undefined;
    // Like the list of keys: a key may have begun a new task by now.
    if (document.activeElement?.closest('dueline-quick-add')) return;
    this.querySelector<TaskRows>(`[data-group="${day.key}"] dueline-rows`)?.focus();
  }
}

customElements.define('dueline-month', Month);
