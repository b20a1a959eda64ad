import { type ContentLine, escapeText, formatLine, paramOf, parseLine, unescapeText } from '../lines/contentLines';
import { cleanLine, cleanText } from '../lines/text';
import { linesOf, type Raw } from './lines';

/**
 * A task that waits for others names each of them in a line `RELATED-TO;RELTYPE=DEPENDS-ON` (RFC 9253 5). The row keeps
 * it among the lines that no column models, as it keeps relations of other types.
 */
export const dependsOn = 'DEPENDS-ON';

export function isDependencyLine(line: ContentLine): boolean {
  if (line.name !== 'RELATED-TO' || !line.jCal || line.value.trim() === '') return false;
  const type = (paramOf(line, 'VALUE') ?? 'TEXT').toUpperCase();
  return paramOf(line, 'RELTYPE')?.trim().toUpperCase() === dependsOn && (type === 'TEXT' || type === 'UID');
}

export const dependencyUid = (line: ContentLine): string => cleanText(unescapeText(line.value.trim()));

export const dependencyLine = (uid: string): string =>
  formatLine('RELATED-TO', escapeText(cleanLine(uid)), [['RELTYPE', dependsOn]]);

/** `unknownProperties` with a link to a meeting: LINK with a UID as its value (RFC 9253 8.2). */
export function withMeeting(row: Raw, uid: string): string {
  const line = formatLine('LINK', escapeText(cleanLine(uid)), [
    ['LINKREL', 'related'],
    ['VALUE', 'UID'],
  ]);
  return JSON.stringify([...linesOf(row), line]);
}

/** Most tasks have none: their lines are not read. */
const mayDepend = ({ unknownProperties }: Raw): boolean =>
  unknownProperties?.toUpperCase().includes(dependsOn) ?? false;

/** The UIDs of the tasks that a task waits for, each once. */
export function dependenciesOf(row: Raw): readonly string[] {
  if (!mayDepend(row)) return [];
  const lines = linesOf(row).map(parseLine).filter(isDependencyLine);
  return [...new Set(lines.map(dependencyUid))];
}

/** `unknownProperties` with exactly these; a line that stays keeps its position and its parameters. */
export function withDependencies(row: Raw, uids: readonly string[]): string | null {
  const known = new Set(dependenciesOf(row));
  const next = new Set(uids);
  const added = [...next].filter(uid => !known.has(uid));
  if (added.length === 0 && known.size === next.size) return row.unknownProperties;
  const kept = linesOf(row).filter(text => {
    const line = parseLine(text);
    return !isDependencyLine(line) || next.has(dependencyUid(line));
  });
  const lines = [...kept, ...added.map(dependencyLine)];
  return lines.length > 0 ? JSON.stringify(lines) : null;
}
