import { html } from 'lit';
import { t } from '../../src/shared/l10n';

/** The keys of a widget, shown on `?`. The dialog keeps the focus, and Escape closes it. */
export function helpTemplate(onClose: () => void) {
  const keys: readonly (readonly [string, string])[] = [
    ['↑ ↓', t('Move between tasks')],
    ['← →', t('Expand or collapse a group, or move between columns')],
    [t('Space'), t('Complete or reopen')],
    [t('Enter'), t('Open; in an empty column, add a task')],
    ['F2', t('Rename')],
    ['D', t('Due date')],
    ['R', t('Repeat')],
    ['S', t('Postpone')],
    ['Z', t('Snooze the reminder')],
    ['O', t('Open link')],
    ['P', t('Priority')],
    ['1 2 3 0', t('High, medium, low or no priority')],
    ['T', t('Tags')],
    ['M', t('Move to list')],
    ['E', t('Edit as Text')],
    [t('Delete'), t('Delete')],
    ['Alt ← →', t('Move to the previous or next column')],
    ['Alt ↑ ↓', t('Move up or down: in manual order, to another group, or by a week in Month')],
    [t('Shift ↑ ↓'), t('Select multiple tasks')],
    [t('Ctrl A'), t('Select all')],
    [t('Ctrl Z'), t('Undo')],
    ['N', t('Add a task')],
    ['J K', t('Next or previous week or month')],
    ['/', t('Search tasks')],
    [',', t('Configure widget')],
    [t('Shift F10'), t('More actions')],
    ['?', t('Keyboard shortcuts')],
  ];
  return html`
    <dialog class="help" aria-label=${t('Keyboard shortcuts')} @close=${onClose}>
      <dl>
        ${keys.map(([key, action]) => html`<div><dt>${key.split(' ').map(one => html`<kbd>${one}</kbd>`)}</dt><dd>${action}</dd></div>`)}
      </dl>
      <form method="dialog"><button class="link">${t('Close')}</button></form>
    </dialog>
  `;
}
