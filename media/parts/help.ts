import { html } from 'lit';
import { t } from '../../src/views/l10n';

/** The keys of a widget, shown on `?`. */
export function helpTemplate(onClose: () => void) {
  const keys: readonly (readonly [string, string])[] = [
    ['↑ ↓', t('Move between tasks')],
    ['← →', t('Fold a group, or move between columns')],
    [t('Space'), t('Complete or reopen')],
    [t('Enter'), t('Open')],
    ['F2', t('Rename')],
    ['D', t('Due date')],
    ['S', t('Postpone')],
    ['P', t('Priority')],
    ['T', t('Tags')],
    ['M', t('Move to list')],
    [t('Delete'), t('Delete')],
    ['Alt ← →', t('Move to the next column')],
    [t('Shift ↑ ↓'), t('Select several')],
    ['Ctrl Z', t('Undo')],
    ['N', t('Add a task')],
    [t('Shift F10'), t('Everything else')],
  ];
  return html`
    <div class="help" role="dialog" aria-modal="true" aria-label=${t('Keys')}>
      <dl>
        ${keys.map(([key, what]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${what}</dd></div>`)}
      </dl>
      <button class="link" @click=${onClose}>${t('Close')}</button>
    </div>
  `;
}
