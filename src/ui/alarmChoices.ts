import type { AlarmInput } from '../core/kernel/model';

const beforeDue = [0, 5, 15, 30, 60, 1440, 10_080];
const beforeStart = [0, 15, 60];

/** The reminders that can be chosen with one click: before the due date and the start, if a task has them. */
export const alarmChoices = (hasDue: boolean, hasStart: boolean): readonly Required<Omit<AlarmInput, 'message'>>[] => [
  ...(hasDue ? beforeDue : []).map(minutesBefore => ({ minutesBefore, reference: 'DUE' as const })),
  ...(hasStart ? beforeStart : []).map(minutesBefore => ({ minutesBefore, reference: 'START' as const })),
];
