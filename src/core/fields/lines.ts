import type { Task } from '../kernel/model';

/** Lines of a VTODO that no column models, as the store keeps them: raw, and in the order of the file. */
export type Raw = Pick<Task, 'unknownProperties'>;

/** Damaged JSON holds none. */
export function linesOf({ unknownProperties }: Raw): string[] {
  if (!unknownProperties) return [];
  try {
    const lines: unknown = JSON.parse(unknownProperties);
    return Array.isArray(lines) ? lines.filter(item => typeof item === 'string') : [];
  } catch {
    return [];
  }
}

/** The part of a line before the value. */
const headOf = (property: string) => new RegExp(`^${property}(?:;(?:[^":]|"[^"]*")*)?:`, 'i');

/** The values of a property's lines, as written. */
export function valuesOf(row: Raw, property: string): string[] {
  if (!row.unknownProperties?.toUpperCase().includes(property)) return [];
  const head = headOf(property);
  return linesOf(row).flatMap(line => (head.test(line) ? [line.replace(head, '')] : []));
}

/** `unknownProperties` with one line of the property, or (null) without any; null if nothing is left in it. */
export function withLine(row: Raw, property: string, value: string | null): string | null {
  const head = headOf(property);
  const lines = linesOf(row);
  const at = lines.findIndex(line => head.test(line));
  if (at < 0 && value === null) return row.unknownProperties;
  const others = lines.filter(line => !head.test(line));
  if (value !== null) others.splice(at < 0 ? others.length : at, 0, `${property}:${value}`);
  return others.length > 0 ? JSON.stringify(others) : null;
}
