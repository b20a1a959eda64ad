import { type ContentLine, foldLine, formatLine, paramOf, withValue } from '../lines/contentLines';
import type { Component } from './components';

/** A range of the source and its replacement. */
export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The source with every splice in place. Splices do not overlap; insertions at one offset keep their order. */
export function applySplices(source: string, splices: readonly Splice[]): string {
  let text = '';
  let at = 0;
  for (const splice of splices.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    text += source.slice(at, splice.from) + splice.text;
    at = splice.to;
  }
  return text + source.slice(at);
}

/**
 * Collects the edits of one component's own lines. All other lines keep their bytes, whereas ical.js would write the
 * whole component, with its own reading of every value.
 */
export class Patch {
  readonly #lines: readonly ContentLine[];
  readonly #replaced = new Map<ContentLine, string | undefined>();
  readonly #added: string[] = [];
  readonly #addedComponents: string[] = [];
  readonly #inner: Splice[] = [];

  constructor(
    readonly all: readonly ContentLine[],
    readonly component: Component,
    readonly newline: string,
  ) {
    this.#lines = component.own.map(index => all[index]!);
  }

  named(name: string): ContentLine[] {
    return this.#lines.filter(line => line.name === name);
  }

  /** True if a line of that name will be in the result. */
  has(name: string): boolean {
    return (
      this.named(name).some(line => !this.#replaced.has(line) || this.#replaced.get(line) !== undefined) ||
      this.#added.some(text => text.startsWith(`${name}:`) || text.startsWith(`${name};`))
    );
  }

  /** `text` undefined removes the line. */
  replace(line: ContentLine, text: string | undefined): void {
    if (text !== line.text) this.#replaced.set(line, text);
  }

  /** Adds a line after the component's other properties. */
  add(text: string): void {
    this.#added.push(text);
  }

  /** Adds a child component, as unfolded lines, after the others. */
  addComponent(lines: readonly string[]): void {
    for (const line of lines) this.#addedComponents.push(line);
  }

  /** Adds edits within a child component. */
  addInner(splices: readonly Splice[]): void {
    for (const splice of splices) this.#inner.push(splice);
  }

  /**
   * Sets a property's value, in its first line if it has one. Null removes all its lines: a second one would take the
   * first one's place. `without` names parameters that the new value makes wrong.
   */
  set(
    name: string,
    value: string | null,
    {
      without = [],
      adding = [],
    }: { without?: readonly string[]; adding?: readonly (readonly [string, string])[] } = {},
  ): void {
    const lines = this.named(name);
    if (value === null) for (const line of lines) this.replace(line, undefined);
    else if (lines[0]) this.replace(lines[0], withValue(lines[0], value, without, adding));
    else this.add(formatLine(name, value, adding));
  }

  /** How many edits have been collected. */
  get edits(): number {
    return this.#replaced.size + this.#added.length + this.#addedComponents.length + this.#inner.length;
  }

  splices(): Splice[] {
    const folded = (lines: readonly string[]) => lines.map(text => foldLine(text, this.newline)).join('');
    const { first, last, closed, children } = this.component;
    const splices = [...this.#inner];
    for (const [line, text] of this.#replaced) {
      splices.push({ from: line.from, to: line.to, text: text === undefined ? '' : foldLine(text, this.newline) });
    }
    const end = closed ? this.all[last]!.from : this.all[last]!.to;
    const afterProperties = children[0] ? this.all[children[0].first]!.from : end;
    const isCut = !closed && last >= first && !children[0] ? this.newline : '';
    if (this.#added.length > 0)
      splices.push({ from: afterProperties, to: afterProperties, text: isCut + folded(this.#added) });
    if (this.#addedComponents.length > 0) splices.push({ from: end, to: end, text: folded(this.#addedComponents) });
    return splices;
  }
}

/** Parameters for the encoding of a text, from vCalendar 1.0, that no longer apply. */
export const encodingParams = ['ENCODING', 'CHARSET'];

/** A DESCRIPTION may carry its rich form along (ALTREP with a data: URI), which an edit makes stale. */
export const staleRichText = (line: ContentLine | undefined): string[] =>
  line && /^data:/i.test(paramOf(line, 'ALTREP')?.trim() ?? '') ? ['ALTREP'] : [];
