import type { FileChange } from './history';

/** One line through all commits: white space apart, its text never changes. */
interface Line {
  readonly id: number;
  readonly text: string;
  readonly depth: number;
}

interface SourceFile {
  path: string;
  lines: readonly Line[];
  style: 'spaces' | 'tabs' | 'dense';
}

interface MadeChange extends FileChange {
  readonly oldPath: string;
  /** The file after each commit that changed it, up to that one. */
  readonly steps: readonly string[];
  /** All files of the later commit. */
  readonly files: ReadonlyMap<string, string>;
  /** Where a line of `before` is then, in whatever file. */
  readonly placeOf: (line: number) => { readonly path: string; readonly line: number } | undefined;
}

const words =
  'user order item price total list map index value result state error name cache token task line path'.split(' ');
const verbs = 'get set load save find make read write add remove update check parse format merge apply'.split(' ');
const folders = 'src src/core src/store lib lib/util test app app/views'.split(' ');
const names = 'index.ts types.ts util.ts main.ts store.ts query.ts view.ts list.ts cache.ts parser.ts'.split(' ');
const [fileCount, commitCount] = [200, 50];

/** Numbers from 0 to 1 that are the same in every run (Park and Miller). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48271) % 0x7fffffff;
    return state / 0x7fffffff;
  };
}

/**
 * A history in memory: 200 files over 50 commits, in which lines are added, edited, removed and moved, also into other
 * files, and files are formatted and renamed. It is known by construction where every line went.
 */
export class MadeHistory {
  readonly #random: () => number;
  readonly #files: SourceFile[];
  #nextId = 1;

