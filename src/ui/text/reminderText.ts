import type { DuelineEngine, Reminder } from '../../api';
import type { SnoozeChoice } from '../../core/reminders/snoozeChoices';
import { brief, briefName, currentLocale, isolate, listed, plain, t, tn } from '../../shared/l10n';
import { dateStyle } from '../settings/settings';
import { distanceLabel, momentLabel } from './dateText';
import { titleOf } from './taskText';

/** How many titles a notification names. */
const named = 3;

/** Messages that other programs fill in if the user wrote none. */
const fillers = /^(reminder|alarm|event reminder|default mozilla description|this is an event reminder)$/i;

type Listed = Pick<DuelineEngine, 'clock' | 'lists'>;

/** "Pay rent · Today 9:00, 20 minutes ago · Home", for a notification. */
export function reminderSentence(reminder: Reminder, engine: Listed): string {
  return [isolate(titleOf(reminder.task)), ...reminderDetails(reminder, engine)].join(' · ');
}

/** The text of a notification or a dialog about reminders that have come due. */
export function reminderHeadline(due: readonly Reminder[], engine: Listed): string {
  const [first, ...others] = due;
  if (!first) return '';
  return others.length > 0 ? digestSentence(due) : t('Reminder: {0}', reminderSentence(first, engine));
}

/** The details after the title: the date and how far away it is, the reminder's own message, the list. */
export function reminderDetails(reminder: Reminder, engine: Listed): string[] {
  const { task, due, dtstart } = reminder;
  const style = dateStyle(engine);
  const value = due ?? dtstart;
  const message = ownMessage(reminder);
  const list = engine.lists().find(({ id }) => id === task.listId);
  const when = value === null ? [] : [momentLabel(value, task, style), distanceLabel(value, task, style)];
  return [
    ...(value === null ? [] : [listed(when.filter(part => part !== undefined))]),
    ...(message === undefined ? [] : [isolate(message)]),
    ...(list ? [isolate(briefName(list.name))] : []),
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
  return text === '' || text === titleOf(task) || fillers.test(text) ? undefined : brief(text, 200);
}
