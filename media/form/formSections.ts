import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { type DetailName, detailNames, textFacts } from '../../src/core/fields/table';
import { percent, t, translate } from '../../src/shared/l10n';
import type { FormField, FormState, FormTask } from '../../src/shared/taskEditorProtocol';
import { type FormHandlers, keep, row } from './formRow';
import { momentField } from './momentField';

/** The fields of a task, in the order in which people think of them. */
export function formSections(state: FormState, on: FormHandlers): TemplateResult {
  const { task, lists } = state;
  return html`
    ${textField(on, 'title', translate(textFacts.title.label), task.title, { big: true, placeholder: task.id === 0 ? t('What needs to be done?') : '' })}
    ${state.occurrence === null ? nothing : html`<p class="note">${t('One occurrence of a repeating task: {0}', state.occurrence)}</p>`}
    <section class="grid" aria-label=${t('When and where')}>
      ${momentField(on, 'due', t('Due'), task.dueDate, task.dueTime)}
      ${momentField(on, 'start', t('Start'), task.startDate, task.startTime)}
      ${scopeField(state, on)}
      ${zoneField(state, on)}
      ${
        task.startDate === ''
          ? nothing
          : textField(on, 'duration', t('Duration'), task.duration, {
              placeholder: task.dueDate === '' ? '1h 30m' : t('instead of a due date: 1h 30m'),
            })
      }
      ${choiceField(
        on,
        'listId',
        t('List'),
        String(task.listId),
        lists.map(({ id, name }) => [String(id), name]),
      )}
      ${choiceField(on, 'priority', t('Priority'), String(task.priority), priorities(task.priority))}
      ${choiceField(on, 'status', t('Status'), String(task.status), [
        ['0', t('To do')],
        ['1', t('In progress')],
        ['2', t('Done')],
        ['3', t('Canceled')],
      ])}
      ${progressField(task.progress, on)}
      ${row(
        on,
        'tags',
        t('Tags'),
        html`<dueline-tags
          .tags=${task.tags}
          .known=${state.knownTags}
          .readOnly=${state.readOnly}
          @tags=${(event: CustomEvent<string>) => on.save('tags', event.detail)}
        ></dueline-tags>`,
      )}
    </section>
  `;
}

/** What is rarely set. */
export function moreSections({ task, alarms }: FormState, on: FormHandlers): TemplateResult {
  return html`
    <section class="grid" aria-label=${t('Details')}>
      <div class="entry">
        <h2>${t('Reminders')}</h2>
        ${alarms.map(
          ({ label, ...alarm }) => html`<p>
            <bdi>${label}</bdi>
            <button type="button" class="link" aria-label=${t('Remove reminder {0}', label)} @click=${() => on.tell({ type: 'dropAlarm', alarm })}>${t('Remove')}</button>
          </p>`,
        )}
        <button type="button" class="link" ?disabled=${task.id === 0} @click=${() => on.act('addAlarm')}>${t('Add reminder…')}</button>
      </div>
      ${detailNames.map(name => detailField(on, name, task))}
      ${choiceField(
        on,
        'classification',
        t('Visibility'),
        task.classification === null ? '' : String(task.classification),
        [
          ['', t('Same as the list')],
          ['0', t('Public')],
          ['1', t('Private')],
          ['2', t('Confidential')],
        ],
      )}
      ${row(
        on,
        'color',
        t('Color'),
        html`<span class="pair"
          ><input
            id="color"
            type="color"
            aria-describedby=${task.color === '' ? 'no-color' : nothing}
            .value=${live(task.color || '#808080')}
            @change=${(event: Event) => on.save('color', (event.target as HTMLInputElement).value)}
          />${task.color === '' ? html`<span id="no-color" class="facts">${t('none')}</span>` : html`<button type="button" class="link" @click=${() => on.save('color', '')}>${t('Clear')}</button>`}</span
        >`,
      )}
    </section>
    ${
      task.id === 0
        ? nothing
        : html`<div class="acts-row">
          <button type="button" class="link" @click=${() => on.act('duplicate')}>${t('Duplicate')}</button>
          <button type="button" class="link" @click=${() => on.act('copyLink')}>${t('Copy link')}</button>
          <button type="button" class="link" @click=${() => on.act('delete')}>${t('Delete')}</button>
        </div>`
    }
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
  readonly big?: boolean;
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
      class=${shape.big ? 'big' : ''}
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

/** For which occurrences of a series a new date holds, and where this one was moved from. */
function scopeField({ scope, movedFrom }: FormState, on: FormHandlers) {
  if (!scope) return nothing;
  const choices = [
    ['', t('Ask each time')],
    ['this', t('This occurrence only')],
    ['following', t('This and following occurrences')],
    ['all', t('Entire series')],
  ] as const;
  const chosen = scope.chosen ?? '';
  const choose = (value: string) => on.tell({ type: 'scope', scope: value === '' ? null : (value as 'this') });
  return row(
    on,
    'scope',
    t('Date changes apply to'),
    html`<select id="scope" .value=${live(chosen)} @change=${(event: Event) => choose((event.target as HTMLSelectElement).value)}>
        ${choices.map(([value, name]) => html`<option value=${value} ?selected=${value === chosen}>${name}</option>`)}
      </select>
      ${movedFrom === null ? nothing : html`<p class="facts">${t('moved from {0}', movedFrom)}</p>`}`,
  );
}

/** Only a time of day has a zone. */
function zoneField({ task, zone, here }: FormState, on: FormHandlers) {
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
      </select>
      ${here === null ? nothing : html`<p class="facts">${here}</p>`}`,
  );
}

let known: readonly string[] | undefined;
const zones = () => (known ??= Intl.supportedValuesOf('timeZone').filter(name => name !== 'UTC'));

function priorities(current: number): readonly (readonly [string, string])[] {
  const name = (number: number) => {
    if (number === 0) return t('None');
    const [word, usual] = number < 5 ? [t('High'), 1] : number === 5 ? [t('Medium'), 5] : [t('Low'), 9];
    return number === usual ? word : `${word} (${number})`;
  };
  return [0, 1, 5, 9, current]
    .filter((number, at, all) => all.indexOf(number) === at)
    .toSorted((a, b) => a - b)
    .map(number => [String(number), name(number)]);
}
