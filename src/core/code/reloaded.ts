import type { TextIndex } from './fingerprint';
import { newlinesIn, type TextChange } from './liveAnchors';
import { type LocateQuery, type LocateResult, locateFirst } from './locate';

/** The lines that a change has replaced, counted from 0. `to` and `now` are the last lines, before and after it. */
interface ChangedLines {
  readonly from: number;
  readonly to: number;
  readonly now: number;
}

/** The range from the first changed line to the last; `changes` are those of {@link LiveAnchors.edit}. */
export function changedLines(changes: readonly TextChange[]): ChangedLines | undefined {
  if (changes.length === 0) return undefined;
  const from = Math.min(...changes.map(({ start }) => start.line));
  const to = Math.max(...changes.map(({ end }) => end.line));
  const added = changes.map(({ start, end, text }) => newlinesIn(text) - (end.line - start.line));
  return { from, to, now: to + added.reduce((sum, count) => sum + count, 0) };
}

/**
 * True if whole lines took the place of others, as when the editor reads a file again. The first key that is typed in a
 * file is reported before the file counts as changed, too, but changes a part of a line.
 */
export function isOfWholeLines([change, ...others]: readonly TextChange[], lineCount: number): boolean {
  if (!change || others.length > 0) return false;
  const { start, end, text } = change;
  if (start.character === 0 && end.character === 0) return /(?:^|[\r\n])$/.test(text);
  // The last lines are replaced from the end of the line above them.
  const isToTheEnd = start.line + newlinesIn(text) === lineCount - 1;
  const isAll = start.line === 0 && start.character === 0;
  return isToTheEnd && (isAll || (text === '' ? end.line > start.line : /^[\r\n]/.test(text)));
}

/**
 * Finds a line after its file was changed from outside, for example by switching branches. Above and below the change, it
 * is the same line. Inside, it is searched, because the new text is not an edit that can be followed; an equal line
 * elsewhere is another one. `line` undefined: it was not in the file before.
 */
export function afterReload(
  index: TextIndex,
  queries: readonly LocateQuery[],
  line: number | undefined,
  { from, to, now }: ChangedLines,
): LocateResult | undefined {
  if (line !== undefined && line < from) return { certainty: 'sure', line, score: 1 };
  if (line !== undefined && line > to) return { certainty: 'sure', line: line + now - to, score: 1 };
  const found = locateFirst(index, queries);
  if (line === undefined || !found) return found;
  return found.line >= from && found.line <= now ? found : undefined;
}
