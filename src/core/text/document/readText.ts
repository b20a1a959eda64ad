import { readLine, type TextLine, writeLine } from './line';

/** A text has its lists as headings, is of one list, or names the list in its lines. */
export type Layout = 'headings' | 'list' | 'names';

/** The name of a list, above its tasks. */
interface Heading {
  readonly at: number;
  readonly name: string;
  /** The name with the number of headings of that name above it: lists can have the same name. */
  readonly key: string;
}

/** A heading as a text that is the same in each of several texts. */
export const keyOfHeading = (name: string, nth: number) => `${nth}\n${name}`;

/** Deeper lines cannot be written, since the indentation of a chain of tasks grows with the square of its length. */
export const maxLevels = 100;

export interface OutlineLine extends TextLine {
  /** 0 at the top. */
  readonly depth: number;
  readonly parent: OutlineLine | undefined;
  readonly heading: Heading | undefined;
}

export interface ReadText {
  readonly layout: Layout;
  readonly tasks: readonly OutlineLine[];
  readonly headings: readonly Heading[];
}

export const splitLines = (text: string): string[] => text.replace(/^\ufeff/, '').split(/\r\n?|\n/);

/**
 * The lines of a text as tasks: a line that is indented more is a subtask of the one before. `names` maps the IDs that
 * tasks had to those that they have now.
 */
export function readText(text: string, layout: Layout, names?: ReadonlyMap<string, string>): ReadText {
  const tasks: OutlineLine[] = [];
  const headings: Heading[] = [];
  const open: OutlineLine[] = [];
  const named = new Map<string, number>();
  for (const [at, raw] of splitLines(text).entries()) {
    const line = readLine(raw, at);
    if (!line) continue;
    if (layout === 'headings' && line.indent === 0) {
      const name = raw.trim();
      const nth = named.get(name) ?? 0;
      named.set(name, nth + 1);
      headings.push({ at, name, key: keyOfHeading(name, nth) });
      open.length = 0;
      continue;
    }
    while (open.length > 0 && open.at(-1)!.indent >= line.indent) open.pop();
    const { indent, box, number, words, from, idFrom, gap } = line;
    const id = line.id && (names?.get(line.id) ?? line.id);
    const [depth, parent, heading] = [open.length, open.at(-1), headings.at(-1)];
    const task = { at, indent, box, number, words, from, id, idFrom, depth, parent, heading, ...(gap && { gap }) };
    open.push(task);
    tasks.push(task);
  }
  return { layout, tasks, headings };
}

/** A task to write; its subtasks come after it. */
export interface TextNode extends Pick<TextLine, 'box' | 'words' | 'id'> {
  readonly depth: number;
  /** It waits for the sibling before it, which no word of its own says. */
  readonly waits: boolean;
}

interface Section {
  readonly name?: string;
  readonly tasks: readonly TextNode[];
}

const step = 2;

/** Writes the text; siblings that wait for one another get numbers. */
export function writeText(sections: readonly Section[]): string {
  const lines: string[] = [];
  for (const { name, tasks } of sections) {
    if (name !== undefined) lines.push(name);
    const first = name === undefined ? 0 : 1;
    const numbers = numbersOf(tasks);
    // No spread: most of the time would go into copies.
    for (const [at, { box, words, id, depth }] of tasks.entries()) {
      const indent = (first + Math.min(depth, maxLevels - 1)) * step;
      lines.push(writeLine({ indent, box, number: numbers[at], words, id }));
    }
  }
  return lines.map(line => `${line}\n`).join('');
}

function numbersOf(nodes: readonly TextNode[]): readonly (number | undefined)[] {
  const numbers: number[] = [];
  // The index of the task above, by depth.
  const last: number[] = [];
  for (const [at, { waits, depth }] of nodes.entries()) {
    const before = waits ? last[depth] : undefined;
    if (before !== undefined) {
      numbers[before] ??= 1;
      numbers[at] = numbers[before] + 1;
    }
    last.length = depth;
    last.push(at);
  }
  return numbers;
}

/** The task that each numbered line waits for: the numbered sibling above, unless it begins at 1. */
export function numberedBlockers({ tasks }: Pick<ReadText, 'tasks'>): ReadonlyMap<OutlineLine, OutlineLine> {
  const last = new Map<unknown, OutlineLine>();
  const rows = new Map<OutlineLine, OutlineLine>();
  if (!tasks.some(({ number }) => number !== undefined)) return rows;
  for (const task of tasks) {
    const parent = task.parent ?? task.heading;
    const before = last.get(parent);
    if (task.number === undefined) continue;
    if (task.number !== 1 && before) rows.set(task, before);
    last.set(parent, task);
  }
  return rows;
}
