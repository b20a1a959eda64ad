import { writeSync } from 'node:fs';
import { codeOfError, pause } from '../headless/cliError';

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;
export type Style = keyof typeof codes;

/** What is printed: plain, or with the colours and links of a terminal. */
export class Output {
  readonly isTerminal = process.stdout.isTTY === true;
  readonly hasColor: boolean;
  /** Undefined where lines are not cut. */
  readonly width: number | undefined;
  /** Of links that the editor opens. */
  scheme = 'vscode';

  constructor({ isPlain, env }: { isPlain: boolean; env: Readonly<Record<string, string | undefined>> }) {
    this.hasColor = this.isTerminal && !isPlain && !env.NO_COLOR && env.TERM !== 'dumb';
    this.width = this.isTerminal ? Math.max(process.stdout.columns || 80, 40) : undefined;
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
    if (text !== '') writeAll(1, text.endsWith('\n') ? text : `${text}\n`);
  }

  /** Beside the answer: it does not get into a pipe. */
  note(text: string): void {
    writeAll(2, `${text}\n`);
  }

  /** Whether nobody reads what is printed any more. */
  get isClosed(): boolean {
    return closedPipes.has(1);
  }

  clear(): void {
    if (this.isTerminal) writeAll(1, '\u001b[H\u001b[2J');
  }
}

/** The descriptors whose reader is gone: it needs no more, but what was asked for is still to be done. */
const closedPipes = new Set<1 | 2>();

/** Waits until all of it is written, since the process ends right after. */
function writeAll(descriptor: 1 | 2, text: string): void {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length && !closedPipes.has(descriptor); ) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      const code = codeOfError(error);
      if (code === 'EPIPE') closedPipes.add(descriptor);
      else if (code === 'EAGAIN') pause();
      else throw error;
    }
  }
}

const wideCharacters =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const zeroWidth = /\p{Mn}|\p{Me}|\p{Cf}|[\ufe00-\ufe0f]/u;

/** Cells of a terminal. */
export function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const sign of text) width += zeroWidth.test(sign) ? 0 : wideCharacters.test(sign) ? 2 : 1;
  return width;
}

export const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(width - widthOf(text), 0));

/** As much as fits, with a sign where something is left out. */
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
