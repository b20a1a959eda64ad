import type { EditLabel, UndoStep } from '../../core/kernel/editLabel';
import { isolate, t, tn } from '../../shared/l10n';

/** The name of an edit in an undo message: *complete “Pay rent”*. */
export function editName({ key, count, title, field }: EditLabel): string {
  const tasks = count === 1 && title ? isolate(title) : tn(count, '{0} task', '{0} tasks');
  switch (key) {
    case 'create':
      return t('add {0}', tasks);
    case 'complete':
      return t('complete {0}', tasks);
    case 'reopen':
      return t('reopen {0}', tasks);
    case 'delete':
      return t('delete {0}', tasks);
    case 'deleteOccurrence':
      // Several may be of one series.
      return count === 1 ? t('delete one occurrence of {0}', tasks) : t('delete {0}', tasks);
    case 'skip':
      return t('skip one occurrence of {0}', tasks);
    case 'move':
      return t('move {0}', tasks);
    case 'restore':
      return t('restore {0}', tasks);
    case 'import':
      return t('import {0}', tasks);
    case 'list.create':
      return t('new list {0}', tasks);
    case 'list.update':
      return count === 1 ? t('change list {0}', tasks) : t('change {0}', tn(count, '{0} list', '{0} lists'));
    case 'list.delete':
      return t('delete list {0}', tasks);
    default:
      return fieldName(field, tasks);
  }
}

/** The name of an edit of one field. */
function fieldName(field: string | undefined, tasks: string): string {
  switch (field) {
    case 'title':
      return t('rename {0}', tasks);
    case 'due':
      return t('change the date of {0}', tasks);
    case 'rrule':
      return t('change the repeat of {0}', tasks);
    case 'priority':
      return t('change the priority of {0}', tasks);
    case 'tags':
      return t('change the tags of {0}', tasks);
    case 'description':
      return t('change the notes of {0}', tasks);
    case 'time':
      return t('change the time of {0}', tasks);
    default:
      return t('change {0}', tasks);
  }
}

/** The act of an agent, with its name, such as “Claude Code: complete Pay rent”. */
export const agentStepText = ({ label }: UndoStep): string =>
  t('{0}: {1}', isolate(label.client?.name ?? ''), editName(label));
