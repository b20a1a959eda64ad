import { isTicked, type MarkedLine, outlineOf, parentsOf } from './taskLines';

/** A step of a plan, in the order of its text. */
export interface PlanStep {
  readonly title: string;
  /** The short ID at the start or the end of the line, with `dl-`; its task need not exist. */
  readonly shortId?: string;
  /** The title with the word that looks like a short ID. */
  readonly words?: string;
  readonly isDone?: true;
  /** Index of the step that it is indented below. */
  readonly parent?: number;
  /** It is indented, but below no step: the text may be a part of a plan. */
  readonly isCut?: true;
  /** The index of the numbered step before it in the same list, which this one waits for. */
  readonly after?: number;
}

export interface Plan {
  /** Its heading, or the line before its steps. */
  readonly title?: string;
  readonly steps: readonly PlanStep[];
}

/** "- ", "2. ". */
const listed = /^(?:[-*+•]|(?<number>\d{1,4})[.)])\s/;
const boxed = /\[.?\]\s*$/;
/** Boxes as terminals and agents draw them. */
const sign = /^(?:[☐□◻]|(?<ticked>[☒☑✔✓✅]))\s+/u;
/** `> ` or `> > ` before a line. */
const quote = /^(?:[ \t]*>[ \t]?)+/gm;
/** "```ts". */
const fence = /^[ \t]*(?:`{3,}|~{3,}).*$/gm;
/** A fence, lines, and the same fence again. */
const block = /^[ \t]*(`{3,}|~{3,})[^`\n]*\n(?:[\s\S]*?\n)?[ \t]*\1[ \t]*$/gm;
/** "dl-k7m2: ". */
const idBefore = /^\(?(?<id>dl-[0-9a-z]{4,12})\)?:?\s+/i;
/** " (dl-k7m2)". */
const idBehind = /\s+\(?(?<id>dl-[0-9a-z]{4,12})\)?$/i;

/** In another case, or with other spaces, it is the same step. */
export const stepKey = (title: string | null): string => (title ?? '').trim().replace(/\s+/g, ' ').toLocaleLowerCase();

/** Without the signs for bold. */
const plain = (text: string): string =>
  text
    .replace(/(\*\*|__)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .replace(/\s+/g, ' ')
    .trim();

/**
 * The steps of a plan in Markdown: the lines with boxes if there are any, or else all list items. Code blocks are left
 * out, unless the whole plan is in one.
 *
 * @example
 * planOf('# Release\n1. [x] Test\n2. Publish').steps
 * // [{ title: 'Test', isDone: true }]
 */
export function planOf(text: string): Plan {
  const all = text.replace(/\r\n?/g, '\n').replace(quote, '');
  const plan = readPlan(all.replace(block, '').replace(fence, ''));
  return plan.steps.length > 0 ? plan : readPlan(all.replace(fence, ''));
}

interface ReadLine extends MarkedLine {
  readonly number?: string;
  readonly isEntry: boolean;
  readonly hasBox: boolean;
  readonly isDone: boolean;
}

function readPlan(text: string): Plan {
  const outline = outlineOf(text).filter(({ mark, text }) => mark !== '' || text !== '');
  const signs = outline.filter(({ text }) => sign.test(text)).length;
  const lines = outline.map(line => readLine(line, signs * 2 > outline.length));
  const hasBoxes = lines.some(({ hasBox }) => hasBox);
  const isStep = ({ isEntry, hasBox }: ReadLine) => (hasBoxes ? hasBox : isEntry);
  const first = lines.findIndex(isStep);
  const before = lines.slice(0, Math.max(first, 0));
  const title = plain((before.findLast(({ mark }) => mark.startsWith('#')) ?? before.at(-1))?.text ?? '');
  return { ...(title !== '' && { title }), steps: stepsOf(lines.filter(isStep)) };
}

/** Many a line of text begins with a sign, so one without the mark of a list is a box only if most lines have one. */
function readLine(line: MarkedLine, mayBeSign: boolean): ReadLine {
  const { number } = { ...listed.exec(line.mark)?.groups };
  const isEntry = listed.test(line.mark);
  const box = isEntry || mayBeSign ? sign.exec(line.text) : null;
  return {
    ...line,
    text: box ? line.text.slice(box[0].length) : line.text,
    ...(number !== undefined && { number }),
    isEntry,
    hasBox: box !== null || boxed.test(line.mark),
    isDone: isTicked(line.mark) || box?.groups?.ticked !== undefined,
  };
}

function stepsOf(lines: readonly ReadLine[]): readonly PlanStep[] {
  const steps: PlanStep[] = [];
  const parents = parentsOf(lines);
  /** The step of each line; a step below a line without words is below the nearest step above that line. */
  const indexes: (number | undefined)[] = [];
  const numbered = new Map<number | undefined, number>();
  for (const [at, { text, indent, number, isDone }] of lines.entries()) {
    const parentLine = parents[at];
    const parent = parentLine === undefined ? undefined : indexes[parentLine];
    const words = plain(text);
    indexes.push(words === '' ? parent : steps.length);
    if (words === '') continue;
    const after = number === undefined || number === '1' ? undefined : numbered.get(parent);
    if (number !== undefined) numbered.set(parent, steps.length);
    steps.push({
      ...named(words),
      ...(isDone && { isDone }),
      ...(parent !== undefined && { parent }),
      ...(parentLine === undefined && indent > 0 && { isCut: true }),
      ...(after !== undefined && { after }),
    });
  }
  return steps;
}

function named(words: string): Pick<PlanStep, 'title' | 'shortId' | 'words'> {
  const found = idBefore.exec(words) ?? idBehind.exec(words);
  if (!found) return { title: words };
  return { title: words.replace(found[0], ''), shortId: found.groups!.id!.toLowerCase(), words };
}
