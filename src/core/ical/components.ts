import type { ContentLine } from '../lines/contentLines';

/** A component as a range over the lines of its text, its BEGIN and END among them. */
export interface Component {
  /** Upper case. */
  readonly name: string;
  /** Indices into the lines: BEGIN, and the last line (END, if it was not missing). */
  readonly first: number;
  last: number;
  /** False if the text ended, or an outer component ended, before this one did. */
  closed: boolean;
  /** Indices of the component's own lines, without BEGIN, END and those of its children. */
  readonly own: number[];
  readonly children: Component[];
}

interface Frame {
  readonly roots: readonly Component[];
  /** Lines that are outside every component, and ENDs that end nothing. */
  readonly strays: readonly number[];
}

/**
 * Pairs BEGIN with END as far as they pair; `ICAL.parse` refuses such a text. Works without recursion, so nothing nests
 * too deep for it.
 */
export function frameOf(lines: readonly ContentLine[]): Frame {
  const roots: Component[] = [];
  const strays: number[] = [];
  const open: Component[] = [];
  const openByName = new Map<string, number>();

  const close = (last: number, closed: boolean) => {
    const component = open.pop()!;
    openByName.set(component.name, openByName.get(component.name)! - 1);
    component.last = last;
    component.closed = closed;
  };

  lines.forEach((line, index) => {
    const name = line.name === 'BEGIN' || line.name === 'END' ? line.value.trim().toUpperCase() : '';
    if (line.name === 'BEGIN' && name !== '') {
      const component: Component = { name, first: index, last: index, closed: false, own: [], children: [] };
      (open.at(-1)?.children ?? roots).push(component);
      open.push(component);
      openByName.set(name, (openByName.get(name) ?? 0) + 1);
    } else if (line.name === 'END' && (openByName.get(name) ?? 0) > 0) {
      while (open.at(-1)!.name !== name) close(index - 1, false);
      close(index, true);
    } else if (open.length > 0 && line.name !== 'END') {
      open.at(-1)!.own.push(index);
    } else {
      strays.push(index);
    }
  });
  while (open.length > 0) close(lines.length - 1, false);
  return { roots, strays };
}

/** Every component of that name, at any depth, in the order of the text. */
export function componentsNamed(roots: readonly Component[], name: string): Component[] {
  const found: Component[] = [];
  const waiting = [...roots].reverse();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.name === name) found.push(next);
    else for (const child of next.children.toReversed()) waiting.push(child);
  }
  return found;
}
