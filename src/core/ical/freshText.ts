import { componentsNamed, frameOf } from './components';
import { type ContentLine, foldLine, parseLine } from './contentLines';
import { formatUtc } from './dateValues';
import { formatParam } from './params';
import type { TaskFields } from './row';
import { cleanLine, escapeText } from './text';
import type { WrittenDate } from './writeDates';

/** A calendar without a task, for what no server has yet. */
export const freshCalendar = (prodid: string): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', `PRODID:${escapeText(cleanLine(prodid))}`, 'END:VCALENDAR']
    .map(line => foldLine(line, '\r\n'))
    .join('');

/**
 * A VTODO with what the columns cannot say (the raw lines) and what identifies it; the columns are then written onto
 * it as onto any other, so that a raw line whose column did not change (`STATUS:X-OPEN`) stays as it was.
 */
export function freshTodo(
  fields: TaskFields,
  recurrenceId: WrittenDate | undefined,
  now: number,
  newline: string,
): string {
  const [properties, components] = rawLines(fields.unknownProperties);
  const lines = [
    'BEGIN:VTODO',
    `UID:${escapeText(cleanLine(fields.uid))}`,
    `DTSTAMP:${formatUtc(now)}`,
    ...(fields.createdAt === null ? [] : [`CREATED:${formatUtc(fields.createdAt)}`]),
    `LAST-MODIFIED:${formatUtc(now)}`,
    ...(fields.sequence > 0 ? [`SEQUENCE:${fields.sequence}`] : []),
  ];
  const own = new Set(lines.map(line => parseLine(line).name));
  if (recurrenceId && !properties.some(line => line.name === 'RECURRENCE-ID')) {
    const params = recurrenceId.params.map(([name, value]) => formatParam(name, value)).join('');
    lines.push(`RECURRENCE-ID${params}:${recurrenceId.text}`);
  }
  lines.push(...properties.filter(line => !own.has(line.name)).map(line => line.text));
  lines.push(...components, 'END:VTODO');
  return lines.map(line => foldLine(line, newline)).join('');
}

/** The column's lines as far as they can stand in a text of their own: what is no property, or half a component, cannot. */
function rawLines(column: string | null): [properties: ContentLine[], components: string[]] {
  const lines = columnLines(column);
  const { roots, strays } = frameOf(lines);
  const sound = roots.filter(root => root.closed && componentsNamed([root], 'VTODO').length === 0);
  return [
    strays.map(index => lines[index]!).filter(line => line.name !== '' && line.name !== 'END' && line.name !== 'BEGIN'),
    sound.flatMap(root =>
      lines
        .slice(root.first, root.last + 1)
        .filter(line => line.name !== '')
        .map(line => line.text),
    ),
  ];
}

/** `unknownProperties` as content lines; damaged JSON holds none. */
export function columnLines(column: string | null): ContentLine[] {
  if (column === null) return [];
  try {
    const parsed: unknown = JSON.parse(column);
    if (!Array.isArray(parsed)) return [];
    return parsed.filter(line => typeof line === 'string').map(line => parseLine(cleanLine(line)));
  } catch {
    return [];
  }
}
