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
const mark = /^(?:(?:\/\/+|\/\*+|<!--|#+|--|;+|\*|-|\+|•|\d+[.)])\s+|\/\*+$)?(?:\[[ xX]?\]\s+)?/;
/** " -->", or a star and a slash. */
const commentEnd = /\s*(?:\*+\/|-->)$/;
const tabWidth = 4;

/**
 * The lines of a text that say something, without their marks; a line that is indented more is below the one before.
 *
 * @example
 * taskLines('- [ ] Call Bob\n  - [x] Find the number')
 * // [{ text: 'Call Bob' }, { text: 'Find the number', parent: 0, isDone: true }]
 */
export function taskLines(text: string): TaskLine[] {
  const found: TaskLine[] = [];
  const open: { readonly at: number; readonly indent: number }[] = [];
  for (const line of text.split(/\r\n?|\n/)) {
    const space = /^\s*/.exec(line)![0];
    const marked = line.slice(space.length);
    const words = marked.replace(mark, '').trim().replace(commentEnd, '');
    if (words === '') continue;
    const indent = space.replace(/\t/g, ' '.repeat(tabWidth)).length;
    while (open.length > 0 && open[open.length - 1]!.indent >= indent) open.pop();
    const parent = open[open.length - 1]?.at;
    open.push({ at: found.length, indent });
    const isDone = /\[[xX]\]\s+$/.test(mark.exec(marked)![0]);
    found.push({ text: words, ...(parent !== undefined && { parent }), ...(isDone && { isDone }) });
  }
  return found;
}

/** A text whose first line has no mark: as a title with notes below. */
export const withoutMark = (text: string) => text.trimStart().replace(mark, '');
