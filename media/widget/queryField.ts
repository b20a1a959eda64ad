import { html, LitElement, nothing } from 'lit';
import { t } from '../../src/shared/l10n';
import type { Suggestion, ToPage } from '../../src/shared/widgetProtocol';
import { nextRequest, post } from '../page/hostMessages';

/**
 * A filter's name or a query, with what may come next in a list below it, and what is wrong with it or how many tasks
 * match. Follows the combobox pattern (WAI-ARIA 1.2): the focus stays in the line.
 */
export class QueryField extends LitElement {
  static override properties = {
    value: { attribute: false },
    items: { state: true },
    active: { state: true },
    problem: { state: true },
    count: { state: true },
  };

  declare value: string;
  declare items: readonly Suggestion[];
  declare active: number;
  declare problem: string | undefined;
  declare count: string | undefined;
  #request = 0;

  constructor() {
    super();
    this.value = '';
    this.items = [];
    this.active = -1;
  }

  override createRenderRoot() {
    return this;
  }

  take(message: Extract<ToPage, { type: 'suggestions' }>): void {
    if (message.request !== this.#request) return;
    const isOpen = this.#input === document.activeElement;
    this.items = isOpen ? message.items : [];
    this.active = isOpen && message.preselectsFirst ? 0 : -1;
    this.problem = message.problem;
    this.count = message.count;
  }

  override render() {
    const isOpen = this.items.length > 0;
    return html`
      <input
        type="text"
        class="text"
        dir=${this.value === '' ? 'ltr' : 'auto'}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded=${isOpen}
        aria-controls="suggestions"
        aria-activedescendant=${this.active < 0 ? nothing : `suggestion-${this.active}`}
        aria-label=${t('Filter or query')}
        aria-describedby="verdict"
        aria-invalid=${this.problem !== undefined}
        autocomplete="off"
        spellcheck="false"
        maxlength="2000"
        placeholder="#work !high due:<=today"
        .value=${this.value}
        @input=${this.#onInput}
        @focus=${() => this.#ask()}
        @blur=${() => this.#leave()}
        @keydown=${this.#onKey}
      />
      <ul id="suggestions" role="listbox" class="suggestions" aria-label=${t('Suggestions')} ?hidden=${!isOpen}>
        ${this.items.map((item, index) => this.#item(item, index))}
      </ul>
      <p id="verdict" class="verdict ${this.problem ? 'bad' : ''}" role="status"><bdi>${this.problem ?? this.count ?? nothing}</bdi></p>
    `;
  }

  protected override updated(): void {
    // The focus, which would bring it into sight, stays in the line.
    this.querySelector('.active')?.scrollIntoView({ block: 'nearest' });
  }

  #item({ text, detail }: Suggestion, index: number) {
    return html`
      <li
        id="suggestion-${index}"
        role="option"
        class=${index === this.active ? 'active' : ''}
        aria-selected=${index === this.active}
        @mousedown=${(event: MouseEvent) => {
          event.preventDefault();
          this.#accept(index);
        }}
      >
        <bdi>${text}</bdi>${detail === '' ? nothing : html`<bdi class="detail">${detail}</bdi>`}
      </li>
    `;
  }

  get #input(): HTMLInputElement {
    return this.querySelector('input')!;
  }

  #onInput = () => {
    const added = this.#input.value.length - this.value.length;
    this.value = this.#input.value;
    // Until the answer for this line is here, only what still fits may be taken, and it replaces what was typed since.
    this.items = this.items
      .map(item => ({ ...item, to: item.to + added }))
      .filter(({ text, from, to }) => to > from && text.startsWith(this.value.slice(from, to)));
    this.active = this.active === 0 && this.items.length > 0 ? 0 : -1;
    this.#ask();
  };

  #onKey = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && this.items.length > 0) {
      const count = this.items.length + 1;
      this.active = ((this.active + 1 + step + count) % count) - 1;
    } else if ((event.key === 'Enter' || event.key === 'Tab') && this.active >= 0) this.#accept(this.active);
    else if (event.key === 'Enter') this.#leave();
    else if (event.key === 'Escape' && this.items.length > 0) this.#shut();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  /** A value is followed by a space, a field waits for its value. */
  #accept(index: number): void {
    const { text, from, to } = this.items[index]!;
    const rest = this.value.slice(to);
    const gap = /[:]$/.test(text) || rest.startsWith(' ') ? '' : ' ';
    this.value = this.value.slice(0, from) + text + gap + rest;
    const cursor = from + text.length + gap.length;
    void this.updateComplete.then(() => {
      this.#input.setSelectionRange(cursor, cursor);
      this.#ask();
    });
  }

  #ask(): void {
    this.#request = nextRequest();
    const position = this.#input.selectionStart ?? this.value.length;
    post({ type: 'suggest', request: this.#request, text: this.value, position });
  }

  /** Answers still on their way would open it again. */
  #shut(): void {
    this.#request = nextRequest();
    this.items = [];
    this.active = -1;
  }

  #leave(): void {
    this.#shut();
    this.dispatchEvent(new CustomEvent('chosen', { detail: this.value.trim(), bubbles: true }));
  }
}

customElements.define('dueline-query', QueryField);
