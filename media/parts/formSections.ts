import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { t } from '../../src/views/l10n';
import type { FormField, FormState } from '../../src/views/taskEditor/protocol';
import type { FormHandlers } from './taskForm';

/** The fields of a task, in the order in which people think of them. */
export function formSections(
  { task, lists, knownTags, zones, repeat, alarms }: FormState,
  on: FormHandlers,
): TemplateResult {
  const text = (
    field: FormField,
    label: string,
    value: string,
    more: { type?: string; list?: string; big?: boolean } = {},
  ) =>
    row(
      field,
      label,
      html`<input
        id=${field}
        class=${more.big ? 'big' : ''}
        type=${more.type ?? 'text'}
        dir="auto"
        list=${more.list ?? nothing}
        .value=${keep(field, value)}
        aria-invalid=${on.problem?.field === field}
        @input=${(event: InputEvent) => on.save(field, (event.target as HTMLInputElement).value)}
      />`,
    );
  const choice = (field: FormField, label: string, value: string, options: readonly (readonly [string, string])[]) =>
    row(
      field,
      label,
      html`<select id=${field} .value=${live(value)} @change=${(event: Event) => on.save(field, (event.target as HTMLSelectElement).value)}>
        ${options.map(([key, name]) => html`<option value=${key} ?selected=${key === value}>${name}</option>`)}
      </select>`,
    );
  const row = (field: string, label: string, control: TemplateResult) => html`
    <div class="entry">
      <label for=${field}>${label}</label>
      ${control}
      ${on.problem?.field === field ? html`<p class="problem" role="alert">${on.problem.message}</p>` : nothing}
    </div>
  `;
  const moment = (field: 'due' | 'start', label: string, date: string, time: string) => {
    const send = (event: Event) => {
      const box = (event.target as HTMLElement).closest('.entry')!;
      const [day, clock] = [...box.querySelectorAll('input')].map(input => input.value);
      on.save(field, day === '' ? '' : clock === '' ? day! : `${day}T${clock}`);
    };
    return row(
      field,
      label,
      html`<span class="pair">
        <input id=${field} type="date" .value=${keep(field, date)} @change=${send} />
        <input type="time" aria-label=${t('{0}: time', label)} .value=${keep(`${field}Time`, time)} ?disabled=${date === ''} @change=${send} />
        ${date === '' ? nothing : html`<button class="link" @click=${() => on.save(field, '')}>${t('Clear')}</button>`}
      </span>`,
    );
  };
  const priorities = Array.from({ length: 10 }, (_, number) => [String(number), priorityName(number)] as const).filter(
    ([key]) => ['0', '1', '5', '9'].includes(key) || Number(key) === task.priority,
  );
  return html`
    ${text('title', t('Title'), task.title, { big: true })}
    <section class="grid">
      ${moment('due', t('Due'), task.dueDate, task.dueTime)}
      ${moment('start', t('Start'), task.startDate, task.startTime)}
      ${choice(
        'listId',
        t('List'),
        String(task.listId),
        lists.map(({ id, name }) => [String(id), name]),
      )}
      ${choice('priority', t('Priority'), String(task.priority), priorities)}
      ${choice('status', t('Status'), String(task.status), [
        ['0', t('To do')],
        ['1', t('In progress')],
        ['2', t('Done')],
        ['3', t('Cancelled')],
      ])}
      ${row(
        'progress',
        t('Progress'),
        html`<span class="pair"
          ><input
            id="progress"
            type="range"
            min="0"
            max="100"
            step="5"
            .value=${live(String(task.progress))}
            @change=${(event: Event) => on.save('progress', (event.target as HTMLInputElement).value)}
          /><output>${task.progress} %</output></span
        >`,
      )}
      ${text('tags', t('Tags'), task.tags, { list: 'known-tags' })}
      <datalist id="known-tags">${knownTags.map(tag => html`<option value=${tag}></option>`)}</datalist>
      ${
        task.dueTime === '' && task.startTime === ''
          ? nothing
          : choice('timezone', t('Time zone'), task.timezone, [
              ['', t('The same time everywhere')],
              ...zones.map(zone => [zone, zone] as const),
            ])
      }
    </section>
    ${row(
      'notes',
      t('Notes'),
      html`<textarea
        id="notes"
        dir="auto"
        rows="6"
        .value=${keep('notes', task.notes)}
        @input=${(event: InputEvent) => on.save('notes', (event.target as HTMLTextAreaElement).value)}
      ></textarea>`,
    )}
    <section class="grid">
      <div class="entry">
        <h2>${t('Repeat')}</h2>
        ${repeat ? html`<p><bdi>${repeat.label}</bdi></p>` : nothing}
        ${repeat && repeat.next.length > 0 ? html`<p class="facts">${t('Next: {0}', repeat.next.join(' · '))}</p>` : nothing}
        <button class="link" @click=${() => on.act('repeat')}>${repeat ? t('Change…') : t('Set repeat…')}</button>
      </div>
      <div class="entry">
        <h2>${t('Reminders')}</h2>
        ${alarms.map(
          ({ label }, at) => html`<p>
            <bdi>${label}</bdi>
            <button class="link" aria-label=${t('Remove the reminder {0}', label)} @click=${() => on.tell({ type: 'dropAlarm', at })}>${t('Remove')}</button>
          </p>`,
        )}
        <button class="link" @click=${() => on.act('addAlarm')}>${t('Add reminder…')}</button>
      </div>
      ${text('location', t('Location'), task.location)} ${text('url', t('URL'), task.url, { type: 'url' })}
      ${choice('classification', t('Visibility'), task.classification === null ? '' : String(task.classification), [
        ['', t('As the list')],
        ['0', t('Public')],
        ['1', t('Private')],
        ['2', t('Confidential')],
      ])}
      ${row(
        'color',
        t('Color'),
        html`<span class="pair"
          ><input
            id="color"
            type="color"
            .value=${live(task.color || '#808080')}
            @change=${(event: Event) => on.save('color', (event.target as HTMLInputElement).value)}
          />${task.color === '' ? html`<span class="facts">${t('none')}</span>` : html`<button class="link" @click=${() => on.save('color', '')}>${t('Clear')}</button>`}</span
        >`,
      )}
    </section>
    <div class="acts-row">
      <button class="link" @click=${() => on.act('duplicate')}>${t('Duplicate')}</button>
      <button class="link" @click=${() => on.act('copyLink')}>${t('Copy link')}</button>
      <button class="link" @click=${() => on.act('delete')}>${t('Delete')}</button>
    </div>
  `;
}

/** What a person is typing in wins over what comes from elsewhere until they leave the field. */
function keep(field: string, value: string): string | ReturnType<typeof live> {
  const active = document.activeElement as HTMLInputElement | null;
  return active?.id === field ? active.value : live(value);
}

const priorityName = (number: number) =>
  number === 0
    ? t('None')
    : number < 5
      ? withNumber(t('High'), number, 1)
      : number === 5
        ? t('Medium')
        : withNumber(t('Low'), number, 9);
const withNumber = (name: string, number: number, usual: number) => (number === usual ? name : `${name} (${number})`);
