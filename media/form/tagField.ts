import { html, LitElement, nothing } from 'lit';
import { t } from '../../src/shared/l10n';

/** Tags as chips before a line that completes: Enter, Tab or a comma takes one in, Backspace takes the last one out. */
class TagField extends LitElement {
  static override properties = {
    tags: { attribute: false },
    known: { attribute: false },
    readOnly: { type: Boolean },
    mine: { state: true },
    text: { state: true },
    at: { state: true },
  };

  declare tags: readonly string[];
  declare known: readonly string[];
  declare readOnly: boolean;
  /** What the person has made of the tags while they are at it; elsewhere's changes wait so long. */
  declare mine: readonly string[] | undefined;
  declare text: string;
  /** The offered tag that the arrow keys are on. */
  declare at: number;

  constructor() {
    super();
    this.tags = [];
    this.known = [];
    this.readOnly = false;
    this.text = '';
    this.at = -1;
    this.addEventListener('focusout', event => {
      if (this.contains(event.relatedTarget as Node | null)) return;
      this.#takeIn();
      this.mine = undefined;
    });
  }

  override createRenderRoot() {
    return this;
  }

  override render() {
    const offered = this.#offered();
    return html`
      <div class="tag-field">
        ${this.#shown().map(
          (tag, at) => html`
            <span class="chip tag"
              ><bdi>${tag}</bdi>
              ${this.readOnly ? nothing : html`<button type="button" class="drop" aria-label=${t('Remove tag {0}', tag)} @click=${() => this.#drop(at)}>×</button>`}</span
            >
          `,
        )}
        <input
          id="tags"
          type="text"
          dir="auto"
          role="combobox"
          autocomplete="off"
          spellcheck="false"
          aria-autocomplete="list"
          aria-expanded=${offered.length > 0}
          aria-controls="offered-tags"
          aria-activedescendant=${this.at >= 0 && offered[this.at] ? `offered-${this.at}` : nothing}
          placeholder=${this.#shown().length === 0 ? t('Add a tag…') : ''}
          .value=${this.text}
          @input=${(event: Event) => this.#onInput(event.target as HTMLInputElement)}
          @keydown=${(event: KeyboardEvent) => this.#onKey(event, offered)}
        />
      </div>
      <ul id="offered-tags" role="listbox" aria-label=${t('Tags in use')} ?hidden=${offered.length === 0}>
        ${offered.map(
          (tag, at) => html`<li
            id=${`offered-${at}`}
            role="option"
            aria-selected=${at === this.at}
            @mousedown=${(event: Event) => {
              event.preventDefault();
              this.#add(tag);
            }}
          ><bdi>${tag}</bdi></li>`,
        )}
      </ul>
    `;
  }

  #shown = () => this.mine ?? this.tags;

  #offered(): readonly string[] {
    const typed = this.text.trim().replace(/^#/, '').toLocaleLowerCase();
    if (typed === '') return [];
    const taken = new Set(this.#shown());
    const rest = this.known.filter(tag => !taken.has(tag) && tag.toLocaleLowerCase().includes(typed));
    const isFirst = (tag: string) => Number(tag.toLocaleLowerCase().startsWith(typed));
    return rest.toSorted((a, b) => isFirst(b) - isFirst(a)).slice(0, 8);
  }

  #onInput(input: HTMLInputElement): void {
    const [last = '', ...whole] = input.value.split(',').reverse();
    this.text = last.trimStart();
    this.at = -1;
    if (whole.length > 0) this.#set([...this.#shown(), ...whole.reverse()]);
    else this.mine ??= this.tags;
    this.#tell();
  }

  #onKey(event: KeyboardEvent, offered: readonly string[]): void {
    if (event.isComposing) return;
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move && offered.length > 0) {
      event.preventDefault();
      this.at = (this.at + move + offered.length + (this.at < 0 && move < 0 ? 1 : 0)) % offered.length;
    } else if (event.key === 'Enter' || (event.key === 'Tab' && this.at >= 0)) {
      event.preventDefault();
      if (this.at >= 0 && offered[this.at]) this.#add(offered[this.at]!);
      else this.#takeIn();
    } else if (event.key === 'Escape' && this.text !== '') {
      event.preventDefault();
      this.text = '';
      this.#tell();
    } else if (event.key === 'Backspace' && this.text === '' && this.#shown().length > 0) {
      this.#drop(this.#shown().length - 1);
    }
  }

  #add(tag: string): void {
    this.text = '';
    this.at = -1;
    this.#set([...this.#shown(), tag]);
    this.#tell();
  }

  #drop(at: number): void {
    this.#set(this.#shown().filter((_, index) => index !== at));
    this.#tell();
    this.querySelector('input')?.focus();
  }

  #takeIn(): void {
    if (this.text.trim() !== '') this.#add(this.text);
  }

  #set(tags: readonly string[]): void {
    this.mine = [...new Set(tags.map(tag => tag.trim().replace(/^#/, '')).filter(tag => tag !== ''))];
  }

  /** What is typed and not yet taken in counts too: a closed tab must not lose it. */
  #tell(): void {
    const value = [...this.#shown(), this.text.trim()].filter(tag => tag !== '').join('\n');
    this.dispatchEvent(new CustomEvent('tags', { detail: value }));
  }
}

customElements.define('dueline-tags', TagField);
