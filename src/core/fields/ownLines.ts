import { linesOf, type Raw } from './lines';

/** Our own lines that a task can have several of, each of which is added and removed alone. */
export const ownLineNames = ['X-DUELINE-ANCHOR', 'X-DUELINE-BRANCH', 'X-DUELINE-TIME'] as const;

/** `X-DUELINE-TIME;…:…`. */
const own = new RegExp(`^(?:${ownLineNames.join('|')})[;:]`, 'i');

const mayOwn = ({ unknownProperties }: Raw) => unknownProperties?.toUpperCase().includes('X-DUELINE-') ?? false;

export const ownLinesOf = (row: Raw): string[] => (mayOwn(row) ? linesOf(row).filter(line => own.test(line)) : []);

/** `unknownProperties` with exactly these of our own lines; a line that stays keeps its position. */
export function withOwnLines(row: Raw, lines: readonly string[]): string | null {
  const known = new Set(ownLinesOf(row));
  const next = new Set(lines);
  const added = [...next].filter(line => !known.has(line));
  if (added.length === 0 && known.size === next.size) return row.unknownProperties;
  const all = [...linesOf(row).filter(line => !own.test(line) || next.has(line)), ...added];
  return all.length > 0 ? JSON.stringify(all) : null;
}

/** `unknownProperties` of a new task that is made of this one, on which nobody has worked yet. */
export const withoutTime = (row: Raw): string | null =>
  withOwnLines(
    row,
    ownLinesOf(row).filter(line => !/^X-DUELINE-TIME[;:]/i.test(line)),
  );
