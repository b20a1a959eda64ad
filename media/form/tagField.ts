import { html, LitElement, nothing } from 'lit';
import { numeral, t } from '../../src/shared/l10n';
import type { KnownTag } from '../../src/shared/taskEditorProtocol';

/**
 * Tags as chips before a line that completes: Enter or Tab takes the highlighted tag, a comma what is typed, and
 * Backspace takes the last one out.
 */
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
  declare known: readonly KnownTag[];
  declare readOnly: boolean;
  /** What the person has made of the tags while they are at it; elsewhere's changes wait so long. */
  declare mine: readonly string[] | undefined;
  declare text: string;
  /** The offered tag that Enter takes; -1: what is typed. */
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
        ${this.#visibleTags().map(
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
          placeholder=${this.#visibleTags().length === 0 ? t('Add a tag…') : ''}
          .value=${this.text}
          @input=${(event: Event) => this.#onInput(event.target as HTMLInputElement)}
          @keydown=${(event: KeyboardEvent) => this.#onKey(event, offered)}
        />
      </div>
      <ul id="offered-tags" role="listbox" aria-label=${t('Tags in use')} ?hidden=${offered.length === 0}>
        ${offered.map(
          ({ name, count }, at) => html`<li
            id=${`offered-${at}`}
            role="option"
            aria-selected=${at === this.at}
            @mousedown=${(event: Event) => {
              event.preventDefault();
              this.#add(name);
            }}
          ><bdi>${name}</bdi><span class="count">${numeral(count)}</span></li>`,
        )}
      </ul>
    `;
  }

  #visibleTags = () => this.mine ?? this.tags;

  /** Most used first; a sign alone lists them all. */
  #offered(): readonly KnownTag[] {
    const typed = typedTag(this.text);
    if (this.text.trim() === '') return [];
    const usedTags = new Set(this.#visibleTags());
    const rest = this.known.filter(({ name }) => !usedTags.has(name) && name.toLocaleLowerCase().includes(typed));
    const isFirst = ({ name }: KnownTag) => Number(name.toLocaleLowerCase().startsWith(typed));
    return rest.toSorted((a, b) => isFirst(b) - isFirst(a)).slice(0, 8);
  }

  /** The first name that goes on as what is typed, which is no whole name itself. */
  #highlighted(): number {
    const typed = typedTag(this.text);
    const [first, ...others] = this.#offered().map(({ name }) => name.toLocaleLowerCase());
    const isWhole = [first, ...others, ...this.#visibleTags().map(tag => tag.toLocaleLowerCase())].includes(typed);
    return first?.startsWith(typed) && !isWhole ? 0 : -1;
  }

  #onInput(input: HTMLInputElement): void {
    const [last = '', ...whole] = input.value.split(',').reverse();
    this.text = last.trimStart();
    this.at = this.#highlighted();
    if (whole.length > 0) this.#set([...this.#visibleTags(), ...whole.reverse()]);
    else this.mine ??= this.tags;
    this.#tell();
  }

  #onKey(event: KeyboardEvent, offered: readonly KnownTag[]): void {
    if (event.isComposing) return;
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move && offered.length > 0) {
      event.preventDefault();
      const places = offered.length + 1;
      this.at = ((this.at + 1 + move + places) % places) - 1;
    } else if (event.key === 'Enter' || (event.key === 'Tab' && this.at >= 0)) {
      event.preventDefault();
      if (this.at >= 0 && offered[this.at]) this.#add(offered[this.at]!.name);
      else this.#takeIn();
    } else if (event.key === 'Escape' && this.at >= 0) {
      event.preventDefault();
      this.at = -1;
    } else if (event.key === 'Escape' && this.text !== '') {
      event.preventDefault();
      this.text = '';
      this.#tell();
    } else if (event.key === 'Backspace' && this.text === '' && this.#visibleTags().length > 0) {
      this.#drop(this.#visibleTags().length - 1);
    }
  }

  #add(tag: string): void {
    this.text = '';
    this.at = -1;
    this.#set([...this.#visibleTags(), tag]);
    this.#tell();
  }

  #drop(at: number): void {
    this.#set(this.#visibleTags().filter((_, index) => index !== at));
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
    const value = [...this.#visibleTags(), this.text.trim()].filter(tag => tag !== '').join('\n');
    this.dispatchEvent(new CustomEvent('tags', { detail: value }));
  }
}

const typedTag = (text: string) => text.trim().replace(/^#/, '').toLocaleLowerCase();

customElements.define('dueline-tags', TagField);
