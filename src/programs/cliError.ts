/** The exit codes of the command line. */
export const exitCodes = { done: 0, refused: 1, usage: 2, store: 3 } as const;

/** An error that the user gets instead of an answer. The message is safe to show only after `sanitize`. */
export class CliError extends Error {
  constructor(
    readonly exit: keyof typeof exitCodes,
    message: string,
    /** Lines for agents with text that others may have written, which the message does not contain. */
    readonly data: readonly string[] = [],
  ) {
    super(message);
  }
}

/**
 * An error about a request that is understood but not carried out; `data` goes to agents alone.
 *
 * @example
 * if (list.isReadOnly) throw refusalError(`The list ${list.name} is read-only.`);
 */
export const refusalError = (text: string, data?: readonly string[]): CliError => new CliError('refused', text, data);

export const codeOfError = (error: unknown): unknown => (error as { code?: unknown } | undefined)?.code;

/** Before something that may be ready in a moment is tried again. */
export const pause = (): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
