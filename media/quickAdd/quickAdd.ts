import { html, LitElement, nothing } from 'lit';
import { KeptWords } from '../../src/core/keptWords';
import { isolate, listed, t } from '../../src/shared/l10n';
import type { Chip, GroupView, Range, ToPage } from '../../src/shared/widgetProtocol';
import { nextRequest, remember, remembered, tell } from '../page/host';
import * as glyphs from '../rows/glyphs';

interface QuickAddLine {
  readonly text: string;
  readonly rejected: readonly Range[];
}

/**
 * The line that adds tasks. What was understood stands as chips in the field, under the words they were read from;
 * Backspace right after such words, or a click on the chip, turns them back into plain words. What was typed and not
 * added yet is kept while the page is away.
 */
export class QuickAdd extends LitElement {
  static override properties = {
    group: { attribute: false },
    placeholder: { type: String },
    chips: { state: true },
    hint: { state: true },
    problem: { state: true },
    text: { state: true },
  };

  /** The day or list that the task is for; undefined: where the widget puts it. */
  declare group: Pick<GroupView, 'key' | 'label' | 'detail'> | undefined;
  declare placeholder: string;
  declare chips: readonly Chip[];
  declare hint: string | undefined;
  declare problem: string | undefined;
  declare text: string;
  /** Words that stay as they are, whatever they could mean. */
  #kept = new KeptWords();
  #request = 0;
  /** Lines on their way to the host, by their requests. */
  readonly #sent = new Map<number, QuickAddLine>();

  constructor() {
    super();
    this.chips = [];
    this.text = remembered().draft ?? '';
    this.#kept = new KeptWords(this.text, remembered().keptAt);
    this.placeholder = '';
    if (this.text !== '') this.#ask();
  }

  override createRenderRoot() {
    return this;
  }

  /** Answers of the host; those to a line that has changed since are skipped. */
  take(message: Extract<ToPage, { request?: number }>): void {
    const sent = this.#sent.get(message.request!);
    if (sent !== undefined)
      this.#settle(message.request!, sent, message.type === 'failed' ? message.message : undefined);
    else if (message.request === this.#request && message.type === 'understood')
      [this.chips, this.hint] = [message.chips, message.hint];
  }

  override focus(): void {
    this.#input?.focus();
  }

  override render() {
    const { group } = this;
    return html`
      <div class="field ${this.problem ? 'bad' : ''}">
        <div class="entry">
          ${
            group
              ? html`<button class="chip place" title=${t('Add it somewhere else')} @click=${() => this.#leaveGroup()}>
                  <bdi>${group.label}${group.detail ? ` ${group.detail}` : ''}</bdi>${glyphs.close}
                </button>`
              : nothing
          }
          <input
            type="text"
            dir=${this.text === '' ? document.dir : 'auto'}
            autocomplete="off"
            spellcheck="false"
            maxlength="10000"
            placeholder=${group ? t('Add a task…') : this.placeholder}
            aria-label=${t('Add a task')}
            aria-describedby="understood ${this.problem ? 'not-added' : ''}"
            aria-invalid=${this.problem !== undefined}
            .value=${this.text}
            @input=${(event: InputEvent) => this.#onInput(event.target as HTMLInputElement)}
            @keydown=${(event: KeyboardEvent) => this.#onKey(event)}
          />
        </div>
        ${this.chips.length > 0 ? html`<div class="chips">${this.chips.map(chip => this.#chip(chip))}</div>` : nothing}
      </div>
      <p id="understood" class="unseen" aria-live="polite">
        ${this.chips.length > 0 ? t('Recognized: {0}', listed(this.chips.map(({ label }) => label))) : nothing}
        ${this.hint ?? nothing}
      </p>
      ${this.hint ? html`<p class="hint" aria-hidden="true">${this.hint}</p>` : nothing}
      ${this.problem ? html`<p id="not-added" class="problem" role="alert">${this.problem}</p>` : nothing}
    `;
  }

  #chip(chip: Chip) {
    return html`
      <button class="chip ${chip.kind}" title=${t('Keep “{0}” as text', isolate(this.text.slice(chip.from, chip.to)))} @click=${() => this.#reject(chip)}>
        <bdi>${chip.label}</bdi>${glyphs.close}
      </button>
    `;
  }

  get #input(): HTMLInputElement | null {
    return this.querySelector('input');
  }

  #onInput(input: HTMLInputElement): void {
    this.text = input.value;
    this.#kept.follow(this.text, input.selectionStart ?? undefined);
    this.problem = undefined;
    this.#keep();
    this.#ask();
  }

  #onKey(event: KeyboardEvent): void {
    const input = event.target as HTMLInputElement;
    if (event.isComposing) return;
    if (event.key === 'Enter') this.#add();
    else if (event.key === 'Escape' && (this.text !== '' || this.group)) {
      event.stopPropagation();
      if (this.text === '') this.#leaveGroup();
      this.#clear();
    } else if (event.key === 'Backspace' && input.selectionStart === input.selectionEnd) {
      if (input.selectionStart === 0 && this.group) this.#leaveGroup();
      const at = this.text.slice(0, input.selectionStart ?? 0).trimEnd().length;
      const chip = this.chips.find(({ to }) => to === at);
      if (!chip || at === 0) return;
      event.preventDefault();
      this.#reject(chip);
    }
  }

  /** The field is free for the next line at once. */
  #add(): void {
    if (this.text.trim() === '') return;
    const request = nextRequest();
    const [text, rejected] = [this.text, this.#kept.ranges];
    this.#sent.set(request, { text, rejected });
    this.#clear();
    tell({ type: 'add', request, text, rejected, ...(this.group ? { group: this.group.key } : {}) });
  }

  /** A line that could not be added stands in the field again, before what was typed since. */
  #settle(request: number, { text, rejected }: QuickAddLine, problem: string | undefined): void {
    this.#sent.delete(request);
    if (problem !== undefined) {
      this.#kept = this.#kept.behind(text, rejected);
      this.text = this.#kept.text;
      this.problem = problem;
      this.#ask();
    }
    this.#keep();
  }

  #reject({ from, to }: Chip): void {
    this.#kept.keep([from, to]);
    this.#keep();
    this.#ask();
    this.#input?.focus();
  }

  #ask(): void {
    this.#request = nextRequest();
    if (this.text.trim() === '') {
      this.chips = [];
      this.hint = undefined;
      return;
    }
    tell({ type: 'understand', request: this.#request, text: this.text, rejected: this.#kept.ranges });
  }

  #leaveGroup(): void {
    this.group = undefined;
    this.#input?.focus();
  }

  #clear(): void {
    // What is still answered is about words that are gone.
    this.#request = nextRequest();
    this.text = '';
    this.chips = [];
    this.hint = undefined;
    this.problem = undefined;
    this.#kept = new KeptWords();
    this.#keep();
  }

  #keep(): void {
    const sent = [...this.#sent.values()].reverse();
    const all = sent.reduce((behind, { text, rejected }) => behind.behind(text, rejected), this.#kept);
    remember({ ...remembered(), draft: all.text, keptAt: all.ranges });
  }
}

customElements.define('dueline-quick-add', QuickAdd);
