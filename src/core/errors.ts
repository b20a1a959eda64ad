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

/** The one error type that crosses a layer's border: switch on `kind`, show `message`, never read a message back. */
export class DuelineError extends Error {
  override readonly name = 'DuelineError';

  constructor(
    readonly kind: ErrorKind,
    message: string,
    options: { cause?: unknown; range?: readonly [from: number, to: number] } = {},
  ) {
    super(message, { cause: options.cause });
    if (options.range) this.range = options.range;
  }

  /** For `query`: the range of the query text that is wrong. */
  declare readonly range?: readonly [from: number, to: number];
}

export const isDuelineError = (error: unknown, kind?: ErrorKind): error is DuelineError =>
  error instanceof DuelineError && (kind === undefined || error.kind === kind);
