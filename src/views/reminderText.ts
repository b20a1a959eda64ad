import type { Reminder } from '../api';
import type { SnoozeChoice } from '../core/snoozeChoices';
import { titleOf } from './describe';
import { currentLocale, isolate, plain, t, tn } from './l10n';
import { type DateStyle, momentLabel } from './when';

/** How many titles a notification names. */
const named = 3;

/** What other programs write where nobody wrote anything. */
const fillers = /^(reminder|alarm|event reminder|default mozilla description|this is an event reminder)$/i;

/** "Pay rent: due today 9:00", for a notification. */
export function reminderSentence(reminder: Reminder, style: DateStyle): string {
  const title = isolate(titleOf(reminder.task));
  const when = reminderWhen(reminder, style);
  const message = ownMessage(reminder);
  const sentence = when === undefined ? t('Reminder: {0}', title) : t('{0}: {1}', title, when);
  return message === undefined ? sentence : t('{0} ({1})', sentence, isolate(message));
}

/** "due tomorrow 9:00"; undefined for a task without a date. */
export function reminderWhen({ task, due, dtstart }: Reminder, style: DateStyle): string | undefined {
  if (due !== null) return t('due {0}', momentLabel(due, task, style));
  return dtstart === null ? undefined : t('starts {0}', momentLabel(dtstart, task, style));
}

/** Several at once, as one notification. */
export function digestSentence(reminders: readonly Reminder[]): string {
  const titles = reminders.slice(0, named).map(({ task }) => isolate(titleOf(task)));
  const list = new Intl.ListFormat(currentLocale(), { type: 'conjunction' }).format(
    reminders.length > named ? [...titles, tn(reminders.length - named, '{0} more', '{0} more')] : titles,
  );
  return tn(reminders.length, '{0} reminder: {1}', '{0} reminders: {1}', list);
}

export function snoozeLabel(choice: SnoozeChoice): string {
  if (choice.kind !== 'in')
    return { tonight: t('Tonight'), tomorrow: t('Tomorrow'), nextWeek: t('Next week') }[choice.kind];
  const { count, unit } = choice;
  return {
    minute: () => tn(count, 'In {0} minute', 'In {0} minutes'),
    hour: () => tn(count, 'In {0} hour', 'In {0} hours'),
    day: () => tn(count, 'In {0} day', 'In {0} days'),
    week: () => tn(count, 'In {0} week', 'In {0} weeks'),
  }[unit]();
}

function ownMessage({ message, task }: Reminder): string | undefined {
  const text = plain(message ?? '');
  return text === '' || text === titleOf(task) || fillers.test(text) ? undefined : text.slice(0, 200);
}
