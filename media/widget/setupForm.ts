import { html, LitElement, nothing } from 'lit';
import { t } from '../../src/shared/l10n';
import type { Choice, Choices, SetupView } from '../../src/shared/widgetProtocol';
import { cssVars } from '../page/cssVar';
import { listColor } from '../page/listColor';
import * as glyphs from '../rows/glyphs';
import './queryField';

/** What this widget shows: its title, lists, filter, order and groups. Every choice holds at once. */
export class SetupForm extends LitElement {
  static override properties = { choices: { attribute: false }, setup: { attribute: false } };

  declare choices: Choices;
  declare setup: SetupView;

  override createRenderRoot() {
    return this;
  }

  override focus(): void {
    this.querySelector<HTMLElement>('input')?.focus();
  }

  override render() {
    const { choices, setup } = this;
    return html`
      <form class="setup" aria-label=${t('Configure widget')} @submit=${(event: Event) => event.preventDefault()} @keydown=${this.#onKey}>
        <label>
          <span>${t('Title')}</span>
          <input
            type="text"
            class="text"
            dir=${setup.title === '' ? document.dir : 'auto'}
            maxlength="200"
            placeholder=${choices.name}
            .value=${setup.title}
            @change=${(event: Event) => this.#set({ title: (event.target as HTMLInputElement).value.trim() })}
          />
        </label>
        <div class="pick" role="group" aria-label=${t('Lists')}>
          <span>${t('Lists')}</span>
          <div class="choices">
            <button type="button" class="choice" aria-pressed=${setup.lists.length === 0} @click=${() => this.#set({ lists: [] })}>
              ${t('All lists')}
            </button>
            ${choices.lists.map(list => this.#list(list))}
          </div>
        </div>
        <div class="pick">
          <span aria-hidden="true">${t('Filter')}</span>
          <dueline-query .value=${setup.filter} @chosen=${(event: CustomEvent<string>) => this.#set({ filter: event.detail })}></dueline-query>
        </div>
        ${this.#select(t('Sort'), choices.sorts, setup.sort, sort => this.#set({ sort }))}
        ${choices.groups.length > 0 ? this.#select(t('Group'), choices.groups, setup.group, group => this.#set({ group })) : nothing}
        ${choices.mayStack ? this.#select(t('Layout'), stands(), String(setup.stacked), stacked => this.#set({ stacked: stacked === 'true' })) : nothing}
        <button type="button" class="act done" title=${t('Close')} aria-label=${t('Close')} @click=${() => this.#close()}>${glyphs.close}</button>
      </form>
    `;
  }

  #list({ name, color }: Choices['lists'][number]) {
    const { lists } = this.setup;
    const isChosen = lists.includes(name);
    const next = isChosen ? lists.filter(one => one !== name) : [...lists, name];
    return html`
      <button type="button" class="choice" aria-pressed=${isChosen} @click=${() => this.#set({ lists: next })}>
        <i class="dot" ${cssVars({ '--list': listColor(color) })}></i><bdi>${name}</bdi>
      </button>
    `;
  }

  #select(label: string, choices: readonly Choice[], value: string, onChange: (value: string) => void) {
    return html`
      <label>
        <span>${label}</span>
        <select @change=${(event: Event) => onChange((event.target as HTMLSelectElement).value)}>
          ${choices.map(one => html`<option value=${one.value} .selected=${one.value === value}>${one.label}</option>`)}
        </select>
      </label>
    `;
  }

  #set(patch: Partial<SetupView>): void {
    const next = { ...this.setup, ...patch };
    if (JSON.stringify(next) === JSON.stringify(this.setup)) return;
    this.setup = next;
    this.dispatchEvent(new CustomEvent<Partial<SetupView>>('setup', { detail: patch }));
  }

  #onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    this.#close();
  };

  #close(): void {
    this.dispatchEvent(new CustomEvent('leave'));
  }
}

const stands = (): Choice[] => [
  { value: 'false', label: t('Side by side') },
  { value: 'true', label: t('Stacked') },
];

customElements.define('dueline-setup', SetupForm);
