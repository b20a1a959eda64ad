import { linesOf } from '../fields/lines';
import { type ContentLine, escapeText, foldLine, formatLine, parseLine, readLines } from '../lines/contentLines';
import { formatUtc } from '../lines/dateDigits';
import { cleanLine } from '../lines/text';
import { appliesToFollowing } from '../recurrence/thisAndFollowing';
import { componentsNamed, frameOf } from './components';
import { readDateValue } from './dateValues';
import { applySplices } from './patch';
import { codeRecurrenceId, readTodo } from './readTodo';
import type { ResourceRow, TaskFields } from './row';
import { formatDate } from './writeDates';
import { patchTodo, rangeParam, type TodoWriting } from './writeTodo';

/** A calendar without a task, for a task that no server has yet. */
export const newCalendar = (prodid: string): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', `PRODID:${escapeText(cleanLine(prodid))}`, 'END:VCALENDAR']
    .map(line => foldLine(line, '\r\n'))
    .join('');

/**
 * A new VTODO. It begins with the identification and the raw lines that no column models; the columns are then written
 * onto it as onto any other, so that a raw line whose column has not changed (`STATUS:X-OPEN`) stays as it was.
 */
export function newTodo(row: ResourceRow, writing: TodoWriting): string {
  const { zones, newline, series } = writing;
  const text = bareLines(row.fields, writing)
    .map(line => foldLine(line, newline))
    .join('');
  const lines = readLines(text);
  const component = frameOf(lines).roots[0]!;
  const { faults, ...reading } = readTodo(lines, component, row.fields.uid, zones, series);
  return applySplices(text, patchTodo(lines, { component, ...reading }, row, writing, true));
}

function bareLines(fields: TaskFields, { zones, series, now }: TodoWriting): string[] {
  const [properties, components] = rawLines(fields.unknownProperties);
  const lines = [
    'BEGIN:VTODO',
    `UID:${escapeText(cleanLine(fields.uid))}`,
    `DTSTAMP:${formatUtc(now)}`,
    ...(fields.createdAt === null ? [] : [`CREATED:${formatUtc(fields.createdAt)}`]),
    `LAST-MODIFIED:${formatUtc(now)}`,
    ...(fields.sequence > 0 ? [`SEQUENCE:${fields.sequence}`] : []),
  ];
  const raw = properties.find(line => line.name === 'RECURRENCE-ID');
  const rawId = raw && readDateValue(raw, zones);
  const isNamed = rawId && series && codeRecurrenceId(rawId, series, zones) === fields.recurrenceId;
  if (fields.recurrenceId !== null && series && !isNamed) {
    const id = formatDate(fields.recurrenceId, series, zones);
    const params = appliesToFollowing(fields) ? [...id.params, rangeParam] : id.params;
    lines.push(formatLine('RECURRENCE-ID', id.text, params));
  }
  const own = new Set(lines.map(line => parseLine(line).name));
  for (const line of properties) if (!own.has(line.name)) lines.push(line.text);
  return [...lines, ...components, 'END:VTODO'];
}

/**
 * The column's lines that a new text can contain: not those that are no properties, and no half components. Cyrus
 * refuses a task with an X- property without a value, and drops one whose name is in lower case.
 */
function rawLines(column: string | null): [properties: ContentLine[], components: string[]] {
  const lines = columnLines(column);
  const { roots, strays } = frameOf(lines);
  const isProperty = ({ name, value }: ContentLine) => name !== '' && !(name.startsWith('X-') && value === '');
  const sound = roots.filter(root => root.closed && componentsNamed([root], 'VTODO').length === 0);
  const properties = strays.map(index => lines[index]!).filter(({ name }) => name !== 'END' && name !== 'BEGIN');
  return [
    properties.filter(isProperty).map(line => parseLine(line.name + line.text.slice(line.name.length))),
    sound.flatMap(root =>
      lines
        .slice(root.first, root.last + 1)
        .filter(isProperty)
        .map(line => line.text),
    ),
  ];
}

/** `unknownProperties` as content lines; damaged JSON holds none. */
export const columnLines = (column: string | null): ContentLine[] =>
  linesOf({ unknownProperties: column }).map(line => parseLine(cleanLine(line)));
