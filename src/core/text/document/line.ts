/** The sign before a task that is over: done or cancelled. */
export type Box = '' | 'x' | '-';

/** A parsed line of a text: only its `words` are read by Quick Add. */
export interface TextLine {
  /** From 0. */
  readonly at: number;
  /** In columns. */
  readonly indent: number;
  readonly box: Box;
  /** The position among siblings that depend on each other in a row. */
  readonly number: number | undefined;
  readonly words: string;
  /** The column, in UTF-16 units, at which the words begin. */
  readonly from: number;
  readonly id: string | undefined;
}

/** "  - 2. [x] " before the title: indentation, bullet, number, box; the number may follow the box. */
const head = /^(\s*)(?:[-*+•]\s+)?(?:(\d{1,4})[.)]\s+)?(?:\[([ xX-]?)\](?=\s|$)\s*)?(?:(\d{1,4})[.)]\s+)?/;
/** "dl-k3f9", or "dl-k3f9.12" with the number of the row if the text has several tasks of one UID and thus one short ID. */
const idAtEnd = /^dl-[a-z\d]{4,12}(?:\.\d+)?$/i;
const tabWidth = 4;

/** The column that follows white space at the begin of a line. */
export const indentWidth = (space: string): number => {
  let width = 0;
  for (const sign of space) width += sign === '\t' ? tabWidth - (width % tabWidth) : 1;
  return width;
};

/** Undefined for a line that says nothing. */
export function readLine(line: string, at: number): TextLine | undefined {
  const [lead, space = '', before, box, behind] = head.exec(line)!;
  const rest = line.slice(lead.length).trimEnd();
  const idFrom = rest.lastIndexOf('dl-');
  const isId = idFrom >= 0 && (idFrom === 0 || /\s/.test(rest[idFrom - 1]!)) && idAtEnd.test(rest.slice(idFrom));
  const words = isId ? rest.slice(0, idFrom).trimEnd() : rest;
  if (words === '' && !isId && lead.length === space.length) return undefined;
  const number = before ?? behind;
  return {
    at,
    indent: space === '' ? 0 : indentWidth(space),
    box: box === 'x' || box === 'X' ? 'x' : box === '-' ? '-' : '',
    number: number === undefined ? undefined : Number(number),
    words,
    from: lead.length,
    id: isId ? rest.slice(idFrom).toLowerCase() : undefined,
  };
}

export function writeLine({ indent, box, number, words, id }: Omit<TextLine, 'at' | 'from'>): string {
  const parts = [number === undefined ? '' : `${number}.`, box === '' ? '' : `[${box}]`, words].filter(Boolean);
  const text = parts.join(' ');
  return `${' '.repeat(indent)}${text}${id === undefined ? '' : text === '' ? id : `  ${id}`}`;
}
