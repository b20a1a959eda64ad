import { formatDay, formatUtc, formatWall } from '../lines/dateDigits';
import { cleanLine } from '../lines/text';
import { parseDuration } from '../time/durations';
import { resolveZone } from '../time/zones';
import { type Coding, codingOf, type DateValue, isSameSecond, readDateValue } from './dateValues';
import type { Patch } from './patch';
import type { TaskFields } from './row';
import type { Zones } from './zoneTable';

/** A date value ready to be written: its text and the parameters that it needs. */
interface WrittenDate {
  readonly text: string;
  readonly params: readonly (readonly [string, string])[];
  readonly value: DateValue;
}

/**
 * A column's date as a property value: DATE, floating, UTC, or the zone's wall clock with its TZID. An instant that the
 * zone's wall clock cannot express (the second of two equal hours, an unknown zone) is written in UTC.
 */
export function formatDate(value: number, { zone, isAllDay }: Coding, zones: Zones): WrittenDate {
  if (zone === null) {
    return isAllDay
      ? { text: formatDay(value), params: [['VALUE', 'DATE']], value: { kind: 'date', civil: value } }
      : { text: formatWall(value), params: [], value: { kind: 'floating', civil: value } };
  }
  const second = Math.floor(value / 1000) * 1000;
  const civil = resolveZone(zone) === 'UTC' ? undefined : zones.toWall(zone, second);
  if (civil === undefined || zones.toInstant(zone, civil) !== second) {
    return { text: formatUtc(value), params: [], value: { kind: 'utc', civil: second, at: second } };
  }
  return { text: formatWall(civil), params: [['TZID', zone]], value: { kind: 'zoned', civil, at: second, tzid: zone } };
}

/** Sets DTSTART, DUE and DURATION to their new values; true if one of them changed. */
export function writeDates(patch: Patch, before: TaskFields, after: TaskFields, zones: Zones): boolean {
  const coding: Coding = { zone: after.timezone, isAllDay: after.isAllDay };
  const recoded = before.timezone !== after.timezone || before.isAllDay !== after.isAllDay;
  const due = side(patch, 'DUE', before.due, after.due, coding, zones);
  const start = side(patch, 'DTSTART', before.dtstart, after.dtstart, coding, zones);
  const sides = [due, start];
  const isChanged = sides.some(({ changed }) => changed) || (recoded && sides.some(({ written }) => written));
  const duration = after.duration === null ? null : cleanLine(after.duration).trim();
  const target =
    duration !== null && parseDuration(duration) && after.dtstart !== null && after.due === null ? duration : null;
  if (!isChanged && target === before.duration) return false;

  if (isChanged) {
    // One side alone is rewritten only if the two, read together again, have the row's zone and kind.
    const final = sides.map(({ changed, old, written }) => (changed ? written?.value : old)) as [
      DateValue?,
      DateValue?,
    ];
    const together = codingOf(...final);
    const mixed = final[0] && final[1] && (final[0].kind === 'date') !== (final[1].kind === 'date');
    const both = recoded || mixed || together.zone !== coding.zone || together.isAllDay !== coding.isAllDay;
    for (const { name, changed, old, written } of sides) {
      if (!changed && !both) continue;
      const keepsUnknownZone = old?.kind === 'floating' && old.lossy && written?.value.kind === 'floating';
      patch.set(name, written?.text ?? null, {
        without: keepsUnknownZone ? ['VALUE'] : ['VALUE', 'TZID'],
        adding: written?.params ?? [],
      });
    }
  }
  // DUE and DURATION exclude each other, and a DURATION without a start would begin to count as soon as there is one.
  if (target !== before.duration || target === null) patch.set('DURATION', target);
  return true;
}

interface Side {
  readonly name: string;
  readonly old: DateValue | undefined;
  readonly written: WrittenDate | undefined;
  readonly changed: boolean;
}

function side(
  patch: Patch,
  name: string,
  before: number | null,
  after: number | null,
  coding: Coding,
  zones: Zones,
): Side {
  const line = patch.named(name)[0];
  return {
    name,
    old: line && readDateValue(line, zones),
    written: after === null ? undefined : formatDate(after, coding, zones),
    changed: !isSameSecond(before, after),
  };
}
