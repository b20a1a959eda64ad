import { DuelineError, type ErrorKind, messageOf } from '../../core/kernel/errors';
import { NotAnAddress } from '../dav/discovery';
import { RemoteError, type RemoteErrorKind } from '../remote/remote';

const kinds: Partial<Record<RemoteErrorKind, ErrorKind>> = {
  auth: 'auth',
  tls: 'tls',
  offline: 'offline',
  proxy: 'offline',
  timeout: 'timeout',
  cancelled: 'cancelled',
  readOnly: 'readOnly',
};

/**
 * Turns a failure of sync into an error for the layers above, with a message that promises nothing: see {@link
 * RemoteErrorDetails.plain}.
 */
export function toDuelineError(error: unknown): DuelineError {
  if (error instanceof DuelineError) return error;
  if (error instanceof NotAnAddress) return new DuelineError('invalid', messageOf(error), { cause: error });
  if (error instanceof RemoteError)
    return new DuelineError(kinds[error.kind] ?? 'server', error.details.plain ?? messageOf(error), { cause: error });
  return new DuelineError('server', messageOf(error), { cause: error });
}
