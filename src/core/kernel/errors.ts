import { type Argument, asMessage, type Message, plainMessage } from './message';
import type { Range } from './range';

export type ErrorKind =
  | 'invalid'
  | 'notFound'
  | 'readOnly'
  | 'duplicate'
  | 'query'
  | 'storage'
  | 'auth'
  | 'tls'
  | 'offline'
  | 'timeout'
  | 'cancelled'
  | 'server'
  | 'unsupported';

/** An error whose sentence can be worded in another language; `message` is the English one. */
export class MessageError extends Error {
  /** Absent if the text is not translated: it is for programmers, or another program's. */
  declare readonly code?: string;
  readonly args: readonly Argument[];

  constructor(message: Message | string, options?: ErrorOptions) {
    const { code, args, text } = asMessage(message);
    super(text, options);
    if (code !== undefined) this.code = code;
    this.args = args;
  }
}

/**
 * The one error type that crosses a layer's border: switch on `kind`, show `message`, never read a message back.
 *
 * @example
 * throw new DuelineError('notFound', engineMessage('taskGone'));
 */
export class DuelineError extends MessageError {
  override readonly name = 'DuelineError';

  constructor(
    readonly kind: ErrorKind,
    message: Message | string,
    options: { cause?: unknown; range?: Range } = {},
  ) {
    super(message, options);
    if (options.range) this.range = options.range;
  }

  /** For `query`: the range of the query text that is wrong. */
  declare readonly range?: Range;
}

/**
 * Narrows an error to a {@link DuelineError}, of one kind if `kind` is given.
 *
 * @example
 * if (isDuelineError(error, 'readOnly')) showMessage(error.message);
 */
export const isDuelineError = (error: unknown, kind?: ErrorKind): error is DuelineError =>
  error instanceof DuelineError && (kind === undefined || error.kind === kind);

/**
 * The system's code of an error, ENOENT for example; a message's own is for views.
 *
 * @example
 * codeOf(Object.assign(new Error(), { code: 'ENOENT' })) // 'ENOENT'
 */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof MessageError ? undefined : (error as { readonly code?: string } | undefined)?.code;

/**
 * The message of an error, to be worded or to be put into another message.
 *
 * @example
 * messageOf(new Error('disk full')) // { args: [], text: 'disk full' }
 */
export function messageOf(error: unknown): Message {
  if (error instanceof MessageError)
    return { ...(error.code !== undefined && { code: error.code }), args: error.args, text: error.message };
  return plainMessage(error instanceof Error ? error.message : String(error));
}

/** Runs `work`, and then `end` even if `work` failed. If both fail, the first error is thrown: the second usually follows from it. */
export async function endingWith(work: () => Promise<void>, end: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    await end().catch(() => undefined);
    throw error;
  }
  await end();
}
