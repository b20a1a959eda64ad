import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { listed, t, tn } from '../../src/shared/l10n';
import type { FormBlocker, FormCodeLink, FormState, FormSubtask } from '../../src/shared/taskEditorProtocol';
import * as glyphs from '../rows/glyphs';
import './chipInput';
import '../quickAdd/quickAdd';
import type { FormHandlers } from './formRow';

/** The way up, above the title, and outside of what a read-only list disables. */
export function parentLine({ parent }: FormState, on: FormHandlers) {
  if (parent === null) return nothing;
  const { id, title, words } = parent;
  return html`<p class="parent-line">
    <button type="button" class="link" aria-label=${words} title=${words} @click=${() => on.send({ type: 'open', id })}><bdi>${title}</bdi></button>
    <span aria-hidden="true">${'\u203a'}</span>
  </p>`;
}

/** The lists below the notes: links to code, subtasks, and the tasks that the task depends on. */
export function codeSection({ codeLinks, cursor, readOnly }: FormState, on: FormHandlers) {
  if (codeLinks.length === 0) return nothing;
  const link = cursor !== null && !readOnly;
  const action = link && headAction(t('Link to {0}', cursor), () => on.send({ type: 'linkHere' }));
  return html`
    <section class="rows code-links" aria-label=${t('Code')}>
      ${heading(t('Code'), action || nothing)}
      ${repeat(
        codeLinks,
        ({ source }) => source,
        link => codeRow(link, on),
      )}
    </section>
  `;
}

const codeStates = (): Readonly<Record<FormCodeLink['state'], string>> => ({
  sure: '',
  probable: t('probably here'),
  stale: t('stale'),
  gone: t('comment removed'),
});

function codeRow({ source, label, folder, state }: FormCodeLink, on: FormHandlers) {
  const remove = () => on.send({ type: 'removeCodeLink', source });
  const pin = html`<button type="button" class="link" @click=${() => on.act('pinHere')}>${t('Pin Here')}</button>`;
  return html`
    <div class="entry-row ${state}" @keydown=${onDelete(remove)}>
      <button type="button" class="link title" aria-keyshortcuts="Delete" @click=${() => on.send({ type: 'openCodeLink', source })}><bdi>${label}</bdi></button>
      <span class="facts folder"><bdi>${folder}</bdi></span>
      <span class="when">${codeStates()[state]}</span>
      ${state === 'probable' ? pin : nothing}
      ${removal(label, remove)}
    </div>
  `;
}

export function subtasksSection({ subtasks }: FormState, on: FormHandlers) {
  const done = subtasks.filter(({ state }) => state === 'done').length;
  return html`
    <section class="rows subtasks" aria-label=${t('Subtasks')}>
      ${heading(subtasks.length === 0 ? t('Subtasks') : tn(subtasks.length, '{1} of {0} subtask done', '{1} of {0} subtasks done', done))}
      ${repeat(
        subtasks,
        ({ id }) => id,
        subtask => taskRow('subtask', subtask, on),
      )}
      <dueline-quick-add .label=${t('Add a subtask')} .placeholder=${t('Add a subtask… with dates and tags')}></dueline-quick-add>
    </section>
  `;
}

/**
 * `isAdding`: the line that adds one is open; `toggle` opens or closes it, and decides whether its button gets the focus
 * back.
 */
export function blockersSection(
  state: FormState,
  on: FormHandlers,
  isAdding: boolean,
  toggle: (isOpen: boolean, restoresFocus?: boolean) => void,
) {
  const { blockers, readOnly } = state;
  if (blockers.length === 0) return nothing;
  const line = html`<dueline-chip-input
    .kind=${'after'}
    .form=${state}
    .handlers=${on}
    @leave=${(event: CustomEvent<boolean>) => toggle(false, event.detail)}
  ></dueline-chip-input>`;
  return html`
    <section class="rows blockers" aria-label=${t('Blocked by')}>
      ${heading(t('Blocked by'), readOnly ? nothing : headAction(t('Add a task…'), () => toggle(!isAdding)))}
      ${isAdding ? line : nothing}
      ${repeat(
        blockers,
        ({ uid }) => uid,
        blocker => blockerRow(blocker, on),
      )}
    </section>
  `;
}

function blockerRow(blocker: FormBlocker, on: FormHandlers) {
  const remove = () => on.send({ type: 'dropBlocker', uid: blocker.uid });
  return taskRow('blocker', blocker, on, remove);
}

/** A task that does not exist here has neither a ring nor a page. */
function taskRow(kind: 'subtask' | 'blocker', task: FormSubtask, on: FormHandlers, remove?: () => void) {
  const { id, title, state, priority, when, overdue, recurring, tags } = task;
  const isClosed = state === 'done' || state === 'cancelled';
  return html`
    <div class="entry-row ${kind} ${state} ${overdue ? 'overdue' : ''}" @keydown=${onDelete(remove)}>
      <button type="button" role="checkbox" class="check ${priority}" aria-checked=${isClosed} aria-label=${title} ?disabled=${id === 0} @click=${() => on.send({ type: 'toggle', id })}>
        ${isClosed ? glyphs.tick : nothing}
      </button>
      <button
        type="button"
        class="link title"
        dir="auto"
        aria-keyshortcuts=${remove ? 'Delete' : nothing}
        aria-description=${listed([when, overdue ? t('overdue') : '', ...tags.map(tag => `#${tag}`)].filter(Boolean))}
        @click=${() => id > 0 && on.send({ type: 'open', id })}
      >${title}</button>
      ${tags.map(tag => html`<span class="fact"><bdi>#${tag}</bdi></span>`)}
      ${when === '' ? nothing : html`<span class="when">${recurring ? glyphs.repeat : nothing}<bdi>${when}</bdi></span>`}
      ${remove ? removal(title, remove) : nothing}
    </div>
  `;
}

const heading = (title: string, action: TemplateResult | typeof nothing = nothing) =>
  html`<div class="section-head"><h2>${title}</h2>${action}</div>`;

const headAction = (label: string, act: () => void) =>
  html`<button type="button" class="link" @click=${act}>${label}</button>`;

function removal(label: string, remove: () => void) {
  const words = t('Remove {0}', label);
  return html`<button type="button" class="act drop" aria-label=${words} title=${words} @click=${remove}>${glyphs.close}</button>`;
}

const onDelete = (remove: (() => void) | undefined) => (event: KeyboardEvent) => {
  if (!remove || event.key !== 'Delete') return;
  event.preventDefault();
  remove();
};
