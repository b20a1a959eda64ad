import { MessageError } from '../../core/kernel/errors';
import { syncMessage } from '../messages';
import { RemoteError } from '../remote/remote';

/** `ERR_TLS_CERT_ALTNAME_INVALID`, `SELF_SIGNED_CERT_IN_CHAIN`: the connection failed because of its encryption. */
const tlsCode =
  /^(CERT_|ERR_TLS_|ERR_SSL_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_(VERIFY|GET_ISSUER)|EPROTO|HOSTNAME_MISMATCH)/;

/** Requests that leave a doubt when their answer gets lost. */
const changes = /^(PUT|DELETE|MKCALENDAR|MKCOL|PROPPATCH)$/;

interface Circumstances {
  readonly timedOut: boolean;
  readonly cancelled: boolean;
}

/** The error for a request that got no answer. */
export function transportError(error: unknown, url: URL, method: string, why: Circumstances): RemoteError {
  if (error instanceof RemoteError) return error;
  const unsure = changes.test(method);
  if (why.cancelled) return new RemoteError('cancelled', syncMessage('syncCanceled'), { cause: error, unsure });
  if (why.timedOut) {
    return new RemoteError('timeout', syncMessage('timeoutRetry', url.host), {
      cause: error,
      unsure,
      plain: syncMessage('timeout', url.host),
    });
  }
  if (isProxyLogin(error)) return proxyLogin(url, error);
  const { code, fingerprint } = deepestCause(error);
  if (tlsCode.test(code)) {
    return new RemoteError('tls', syncMessage('certificateUntrusted', url.hostname, code), {
      cause: error,
      fingerprint,
    });
  }
  const reason =
    code === 'ENOTFOUND' || code === 'EAI_AGAIN' ? syncMessage('unknownHost') : code || syncMessage('noConnection');
  return new RemoteError('offline', syncMessage('unreachableSend', url.host, reason), {
    cause: error,
    unsure,
    plain: syncMessage('unreachable', url.host, reason),
  });
}

/** fetch wraps what happened in a TypeError, sometimes in an AggregateError of one attempt an address. */
function deepestCause(error: unknown): { code: string; fingerprint?: string } {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 6; depth++) {
    const { code, fingerprint } = at as { code?: unknown; fingerprint?: string };
    // A message's code is for views, not the system's.
    if (typeof code === 'string' && !(at instanceof MessageError)) return { code, fingerprint };
    at = at.cause ?? (at instanceof AggregateError ? at.errors[0] : undefined);
  }
  return { code: '' };
}

/** True if the proxy under the editor's own `fetch` wants a login. */
function isProxyLogin(error: unknown): boolean {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 6; at = at.cause, depth++)
    if (/proxy\b.*\b407\b|\b407\b.*proxy/i.test(at.message)) return true;
  return false;
}

export const proxyLogin = (url: URL, cause?: unknown): RemoteError =>
  new RemoteError('proxy', syncMessage('proxyLoginFor', url.host), { status: 407, cause });
