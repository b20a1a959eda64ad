import { html, LitElement, nothing } from 'lit';
import type { live } from 'lit/directives/live.js';
import { textFacts } from '../../src/core/fields/table';
import { t, translate } from '../../src/shared/l10n';
import { grow } from './grow';
import { markdown, toggleBox } from './markdown';

/**
 * Notes: rendered as Markdown, and as text while the user writes in them. The text stays in the Tab order; it is only
 * out of sight while the other is shown.
 */
class NotesField extends LitElement {
  static override properties = {
    notes: { attribute: false },
    readOnly: { type: Boolean },
    waiting: { attribute: false },
    keep: { attribute: false },
    mayOpen: { type: Boolean },
    isWritten: { state: true },
  };

  /** The notes as they are stored. */
  declare notes: string;
  declare readOnly: boolean;
  /** True while the latest text waits to be saved. */
  declare waiting: () => boolean;
  /** The value that the text field is to have. */
  declare keep: (notes: string) => string | ReturnType<typeof live>;
  /** The task is stored: its notes can be opened as a file. */
  declare mayOpen: boolean;
  declare isWritten: boolean;
  #isPressed = false;
  /** Typed text is shown at once; the host's answer confirms it a moment later. */
  #shown: string | undefined;

  constructor() {
    super();
    this.isWritten = false;
    // A press that leaves the text is yet to become a click at its position: nothing may move until then.
    window.addEventListener('pointerdown', () => {
      this.#isPressed = true;
    });
    for (const end of ['pointerup', 'pointercancel'])
      window.addEventListener(end, () => {
        this.#isPressed = false;
        setTimeout(() => this.#rest());
      });
  }

  override createRenderRoot() {
    return this;
  }

  override render() {
    const label = translate(textFacts.description.label);
    if (!this.waiting()) this.#shown = undefined;
    const shown = this.#shown ?? this.notes;
    const isShown = !this.isWritten && shown.trim() !== '';
    return html`
      <h2 class="visually-hidden">${label}</h2>
      <textarea
        id="notes"
        class=${isShown ? 'visually-hidden' : ''}
        dir="auto"
        rows="3"
        aria-label=${label}
        placeholder=${t('Add notes…')}
        ?readonly=${this.readOnly}
        .value=${this.keep(this.notes)}
        @focus=${() => this.#write()}
        @blur=${() => this.#isPressed || this.#rest()}
        @input=${(event: InputEvent) => this.#change((event.target as HTMLTextAreaElement).value)}
        ${grow()}
      ></textarea>
      ${
        isShown
          ? html`<div class="markdown" @click=${(event: MouseEvent) => this.#onClick(event)} @change=${(event: Event) => this.#onTick(event)}>${markdown(shown)}</div>`
          : nothing
      }
      ${
        this.mayOpen
          ? html`<button type="button" class="link quiet" aria-keyshortcuts="Control+E Meta+E" title=${t('Edit in Editor')} @click=${() => this.#emit('edit')}>${t('Edit in Editor')}</button>`
          : nothing
      }
    `;
  }

  get #area() {
    return this.querySelector<HTMLTextAreaElement>('#notes');
  }

  #write(): void {
    this.isWritten = !this.readOnly;
  }

  #rest(): void {
    const area = this.#area;
    if (!this.isWritten || !area || document.activeElement === area) return;
    this.#shown = area.value;
    this.isWritten = false;
  }

  #onClick(event: MouseEvent): void {
    const target = event.target as HTMLElement;
    const file = target.closest<HTMLElement>('[data-file]')?.dataset.file;
    if (file !== undefined) this.#emit('file', file);
    else if (!target.closest('a, input') && (getSelection()?.isCollapsed ?? true)) this.#area?.focus();
  }

  #onTick(event: Event): void {
    const { line } = (event.target as HTMLElement).dataset;
    this.#shown = toggleBox(this.#shown ?? this.notes, Number(line));
    this.#change(this.#shown);
    this.requestUpdate();
  }

  #change(text: string): void {
    this.#emit('notes', text);
  }

  #emit(type: 'notes' | 'file' | 'edit', detail?: string): void {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

customElements.define('dueline-notes', NotesField);
