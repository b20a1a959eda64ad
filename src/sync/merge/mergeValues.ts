import { alarmKey } from '../../core/ical/alarmKey';
import { type Columns, dateSet } from '../../core/ical/contentGroups';
import { linesOfColumn } from '../../core/ical/dateValues';
import { withValue } from '../../core/lines/contentLines';
import { splitList } from '../../core/lines/text';

/**
 * Their values, with those that were added here and without those that were removed here. First theirs in their order,
 * then ours.
 */
export function mergeSet<T>(
  base: readonly T[],
  local: readonly T[],
  server: readonly T[],
  keyOf: (value: T) => unknown = value => value,
): T[] {
  const keysOf = (values: readonly T[]) => new Set(values.map(keyOf));
  const [before, here, there] = [keysOf(base), keysOf(local), keysOf(server)];
  return [
    ...server.filter(value => here.has(keyOf(value)) || !before.has(keyOf(value))),
    ...local.filter(value => !before.has(keyOf(value)) && !there.has(keyOf(value))),
  ];
}

/** Both values of a group in one: sets as their union, notes one below the other. Undefined if only one can be kept. */
export function bothOf(local: Columns, server: Columns): Columns | undefined {
  if (local.tags && server.tags) return { tags: mergeSet([], local.tags, server.tags) };
  if (local.alarms && server.alarms) return { alarms: mergeSet([], local.alarms, server.alarms, alarmKey) };
  const [here, there] = [local.description, server.description];
  return here && there ? { description: `${there}\n\n${here}` } : undefined;
}

/**
 * RDATE or EXDATE lines merged as sets of dates; a line of the server from which nothing was removed stays as written.
 */
export function mergeDateLines(
  name: 'RDATE' | 'EXDATE',
  base: string | null,
  local: string | null,
  server: string | null,
): string | null {
  const datesOf = (column: string | null) => new Set(dateSet(name, column));
  const [before, here, there] = [datesOf(base), datesOf(local), datesOf(server)];
  const removed = new Set([...before].filter(date => !here.has(date)));
  const kept = withoutDates(name, server, removed);
  const known = new Set([...here].filter(date => before.has(date) || there.has(date)));
  const added = withoutDates(name, local, known);
  return [kept, added].filter(lines => lines !== null).join('\n') || null;
}

/** The column without those dates (keys of `dateSet`); a line that loses its last date is removed. */
export function withoutDates(
  name: 'RDATE' | 'EXDATE',
  column: string | null,
  removed: ReadonlySet<string>,
): string | null {
  const lines = linesOfColumn(name, column).flatMap(line => {
    const parts = splitList(line.value);
    const keys = dateSet(name, line.text);
    const kept = parts.filter((_, at) => !removed.has(keys[at]!));
    if (kept.length === parts.length) return [line.text];
    return kept.length === 0 ? [] : [withValue(line, kept.join(','))];
  });
  return lines.join('\n') || null;
}

/** Lines [from, to) of the base and their replacement. */
interface Hunk {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

/**
 * Line-wise three-way merge of a text; undefined if both sides changed the same lines differently.
 *
 * @example
 * mergeLines('a\nb\nc', 'A\nb\nc', 'a\nb\nC') // 'A\nb\nC'
 */
export function mergeLines(base: string, local: string, server: string): string | undefined {
  const lines = base.split('\n');
  const here = hunksOf(lines, local.split('\n'));
  const there = hunksOf(lines, server.split('\n'));
  if (!here || !there) return undefined;
  const merged: string[] = [];
  let at = 0;
  while (here.length > 0 || there.length > 0) {
    const [ours, theirs] = [here[0], there[0]];
    if (ours && theirs && isSameHunk(ours, theirs)) here.shift();
    else if (ours && theirs && overlap(ours, theirs)) return undefined;
    const takesOurs = !theirs || (here[0] === ours && ours !== undefined && ours.from < theirs.from);
    const next = (takesOurs ? here : there).shift()!;
    for (const line of [...lines.slice(at, next.from), ...next.lines]) merged.push(line);
    at = next.to;
  }
  return [...merged, ...lines.slice(at)].join('\n');
}

const isSameHunk = (a: Hunk, b: Hunk) =>
  a.from === b.from &&
  a.to === b.to &&
  a.lines.length === b.lines.length &&
  a.lines.every((line, at) => line === b.lines[at]);

/** An insertion touches the lines on both its sides: what comes first would be a guess. */
const overlap = (a: Hunk, b: Hunk) =>
  a.from === a.to || b.from === b.to ? a.from <= b.to && b.from <= a.to : a.from < b.to && b.from < a.to;

/** More cells than this and the longest common subsequence is not worth its time: the texts then count as all different. */
const maxCells = 4_000_000;

function hunksOf(base: readonly string[], edited: readonly string[]): Hunk[] | undefined {
  let head = 0;
  while (head < base.length && head < edited.length && base[head] === edited[head]) head++;
  let tail = 0;
  const room = Math.min(base.length, edited.length) - head;
  while (tail < room && base[base.length - 1 - tail] === edited[edited.length - 1 - tail]) tail++;
  const [rows, columns] = [base.length - head - tail, edited.length - head - tail];
  if (rows * columns > maxCells) return undefined;

  // common[i][j] = the length of the longest common subsequence of the lines from base line i on and from edited line j
  // on.
  const width = columns + 1;
  const common = new Uint32Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      common[i * width + j] =
        base[head + i] === edited[head + j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
    }
  }
  const hunks: Hunk[] = [];
  let [i, j] = [0, 0];
  while (i < rows || j < columns) {
    const [fromI, fromJ] = [i, j];
    while ((i < rows || j < columns) && !(i < rows && j < columns && base[head + i] === edited[head + j])) {
      const down = i < rows ? common[(i + 1) * width + j]! : -1;
      const right = j < columns ? common[i * width + j + 1]! : -1;
      if (down >= right) i++;
      else j++;
    }
    if (i > fromI || j > fromJ) {
      hunks.push({ from: head + fromI, to: head + i, lines: edited.slice(head + fromJ, head + j) });
    }
    while (i < rows && j < columns && base[head + i] === edited[head + j]) {
      i++;
      j++;
    }
  }
  return hunks;
}
