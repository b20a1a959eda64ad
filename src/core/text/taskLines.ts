/** One line of a text, as a task. */
export interface TaskLine {
  readonly text: string;
  /** Index of the line that it is indented below. */
  readonly parent?: number;
  /** Its box is ticked. */
  readonly isDone?: true;
}

/** More lines than this are a file by mistake, not tasks. */
export const maxLines = 500;

/** The mark of a list entry, a comment or a task of a checklist: "- [ ] ", "// ", "3. ". */
const markPattern = /^(?:(?:\/\/+|\/\*+|<!--|#+|--|;+|\*|-|\+|•|\d+[.)])\s+|\/\*+$)?(?:\[[ xX~-]?\](?:\s+|$))?/;
/** " -->", or a star and a slash. */
const commentEnd = /\s*(?:\*+\/|-->)$/;
const tabWidth = 4;

/** A line of an outline: its mark, its words, which may be empty, and the width of its indentation. */
export interface MarkedLine {
  readonly mark: string;
  readonly text: string;
  readonly indent: number;
}

export const outlineOf = (text: string): readonly MarkedLine[] =>
  text.split(/\r\n?|\n/).map(line => {
    const space = /^\s*/.exec(line)![0];
    const words = line.slice(space.length);
    const mark = markPattern.exec(words)![0];
    return {
      mark,
      text: words.slice(mark.length).trim().replace(commentEnd, ''),
      indent: space.replace(/\t/g, ' '.repeat(tabWidth)).length,
    };
  });

/** The index of the line that each is below: the nearest one above with a smaller indent. */
export function parentsOf(lines: readonly Pick<MarkedLine, 'indent'>[]): readonly (number | undefined)[] {
  const open: number[] = [];
  return lines.map(({ indent }, at) => {
    while (open.length > 0 && lines[open.at(-1)!]!.indent >= indent) open.pop();
    const parent = open.at(-1);
    open.push(at);
    return parent;
  });
}

export const isTicked = (mark: string): boolean => /\[[xX]\]\s*$/.test(mark);

/**
 * The lines of a text that have words, without their marks; a line that is indented more is below the one before.
 *
 * @example
 * taskLines('- [ ] Call Bob\n  - [x] Find the number')
 * // [{ text: 'Call Bob' }, { text: 'Find the number', parent: 0, isDone: true }]
 */
export function taskLines(text: string): TaskLine[] {
  const lines = outlineOf(text).filter(line => line.text !== '');
  const parents = parentsOf(lines);
  return lines.map(({ mark, text }, at) => ({
    text,
    ...(parents[at] !== undefined && { parent: parents[at] }),
    ...(isTicked(mark) && { isDone: true }),
  }));
}

/** A text whose first line has no mark: as a title with notes below. */
export const withoutMark = (text: string) => text.trimStart().replace(markPattern, '');
