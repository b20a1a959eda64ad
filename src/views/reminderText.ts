import type { Reminder } from '../api';
import type { SnoozeChoice } from '../core/snoozeChoices';
import { titleOf } from './describe';
import { currentLocale, isolate, plain, t, tn } from './l10n';
import { type DateStyle, momentLabel } from './when';

/** How many titles a notification names. */
const named = 3;

/** What other programs write where nobody wrote anything. */
const fillers = /^(reminder|alarm|event reminder|default mozilla description|this is an event reminder)$/i;

/** "Pay rent · Today 9:00", for a notification. */
export function reminderSentence(reminder: Reminder, style: DateStyle): string {
  return [isolate(titleOf(reminder.task)), ...reminderDetails(reminder, style)].join(' · ');
}

/** What stands beside the title: the date, and what somebody wrote into the reminder. */
export function reminderDetails(reminder: Reminder, style: DateStyle): string[] {
  const { task, due, dtstart } = reminder;
  const value = due ?? dtstart;
  const message = ownMessage(reminder);
  return [
    ...(value === null ? [] : [momentLabel(value, task, style)]),
    ...(message === undefined ? [] : [isolate(message)]),
  ];
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
