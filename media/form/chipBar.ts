import { html, LitElement, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { t } from '../../src/shared/l10n';
import type { ChipInputState, ChipKind, FormAlarm, FormState } from '../../src/shared/taskEditorProtocol';
import * as glyphs from '../rows/glyphs';
import './chipInput';
import { type ChipView, chipsOf } from './chips';
import type { FormHandlers } from './formRow';

/** The facts of a task as chips: one tab stop, which arrow keys go through (the toolbar pattern of WAI-ARIA). */
export class ChipBar extends LitElement {
  static override properties = {
    form: { attribute: false },
    handlers: { attribute: false },
    open: { state: true },
    active: { state: true },
  };

  declare form: FormState;
  declare handlers: FormHandlers;
  /** The chip whose line is open, by its key. */
  declare open:
    | { readonly key: string; readonly kind: ChipKind | 'more'; readonly alarm?: FormAlarm | undefined }
    | undefined;
  /** The chip that Tab leads to; others may come before it. */
  declare active: number;
  #activeKey: string | undefined;
  /** The text with which the open line began. */
  #begun = '';
  #takesFocus = false;

  constructor() {
    super();
    this.active = 0;
  }

  override createRenderRoot() {
    return this;
  }

  /** The line that the page was left with. */
  reopen({ chip, text, replaces }: ChipInputState): void {
    const isThere = chipsOf(this.form).some(({ key }) => key === chip);
    this.#begun = text;
    this.open = { key: isThere ? chip : 'more', kind: chip, alarm: replaces };
  }

  override render() {
    const chips = chipsOf(this.form);
    const known = chips.findIndex(({ key }) => key === this.#activeKey);
    this.active = known < 0 ? Math.min(this.active, chips.length - 1) : known;
    return html`
      <div role="toolbar" class="task-chips" aria-label=${t('Dates, list and tags')} @keydown=${(event: KeyboardEvent) => this.#onKey(event, chips)}>
        ${repeat(
          chips,
          ({ key }) => key,
          (chip, at) => this.#chip(chip, at),
        )}
      </div>
      ${
        this.open
          ? html`<dueline-chip-input
              .kind=${this.open.kind}
              .replaces=${this.open.alarm}
              .text=${this.#begun}
              .form=${this.form}
              .handlers=${this.handlers}
              @leave=${(event: CustomEvent<boolean>) => this.#close(event.detail)}
              @turn=${(event: CustomEvent<ChipKind>) => this.#turn(event.detail)}
            ></dueline-chip-input>`
          : nothing
      }
    `;
  }

  #chip(chip: ChipView, at: number) {
    const { key, label, sign, classes, name, remove } = chip;
    const mayRemove = remove && !this.form.readOnly;
    return html`
      <span class="task-chip ${classes}">
        <button
          type="button"
          class="open"
          data-chip=${key}
          tabindex=${at === this.active ? 0 : -1}
          aria-haspopup="dialog"
          aria-expanded=${this.open?.key === key}
          aria-keyshortcuts=${mayRemove ? 'Delete' : nothing}
          @focus=${() => this.#goTo(at, key)}
          @click=${() => this.#show(chip)}
        >
          <span class="sign" aria-hidden="true">${sign}</span><span class="visually-hidden">${name}</span><bdi>${label}</bdi>
        </button>
        ${
          mayRemove
            ? html`<button type="button" class="drop" tabindex="-1" aria-label=${t('Remove {0}', label)} title=${t('Remove {0}', label)} @click=${() => this.#remove(chip)}>${glyphs.close}</button>`
            : nothing
        }
      </span>
    `;
  }

  protected override updated(): void {
    this.#positionLine();
    if (!this.#takesFocus) return;
    this.#takesFocus = false;
    this.#buttons()[this.active]?.focus();
  }

  /** Below its chip, as far as there is room at its side. */
  #positionLine(): void {
    const line = this.querySelector<HTMLElement>('dueline-chip-input');
    const chip = this.#buttons().find(({ dataset }) => dataset.chip === this.open?.key)?.parentElement;
    if (!line || !chip) return;
    const [bar, at] = [this.getBoundingClientRect(), chip.getBoundingClientRect()];
    const start = getComputedStyle(this).direction === 'rtl' ? bar.right - at.right : at.left - bar.left;
    line.style.setProperty('inset-inline-start', `${Math.max(0, Math.min(start, bar.width - line.offsetWidth))}px`);
    line.style.setProperty('inset-block-start', `${at.bottom - bar.top + 4}px`);
  }

  #buttons = () => [...this.querySelectorAll<HTMLButtonElement>('.open')];

  #show({ key, kind, alarm }: ChipView): void {
    this.#begun = '';
    this.open = this.open?.key === key ? undefined : { key, kind, alarm };
  }

  /** Goes from **More** to the input of the chosen field. */
  #turn(kind: ChipKind): void {
    this.open = { key: 'more', kind };
  }

  #goTo(at: number, key: string): void {
    this.active = at;
    this.#activeKey = key;
  }

  #close(restoresFocus: boolean): void {
    this.#takesFocus = restoresFocus;
    this.#begun = '';
    this.open = undefined;
  }

  #remove({ remove = [] }: ChipView): void {
    this.#takesFocus = true;
    this.open = undefined;
    for (const message of remove) this.handlers.send(message);
    this.requestUpdate();
  }

  #onKey(event: KeyboardEvent, chips: readonly ChipView[]): void {
    if (!(event.target as Element).matches('.open') || event.ctrlKey || event.metaKey || event.altKey) return;
    const forward = getComputedStyle(this).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    const last = chips.length - 1;
    const { active } = this;
    const to = { [forward]: active + 1, Home: 0, End: last }[event.key];
    const chip = chips[active]!;
    const at = to === undefined ? active - 1 : to;
    if (to !== undefined || event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      const next = (at + chips.length) % chips.length;
      this.#goTo(next, chips[next]!.key);
    } else if ((event.key === 'Delete' || event.key === 'Backspace') && chip.remove && !this.form.readOnly)
      this.#remove(chip);
    else if (event.key === 'ArrowDown') this.#show(chip);
    else return;
    event.preventDefault();
    if (event.key !== 'ArrowDown') this.#takesFocus = true;
  }
}

customElements.define('dueline-chips', ChipBar);
