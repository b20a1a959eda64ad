import { html, LitElement, nothing } from 'lit';
import { t } from '../../src/shared/l10n';
import type { FormRepeat, FromForm, ToForm } from '../../src/shared/taskEditorProtocol';
import { FocusKeeper } from '../focus/focusKeeper';

type Answer = Extract<ToForm, { type: 'rule' }>;

/** The repeat: the usual rules, one in RRULE's own words, what it counts from, and the next five dates. */
export class RepeatField extends LitElement {
  static override properties = {
    rrule: { attribute: false },
    repeat: { attribute: false },
    custom: { state: true },
    draft: { state: true },
    answer: { state: true },
  };

  declare rrule: string;
  declare repeat: FormRepeat;
  /** The rule's own words are open. */
  declare custom: boolean;
  declare draft: string | undefined;
  declare answer: Answer | undefined;
  tell: (message: FromForm) => void = () => undefined;
  #request = 0;
  /** The field was left before the host had said whether the rule can be. */
  #hasLeft = false;

  constructor() {
    super();
    this.custom = false;
    new FocusKeeper(this);
  }

  override createRenderRoot() {
    return this;
  }

  /** The host's answer to a rule that is being written. */
  take(answer: Answer): void {
    if (answer.request !== this.#request) return;
    this.answer = answer;
    if (this.#hasLeft) this.#save();
  }

  override render() {
    const { repeat, rrule, answer } = this;
    const isUsual = rrule === '' || repeat.usual.some(({ rule }) => rule === rrule);
    const chosen = this.custom || (!isUsual && rrule !== '') ? 'custom' : rrule;
    const next = this.draft === undefined ? repeat.next : (answer?.next ?? []);
    return html`
      <label for="repeat">${t('Repeat')}</label>
      <select id="repeat" .value=${chosen} @change=${(event: Event) => this.#choose((event.target as HTMLSelectElement).value)}>
        <option value="" ?selected=${chosen === ''}>${repeat.label !== '' && rrule === '' ? repeat.label : t('Does not repeat')}</option>
        ${repeat.usual.map(({ rule, label }) => html`<option value=${rule} ?selected=${chosen === rule}>${label}</option>`)}
        <option value="custom" ?selected=${chosen === 'custom'}>
          ${isUsual || this.custom ? t('Custom rule…') : repeat.label}
        </option>
      </select>
      ${
        chosen === 'custom'
          ? html`
            <label class="sub" for="rrule">${t('Rule (RRULE)')}</label>
            <input
              id="rrule"
              type="text"
              dir="ltr"
              autocomplete="off"
              spellcheck="false"
              placeholder="FREQ=WEEKLY;BYDAY=MO,TH"
              aria-invalid=${answer?.problem !== undefined}
              aria-describedby="rule-says"
              .value=${this.draft ?? rrule}
              @input=${(event: Event) => this.#write((event.target as HTMLInputElement).value)}
              @keydown=${(event: KeyboardEvent) => event.key === 'Enter' && this.#save()}
              @blur=${() => this.#save()}
            />
          `
          : nothing
      }
      <div id="rule-says" aria-live="polite">
        ${answer?.problem ? html`<p class="problem">${answer.problem}</p>` : nothing}
        ${this.draft !== undefined && answer && !answer.problem ? html`<p><bdi>${answer.label}</bdi></p>` : nothing}
        ${next.length > 0 ? html`<p class="facts next">${t('Next: {0}', next.join(' · '))}</p>` : nothing}
      </div>
      ${
        rrule === ''
          ? nothing
          : html`
            <label class="sub" for="repeat-from">${t('Count the next date from')}</label>
            <select id="repeat-from" @change=${(event: Event) => this.#send(rrule, (event.target as HTMLSelectElement).value as 'due')}>
              <option value="due" ?selected=${repeat.from === 'due'}>${t('The due date')}</option>
              <option value="completion" ?selected=${repeat.from === 'completion'}>${t('The completion date')}</option>
            </select>
          `
      }
    `;
  }

  async #choose(value: string): Promise<void> {
    this.custom = value === 'custom';
    this.draft = undefined;
    this.answer = undefined;
    if (!this.custom) {
      this.#send(value, this.repeat.from);
      return;
    }
    await this.updateComplete;
    this.querySelector<HTMLInputElement>('#rrule')?.focus();
  }

  #write(text: string): void {
    this.draft = text;
    this.answer = undefined;
    this.#hasLeft = false;
    if (text.trim() !== '') this.tell({ type: 'tryRule', request: ++this.#request, rule: text.trim() });
  }

  /** A rule that cannot be stays in its field, with the reason below it. */
  #save(): void {
    const { draft, answer } = this;
    this.#hasLeft = draft !== undefined && draft.trim() !== '' && !answer;
    if (draft === undefined || answer?.problem || this.#hasLeft) return;
    this.draft = undefined;
    this.answer = undefined;
    if (draft.trim() !== '' && draft.trim() !== this.rrule) this.#send(draft.trim(), this.repeat.from);
  }

  #send(rule: string, from: 'due' | 'completion'): void {
    this.tell({ type: 'repeat', rule, from });
  }
}

customElements.define('dueline-repeat', RepeatField);
