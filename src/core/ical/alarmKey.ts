import type { AlarmInput } from '../kernel/model';
import { cleanText } from '../lines/text';

/** An alarm with its defaults filled in; an empty message counts as none. */
export interface AlarmValues {
  readonly minutesBefore: number;
  readonly reference: 'DUE' | 'START' | 'ABSOLUTE';
  readonly message: string | null;
}

export const alarmValues = ({ minutesBefore, reference = 'DUE', message = null }: AlarmInput): AlarmValues => ({
  minutesBefore,
  reference,
  message: message === null ? null : cleanText(message) || null,
});

/** Two alarms with the same key are the same one: neither a row nor a VALARM has another identity for it. */
export const alarmKey = (alarm: AlarmInput): string => {
  const { minutesBefore, reference, message } = alarmValues(alarm);
  return `${reference} ${minutesBefore} ${message ?? ''}`;
};
