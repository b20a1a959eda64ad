import type { AlarmInput } from '../kernel/model';
import { escapeText, formatLine } from '../lines/contentLines';
import { formatUtc } from '../lines/dateDigits';
import { cleanText } from '../lines/text';
import { formatDuration } from '../time/durations';
import { minuteMs } from '../time/units';
import { type AlarmValues, alarmKey, alarmValues } from './alarmKey';
import { defaultMessageMark, readAlarm } from './alarmRead';
import type { Component } from './components';
import { Patch } from './patch';
import type { TaskFields } from './row';
import type { Zones } from './zoneTable';

type Dates = Pick<TaskFields, 'dtstart' | 'due' | 'duration'>;

/**
 * An alarm with a reference that the task has, if it has one (RFC 5545 3.8.6.3): other programs ignore an alarm if DUE
 * or DTSTART is missing. The row keeps the user's reference, should that date come.
 */
function written(alarm: AlarmInput, { dtstart, due, duration }: Dates): AlarmValues {
  const plain = alarmValues(alarm);
  const [hasStart, hasEnd] = [dtstart !== null, due !== null || (dtstart !== null && duration !== null)];
  if (plain.reference === 'DUE' && !hasEnd && hasStart) return { ...plain, reference: 'START' };
  if (plain.reference === 'START' && !hasStart && hasEnd) return { ...plain, reference: 'DUE' };
  return plain;
}

/** The alarms of a task with these dates, in a form that is the same for any reference. */
export const alarmKeys = (fields: Dates & Pick<TaskFields, 'alarms'>): string[] =>
  fields.alarms.map(alarm => alarmKey(written(alarm, fields)));

/**
 * Writes the row's alarms into a VTODO. An alarm with only a new time or a new message keeps the rest of its VALARM;
 * alarms that no row can hold (EMAIL and others) are not touched.
 */
export function writeAlarms(patch: Patch, before: Dates, after: TaskFields, zones: Zones, newId: () => string): void {
  const target = after.alarms.map(alarm => written(alarm, after));
  const present: { component: Component; alarm: AlarmValues }[] = [];
  for (const component of patch.component.children) {
    const alarm = component.name === 'VALARM' && component.closed && readAlarm(patch.all, component, zones);
    if (alarm) present.push({ component, alarm: alarmValues(alarm) });
  }
  const pairs = (
    isPair: (a: AlarmValues, b: AlarmValues) => boolean,
    act: (component: Component, from: AlarmValues, to: AlarmValues) => void,
  ) => {
    for (const { component, alarm } of [...present]) {
      const at = target.findIndex(candidate => isPair(alarm, candidate));
      if (at < 0) continue;
      act(component, alarm, target[at]!);
      target.splice(at, 1);
      present.splice(
        present.findIndex(other => other.component === component),
        1,
      );
    }
  };
  // A trigger that lacks its date stays as it is, as long as the date is missing.
  for (const isPair of [
    (a: AlarmValues, b: AlarmValues) => alarmKey(a) === alarmKey(b),
    (a: AlarmValues, b: AlarmValues) =>
      alarmKey(written(a, before)) === alarmKey(b) && alarmKey(written(a, after)) === alarmKey(b),
  ])
    pairs(isPair, () => {});
  const change = (component: Component, from: AlarmValues, to: AlarmValues) =>
    rewrite(patch, component, from, to, after.title);
  pairs((a, b) => a.reference === b.reference && a.minutesBefore === b.minutesBefore, change);
  pairs((a, b) => a.message === b.message, change);

  for (const { component } of present) {
    patch.addInner([{ from: patch.all[component.first]!.from, to: patch.all[component.last]!.to, text: '' }]);
  }
  for (const alarm of target) {
    const [value, params] = trigger(alarm);
    patch.addComponent([
      'BEGIN:VALARM',
      `UID:${newId()}`,
      'ACTION:DISPLAY',
      describe(alarm.message, after.title),
      formatLine('TRIGGER', value, params),
      'END:VALARM',
    ]);
  }
}

function rewrite(outer: Patch, component: Component, from: AlarmValues, to: AlarmValues, title: string | null): void {
  const patch = new Patch(outer.all, component, outer.newline);
  if (from.reference !== to.reference || from.minutesBefore !== to.minutesBefore) {
    const [value, adding] = trigger(to);
    patch.set('TRIGGER', value, { without: ['RELATED', 'VALUE', 'TZID'], adding });
    // It was acknowledged at its old time.
    patch.set('ACKNOWLEDGED', null);
  }
  if (from.message !== to.message) {
    const line = patch.named('DESCRIPTION')[0];
    const text = describe(to.message, title);
    if (line) patch.replace(line, text);
    else patch.add(text);
  }
  outer.addInner(patch.splices());
}

/** RFC 5545 3.6.6 wants a DESCRIPTION in every DISPLAY alarm: the title, marked, if the row has no message. */
const describe = (message: string | null, title: string | null) =>
  message === null
    ? formatLine('DESCRIPTION', escapeText(cleanText(title ?? '') || 'Reminder'), [[defaultMessageMark, '1']])
    : formatLine('DESCRIPTION', escapeText(message));

const minutesOfDay = 1440;

function trigger({ minutesBefore, reference }: AlarmValues): [value: string, params: (readonly [string, string])[]] {
  if (reference === 'ABSOLUTE') return [formatUtc(-minutesBefore * minuteMs), [['VALUE', 'DATE-TIME']]];
  const minutes = -minutesBefore;
  const days = Math.trunc(minutes / minutesOfDay) + 0;
  const duration = formatDuration({ days, ms: (minutes % minutesOfDay) * minuteMs + 0 });
  return [duration, [['RELATED', reference === 'DUE' ? 'END' : 'START']]];
}
