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

export interface OutlineLine extends TextLine {
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
  for (const [at, raw] of splitLines(text).entries()) {
    const line = readLine(raw, at);
    if (!line) continue;
    if (layout === 'headings' && line.indent === 0) {
      const name = raw.trim();
      const nth = headings.filter(heading => heading.name === name).length;
      headings.push({ at, name, key: keyOfHeading(name, nth) });
      open.length = 0;
      continue;
    }
    while (open.length > 0 && open.at(-1)!.indent >= line.indent) open.pop();
    const id = line.id && (names?.get(line.id) ?? line.id);
    const task = { ...line, id, parent: open.at(-1), heading: headings.at(-1) };
    open.push(task);
    tasks.push(task);
  }
  return { layout, tasks, headings };
}

/** A task that is to be written, with its subtasks. */
export interface TextNode extends Pick<TextLine, 'box' | 'words' | 'id'> {
  /** Short IDs of the tasks that it waits for, as far as no word of its own says them. */
  readonly follows: ReadonlySet<string>;
  readonly children: readonly TextNode[];
}

interface Section {
  readonly name?: string;
  readonly tasks: readonly TextNode[];
}

const step = 2;

/** Writes the text; siblings that wait for one another get numbers. */
export function writeText(sections: readonly Section[]): string {
  const lines: string[] = [];
  const write = (nodes: readonly TextNode[], indent: number): void => {
    let number = 0;
    for (const [at, node] of nodes.entries()) {
      const waits = at > 0 && follows(node, nodes[at - 1]!);
      const isWaitedFor = at + 1 < nodes.length && follows(nodes[at + 1]!, node);
      number = waits ? number + 1 : 1;
      lines.push(writeLine({ ...node, indent, number: waits || isWaitedFor ? number : undefined }));
      write(node.children, indent + step);
    }
  };
  for (const { name, tasks } of sections) {
    if (name !== undefined) lines.push(name);
    write(tasks, name === undefined ? 0 : step);
  }
  return lines.map(line => `${line}\n`).join('');
}

const follows = (node: TextNode, before: TextNode) => before.id !== undefined && node.follows.has(before.id);

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
