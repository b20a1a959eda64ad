import { html, LitElement } from 'lit';
import { live } from 'lit/directives/live.js';
import { textFacts } from '../../src/core/fields/table';
import { t, translate } from '../../src/shared/l10n';
import { grow } from './grow';
import { markdown } from './markdown';

/** Notes as they are written, and as Markdown shows them. */
class NotesField extends LitElement {
  static override properties = {
    notes: { attribute: false },
    readOnly: { type: Boolean },
    waiting: { attribute: false },
    mode: { state: true },
  };

  declare notes: string;
  declare readOnly: boolean;
  /** True while the last words wait to be saved. */
  declare waiting: () => boolean;
  declare mode: 'text' | 'preview' | undefined;

  override createRenderRoot() {
    return this;
  }

  override render() {
    // Notes that are there are read more often than written.
    this.mode ??= this.readOnly && this.notes !== '' ? 'preview' : 'text';
    const tab = (name: 'text' | 'preview', label: string) => html`
      <button
        type="button"
        role="tab"
        id="notes-${name}"
        aria-selected=${this.mode === name}
        aria-controls="notes-panel"
        tabindex=${this.mode === name ? 0 : -1}
        @click=${() => this.#show(name)}
        @keydown=${(event: KeyboardEvent) => this.#onKey(event)}
      >${label}</button>
    `;
    return html`
      <h2 class="unseen">${translate(textFacts.description.label)}</h2>
      <div id="notes-panel" role="tabpanel" aria-labelledby="notes-${this.mode}">
        ${
          this.mode === 'text'
            ? html`<textarea
              id="notes"
              dir="auto"
              rows="3"
              aria-label=${translate(textFacts.description.label)}
              placeholder=${translate(textFacts.description.label)}
              ?readonly=${this.readOnly}
              .value=${this.#storedText()}
              @input=${(event: InputEvent) => this.#tell((event.target as HTMLTextAreaElement).value)}
              ${grow()}
            ></textarea>`
            : html`<div class="markdown" tabindex="0">${this.notes.trim() === '' ? html`<p class="facts">${t('No notes yet.')}</p>` : markdown(this.notes)}</div>`
        }
      </div>
      <div role="tablist" aria-label=${translate(textFacts.description.label)}>${tab('text', t('Write'))}${tab('preview', t('Preview'))}</div>
    `;
  }

  #storedText() {
    const area = this.querySelector<HTMLTextAreaElement>('#notes');
    return area && (document.activeElement === area || this.waiting()) ? area.value : live(this.notes);
  }

  async #show(name: 'text' | 'preview'): Promise<void> {
    // What was typed last is shown at once; the host's answer says the same a moment later.
    const area = this.querySelector<HTMLTextAreaElement>('#notes');
    if (area) this.notes = area.value;
    this.mode = name;
    await this.updateComplete;
  }

  async #onKey(event: KeyboardEvent): Promise<void> {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    const other = this.mode === 'text' ? 'preview' : 'text';
    await this.#show(other);
    this.querySelector<HTMLElement>(`#notes-${other}`)?.focus();
  }

  #tell(text: string): void {
    this.dispatchEvent(new CustomEvent('notes', { detail: text }));
  }
}

customElements.define('dueline-notes', NotesField);