  constructor(seed: number) {
    this.#random = seeded(seed);
    this.#files = Array.from({ length: fileCount }, (_, index) => ({
      path: `${folders[index % folders.length]}/part${Math.floor(index / 80)}/${names[index % names.length]}`,
      lines: Array.from({ length: 4 + this.#below(20) }, () => this.#block()).flat(),
      style: 'spaces',
    }));
  }

  /** Files of the first commit that differ after `distance` commits; renamed ones under both paths. */
  changes(distances: readonly number[]): MadeChange[] {
    const first = this.#files.map(copyOf);
    const found: MadeChange[] = [];
    const steps = first.map(file => [textOf(file)]);
    for (let commit = 1; commit <= commitCount; commit++) {
      this.#commit();
      for (const [index, file] of this.#files.entries())
        if (textOf(file) !== steps[index]!.at(-1)) steps[index]!.push(textOf(file));
      if (!distances.includes(commit)) continue;
      const now = this.#files.map(copyOf);
      const files = new Map(now.map(file => [file.path, textOf(file)]));
      for (const [index, file] of now.entries()) {
        const before = first[index]!;
        if (textOf(before) === textOf(file) && before.path === file.path) continue;
        const { path: oldPath } = before;
        const change = { distance: commit, path: file.path, before: textOf(before), after: textOf(file) };
        const placeOf = (line: number) =>
          now.flatMap(({ path, ...rest }) => {
            const to = truthOf(before, { path, ...rest }).get(line);
            return to ? [{ path, line: to[0]! }] : [];
          })[0];
        found.push({ ...change, truth: truthOf(before, file), oldPath, files, placeOf, steps: steps[index]!.slice(1) });
      }
    }
    return found;
  }

  #commit(): void {
    for (let count = 4 + this.#below(20); count > 0; count--) {
      const file = this.#pick(this.#files);
      for (let edits = 1 + this.#below(4); edits > 0; edits--) this.#edit(file);
    }
  }

  #edit(file: SourceFile): void {
    const { lines } = file;
    const at = this.#below(lines.length + 1);
    const size = 1 + this.#below(8);
    const what = this.#random();
    if (what < 0.25) file.lines = lines.toSpliced(edgeBy(lines, at), 0, ...this.#block());
    else if (what < 0.35)
      file.lines = lines.toSpliced(at, 0, ...this.#statement(this.#pick(words), this.#pick(words)).map(this.#line));
    else if (what < 0.6) file.lines = lines.map((line, index) => (index === at ? this.#edited(line) : line));
    else if (what < 0.68) file.lines = lines.toSpliced(at, size);
    else if (what < 0.75) file.lines = lines.toSpliced(edgeBy(lines, at), edgeBy(lines, at + size) - edgeBy(lines, at));
    else if (what < 0.86)
      file.lines = moved(
        lines,
        edgeBy(lines, at),
        edgeBy(lines, at + size) - edgeBy(lines, at),
        edgeBy(lines, this.#below(lines.length)),
      );
    else if (what < 0.92) this.#moveTo(file, this.#pick(this.#files), at, size);
    else if (what < 0.97) file.style = this.#pick(['spaces', 'tabs', 'dense']);
    else this.#rename(file);
  }

  #moveTo(from: SourceFile, to: SourceFile, at: number, size: number): void {
    if (from === to) return;
    to.lines = [...to.lines, ...from.lines.slice(at, at + size)];
    from.lines = from.lines.toSpliced(at, size);
  }

  #rename(file: SourceFile): void {
    const path = `${this.#pick(folders)}/moved${this.#nextId++}/${file.path.replace(/.*\//, '')}`;
    if (!this.#files.some(other => other.path === path)) file.path = path;
  }

  #edited(line: Line): Line {
    const text = line.text.replace(/\b[a-z]+(?=\W*$)/, () => `${this.#pick(words)}${this.#below(100)}`);
    return text === line.text ? line : { ...line, text, id: this.#nextId++ };
  }

  /** A function as there are many: some of its lines are its own, some are in every other one. */
  #block(): Line[] {
    const [verb, word, other] = [this.#pick(verbs), this.#pick(words), this.#pick(words)];
    const body = Array.from({ length: 1 + this.#below(6) }, () => this.#statement(this.#pick(words), other));
    if (this.#random() < 0.4) body.unshift([[1, `if (!${other}) return undefined;`]]);
    const texts: [number, string][] = [
      ...(this.#random() < 0.3 ? [[0, `/** ${verb}s the ${word} of the ${other}. */`] satisfies [number, string]] : []),
      [0, `export function ${verb}${word}${this.#below(40)}(${other}) {`],
      ...body.flat(),
      [1, `return ${this.#random() < 0.5 ? 'result' : word};`],
      [0, '}'],
      [0, ''],
    ];
    return texts.map(this.#line);
  }

  #line = ([depth, text]: readonly [number, string]): Line => ({ id: this.#nextId++, depth, text });

  #statement(word: string, other: string): [number, string][] {
    const [verb, number] = [this.#pick(verbs), this.#below(300)];
    const kind = this.#below(3);
    if (kind === 1) return [[1, `const result = ${verb}(${word}, ${number});`]];
    if (kind === 2)
      return [
        [1, `for (const ${word} of ${other}) {`],
        [2, `${verb}(${word});`],
        [1, '}'],
      ];
    return [[1, `${word}.${verb}${this.#pick(words)}(${other}, '${this.#pick(words)}${number}');`]];
  }

  #below = (limit: number) => Math.floor(this.#random() * limit);
  #pick = <T>(items: readonly T[]): T => items[this.#below(items.length)]!;
}

/** Where a function begins, at or behind a line: most of what is added, removed and moved is whole functions. */
function edgeBy(lines: readonly Line[], at: number): number {
  const found = lines.findIndex(({ text }, index) => index >= at && text === '');
  return found < 0 ? lines.length : found + 1;
}

const copyOf = ({ path, lines, style }: SourceFile): SourceFile => ({ path, lines, style });

function moved(lines: readonly Line[], at: number, size: number, to: number): Line[] {
  const part = lines.slice(at, at + size);
  return lines.toSpliced(at, size).toSpliced(Math.min(to, lines.length - part.length), 0, ...part);
}

function textOf({ lines, style }: SourceFile): string {
  const indent = style === 'tabs' ? '\t' : '  ';
  const text = lines.map(({ depth, text }) => (text === '' ? '' : indent.repeat(depth) + text)).join('\n');
  return style === 'dense' ? text.replaceAll(', ', ',').replaceAll(') {', '){').replaceAll('\n\n', '\n') : text;
}

/** `dense` has no blank lines: lines are counted without them. */
function truthOf(before: SourceFile, after: SourceFile): Map<number, number[]> {
  const rows = (file: SourceFile) => {
    const text = textOf(file).split('\n');
    const filled = file.lines.filter(line => line.text !== '');
    let next = 0;
    return new Map(text.flatMap((line, row) => (line === '' ? [] : [[filled[next++]!.id, row] as const])));
  };
  const now = rows(after);
  return new Map([...rows(before)].flatMap(([id, row]) => (now.has(id) ? [[row, [now.get(id)!]] as const] : [])));
}
