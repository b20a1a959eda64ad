const words = ['Ana', 'budget', 'changelog', 'plants', 'réunion', 'Rechnung', 'حليب', 'שלום', 'release', 'bread'];

/** Random edits of a text as a user makes them, by lines. */
export class Typist {
  #count = 0;

  constructor(private readonly random: () => number) {}

  pick = (most: number) => Math.floor(this.random() * most);

  title = () =>
    `${words[this.pick(words.length)]} ${words[this.pick(words.length)]}${'abcdefghij'[this.#count++ % 10]}`;

  /** Changes the lines in place. */
  edit(lines: string[]): void {
    const at = this.pick(lines.length + 1);
    const line = lines[at] ?? '';
    const indent = ' '.repeat(2 * this.pick(3));
    const acts: (() => unknown)[] = [
      () => lines.splice(at, 0, indent + this.title()),
      () => lines.splice(at, 0, ...[`${indent}${this.title()}\r`, `${indent}  ${this.title()}\r`, `\t${this.title()}`]),
      () => lines.splice(at, 1),
      () => lines.splice(this.pick(lines.length), 0, ...lines.splice(at, 1)),
      () => lines.splice(at, 1, indent + line.trim()),
      () => lines.splice(at, 1, line.replace(/^(\s*)(?!\[)(?=\S)/, '$1[x] ')),
      () => lines.splice(at, 1, line.replace(/^(\s*)\[.\] /, '$1')),
      () => lines.splice(at, 1, line.replace(/(\p{L}+)/u, `$1${this.#count++}`)),
      // A cut in the middle of a line.
      () =>
        lines.splice(
          at,
          1,
          ...(/\p{L} \p{L}/u.test(line)
            ? [line.replace(/(\p{L}) .*$/u, '$1'), line.replace(/^.*?\p{L} /u, '')]
            : [line]),
        ),
      () => lines.splice(at, 0, line),
    ];
    acts[this.pick(acts.length)]!();
  }
}
