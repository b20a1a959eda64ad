import { readLine, writeLine } from './line';
import { type Layout, readText, splitLines } from './readText';

/** A line that could not be saved. */
export interface Leftover {
  readonly raw: string;
  /** The ID of its task; absent on a line that should become a task. */
  readonly id?: string;
  /** The lines above it, the nearest first: the IDs of tasks and the keys of headings. */
  readonly keysAbove: readonly string[];
}

/** Puts unsaved lines back into a text that was written from the tasks, unchanged and in their old positions. */
export function withLeftovers(text: string, leftovers: readonly Leftover[], layout: Layout = 'list'): string {
  if (leftovers.length === 0) return text;
  const lines = splitLines(text).slice(0, -1);
  const indexes = new Map<string, number>();
  const { tasks, headings } = readText(text, layout);
  for (const { id, at } of tasks) if (id !== undefined) indexes.set(id, at);
  for (const { key, at } of headings) indexes.set(key, at);
  const behind = new Map<number, string[]>();
  for (const { raw, id, keysAbove } of leftovers) {
    const own = id === undefined ? undefined : indexes.get(id);
    const line = readLine(raw, 0);
    if (own !== undefined && line) {
      const { indent, number } = readLine(lines[own]!, 0)!;
      lines[own] = writeLine({ ...line, indent, number, id });
      continue;
    }
    const anchor = keysAbove.find(one => indexes.has(one));
    const at = anchor === undefined ? -1 : indexes.get(anchor)!;
    const texts = behind.get(at);
    if (texts) texts.push(raw.trimEnd());
    else behind.set(at, [raw.trimEnd()]);
  }
  const whole = [...(behind.get(-1) ?? []), ...lines.flatMap((line, at) => [line, ...(behind.get(at) ?? [])])];
  return whole.map(line => `${line}\n`).join('');
}
