import { RemoteError } from '../remote/remote';

const tlsCode =
  /^(CERT_|ERR_TLS_|ERR_SSL_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_(VERIFY|GET_ISSUER)|EPROTO|HOSTNAME_MISMATCH)/;

/** Requests that leave a doubt when their answer gets lost. */
const changes = /^(PUT|DELETE|MKCALENDAR|MKCOL|PROPPATCH)$/;

interface Circumstances {
  readonly timedOut: boolean;
  readonly cancelled: boolean;
}

/** Says what became of a request that got no answer. */
export function transportError(error: unknown, url: URL, method: string, why: Circumstances): RemoteError {
  if (error instanceof RemoteError) return error;
  const unsure = changes.test(method);
  if (why.cancelled) return new RemoteError('cancelled', 'Sync was canceled.', { cause: error, unsure });
  if (why.timedOut) {
    return new RemoteError('timeout', `${url.host} did not respond in time. Dueline will retry later.`, {
      cause: error,
      unsure,
      plain: `${url.host} did not respond in time.`,
    });
  }
  if (isProxyLogin(error)) return proxyLogin(url, error);
  const { code, fingerprint } = deepestCause(error);
  if (tlsCode.test(code)) {
    return new RemoteError(
      'tls',
      `The certificate of ${url.hostname} is not trusted (${code}). Contact the server’s administrator, add the certificate authority to your system or trust this certificate for the account.`,
      { cause: error, fingerprint },
    );
  }
  const reason = code === 'ENOTFOUND' || code === 'EAI_AGAIN' ? 'unknown host name' : code || 'no connection';
  return new RemoteError(
    'offline',
    `Cannot reach ${url.host} (${reason}). Check the address and your connection. Your changes will be sent when the server is available.`,
    {
      cause: error,
      unsure,
      plain: `Cannot reach ${url.host} (${reason}). Check the address and your connection.`,
    },
  );
}

/** fetch wraps what happened in a TypeError, sometimes in an AggregateError of one attempt an address. */
function deepestCause(error: unknown): { code: string; fingerprint?: string } {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 6; depth++) {
    const { code, fingerprint } = at as { code?: unknown; fingerprint?: string };
    if (typeof code === 'string') return { code, fingerprint };
    at = at.cause ?? (at instanceof AggregateError ? at.errors[0] : undefined);
  }
  return { code: '' };
}

/** How the proxy under the editor's own `fetch` says that it wants a login. */
function isProxyLogin(error: unknown): boolean {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 6; at = at.cause, depth++)
    if (/proxy\b.*\b407\b|\b407\b.*proxy/i.test(at.message)) return true;
  return false;
}

export const proxyLogin = (url: URL, cause?: unknown): RemoteError =>
  new RemoteError(
    'proxy',
    `The proxy for ${url.host} requires a username and password (407). Add them to the http.proxy setting.`,
    { status: 407, cause },
  );
