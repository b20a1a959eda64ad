/** What the command line says with its exit code. */
export const exitCodes = { done: 0, refused: 1, usage: 2, store: 3 } as const;

/** What a person is told instead of an answer. The message is safe to show only after `cleaned`. */
export class CliError extends Error {
  constructor(
    readonly exit: keyof typeof exitCodes,
    message: string,
    /** For agents: lines with what others may have written. The message has none of it. */
    readonly data: readonly string[] = [],
  ) {
    super(message);
  }
}

export const refusalError = (text: string, data?: readonly string[]): CliError => new CliError('refused', text, data);

/**
 * Control characters, which a terminal obeys, marks that turn the direction of what follows, and signs that a person does
 * not see but a language model reads: tags (U+E0000 to U+E007F), and variation selectors after the first. The joiners of
 * emoji and scripts and the flags of tags are the first group.
 */
const hidden =
  /([\u200c\u200d]|\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{2,6}\u{e007f})|[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]|(?<=\p{VS})\p{VS}/gu;

const isPlain = /^[\x20-\x7e]*$/;

/** Text of a task, a list or an error on one line. */
export const sanitize = (text: string): string =>
  isPlain.test(text)
    ? text
    : text.replace(/[\s\u0085]/g, ' ').replace(hidden, (_sign, kept: string | undefined) => kept ?? '');

/** The same line by line. */
export const cleanedLines = (text: string): string =>
  text
    .split(/\r\n?|\n/)
    .map(sanitize)
    .join('\n');

/** JSON that says the same in characters that are safe to show. */
export const safeJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\udb40[\udc00-\udc7f]/g,
    sign => sign.replace(/./g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );

export const codeOfError = (error: unknown): unknown => (error as { code?: unknown } | undefined)?.code;

/** Before something that may be ready in a moment is tried again. */
export const pause = (): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
