/** Records of RFC 4180, read tolerantly. */
export interface CsvRecord {
  readonly cells: readonly string[];
  /** 1-based physical line that the record begins on. */
  readonly line: number;
}

/** The separator that a first line `sep=;` declares, as Excel reads it and some programs write it. */
export const namedSeparator = (text: string): string | undefined => /^"?sep=([,;\t|])"?(?=[\r\n]|$)/i.exec(text)?.[1];

/** The separator that the header line uses: comma, semicolon or tab. */
export function separatorOf(text: string): string {
  const header = text.slice(0, /[\r\n]|$/.exec(text)!.index);
  const count = (separator: string) => header.split(separator).length;
  return [',', ';', '\t'].reduce((best, separator) => (count(separator) > count(best) ? separator : best));
}

/**
 * The records one by one, since there may be millions. A quote that is never closed is a character like any other, or the
 * records after it would be part of its cell; blank lines are skipped.
 */
export function* parseCsv(text: string, separator: string): Generator<CsvRecord, undefined> {
  let cells: string[] = [];
  let line = 1;
  let first = 1;
  let at = 0;
  while (at <= text.length) {
    let cell = '';
    const end = text[at] === '"' ? quoteEnd(text, at + 1) : -1;
    if (end >= 0) {
      const inside = text.slice(at + 1, end);
      cell = inside.replaceAll('""', '"');
      line += inside.match(/\r\n|\n|\r/g)?.length ?? 0;
      at = end + 1;
    }
    const stop = nextStop(text, at, separator);
    cell += text.slice(at, stop);
    cells.push(cell);
    at = stop + 1;
    if (text[stop] === separator) continue;
    if (text[stop] === '\r' && text[stop + 1] === '\n') at++;
    line++;
    if (cells.length > 1 || cells[0] !== '') yield { cells, line: first };
    cells = [];
    first = line;
  }
  return undefined;
}

/** -1 if the quote is never closed. */
function quoteEnd(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}

function nextStop(text: string, from: number, separator: string): number {
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === separator || char === '\n' || char === '\r') return at;
  }
  return text.length;
}

/**
 * A cell that a spreadsheet would run as a formula gets an apostrophe in front, which reading takes off again; one
 * that begins with apostrophes before such a sign too, so that nothing is lost. Some programs pass over blanks, and over
 * signs that show nothing, before the formula: `\u00a0=1+1`.
 */
const formula = /^'*(?:[\t\r\n]|[\s\p{Cf}]*[=+\-@＝＋－＠])/u;

export const guard = (cell: string): string => (formula.test(cell) ? `'${cell}` : cell);
export const unguard = (cell: string): string => (cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell);

export const formatCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map(cells => `${cells.map(quoted).join(',')}\r\n`).join('');

const quoted = (cell: string) => (/[",\r\n;\t]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
