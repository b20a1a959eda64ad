import { html, LitElement, nothing } from 'lit';
import { bucketOf } from '../../src/core/fields/priority';
import { textFacts } from '../../src/core/fields/table';
import { formFields } from '../../src/shared/formNames';
import { t, translate } from '../../src/shared/l10n';
import type { FormAct, FormField, FormState, FormTask, FromForm, ToForm } from '../../src/shared/taskEditorProtocol';
import { FocusKeeper } from '../focus/focusKeeper';
import { remembered, vscodeApi } from '../page/hostMessages';
import type { QuickAdd } from '../quickAdd/quickAdd';
import { endsChord, watchChords } from '../rows/chord';
import { openMenuBelow } from '../rows/contextMenu';
import * as glyphs from '../rows/glyphs';
import { asksForKeys, historyAct, typed } from '../rows/typedKey';
import './chipBar';
import type { ChipBar } from './chipBar';
import type { ChipInput } from './chipInput';
import { newChips } from './chips';
import { FirstFocus } from './firstFocus';
import { type FormHandlers, keep } from './formRow';
import { details, scopeLine } from './formSections';
import { grow } from './grow';
import './notesField';
import { blockersSection, codeSection, parentLine, subtasksSection } from './taskSections';

/** The page of a task: saves while the user writes, and shows changes from elsewhere without touching typed text. */
class TaskForm extends LitElement {
  static override properties = {
    state: { state: true },
    gone: { state: true },
    problem: { state: true },
    announcement: { state: true },
    unfolded: { state: true },
    addsBlocker: { state: true },
  };

  declare state: FormState | undefined;
  declare gone: Extract<ToForm, { readonly type: 'gone' }> | undefined;
  declare problem: { readonly field: string; readonly message: string } | undefined;
  /** For a screen reader. */
  declare announcement: string;
  /** The details are open. */
  declare unfolded: boolean;
  /** The line that adds a blocker is open. */
  declare addsBlocker: boolean;
  setup: unknown;
  readonly #saving = new Map<FormField, ReturnType<typeof setTimeout>>();
  /** Text that was typed and not sent, or sent and not stored. */
  readonly #values = new Map<FormField, string>();
  /** How often a field was sent that the host has not answered. */
  readonly #sent = new Map<FormField, number>();
  /** For each field, the stored text that the typed text was based on. */
  readonly #bases = new Map<FormField, string>();
  /** Notes that have no answer yet, with the text that they were written from: they are kept until they are stored. */
  #unstored: { readonly value: string; readonly base: string | undefined } | undefined;
  /** Fields of a new task that were sent but not answered: a window that is reloaded right then restores them. */
  readonly #unanswered = new Map<FormField, string>();
  /** The host's stored text of the field that is still being written in. */
  readonly #own = new Map<FormField, string>();
  /** The field that has been written in since it got the focus: its own undo comes first. */
  #written: EventTarget | null = null;
  readonly #firstFocus: FirstFocus;

