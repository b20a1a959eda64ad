import type { Surroundings } from './surroundings';

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;
export type Style = keyof typeof codes;

/** The output: plain, or with the colors and links of a terminal. */
export class Output {
  readonly isTerminal: boolean;
  readonly hasColor: boolean;
  /** Undefined if lines are not cut. */
  readonly width: number | undefined;
  /** Columns are only as wide as their own content. */
  readonly isCompact: boolean;
  /** The scheme of links that the editor opens. */
  scheme = 'vscode';

  constructor(
    private readonly surroundings: Surroundings,
    { isPlain, isForAgent = false }: { isPlain: boolean; isForAgent?: boolean },
  ) {
    this.isCompact = isForAgent;
    // An agent reads what a pipe gets, though it may run commands in a terminal.
    const columns = isForAgent ? undefined : surroundings.out.columns;
    this.isTerminal = columns !== undefined;
    this.hasColor = this.isTerminal && !isPlain && !surroundings.env.NO_COLOR && surroundings.env.TERM !== 'dumb';
    this.width = columns === undefined ? undefined : Math.max(columns, 40);
  }

  styled(text: string, ...styles: readonly Style[]): string {
    if (!this.hasColor || text === '' || styles.length === 0) return text;
    return `\u001b[${styles.map(style => codes[style]).join(';')}m${text}\u001b[0m`;
  }

  /** A link that a terminal opens (OSC 8). */
  link(text: string, address: string): string {
    return this.hasColor ? `\u001b]8;;${address}\u001b\\${text}\u001b]8;;\u001b\\` : text;
  }

  print(text: string): void {
    if (text !== '') this.surroundings.out.write(text.endsWith('\n') ? text : `${text}\n`);
  }

  /** Prints a note apart from the result, so that it does not get into a pipe. */
  note(text: string): void {
    this.surroundings.err.write(`${text}\n`);
  }

  /** True if the reader of the output has gone. */
  get isClosed(): boolean {
    return this.surroundings.out.isClosed;
  }

  clear(): void {
    if (this.isTerminal) this.surroundings.out.write('\u001b[H\u001b[2J');
  }
}

/** "漢", "한", "🙂": two cells wide. */
const wideCharacters =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
/** An accent that combines, a zero-width joiner, a variation selector. */
const zeroWidth = /\p{Mn}|\p{Me}|\p{Cf}|[\ufe00-\ufe0f]/u;

/** Cells of a terminal. */
export function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const sign of text) width += zeroWidth.test(sign) ? 0 : wideCharacters.test(sign) ? 2 : 1;
  return width;
}

export const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(width - widthOf(text), 0));

/** The part of a text that fits, with a sign if something is left out. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = '';
  let used = 1;
  for (const sign of text) {
    used += widthOf(sign);
    if (used > width) break;
    kept += sign;
  }
  return `${kept.trimEnd()}…`;
}
