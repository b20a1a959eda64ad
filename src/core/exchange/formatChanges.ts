import type { Task } from '../kernel/model';
import type { ImportedFields, ImportedTask } from './types';

const dates = ['due', 'dtstart'] as const;

/**
 * An imported task without what the format alone has changed in the known one: a todo.txt has neither seconds nor zones.
 * `own` is the known task as it is read from an export of it; what the file says just like that has been changed by nobody.
 */
export function withoutFormatChanges(read: ImportedTask, own: ImportedTask, known: Task): ImportedTask {
  const { fields, lineTexts, fromCompletion, ...rest } = read;
  const { uid, due, dtstart, isAllDay, timezone, ...others } = fields;
  return {
    ...rest,
    ...(lineTexts && { lineTexts: changesTo(lineTexts, own.lineTexts ?? {}) }),
    ...(fromCompletion !== undefined && fromCompletion !== own.fromCompletion && { fromCompletion }),
    fields: { ...changesTo(others, own.fields), ...changedDates(read, own.fields, known), uid },
  };
}

/** One reader has made both. */
const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

const changesTo = <Values extends object>(values: Values, own: Values): Values =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => !isEqual(value, own[name as keyof Values])),
  ) as Values;

/** Dates and their encoding change together; a date that the file does not have stays if it can. */
function changedDates(read: ImportedTask, own: ImportedFields, known: Task): Partial<ImportedFields> {
  const fields = { ...read.fields };
  if (read.isZoneless && fields.timezone) fields.timezone = own.timezone ?? fields.timezone;
  const { isAllDay = known.isAllDay, timezone = known.timezone } = fields;
  const isSame = (name: keyof ImportedFields) => fields[name] === undefined || fields[name] === own[name];
  const given = dates.filter(name => fields[name] !== undefined);
  const isEmpty = given.length > 0 && given.every(name => fields[name] === null);
  if (given.every(isSame) && (isEmpty || (isSame('isAllDay') && isSame('timezone')))) return {};
  const values = Object.fromEntries(given.map(name => [name, fields[name]]));
  if (isEmpty && given.length < dates.length) return values;
  const isEncodedAlike = isAllDay === known.isAllDay && (timezone === null) === (known.timezone === null);
  if (!isEncodedAlike) return { due: null, dtstart: null, ...values, isAllDay, timezone };
  const changed = Object.fromEntries(Object.entries(values).filter(([name]) => !isSame(name as keyof ImportedFields)));
  return isSame('timezone') ? changed : { ...changed, timezone };
}
