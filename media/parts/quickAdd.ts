import { html, LitElement, nothing } from 'lit';
import { t } from '../../src/views/l10n';
import type { Chip, Range, ToPage } from '../../src/views/protocol';
import { nextRequest, tell } from './host';

/**
 * The line that adds tasks. What was understood stands as chips in the field, under the words they were read from;
 * Backspace right after such words, or a click on the chip, turns them back into plain words.
 */
export class QuickAdd extends LitElement {
  static override properties = {
    group: { type: String },
    placeholder: { type: String },
    chips: { state: true },
    problem: { state: true },
    text: { state: true },
  };

  declare group: string | undefined;
  declare placeholder: string;
  declare chips: readonly Chip[];
  declare problem: string | undefined;
  declare text: string;
  #rejected: string[] = [];
  #request = 0;

  constructor() {
    super();
    this.chips = [];
    this.text = '';
    this.placeholder = '';
  }

  override createRenderRoot() {
    return this;
  }

  /** Answers of the host; those to a line that has changed since are passed over. */
  take(message: Extract<ToPage, { request?: number }>): void {
    if (message.request !== this.#request) return;
    if (message.type === 'understood') this.chips = message.chips;
    else if (message.type === 'failed') this.problem = message.message;
    else if (message.type === 'added') this.#clear();
  }

  override focus(): void {
    this.#input?.focus();
  }

  override render() {
    return html`
      <div class="field ${this.problem ? 'bad' : ''}">
        <input
          type="text"
          dir="auto"
          autocomplete="off"
          spellcheck="false"
          maxlength="10000"
          placeholder=${this.placeholder}
          aria-label=${t('Add a task')}
          aria-describedby="understood"
          .value=${this.text}
          @input=${(event: InputEvent) => this.#onInput(event.target as HTMLInputElement)}
          @keydown=${(event: KeyboardEvent) => this.#onKey(event)}
        />
        ${this.chips.length > 0 ? html`<div class="chips">${this.chips.map(chip => this.#chip(chip))}</div>` : nothing}
      </div>
      <p id="understood" class="unseen" aria-live="polite">
        ${this.chips.length > 0 ? t('Understood: {0}', this.chips.map(({ label }) => label).join(', ')) : nothing}
      </p>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
    `;
  }

  #chip(chip: Chip) {
    return html`
      <button class="chip ${chip.kind}" title=${t('Keep the words “{0}”', this.text.slice(chip.from, chip.to))} @click=${() => this.#reject(chip)}>
        <bdi>${chip.label}</bdi><span aria-hidden="true">×</span>
      </button>
    `;
  }

  get #input(): HTMLInputElement | null {
    return this.querySelector('input');
  }

  #onInput(input: HTMLInputElement): void {
    this.text = input.value;
    this.#rejected = this.#rejected.filter(words => this.text.includes(words));
    this.problem = undefined;
    this.#ask();
  }

  #onKey(event: KeyboardEvent): void {
    const input = event.target as HTMLInputElement;
    if (event.isComposing) return;
    if (event.key === 'Enter' && this.text.trim() !== '') {
      this.#request = nextRequest();
      tell({
        type: 'add',
        request: this.#request,
        text: this.text,
        rejected: this.#ranges(),
        ...(this.group ? { group: this.group } : {}),
      });
    } else if (event.key === 'Escape' && this.text !== '') {
      event.stopPropagation();
      this.#clear();
    } else if (event.key === 'Backspace' && input.selectionStart === input.selectionEnd) {
      const at = this.text.slice(0, input.selectionStart ?? 0).trimEnd().length;
      const chip = this.chips.find(({ to }) => to === at);
      if (!chip) return;
      event.preventDefault();
      this.#reject(chip);
    }
  }

  #reject({ from, to }: Chip): void {
    this.#rejected.push(this.text.slice(from, to));
    this.#ask();
    this.#input?.focus();
  }

  #ask(): void {
    this.#request = nextRequest();
    if (this.text.trim() === '') {
      this.chips = [];
      this.#rejected = [];
      return;
    }
    tell({ type: 'understand', request: this.#request, text: this.text, rejected: this.#ranges() });
  }

  /** Rejected words are found again wherever they stand after more typing. */
  #ranges(): Range[] {
    return this.#rejected.flatMap(words => {
      const at = this.text.indexOf(words);
      return at < 0 ? [] : [[at, at + words.length] as const];
    });
  }

  #clear(): void {
    this.text = '';
    this.chips = [];
    this.problem = undefined;
    this.#rejected = [];
  }
}

customElements.define('dueline-quick-add', QuickAdd);
