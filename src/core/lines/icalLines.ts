import ICAL from 'ical.js';

/** A property as ical.js has it (RFC 7265 3.4), names in small letters. */
export type JCal = readonly [name: string, params: Params, type: string, value: string];
export type Params = Readonly<Record<string, string | readonly string[]>>;

/** Values stay as written: of a damaged one (`DUE:20250101`) ical.js makes another (`DUE:2025-01-01T::`). */
const asWritten = { ...ICAL.design.icalendar, property: {}, value: {} };

/** @throws if ical.js refuses the parameters */
export const propertyOf = (line: string): JCal => ICAL.parse.property(line, asWritten);

/** One line, however long. */
export const formatProperty = (property: JCal): string => ICAL.stringify.property([...property], asWritten, true);

/**
 * RFC 5545 3.1 counts the space that continues a folded line as one of its 75 octets, but ical.js does not; `length` is
 * the value for ical.js.
 */
export function folded(line: string, newline: string, length: number): string {
  ICAL.foldLength = length;
  return ICAL.helpers.foldline(line).replaceAll(ICAL.newLineChar, newline);
}

export const textType = ICAL.design.icalendar.value.text;