  constructor() {
    super();
    this.gone = undefined;
    this.announcement = '';
    this.unfolded = false;
    this.addsBlocker = false;
    new FocusKeeper(this);
    watchChords();
    this.#firstFocus = new FirstFocus(this);
    window.addEventListener('message', event => this.#take(event.data as ToForm));
    // The last typed text is kept even if the tab is closed or hidden right after.
    window.addEventListener('blur', () => this.#flush());
    document.addEventListener('visibilitychange', () => this.#flush());
    // A field that is left is saved at once.
    this.addEventListener('focusout', event => {
      const id = (event.target as HTMLElement).id as FormField;
      this.#written = null;
      this.#own.delete(id);
      if (this.#values.has(id)) queueMicrotask(() => this.#send(id));
    });
  }

  override createRenderRoot() {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const before = readKept(vscodeApi.getState());
    this.#keep();
    this.#post({ type: 'ready' });
    // Typed right before the window went: it had no time to be sent.
    for (const [field, value, base] of before) {
      if (base !== undefined) this.#bases.set(field, base);
      this.#save(field, value);
    }
  }

  override render() {
    if (this.gone)
      return html`<p class="empty">${t('This task has been deleted.')} ${this.gone.inTrash ? html`<button class="link" @click=${() => this.#post({ type: 'restore' })}>${t('Restore')}</button>` : nothing}</p>`;
    if (!this.state) return nothing;
    const { state, problem } = this;
    const on = this.#handlers();
    const ofChips = ['', 'due', 'start', 'priority', 'listId', 'tags', 'repeat'];
    return html`
      <h1 class="visually-hidden" tabindex="-1">${state.task.title || t('New Task')}</h1>
      ${parentLine(state, on)}
      <fieldset ?disabled=${state.readOnly} aria-label=${t('Task')}>
        ${this.#head(state, on)}
        <div class="notes-part">
          <dueline-notes
            .notes=${state.task.notes}
            .readOnly=${state.readOnly}
            .waiting=${() => on.isWaiting('notes')}
            .keep=${(notes: string) => keep(on, 'notes', 'notes', notes)}
            .mayOpen=${state.task.id > 0 && !state.readOnly}
            @notes=${(event: CustomEvent<string>) => on.save('notes', event.detail)}
            @file=${(event: CustomEvent<string>) => on.send({ type: 'openFile', file: event.detail })}
            @edit=${() => on.act('editNotes')}
          ></dueline-notes>
          ${problem?.field === 'notes' ? html`<p class="problem" role="alert">${problem.message}</p>` : nothing}
        </div>
        <div class="chips-part">
          ${state.readOnly ? html`<p class="empty">${t('This list is read-only.')}</p>` : nothing}
          <dueline-chips .form=${state} .handlers=${on} @detail=${(event: CustomEvent<string>) => this.#toDetail(event.detail)}></dueline-chips>
          ${problem && ofChips.includes(problem.field) ? html`<p class="problem" role="alert">${problem.message}</p>` : nothing}
          ${scopeLine(state, on)}
        </div>
        ${
          state.task.id === 0
            ? nothing
            : html`
              ${codeSection(state, on)} ${subtasksSection(state, on)}
              ${blockersSection(state, on, this.addsBlocker, (isOpen, back) => this.#addBlocker(isOpen, back))}
            `
        }
        <div class="fold" @toggle=${{ handleEvent: (event: Event) => this.#onFold(event), capture: true }}>${details(state, on, this.unfolded)}</div>
      </fieldset>
      <p class="visually-hidden" role="status">${this.announcement}</p>
    `;
  }

  /** Tab leads from the title to the notes, so the other elements of the line come before it. */
  #head({ task, menu, active, claimed, shortId, codeLinks, blockers }: FormState, on: FormHandlers) {
    const isClosed = task.status > 1;
    const state = ['open', 'doing', 'done', 'cancelled'][task.status];
    const flags = isClosed
      ? 'done'
      : `open${task.rrule ? '.recurring' : ''}${state === 'doing' ? '.started' : ''}${active ? '.active' : ''}${claimed === null ? '' : '.claimed'}`;
    const label = translate(textFacts.title.label);
    const isWrong = on.problem?.field === 'title';
    return html`
      <div class="head ${state}">
        ${
          menu === null
            ? nothing
            : html`${
                shortId === '' || codeLinks.length + blockers.length === 0
                  ? nothing
                  : html`<button type="button" class="link short-id" title=${t('Copy Short ID')} @click=${() => on.act('copyShortId')}><bdi>${shortId}</bdi></button>`
              }
              <button
                type="button"
                class="act menu"
                aria-haspopup="menu"
                aria-label=${t('More Actions…')}
                title=${t('More Actions…')}
                data-vscode-context=${JSON.stringify({ webviewSection: `task.${flags}.form`, preventDefaultContextMenuItems: true, ...menu })}
                @click=${(event: Event) => openMenuBelow(event.currentTarget as Element)}
              >${glyphs.more}</button>
              <button
                type="button"
                role="checkbox"
                class="check ${bucketOf(task.priority)}"
                aria-checked=${isClosed}
                aria-label=${t('Complete')}
                title=${isClosed ? t('Reopen') : t('Complete')}
                @click=${() => this.#act('complete')}
              >${isClosed ? glyphs.tick : nothing}</button>`
        }
        <textarea
          id="title"
          rows="1"
          dir="auto"
          aria-label=${label}
          aria-invalid=${isWrong}
          aria-describedby=${isWrong ? 'title-problem' : nothing}
          placeholder=${t('What needs to be done?')}
          .value=${keep(on, 'title', 'title', task.title)}
          @input=${(event: InputEvent) => this.#onTitle(event.target as HTMLTextAreaElement)}
          @keydown=${(event: KeyboardEvent) => this.#onTitleKey(event)}
          ${grow()}
        ></textarea>
        ${claimed === null ? nothing : html`<p class="facts claimed"><bdi>${t('claimed by {0}', claimed)}</bdi></p>`}
        ${isWrong ? html`<p class="problem" role="alert" id="title-problem">${on.problem.message}</p>` : nothing}
      </div>
    `;
  }

  /** A title is one line, however it wraps. */
  #onTitle(area: HTMLTextAreaElement): void {
    const line = area.value.replace(/\s*[\r\n]+\s*/g, ' ');
    if (line !== area.value) area.value = line;
    this.#save('title', line);
  }

  #onTitleKey(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.isComposing || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.querySelector<HTMLElement>('#notes')?.focus();
  }

  async #addBlocker(isOpen: boolean, restoresFocus = false): Promise<void> {
    this.addsBlocker = isOpen;
    await this.updateComplete;
    if (restoresFocus) this.querySelector<HTMLElement>('.blockers .section-head button')?.focus();
  }

  #onFold(event: Event): void {
    this.unfolded = (event.target as HTMLDetailsElement).open;
  }

  async #toDetail(id: string): Promise<void> {
    this.unfolded = true;
    await this.updateComplete;
    this.querySelector<HTMLElement>(`#${id}`)?.focus();
  }

  protected override firstUpdated(): void {
    this.role = 'main';
    this.addEventListener('input', event => {
      const { target } = event;
      // A box that is ticked has no undo of its own.
      this.#written = target instanceof HTMLInputElement && target.type === 'checkbox' ? null : target;
    });
    // Not on the form: after a click, or if the focused element has gone, the page has the focus.
    document.addEventListener('keydown', event => {
      if (endsChord(event)) return;
      const isChord = (event.ctrlKey || event.metaKey) && !event.altKey;
      const key = isChord ? typed(event) : '';
      const undo = event.target !== this.#written && historyAct(event);
      const act = undo || (key === 'e' && 'editNotes') || (asksForKeys(event) && 'showKeys');
      const leaves = key === 'Enter' || (event.key === 'Escape' && !event.defaultPrevented && !event.isComposing);
      if (!act && !leaves) return;
      event.preventDefault();
      event.stopPropagation();
      if (act) this.#act(act);
      else this.#leave(isChord);
    });
  }

  #handlers(): FormHandlers {
    return {
      save: (field, value) => this.#save(field, value),
      act: act => this.#act(act),
      send: message => {
        if (message.type !== 'suggest') this.problem = undefined;
        this.#post(message);
      },
      isWaiting: field => this.#isWaiting(field),
      isOwn: (field, value) => this.#own.get(field) === value,
      problem: this.problem,
    };
  }

  #take(message: ToForm): void {
    if (message.type === 'show') {
      const isBack = this.gone !== undefined;
      this.gone = undefined;
      if (this.state?.task.id === 0 && message.state.task.id > 0) this.announcement = t('Task added.');
      else if (this.state?.task.id === message.state.task.id)
        this.announcement = newChips(this.state, message.state) || this.announcement;
      this.state = message.state;
      for (const [field, value] of this.#own) if (this.#stored(field) !== value) this.#own.delete(field);
      this.setup = message.setup;
      this.#keep();
      const { line } = message;
      if (line) void this.updateComplete.then(() => this.querySelector<ChipBar>('dueline-chips')?.reopen(line));
      // The button that brought it back has gone. If the page does not have the focus, another one keeps it.
      if (isBack && document.hasFocus())
        void this.updateComplete.then(() => this.querySelector<HTMLElement>('#title')?.focus());
    } else if (message.type === 'parsed' || message.type === 'added' || message.type === 'failed') {
      this.querySelector<QuickAdd>('dueline-quick-add')?.take(message);
      if (message.type === 'added') this.announcement = message.text;
    } else if (message.type === 'announced') this.announcement = message.text;
    else if (message.type === 'saved') this.#onSaved(message);
    else if (message.type === 'suggestions') {
      for (const line of this.querySelectorAll<ChipInput>('dueline-chip-input')) line.take(message);
    } else if (message.type === 'gone') this.gone = message;
    else if (message.type === 'edit') void this.updateComplete.then(() => this.#firstFocus.edit());
    else this.#onProblem(message);
  }

  /** Stores what the window restores after a reload: the task, and typed text that was not sent. */
  #keep(): void {
    const values = new Map([...this.#unanswered, ...this.#values]);
    const unsent = [...values].map(([field, value]) => [field, value, this.#bases.get(field)]);
    vscodeApi.setState({ ...remembered(), setup: this.setup, unsent });
  }

  /** Typing is saved after a pause, leaving a field at once. */
  #save(field: FormField, value: string): void {
    this.problem = undefined;
    if (field === 'notes' && this.state && !this.#bases.has(field)) this.#bases.set(field, this.state.task.notes);
    this.#values.set(field, value);
    this.#keep();
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
    const base = this.#bases.get(field);
    this.#values.delete(field);
    // The title makes the task, and sent twice it would make two. The fields of a task may be changed elsewhere meanwhile.
    if (value !== undefined && field !== 'title' && this.state?.task.id === 0) this.#unanswered.set(field, value);
    this.#keep();
    if (value === undefined) return;
    this.#sent.set(field, (this.#sent.get(field) ?? 0) + 1);
    this.#post({ type: 'field', field, value, ...(base === undefined ? {} : { base }) });
    // Text that is typed from now on is based on this.
    if (base !== undefined) this.#bases.set(field, value);
    if (field === 'notes') this.#unstored = { value, base: this.#unstored ? this.#unstored.base : base };
  }

  #onSaved({ field, merged }: Pick<Extract<ToForm, { type: 'saved' }>, 'field' | 'merged'>): void {
    this.#sent.set(field, (this.#sent.get(field) ?? 1) - 1);
    if (this.problem?.field === field) this.problem = undefined;
    if (this.#isWaiting(field)) return;
    if (field === 'notes') this.#unstored = undefined;
    this.#unanswered.delete(field);
    this.#bases.delete(field);
    if (merged) this.#own.delete(field);
    else this.#own.set(field, this.#stored(field));
    this.#keep();
    this.requestUpdate();
  }

  #onProblem(problem: Extract<ToForm, { type: 'problem' }>): void {
    const field = formFields.find(name => name === problem.field);
    if (field === 'notes' && this.#unstored) {
      const { value, base } = this.#unstored;
      if (!this.#values.has(field)) this.#values.set(field, value);
      if (base !== undefined) this.#bases.set(field, base);
      this.#keep();
    }
    if (field && (this.#sent.get(field) ?? 0) > 0) this.#onSaved({ field, merged: false });
    this.problem = problem;
  }

  #isWaiting = (field: FormField) => this.#values.has(field) || (this.#sent.get(field) ?? 0) > 0;

  #stored = (field: FormField) => String(this.state?.task[field as keyof FormTask]);

  #flush(): void {
    for (const field of [...this.#values.keys()]) this.#send(field);
  }

  /** Typed text is sent first. */
  #leave(closes: boolean): void {
    this.#flush();
    this.#post({ type: 'leave', closes });
  }

  #act(act: FormAct): void {
    // A screen reader only reads the same text again if it changes in between.
    this.announcement = '';
    this.#flush();
    this.#post({ type: 'act', act });
  }

  #post(message: FromForm): void {
    vscodeApi.postMessage(message);
  }
}

/** The text that an earlier page of this form had not sent. */
function readKept(kept: unknown): [FormField, string, string?][] {
  const unsent: unknown = (kept as { unsent?: unknown } | undefined)?.unsent;
  if (!Array.isArray(unsent)) return [];
  return unsent.filter(entry => Array.isArray(entry) && formFields.includes(entry[0]) && typeof entry[1] === 'string');
}

customElements.define('dueline-task', TaskForm);
