import { html, LitElement, nothing } from 'lit';
import { t } from '../../src/shared/l10n';
import type { Choice, Choices, SetupView } from '../../src/shared/widgetProtocol';
import { listDot } from '../page/listColor';
import * as glyphs from '../rows/glyphs';
import './queryField';

/** The setup of this widget: its title, lists, filter, order and groups. Every choice is applied at once. */
export class SetupForm extends LitElement {
  static override properties = {
    choices: { attribute: false },
    setup: { attribute: false },
    columns: { attribute: false },
  };

  declare choices: Choices;
  declare setup: SetupView;
  /** The names of the columns that can have a limit, by their ids. */
  declare columns: ReadonlyMap<string, string>;

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
        ${choices.groups.length > 0 ? this.#select(choices.rows.length > 0 ? t('Columns') : t('Group'), choices.groups, setup.group, group => this.#set({ group })) : nothing}
        ${choices.rows.length > 0 ? this.#board(choices.rows, setup) : nothing}
        ${choices.mayStack ? this.#select(t('Layout'), layouts(), String(setup.stacked), stacked => this.#set({ stacked: stacked === 'true' })) : nothing}
        <button type="button" class="act done" title=${t('Close')} aria-label=${t('Close')} @click=${() => this.#close()}>${glyphs.close}</button>
      </form>
    `;
  }

  #board(rows: readonly Choice[], { group, rows: chosen, tags, limits }: SetupView) {
    return html`
      ${
        group === 'tag' || chosen === 'tag'
          ? html`<label>
              <span>${t('Tags')}</span>
              <input
                type="text"
                class="text"
                maxlength="2000"
                placeholder="board/*"
                .value=${tags}
                @change=${(event: Event) => this.#set({ tags: (event.target as HTMLInputElement).value.trim() })}
              />
            </label>`
          : nothing
      }
      ${this.#select(t('Rows'), rows, chosen, value => this.#set({ rows: value }))}
      ${
        this.columns.size > 0
          ? html`<div class="pick" role="group" aria-label=${t('Limits')}>
              <span>${t('Limits')}</span>
              <div class="choices">${[...this.columns].map(([id, name]) => this.#limit(id, name, limits))}</div>
            </div>`
          : nothing
      }
    `;
  }

  #limit(id: string, name: string, limits: SetupView['limits']) {
    const onChange = (event: Event) => {
      const { [id]: _, ...others } = limits;
      const most = Math.floor(Number((event.target as HTMLInputElement).value));
      this.#set({ limits: most > 0 ? { ...others, [id]: most } : others });
    };
    return html`<label class="limit">
      <bdi>${name}</bdi><input type="number" class="text" min="1" max="9999" .value=${String(limits[id] ?? '')} @change=${onChange} />
    </label>`;
  }

  #list({ name, color }: Choices['lists'][number]) {
    const { lists } = this.setup;
    const isChosen = lists.includes(name);
    const next = isChosen ? lists.filter(one => one !== name) : [...lists, name];
    return html`
      <button type="button" class="choice" aria-pressed=${isChosen} @click=${() => this.#set({ lists: next })}>
        ${listDot(color)}<bdi>${name}</bdi>
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

const layouts = (): Choice[] => [
  { value: 'false', label: t('Side by side') },
  { value: 'true', label: t('Stacked') },
];

customElements.define('dueline-setup', SetupForm);
