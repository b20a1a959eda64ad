import { html, nothing } from 'lit';
import { t } from '../../src/shared/l10n';
import { type FormHandlers, keep, row } from './formRow';

/** A day and, where it has one, a time. Half-typed years are not sent: the picker calls 2 the year 0002. */
export function momentField(on: FormHandlers, field: 'due' | 'start', label: string, date: string, time: string) {
  const send = (event: Event) => {
    const box = (event.target as HTMLElement).closest('.entry')!;
    const [day = '', clock = ''] = [...box.querySelectorAll('input')].map(input => input.value);
    if (day !== '' && day < '1900') return;
    on.save(field, day === '' ? '' : clock === '' ? day : `${day}T${clock}`);
  };
  const isWrong = on.problem?.field === field;
  return row(
    on,
    field,
    label,
    html`<span class="pair moment">
      <input
        id=${field}
        type="date"
        max="9999-12-31"
        aria-invalid=${isWrong}
        aria-describedby=${isWrong ? `${field}-problem` : nothing}
        .value=${keep(on, field, field, date)}
        @change=${send}
      />
      <input
        id="${field}-time"
        type="time"
        aria-label=${t('{0}: time', label)}
        .value=${keep(on, field, `${field}-time`, time)}
        ?disabled=${date === ''}
        @change=${send}
      />
      ${date === '' ? nothing : html`<button type="button" class="link" aria-label=${t('{0}: clear', label)} @click=${() => on.save(field, '')}>${t('Clear')}</button>`}
    </span>`,
  );
}
