import type { AlarmInput } from '../kernel/model';
import { type ContentLine, paramOf, unescapeText } from '../lines/contentLines';
import { parseDigits } from '../lines/dateDigits';
import { cleanText } from '../lines/text';
import { parseDuration } from '../time/durations';
import { dayMs, minuteMs } from '../time/units';
import type { Component } from './components';
import type { Zones } from './zoneTable';

/** Marks the DESCRIPTION that a VALARM must have although the alarm has no message of its own. */
export const defaultMessageMark = 'X-DUELINE-DEFAULT';

/** Apple writes this trigger into alarms that are switched off. */
const applePlaceholder = Date.UTC(1976, 3, 1, 0, 55, 45);

/**
 * A DISPLAY or AUDIO alarm that has a trigger; undefined for every other one, which then stays as it is written.
 * A trigger without RELATED counts from the start (RFC 5545 3.8.6.3). Seconds are rounded away here only.
 */
export function readAlarm(lines: readonly ContentLine[], component: Component, zones: Zones): AlarmInput | undefined {
  const own = component.own.map(index => lines[index]!);
  const find = (name: string) => own.find(line => line.name === name);
  const action = find('ACTION')?.value.trim().toUpperCase() ?? 'DISPLAY';
  const trigger = find('TRIGGER');
  if (!trigger?.jCal || (action !== 'DISPLAY' && action !== 'AUDIO')) return undefined;

  const description = find('DESCRIPTION');
  const text = description ? cleanText(unescapeText(description.value)) : '';
  const message = text === '' || paramOf(description!, defaultMessageMark) !== undefined ? null : text;

  const duration = parseDuration(trigger.value);
  if (duration) {
    const reference = paramOf(trigger, 'RELATED')?.toUpperCase() === 'END' ? 'DUE' : 'START';
    return { minutesBefore: minutes(-(duration.days * dayMs + duration.ms)), reference, message };
  }
  // Some programs leave out VALUE=DATE-TIME, but the digits are unambiguous.
  const digits = parseDigits(trigger.value);
  if (!digits || digits.kind === 'date' || digits.civil === applePlaceholder) return undefined;
  const tzid = digits.kind === 'utc' ? undefined : paramOf(trigger, 'TZID');
  const at = tzid === undefined ? digits.civil : zones.toInstant(tzid, digits.civil);
  return at === undefined ? undefined : { minutesBefore: minutes(-at), reference: 'ABSOLUTE', message };
}

const minutes = (ms: number) => Math.round(ms / minuteMs) + 0;
