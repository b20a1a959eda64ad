import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { t } from '../../src/views/l10n';
import type { FormAct, FormField, FormState, FromForm, ToForm } from '../../src/views/taskEditor/protocol';
import { formSections } from './formSections';

const door = acquireVsCodeApi();

export interface FormHandlers {
  save(field: FormField, value: string): void;
  act(act: FormAct): void;
  tell(message: FromForm): void;
  readonly problem: { readonly field: string; readonly message: string } | undefined;
}

/** The task form: saves each field as it is left, and takes in what changes elsewhere without touching what is typed. */
export class TaskForm extends LitElement {
  static override properties = {
    state: { state: true },
    gone: { state: true },
    problem: { state: true },
  };

  declare state: FormState | undefined;
  declare gone: boolean;
  declare problem: { readonly field: string; readonly message: string } | undefined;
  setup: unknown;
  readonly #saving = new Map<FormField, ReturnType<typeof setTimeout>>();

  constructor() {
    super();
    this.gone = false;
    window.addEventListener('message', event => this.#take(event.data as ToForm));
    // What is typed last is kept even if the tab is closed or hidden right after.
    window.addEventListener('blur', () => this.#flush());
    document.addEventListener('visibilitychange', () => this.#flush());
  }

  override createRenderRoot() {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    door.setState({ setup: this.setup });
    this.#tell({ type: 'ready' });
  }

  override render() {
    if (this.gone)
      return html`<p class="empty">${t('This task has been deleted.')} <button class="link" @click=${() => this.#act('undo')}>${t('Undo')}</button></p>`;
    if (!this.state) return nothing;
    const { state } = this;
    return html`
      <fieldset ?disabled=${state.readOnly} aria-label=${t('Task')}>
        ${state.readOnly ? html`<p class="empty">${t('This list is read-only.')}</p>` : nothing}
        ${formSections(state, this.#handlers())}
        <section class="subtasks" aria-label=${t('Subtasks')}>
          <h2>${t('Subtasks')}</h2>
          ${repeat(
            state.subtasks,
            ({ id }) => id,
            ({ id, title, done }) => html`
              <div class="subtask ${done ? 'done' : ''}">
                <input
                  type="checkbox"
                  .checked=${done}
                  aria-label=${title}
                  @change=${() => this.#tell({ type: 'toggle', id })}
                />
                <button class="link title" dir="auto" @click=${() => this.#tell({ type: 'open', id })}>${title}</button>
              </div>
            `,
          )}
          <input
            type="text"
            dir="auto"
            placeholder=${t('Add a subtask…')}
            aria-label=${t('Add a subtask')}
            @keydown=${(event: KeyboardEvent) => this.#addSubtask(event)}
          />
        </section>
        <p class="facts">${state.facts.map(fact => html`<bdi>${fact}</bdi> `)}</p>
      </fieldset>
    `;
  }

  protected override firstUpdated(): void {
    this.role = 'main';
    this.addEventListener('keydown', event => {
      const inText = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
      if (event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !inText) {
        event.preventDefault();
        this.#act(event.shiftKey ? 'redo' : 'undo');
      }
    });
  }

  #handlers(): FormHandlers {
    return {
      save: (field, value) => this.#save(field, value),
      act: act => this.#act(act),
      tell: message => this.#tell(message),
      problem: this.problem,
    };
  }

  #take(message: ToForm): void {
    if (message.type === 'show') {
      this.gone = false;
      this.state = message.state;
    } else if (message.type === 'gone') this.gone = true;
    else this.problem = message;
  }

  readonly #values = new Map<FormField, string>();

  /** Typing is saved after a pause, leaving a field at once. */
  #save(field: FormField, value: string): void {
    this.problem = undefined;
    this.#values.set(field, value);
    clearTimeout(this.#saving.get(field));
    this.#saving.set(
      field,
      setTimeout(() => this.#send(field), 600),
    );
  }

  #send(field: FormField): void {
    clearTimeout(this.#saving.get(field));
    this.#saving.delete(field);
    const value = this.#values.get(field);
    this.#values.delete(field);
    if (value !== undefined) this.#tell({ type: 'field', field, value });
  }

  #flush(): void {
    for (const field of [...this.#saving.keys()]) this.#send(field);
  }

  #act(act: FormAct): void {
    this.#flush();
    this.#tell({ type: 'act', act });
  }

  #addSubtask(event: KeyboardEvent): void {
    const input = event.target as HTMLInputElement;
    if (event.key !== 'Enter' || event.isComposing || input.value.trim() === '') return;
    this.#tell({ type: 'addSubtask', title: input.value });
    input.value = '';
  }

  #tell(message: FromForm): void {
    door.postMessage(message);
  }
}

customElements.define('dueline-task', TaskForm);

export type { TemplateResult };
