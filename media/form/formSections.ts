import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { isPrivate } from '../../src/core/fields/privacy';
import { type DetailName, detailNames, textFacts } from '../../src/core/fields/table';
import { listed, percent, t, translate } from '../../src/shared/l10n';
import type { FormField, FormState, FormTask } from '../../src/shared/taskEditorProtocol';
import * as glyphs from '../rows/glyphs';
import { type FormHandlers, keep, row } from './formRow';

/** Details that are rarely set, folded; those that are set are named on the fold. */
export function details(state: FormState, on: FormHandlers, isOpen: boolean): TemplateResult {
  const { task } = state;
  const { classification, color } = task;
  return html`
    <details class="details" ?open=${isOpen}>
      <summary>${t('Details')} <span class="facts">${isPrivate(task) ? glyphs.key : nothing}<bdi>${listed(factsOf(state))}</bdi></span></summary>
      <section class="grid" aria-label=${t('Details')}>
        ${choiceField(on, 'status', t('Status'), String(task.status), statuses())}
        ${progressField(task.progress, on)}
        ${zoneField(state, on)}
        ${
          task.startDate === ''
            ? nothing
            : textField(on, 'duration', t('Duration'), task.duration, {
                placeholder: task.dueDate === '' ? '1h 30m' : t('instead of a due date: 1h 30m'),
              })
        }
        ${detailNames.map(name => detailField(on, name, task))}
        ${choiceField(on, 'classification', t('Visibility'), String(classification ?? ''), visibilities())}
        ${row(
          on,
          'color',
          t('Color'),
          html`<span class="pair"
            ><input
              id="color"
              type="color"
              aria-describedby=${color === '' ? 'no-color' : nothing}
              .value=${live(color || '#808080')}
              @change=${(event: Event) => on.save('color', (event.target as HTMLInputElement).value)}
            />${color === '' ? html`<span id="no-color" class="facts">${t('none')}</span>` : html`<button type="button" class="link" @click=${() => on.save('color', '')}>${t('Clear')}</button>`}</span
          >`,
        )}
      </section>
      <p class="facts">
        ${state.facts.map((fact, at) => html`${at > 0 ? ' · ' : ''}<bdi>${fact}</bdi>`)}
      </p>
    </details>
  `;
}

const statuses = () =>
  [
    ['0', t('To do')],
    ['1', t('In progress')],
    ['2', t('Done')],
    ['3', t('Canceled')],
  ] as const;

const visibilities = () =>
  [
    ['', t('Same as the list')],
    ['0', t('Public')],
    ['1', t('Private')],
    ['2', t('Confidential')],
  ] as const;

/** The details that are set; else those that can be. */
function factsOf({ task, zone }: FormState): readonly string[] {
  const nameOf = (choices: readonly (readonly [string, string])[], value: unknown) =>
    choices.find(([key]) => key === String(value))![1];
  const set = [
    task.status === 0 ? '' : nameOf(statuses(), task.status),
    task.progress === 0 || task.progress === 100 ? '' : percent(task.progress),
    ['', 'UTC', zone].includes(task.timezone) ? '' : task.timezone,
    task.duration,
    ...detailNames.map(name => task[name].slice(0, 60)),
    task.classification === null ? '' : nameOf(visibilities(), task.classification),
    task.color,
  ].filter(Boolean);
  const names = [
    t('Progress'),
    ...detailNames.map(name => translate(textFacts[name].label)),
    t('Visibility'),
    t('Color'),
  ];
  return set.length > 0 ? set : names;
}

/** The occurrences of a series that a new date holds for, next to the dates; and the dates on the user's own clock. */
export function scopeLine({ task, scope, movedFrom, occurrence, localTime, readOnly }: FormState, on: FormHandlers) {
  const choices = [
    ['this', t('This occurrence only')],
    ['following', t('This and following occurrences')],
    ['all', t('Entire series')],
  ] as const;
  const facts = [movedFrom === null ? null : t('moved from {0}', movedFrom), localTime].filter(fact => fact !== null);
  const choose = (event: Event) =>
    on.send({ type: 'scope', scope: (event.target as HTMLSelectElement).value as 'this' });
  return html`
    ${occurrence === null ? nothing : html`<p class="note">${t('One occurrence of a repeating task: {0}', occurrence)}</p>`}
    ${
      scope === null || readOnly
        ? nothing
        : html`<p class="note scope">
          <label for="scope">${t('Date changes apply to')}</label>
          <select id="scope" .value=${live(scope)} @change=${choose}>
            ${choices.map(([value, name]) => html`<option value=${value} ?selected=${value === scope}>${name}</option>`)}
          </select>
        </p>`
    }
    ${facts.map(fact => html`<p class="facts">${fact}</p>`)}
    ${task.id === 0 ? html`<p class="facts">${t('Saved as you type')}</p>` : nothing}
  `;
}

