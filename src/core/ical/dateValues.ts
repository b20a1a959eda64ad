import type { EpochMs } from '../kernel/model';
import { type ContentLine, paramOf, parseLine } from '../lines/contentLines';
import { parseDigits } from '../lines/dateDigits';
import { cleanLine } from '../lines/text';
import { dayMs } from '../time/units';
import type { Zones } from './zoneTable';

/**
 * A DATE or DATE-TIME value (RFC 5545 3.3.4, 3.3.5). `civil` is the wall clock encoded as if it were UTC. `lossy`
 * marks a value with an unknown TZID, read as floating.
 */
export type DateValue =
  | { readonly kind: 'date'; readonly civil: number }
  | { readonly kind: 'floating'; readonly civil: number; readonly lossy?: true }
  | { readonly kind: 'utc'; readonly civil: number; readonly at: EpochMs }
  | { readonly kind: 'zoned'; readonly civil: number; readonly at: EpochMs; readonly tzid: string };

/** The value of a date property; undefined if it cannot be read. */
export const readDateValue = (line: ContentLine, zones: Zones): DateValue | undefined =>
  dateValue(line.value, paramOf(line, 'VALUE'), paramOf(line, 'TZID'), zones);

export function dateValue(
  text: string,
  valueType: string | undefined,
  tzid: string | undefined,
  zones: Zones,
): DateValue | undefined {
  const digits = parseDigits(text);
  if (!digits) return undefined;
  const { civil } = digits;
  if (digits.kind === 'date' || valueType?.toUpperCase() === 'DATE') {
    return { kind: 'date', civil: civil - modulo(civil, dayMs) };
  }
  if (digits.kind === 'utc') return { kind: 'utc', civil, at: civil };
  if (!tzid) return { kind: 'floating', civil };
  const at = zones.toInstant(tzid, civil);
  return at === undefined ? { kind: 'floating', civil, lossy: true } : { kind: 'zoned', civil, at, tzid };
}

/** The coding of a row's date columns: civil if the zone is null, else instants. */
export interface Coding {
  readonly zone: string | null;
  readonly isAllDay: boolean;
}

/**
 * The one zone that a row has for its dates: the TZID of DUE, else of DTSTART, else UTC if one has a Z. A side without
 * a zone of its own is read in the other's (a DATE as the start of its day).
 */
export function codingOf(due: DateValue | undefined, start: DateValue | undefined): Coding {
  const present = [due, start].filter(value => value !== undefined);
  const zoned = present.find(value => value.kind === 'zoned');
  const utc = present.some(value => value.kind === 'utc');
  return {
    zone: zoned ? zoned.tzid : utc ? 'UTC' : null,
    isAllDay: present.length > 0 && present.every(value => value.kind === 'date'),
  };
}

export function code(value: DateValue, { zone }: Pick<Coding, 'zone'>, zones: Zones): number {
  if (zone === null) return value.civil;
  if (value.kind === 'utc' || value.kind === 'zoned') return value.at;
  return zones.toInstant(zone, value.civil) ?? value.civil;
}

export const modulo = (value: number, by: number): number => ((value % by) + by) % by;

/** True if two times are in the same second, which is as exact as a property can be. */
export const isSameSecond = (a: number | null, b: number | null): boolean =>
  a === b || (a !== null && b !== null && Math.floor(a / 1000) === Math.floor(b / 1000));

/** The lines of a raw column that are lines of that property. */
export const linesOfColumn = (name: string, column: string | null): ContentLine[] =>
  (column ?? '')
    .split('\n')
    .map(text => parseLine(cleanLine(text)))
    .filter(line => line.name === name);
