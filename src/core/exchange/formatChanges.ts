import type { Task } from '../kernel/model';
import { dayOf } from '../time/dates';
import type { ImportedFields } from './types';

/**
 * The fields of an imported task that change a known one, without the changes that only the format makes: if it has no
 * time of day, the known time is kept, and a RELATED-TO line for the parent counts as the same one.
 */
export function withoutFormatChanges(known: Task, fields: ImportedFields, userZone: string): ImportedFields {
  const result = { ...fields };
  for (const name of ['createdAt', 'completedAt'] as const) {
    const value = fields[name];
    const had = known[name];
    if (value == null || had === null) continue;
    const isDayOnly = dayOf(value - 1, 'UTC', userZone) < dayOf(value, 'UTC', userZone);
    if (isDayOnly && dayOf(value, 'UTC', userZone) === dayOf(had, 'UTC', userZone)) delete result[name];
  }
  if (
    fields.unknownProperties !== undefined &&
    withoutParents(fields.unknownProperties) === withoutParents(known.unknownProperties)
  ) {
    delete result.unknownProperties;
  }
  return result;
}

function withoutParents(lines: string | null): string {
  try {
    const all: unknown = JSON.parse(lines ?? '[]');
    return JSON.stringify(
      Array.isArray(all) ? all.filter(line => !/^RELATED-TO(;RELTYPE=("?)PARENT\2)?:/i.test(String(line))) : all,
    );
  } catch {
    return lines ?? '[]';
  }
}
