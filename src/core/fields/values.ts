import type { Task, TaskInput } from '../kernel/model';
import { escapeText, unescapeText } from '../lines/contentLines';
import { cleanText } from '../lines/text';
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

export function textOf(row: TextRow, name: TextName): string | null {
  const { property } = textFacts[name];
  if (isTextColumn(name)) return row[name];
  const [value] = valuesOf(row, property);
  return value === undefined ? null : cleanText(unescapeText(value));
}

const lineNames: readonly TextName[] = textNames.filter(name => !isTextColumn(name));

/** The texts in a row's lines. */
export const lineTextsOf = (row: TextRow): Texts =>
  Object.fromEntries(lineNames.map(name => [name, textOf(row, name)]));

/** The row's lines with what of `texts` is in lines; an empty text has none, which some servers would refuse. */
export function withLineTexts(row: Raw, texts: Texts): string | null {
  let { unknownProperties } = row;
  for (const name of lineNames) {
    const text = texts[name];
    if (text === undefined) continue;
    const value = text === null || text === '' ? null : escapeText(cleanText(text));
    unknownProperties = withLine({ unknownProperties }, textFacts[name].property, value);
  }
  return unknownProperties;
}

/** The fields in columns, without those in lines. */
export function columnsIn<Fields extends Texts>(said: Fields): Fields {
  const columns = { ...said };
  for (const name of lineNames) delete columns[name];
  return columns;
}

/** The details of a task, empty if there is nothing. */
export const detailsOf = (row: TextRow): Record<DetailName, string> =>
  Object.fromEntries(detailNames.map(name => [name, textOf(row, name) ?? ''])) as Record<DetailName, string>;

/** All that the user may set, as the task has it. */
export const settableOf = (task: Task): TaskEdit => ({
  ...(Object.fromEntries(fieldColumns.map(name => [name, task[name]])) as Pick<Task, FieldColumn>),
  ...lineTextsOf(task),
});
