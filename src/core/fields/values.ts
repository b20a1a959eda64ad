import type { Task, TaskInput } from '../kernel/model';
import { escapeText, unescapeText } from '../lines/contentLines';
import { cleanText } from '../lines/text';
import { durationOfMinutes, estimateText, minutesOfDuration, readEstimate } from './estimate';
import { type Raw, valuesOf, withLine } from './lines';
import {
  type DetailName,
  detailNames,
  type FieldColumn,
  fieldColumns,
  isTextColumn,
  type TextColumn,
  type TextName,
  textFacts,
  textNames,
} from './table';

/** Texts of a task by their names, those in columns and those in lines. */
export type Texts = { [Name in TextName]?: string | null };

/** The fields that a user may set: the interface's input, and the texts that only lines hold. */
export type TaskEdit = TaskInput & Texts;

/** A row as far as it holds texts. */
type TextRow = Pick<Task, TextColumn> & Raw;

export const textOf = (row: TextRow, name: TextName): string | null =>
  isTextColumn(name) ? row[name] : lineText(row, name);

function lineText(row: Raw, name: TextName): string | null {
  const { property, isDuration } = textFacts[name];
  if (isDuration) {
    const minutes = minutesOf(row, name);
    return minutes === undefined ? null : estimateText(minutes);
  }
  const [value] = valuesOf(row, property);
  return value === undefined ? null : cleanText(unescapeText(value));
}

/** The minutes in the lines of a duration; the first readable line counts. */
function minutesOf(row: Raw, name: TextName): number | undefined {
  const { property, also } = textFacts[name];
  // A program that writes the other line leaves the one of the standard as it is: then that one is the older.
  for (const value of [...(also ? valuesOf(row, also) : []), ...valuesOf(row, property)]) {
    const minutes = minutesOfDuration(value);
    if (minutes !== undefined) return minutes;
  }
  return undefined;
}

/** The estimate of a task in minutes. */
export const estimateOf = (row: Raw): number | undefined => minutesOf(row, 'estimate');

/** A text as the value of its property; null if there is none, or if a duration cannot be read. */
export function propertyValue(name: TextName, text: string | null): string | null {
  if (text === null) return null;
  const { isUri, isDuration } = textFacts[name];
  if (isUri) return text;
  if (!isDuration) return escapeText(cleanText(text));
  const minutes = readEstimate(text);
  return minutes === undefined ? null : durationOfMinutes(minutes);
}

const lineNames: readonly TextName[] = textNames.filter(name => !isTextColumn(name));

/** The texts in a row's lines. */
export const lineTextsOf = (row: TextRow): Texts =>
  Object.fromEntries(lineNames.map(name => [name, textOf(row, name)]));

/** The properties that get a new value: those that exist, or else the standard one. */
export function linesFor(
  property: string,
  also: string | undefined,
  isThere: (line: string) => boolean,
): readonly string[] {
  const there = [property, ...(also ? [also] : [])].filter(isThere);
  return there.length > 0 ? there : [property];
}

/**
 * The row's lines with the new values of `texts`, as far as lines hold them. An empty text gets no line, since some
 * servers would refuse it. A line with the right value stays as it is, and so does one without a readable value.
 */
export function withLineTexts(row: Raw, texts: Texts): string | null {
  let { unknownProperties } = row;
  for (const name of lineNames) {
    const text = texts[name];
    const { property, also } = textFacts[name];
    if (text === undefined || (text || null) === lineText({ unknownProperties }, name)) continue;
    const value = propertyValue(name, text || null);
    const isThere = (line: string) => valuesOf({ unknownProperties }, line).length > 0;
    for (const line of linesFor(property, also, isThere))
      unknownProperties = withLine({ unknownProperties }, line, value);
  }
  return unknownProperties;
}

/** The fields in columns, without those in lines. */
export function columnsIn<Fields extends Texts>(fields: Fields): Fields {
  const columns = { ...fields };
  for (const name of lineNames) delete columns[name];
  return columns;
}

/** The details of a task, with `absent` for those that it does not have. */
export const detailsOf = <Absent extends string | null>(row: TextRow, absent: Absent) =>
  Object.fromEntries(detailNames.map(name => [name, textOf(row, name) ?? absent])) as Record<
    DetailName,
    string | Absent
  >;

/** The details among any values: texts that are not empty. */
export const detailsIn = (values: Readonly<Record<string, unknown>>): Partial<Record<DetailName, string>> =>
  Object.fromEntries(
    detailNames.flatMap(name => {
      const value = values[name];
      return typeof value === 'string' && value !== '' ? [[name, value]] : [];
    }),
  );

/** All that the user may set, as the task has it. */
export const settableOf = (task: Task): TaskEdit => ({
  ...(Object.fromEntries(fieldColumns.map(name => [name, task[name]])) as Pick<Task, FieldColumn>),
  ...lineTextsOf(task),
});