function detailField(on: FormHandlers, name: DetailName, task: FormTask) {
  const { label, control } = textFacts[name];
  if (control !== 'url') return textField(on, name, translate(label), task[name]);
  const open = html`<button type="button" class="link" @click=${() => on.act('openLink')}>${t('Open link')}</button>`;
  const after = task.id === 0 || task[name] === '' ? nothing : open;
  return textField(on, name, translate(label), task[name], { type: 'url', after });
}

interface TextShape {
  readonly type?: string;
  readonly placeholder?: string;
  readonly after?: TemplateResult | typeof nothing;
}

const textField = (on: FormHandlers, field: FormField, label: string, value: string, shape: TextShape = {}) =>
  row(
    on,
    field,
    label,
    html`<input
      id=${field}
      type=${shape.type ?? 'text'}
      dir=${shape.type === 'url' || field === 'duration' ? 'ltr' : 'auto'}
      autocomplete="off"
      placeholder=${shape.placeholder ?? ''}
      .value=${keep(on, field, field, value)}
      aria-invalid=${on.problem?.field === field}
      aria-describedby=${on.problem?.field === field ? `${field}-problem` : nothing}
      @input=${(event: InputEvent) => on.save(field, (event.target as HTMLInputElement).value)}
    />${shape.after ?? nothing}`,
  );

const choiceField = (
  on: FormHandlers,
  field: FormField,
  label: string,
  value: string,
  options: readonly (readonly [string, string])[],
) =>
  row(
    on,
    field,
    label,
    html`<select
      id=${field}
      aria-invalid=${on.problem?.field === field}
      aria-describedby=${on.problem?.field === field ? `${field}-problem` : nothing}
      .value=${live(value)}
      @change=${(event: Event) => on.save(field, (event.target as HTMLSelectElement).value)}>
      ${options.map(([key, name]) => html`<option value=${key} ?selected=${key === value}>${name}</option>`)}
    </select>`,
  );

const progressField = (progress: number, on: FormHandlers) =>
  row(
    on,
    'progress',
    t('Progress'),
    html`<span class="pair"
      ><input
        id="progress"
        type="range"
        min="0"
        max="100"
        step="5"
        aria-valuetext=${percent(progress)}
        .value=${live(String(progress))}
        @change=${(event: Event) => on.save('progress', (event.target as HTMLInputElement).value)}
      /><output for="progress">${percent(progress)}</output></span
    >`,
  );

/** Only a time of day has a zone. */
function zoneField({ task, zone }: FormState, on: FormHandlers) {
  if (task.dueTime === '' && task.startTime === '') return nothing;
  const near = [...new Set([zone, ...(task.timezone === '' ? [] : [task.timezone])])].filter(name => name !== 'UTC');
  const option = (name: string) => html`<option value=${name} ?selected=${name === task.timezone}>${name}</option>`;
  return row(
    on,
    'timezone',
    t('Time zone'),
    html`<select id="timezone" .value=${live(task.timezone)} @change=${(event: Event) => on.save('timezone', (event.target as HTMLSelectElement).value)}>
        <option value="UTC" ?selected=${task.timezone === 'UTC'}>${t('Fixed time, shown in your time zone')}</option>
        <option value="" ?selected=${task.timezone === ''}>${t('Same local time everywhere')}</option>
        ${near.map(option)}
        <optgroup label=${t('All time zones')}>${zones()
          .filter(name => !near.includes(name))
          .map(option)}</optgroup>
      </select>`,
  );
}

let known: readonly string[] | undefined;
const zones = () => (known ??= Intl.supportedValuesOf('timeZone').filter(name => name !== 'UTC'));
