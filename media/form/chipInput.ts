import { html, LitElement, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { detailNames, textFacts } from '../../src/core/fields/table';
import { t, translate } from '../../src/shared/l10n';
import type {
  ChipKind,
  ChipSuggestion,
  ChipSuggestions,
  FormAlarm,
  FormState,
  ToForm,
} from '../../src/shared/taskEditorProtocol';
import { type SuggestionItem, SuggestionList } from '../quickAdd/suggestionList';
import './calendarGrid';
import { chipName, chipsMissing } from './chips';
import type { FormHandlers } from './formRow';

/** One number for all lines: while one is ended, another may be open. */
let lastRequest = 0;

/**
 * One line of text for one fact, with its possible meanings below it. The host reads the text as Quick Add does. Enter
 * takes the highlighted one; typed text is also taken when the line is left, but not by Escape.
 */
export class ChipInput extends LitElement {
  static override properties = {
    kind: { attribute: false },
    form: { attribute: false },
    handlers: { attribute: false },
    replaces: { attribute: false },
    text: { attribute: false },
    answer: { state: true },
    picks: { state: true },
  };

  declare kind: ChipKind | 'more';
  declare form: FormState;
  declare handlers: FormHandlers;
  /** The reminder that the new one takes the place of. */
  declare replaces: FormAlarm | undefined;
  declare text: string;
  declare answer: ChipSuggestions | undefined;
  /** The calendar is open. */
  declare picks: boolean;
  #request = 0;
  /** Enter came, or the line was left, before the host had sent the meanings of the text. */
  #waits: 'enter' | 'leave' | undefined;
  #isDone = false;
  /** Lines that were ended before the host had answered, while the next tag is being typed. */
  readonly #early = new Map<number, 'enter' | 'leave'>();
  #leavesLater: boolean | undefined;
  readonly #suggestions = new SuggestionList(() => this.requestUpdate(), 'chip-suggestions');

  constructor() {
    super();
    this.text = '';
    this.picks = false;
    // The calendar replaces the line, and gets the focus a moment later.
    this.addEventListener('focusout', () => setTimeout(() => this.#onFocusOut()));
    this.addEventListener('keydown', event => this.#onEscape(event));
    // A click on text, such as the name of a month, would take the focus and close the line.
    this.addEventListener('mousedown', event => {
      if (!(event.target as Element).closest('input, button, select, label, [tabindex]')) event.preventDefault();
    });
  }

  override createRenderRoot() {
    return this;
  }

  /** If the page goes away, the host applies the typed text, but not that of a closed line. */
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#requestSuggestions('');
  }

  #onFocusOut(): void {
    if (this.#isDone || !document.hasFocus() || this.contains(document.activeElement)) return;
    if (this.text.trim() === '' || this.kind === 'more') this.#leave(false);
    else if (this.answer) this.#settle('leave');
    else this.#waits = 'leave';
  }

  take({ request, ...answer }: Extract<ToForm, { type: 'suggestions' }>): void {
    const early = this.#early.get(request);
    if (early) {
      this.#early.delete(request);
      this.#send(takenOf(answer, early)?.changes ?? []);
      if (this.#leavesLater !== undefined) this.#leave(this.#leavesLater);
    } else if (request === this.#request && !this.#isDone) {
      this.answer = answer;
      this.#show();
      if (this.#waits) this.#settle(this.#waits);
    }
  }

  override render() {
    const { kind, answer, form } = this;
    const hint = answer?.hint ?? (kind === 'repeat' && form.repeat.next.length > 0 ? nextOf(form.repeat.next) : '');
    return html`
      <div class="chip-input" role="dialog" aria-label=${kind === 'more' ? t('More') : chipName(kind)}>
        ${
          this.picks
            ? html`<dueline-calendar
                .selected=${kind === 'start' ? form.task.startDate : form.task.dueDate}
                .today=${form.today}
                .firstDay=${form.firstDay}
                @pick=${(event: CustomEvent<string>) => this.#pick(event.detail)}
              ></dueline-calendar>
              <button type="button" class="link" @click=${() => this.#typeDate()}>${t('Type a date…')}</button>`
            : this.#line(answer)
        }
        ${hint === '' ? nothing : html`<p class="facts next" aria-live="polite"><bdi>${hint}</bdi></p>`}
        ${kind === 'repeat' && form.task.rrule !== '' ? this.#from() : nothing}
      </div>
    `;
  }

  #line(answer: ChipSuggestions | undefined) {
    return html`
      <input
        type="text"
        role="combobox"
        dir="auto"
        autocomplete="off"
        spellcheck="false"
        aria-label=${placeholder(this.kind)}
        aria-autocomplete="list"
        aria-controls="chip-suggestions"
        aria-expanded=${this.#suggestions.isOpen}
        aria-activedescendant=${this.#suggestions.activeId ?? nothing}
        aria-invalid=${answer?.problem !== undefined}
        aria-describedby=${answer?.problem === undefined ? nothing : 'chip-problem'}
        placeholder=${placeholder(this.kind)}
        .value=${live(this.text)}
        @input=${(event: Event) => this.#onInput((event.target as HTMLInputElement).value)}
        @keydown=${(event: KeyboardEvent) => this.#onKey(event)}
      />
      ${answer?.problem === undefined ? nothing : html`<p class="problem" id="chip-problem" role="alert">${answer.problem}</p>`}
      ${this.#suggestions.render()}
    `;
  }

  #from() {
    const { rrule } = this.form.task;
    const send = (from: 'due' | 'completion') => this.handlers.send({ type: 'repeat', rule: rrule, from });
    return html`
      <label for="repeat-from">${t('Count the next date from')}</label>
      <select id="repeat-from" @change=${(event: Event) => send((event.target as HTMLSelectElement).value as 'due')}>
        <option value="due" ?selected=${this.form.repeat.from === 'due'}>${t('The due date')}</option>
        <option value="completion" ?selected=${this.form.repeat.from === 'completion'}>${t('The completion date')}</option>
      </select>
    `;
  }

  protected override firstUpdated(): void {
    // An open line comes back with the page, which may have been opened for another reason.
    if (document.hasFocus()) this.querySelector('input')?.focus();
    this.#ask();
  }

  protected override updated(changed: Map<string, unknown>): void {
    // From **More** to another line.
    if (changed.has('kind') && changed.get('kind') !== undefined) {
      this.text = '';
      this.#ask();
      this.querySelector('input')?.focus();
    }
    if (changed.get('picks') === true) this.querySelector('input')?.focus();
  }

  #onInput(text: string): void {
    this.text = text;
    if (this.kind !== 'tags' || !text.trimEnd().endsWith(',')) this.#ask();
    else if (this.#early.size > 0) this.#endEarly('leave');
    else this.#apply([{ type: 'addTags', tags: text.split(',') }]);
  }

  /** The next tag can be typed at once. */
  #endEarly(by: 'enter' | 'leave'): void {
    this.#ask();
    this.#early.set(this.#request, by);
    this.text = '';
  }

  #ask(): void {
    this.answer = undefined;
    this.#waits = undefined;
    if (this.kind === 'more') {
      this.answer = { items: [], preselectsFirst: this.text !== '' };
      this.#show();
    } else this.#requestSuggestions(this.text);
  }

  #requestSuggestions(text: string): void {
    if (this.kind === 'more') return;
    // The last question is closed by it, and hears no answer.
    const request = this.isConnected ? ++lastRequest : 0;
    if (request > 0) this.#request = request;
    const { kind: chip, replaces } = this;
    this.handlers.send({ type: 'suggest', request, chip, text, ...(replaces ? { replaces } : {}) });
  }

  #show(): void {
    const { items, preselectsFirst } = this.answer!;
    const suggested = items.map(
      ({ label, detail, changes }): SuggestionItem => ({
        label,
        ...(detail ? { detail } : {}),
        take: () => this.#apply(changes),
      }),
    );
    this.#suggestions.show([...suggested, ...this.#own()], preselectsFirst);
  }

  /** The suggestions of the page itself. */
  #own(): SuggestionItem[] {
    if (this.kind === 'due' || this.kind === 'start') return [{ label: t('Pick a day…'), take: () => this.#pickDay() }];
    if (this.kind !== 'more') return [];
    const word = this.text.trim().toLocaleLowerCase();
    const details = detailNames.map(name => [name as string, translate(textFacts[name].label)] as const);
    const fields = [
      ...details,
      ['classification', t('Visibility')],
      ['color', t('Color')],
      ['progress', t('Progress')],
    ] as const;
    const suggestions = [
      ...this.#linkHere(),
      ...chipsMissing(this.form).map(kind => ({ label: chipName(kind), take: () => this.#turn(kind) })),
      ...fields.map(([id, label]) => ({ label, take: () => this.#toDetail(id) })),
    ];
    return suggestions.filter(({ label }) => label.toLocaleLowerCase().includes(word));
  }

  /** To the line of the cursor, while the task has no link to code: the list of links offers it otherwise. */
  #linkHere(): SuggestionItem[] {
    const { cursor, codeLinks } = this.form;
    if (cursor === null || codeLinks.length > 0) return [];
    const take = () => {
      this.handlers.send({ type: 'linkHere' });
      this.#leave(true);
    };
    return [{ label: t('Link to {0}', cursor), take }];
  }

  #onKey(event: KeyboardEvent): void {
    if (event.isComposing) return;
    // The suggestions that are still shown belong to an earlier text.
    const isEarly = this.answer === undefined && (event.key === 'Enter' || event.key === 'Tab');
    if (!isEarly && event.key !== 'Escape' && this.#suggestions.onKey(event)) return;
    // Held down to clear the typed text, Backspace does not remove a tag.
    const isBackspace = event.key === 'Backspace' && !event.repeat;
    if (isBackspace && this.text === '' && this.kind === 'tags') this.#apply([{ type: 'dropLastTag' }]);
    if (event.key !== 'Enter') return;
    event.preventDefault();
    event.stopPropagation();
    if (this.answer) this.#settle('enter');
    else if (this.kind === 'tags') this.#endEarly('enter');
    else this.#waits = 'enter';
  }

  #settle(by: 'enter' | 'leave'): void {
    this.#waits = undefined;
    const taken = takenOf(this.answer!, by);
    if (taken) this.#apply(taken.changes, by === 'leave');
    else if (by === 'leave') this.#leave(false);
    else if (this.text.trim() !== '' && !this.answer!.problem)
      this.answer = { ...this.answer!, problem: this.#advice() };
  }

  /** Advice if the line means nothing; typed text hides the placeholder. */
  #advice(): string {
    const isGuide = this.kind !== 'priority' && this.kind !== 'listId' && this.kind !== 'more';
    return isGuide ? placeholder(this.kind) : t('Nothing matches “{0}”.', this.text.trim());
  }

  #send(changes: ChipSuggestion['changes']): void {
    if (changes.length > 0) this.handlers.send({ type: 'take', changes });
  }

  #apply(changes: ChipSuggestion['changes'], isLeft = false): void {
    this.#send(changes);
    // One tag rarely comes alone.
    if (this.kind !== 'tags' || isLeft) this.#leave(!isLeft);
    else {
      this.text = '';
      this.#ask();
    }
  }

  #pickDay(): void {
    if (this.text !== '') {
      this.text = '';
      this.#ask();
    }
    this.picks = true;
  }

  #typeDate(): void {
    this.picks = false;
  }

  /** The time of day stays. */
  #pick(day: string): void {
    const field = this.kind === 'start' ? 'start' : 'due';
    const time = field === 'due' ? this.form.task.dueTime : this.form.task.startTime;
    this.#apply([{ type: 'field', field, value: time === '' ? day : `${day}T${time}` }]);
  }

  #turn(kind: ChipKind): void {
    this.dispatchEvent(new CustomEvent('turn', { detail: kind }));
  }

  #toDetail(id: string): void {
    this.#leave(false);
    this.dispatchEvent(new CustomEvent('detail', { detail: id, bubbles: true }));
  }

  #onEscape(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    if (this.picks) this.#typeDate();
    else this.#leave(true);
  }

  #leave(restoresFocus: boolean): void {
    if (this.#isDone) return;
    this.#leavesLater = restoresFocus;
    if (this.#early.size > 0) return;
    this.#isDone = true;
    this.dispatchEvent(new CustomEvent('leave', { detail: restoresFocus }));
  }
}

/** Enter takes the highlighted one; a line that is left takes the meaning of its text. */
const takenOf = ({ items, preselectsFirst }: ChipSuggestions, by: 'enter' | 'leave') =>
  by === 'leave' ? items.find(({ isReading }) => isReading) : preselectsFirst ? items[0] : undefined;

const nextOf = (dates: readonly string[]) => t('Next: {0}', dates.join(' · '));

const placeholders = (): Readonly<Record<ChipKind | 'more', string>> => ({
  due: t('A date, such as “fri 5pm”'),
  start: t('A date, such as “fri 5pm”'),
  repeat: t('A repeat, such as “every second tuesday”'),
  priority: t('Priority'),
  listId: t('List'),
  tags: t('Add a tag…'),
  alarm: t('A reminder, such as “30 min before”'),
  estimate: t('How long it takes, such as “1h30”'),
  after: t('A title or a short ID'),
  more: t('More'),
});

const placeholder = (kind: ChipKind | 'more') => placeholders()[kind];

customElements.define('dueline-chip-input', ChipInput);
