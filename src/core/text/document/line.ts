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
  /** The column of the ID. */
  readonly idFrom: number;
  /** If the ID is between words: the offset in the words, and the columns that the line has there in addition. */
  readonly gap?: { readonly at: number; readonly width: number };
}

/**
 * "  - 2. [x] " before the title: indentation, bullet, number, box; the number may follow the box. "[x]Title" is a box, too:
 * the task would else be open. "[]byte" and "[x](link)" are titles.
 */
const head =
  /^(\s*)(?:[-*+•]\s+)?(?:(\d{1,4})[.)]\s+)?(?:\[([ xX-]?)\](?=\s|$|(?<!\[\])\p{L})\s*)?(?:(\d{1,4})[.)]\s+)?/u;
/** "dl-k3f9", or "dl-k3f9.12" with the number of the row if the text has several tasks of one UID and thus one short ID. */
const idAtEnd = /^dl-[a-z\d]{4,12}(?:\.\d+)?$/i;
/** An ID as it is written, after two spaces, with words after it: the key End leads behind the ID. */
const idAmidWords = /(?<=\s\s)dl-[a-z\d]{4,12}(?:\.\d+)?(?=\s)/gi;
const tabWidth = 4;

/** The column that follows white space at the beginning of a line. */
const indentWidth = (space: string): number => {
  let width = 0;
  for (const sign of space) width += sign === '\t' ? tabWidth - (width % tabWidth) : 1;
  return width;
};

/** The column at which a line begins. */
export const indentOf = (raw: string): number => indentWidth(/^\s*/.exec(raw)![0]);

/** Undefined for a line that says nothing. */
export function readLine(line: string, at: number): TextLine | undefined {
  const [lead, space = '', before, box, behind] = head.exec(line)!;
  const rest = line.slice(lead.length).trimEnd();
  const [idFrom, idTo] = findId(rest) ?? [rest.length, rest.length];
  const id = idFrom === idTo ? undefined : rest.slice(idFrom, idTo).toLowerCase();
  const start = rest.slice(0, idFrom).trimEnd();
  const end = rest.slice(idTo).trimStart();
  const words = end === '' ? start : `${start} ${end}`;
  if (words === '' && id === undefined && lead.length === space.length) return undefined;
  const number = before ?? behind;
  return {
    at,
    indent: space === '' ? 0 : indentWidth(space),
    box: box === 'x' || box === 'X' ? 'x' : box === '-' ? '-' : '',
    number: number === undefined ? undefined : Number(number),
    words,
    from: lead.length,
    id,
    idFrom: lead.length + idFrom,
    ...(end !== '' && { gap: { at: start.length, width: rest.length - words.length } }),
  };
}

/** The offsets at which the ID of a line begins and ends. */
function findId(rest: string): readonly [from: number, to: number] | undefined {
  const from = rest.lastIndexOf('dl-');
  if (from < 0) return undefined;
  const isAtEnd = (from === 0 || /\s/.test(rest[from - 1]!)) && idAtEnd.test(rest.slice(from));
  if (isAtEnd && /^$|\s\s$/.test(rest.slice(0, from))) return [from, rest.length];
  const amid = [...rest.matchAll(idAmidWords)].at(-1);
  if (amid) return [amid.index, amid.index + amid[0].length];
  return isAtEnd ? [from, rest.length] : undefined;
}

/** The column of an offset in the words of a line. */
export const columnOf = ({ from, gap }: Pick<TextLine, 'from' | 'gap'>, offset: number): number =>
  from + offset + (gap && offset > gap.at ? gap.width : 0);

/** The line with its ID at the end, as it is written. */
export function withIdAtEnd(raw: string): string {
  const line = readLine(raw, 0);
  if (!line?.gap) return raw;
  return `${raw.slice(0, line.from)}${line.words}  ${line.id}`;
}

export function writeLine({ indent, box, number, words, id }: Omit<TextLine, 'at' | 'from' | 'idFrom'>): string {
  const parts = [number === undefined ? '' : `${number}.`, box === '' ? '' : `[${box}]`, words].filter(Boolean);
  const text = parts.join(' ');
  return `${' '.repeat(indent)}${text}${id === undefined ? '' : text === '' ? id : `  ${id}`}`;
}

/** Moves a part of a line into a line of its own, as the first subtask. `next` is the line that follows. */
export function withPartBelow(raw: string, next: string, from: number, to: number): string {
  const indent = indentOf(next) > indentOf(raw) ? indentOf(next) : indentOf(raw) + 2;
  const rest = raw.slice(0, from) + raw.slice(to).replace(/^ /, '');
  return `${rest.trimEnd()}\n${' '.repeat(indent)}${raw.slice(from, to)}`;
}
