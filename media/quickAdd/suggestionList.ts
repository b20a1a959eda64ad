import { html, nothing } from 'lit';
import { t } from '../../src/shared/l10n';

/** An action of Enter or a click that replaces adding the line as it is. */
export interface SuggestionItem {
  readonly label: string;
  readonly detail?: string;
  readonly take: () => void;
}

/**
 * Names and choices below a line of text. Follows the combobox pattern (WAI-ARIA 1.2): the focus stays in the line, and
 * Enter or Tab accepts the highlighted item.
 */
export class SuggestionList {
  #items: readonly SuggestionItem[] = [];
  #active = -1;
  /** True if the arrow keys have moved the highlight. */
  #isMoved = false;

  /** `id`: distinguishes the lists of a page. */
  constructor(
    private readonly redraw: () => void,
    readonly id = 'line-suggestions',
  ) {}

  get isOpen(): boolean {
    return this.#items.length > 0;
  }

  get activeId(): string | undefined {
    return this.#active < 0 ? undefined : `${this.id}-${this.#active}`;
  }

  show(items: readonly SuggestionItem[], preselectsFirst: boolean): void {
    // A late answer must not undo what the arrow keys did to the same list.
    const isSame =
      items.length === this.#items.length && items.every(({ label }, at) => label === this.#items[at]!.label);
    this.#isMoved &&= isSame;
    this.#items = items;
    if (!this.#isMoved) this.#active = preselectsFirst && items.length > 0 ? 0 : -1;
    this.redraw();
  }

  close(): void {
    this.#isMoved = false;
    if (this.isOpen) this.show([], false);
  }

  /** True if the key was one of the list's. */
  onKey(event: KeyboardEvent): boolean {
    if (!this.isOpen) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      const positions = this.#items.length + 1;
      this.#active = ((this.#active + 1 + step + positions) % positions) - 1;
      this.#isMoved = true;
      this.redraw();
      // Once it is drawn: the focus, which would bring it into sight, stays in the line.
      setTimeout(() => document.getElementById(this.activeId ?? '')?.scrollIntoView({ block: 'nearest' }));
    } else if (event.key === 'Escape') this.close();
    else if ((event.key === 'Enter' || event.key === 'Tab') && this.#active >= 0 && !event.shiftKey)
      this.#take(this.#active);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  render() {
    return html`
      <ul id=${this.id} role="listbox" class="suggestions" aria-label=${t('Suggestions')} ?hidden=${!this.isOpen}>
        ${this.#items.map((item, at) => this.#option(item, at))}
      </ul>
    `;
  }

  #option({ label, detail }: SuggestionItem, at: number) {
    return html`
      <li
        id="${this.id}-${at}"
        role="option"
        class=${at === this.#active ? 'active' : ''}
        aria-selected=${at === this.#active}
        @mousedown=${(event: MouseEvent) => {
          event.preventDefault();
          this.#take(at);
        }}
      >
        <bdi>${label}</bdi>${detail ? html`<bdi class="detail">${detail}</bdi>` : nothing}
      </li>
    `;
  }

  #take(at: number): void {
    const item = this.#items[at];
    this.close();
    item?.take();
  }
}
