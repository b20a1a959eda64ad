/** A step of a plan, in the order of its text. */
export interface PlanStep {
  readonly title: string;
  /** The short ID that the line names, with `dl-`. */
  readonly shortId?: string;
  readonly isDone?: true;
  /** Index of the step that it is indented below. */
  readonly parent?: number;
  /** Index of the numbered step before it in the same list, which is to be done first. */
  readonly after?: number;
}

export interface Plan {
  /** Its heading, or the line before its steps. */
  readonly title?: string;
  readonly steps: readonly PlanStep[];
}

/** `- [x] Call Bob`, `2. Find the number`, `☐ Write`, and what is around it: indentation, number, box and words. */
const item =
  /^(?<indent>\s*)(?:>\s*)*(?:(?:[-*+•]|(?<number>\d{1,4})[.)])\s+)?(?:(?<box>\[[^\]]?\]|[☐□◻☒☑✔✓✅])\s+)?(?<words>.*)$/u;
/** "- ", "2. ", also in a quote: "> - ". */
const mark = /^\s*(?:>\s*)*(?:[-*+•]|\d{1,4}[.)])\s/;
/** "## Steps". */
const heading = /^\s*#{1,6}\s+/;
/** "(dl-k7m2)", "dl-k7m2:". */
const shortId = /\s*\(?\b(dl-[0-9a-z]{4,12})\b\)?:?\s*/i;
const tabWidth = 4;

/** The words without the signs for bold, and without the short ID. */
const titleOf = (words: string): string =>
  words
    .replace(shortId, ' ')
    .replace(/(\*\*|__)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .replace(/\s+/g, ' ')
    .trim();

const isTicked = (box: string | undefined): boolean => box !== undefined && /^(?:\[[xX]\]|[☒☑✔✓✅])$/u.test(box);

/** The lines outside code blocks. */
function linesOf(text: string): readonly string[] {
  let fence: string | undefined;
  return text.split(/\r\n?|\n/).filter(line => {
    const sign = /^\s*(```|~~~)/.exec(line)?.[1];
    if (sign && (fence === undefined || fence === sign)) fence = fence === undefined ? sign : undefined;
    return !sign && fence === undefined;
  });
}

/**
 * The steps of a plan in Markdown: the lines with boxes if there are any, else all entries of its lists.
 *
 * @example
 * planOf('# Release\n1. [x] Test\n2. Publish').steps
 * // [{ title: 'Test', isDone: true }]
 */
export function planOf(text: string): Plan {
  const lines = linesOf(text);
  const read = lines.map(line => ({ line, ...item.exec(line)!.groups }) as ReadLine);
  const hasBoxes = read.some(({ box }) => box !== undefined);
  const isStep = ({ line, box, words }: ReadLine) =>
    words.trim() !== '' && (hasBoxes ? box !== undefined : mark.test(line));
  const first = read.findIndex(isStep);
  const before = lines.slice(0, Math.max(first, 0)).filter(line => line.trim() !== '');
  const title = titleOf((before.findLast(line => heading.test(line)) ?? before.at(-1) ?? '').replace(heading, ''));
  return { ...(title !== '' && { title }), steps: first < 0 ? [] : stepsOf(read.filter(isStep)) };
}

interface ReadLine {
  readonly line: string;
  readonly indent: string;
  readonly number?: string;
  readonly box?: string;
  readonly words: string;
}

function stepsOf(lines: readonly ReadLine[]): readonly PlanStep[] {
  const steps: PlanStep[] = [];
  /** The steps that a line may be below, the outermost first, each with the last numbered one of its level. */
  const open: { readonly at: number; readonly indent: number }[] = [];
  const numbered = new Map<number | undefined, number>();
  for (const { indent, number, box, words } of lines) {
    const width = indent.replace(/\t/g, ' '.repeat(tabWidth)).length;
    while (open.length > 0 && open.at(-1)!.indent >= width) open.pop();
    const parent = open.at(-1)?.at;
    const title = titleOf(words);
    if (title === '') continue;
    const id = shortId.exec(words)?.[1]?.toLowerCase();
    const after = number === undefined || number === '1' ? undefined : numbered.get(parent);
    if (number !== undefined) numbered.set(parent, steps.length);
    open.push({ at: steps.length, indent: width });
    steps.push({
      title,
      ...(id !== undefined && { shortId: id }),
      ...(isTicked(box) && { isDone: true }),
      ...(parent !== undefined && { parent }),
      ...(after !== undefined && { after }),
    });
  }
  return steps;
}
