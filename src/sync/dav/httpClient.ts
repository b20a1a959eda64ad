import { decodeText } from '../../core/exchange/encoding';
import type { Log } from '../../core/kernel/log';
import { syncMessage } from '../messages';
import { RemoteError } from '../remote/remote';
import type { Login } from './auth';
import { mayReceiveCredentials } from './credentialScope';
import { proxyLogin, transportError } from './transportErrors';

interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs?: number;
}

export interface HttpAnswer {
  readonly method: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The URL that answered, after any redirects. */
  readonly url: string;
}

export interface HttpOptions {
  readonly fetch: typeof fetch;
  /** The origin that the account was set up with. */
  readonly home: string;
  /** The credentials are for the home alone, and for no other host of its owner. */
  readonly isHomeOnly?: boolean;
  readonly auth: Login;
  /** Origins besides the home that may get the credentials, because the user approved them. */
  readonly approved?: Iterable<string>;
  /** Asked if the server redirects to an origin that may not have the credentials; refused if absent. */
  readonly approve?: (origin: string) => Promise<boolean>;
  readonly signal?: AbortSignal;
  /** How long an ordinary request may take; those that may take longer get as many times more. */
  readonly timeoutMs?: number;
  readonly log?: Log;
}

const maxHops = 5;
const maxBody = 64 * 1024 * 1024;
const defaultTimeout = 30_000;

/**
 * One account's requests to its server: it follows redirects itself, so that neither method nor body nor credentials
 * get lost or leak; makes one login attempt for each challenge; has timeouts and a limit on what is read. It returns
 * answers of any status except 401, and throws only if there is no answer.
 */
export class HttpClient {
  #requests = 0;
  readonly #approved: Set<string>;

  constructor(private readonly options: HttpOptions) {
    this.#approved = new Set(options.approved);
  }

  get requests(): number {
    return this.#requests;
  }

  get auth(): Login {
    return this.options.auth;
  }

  get log(): Log | undefined {
    return this.options.log;
  }

  async send(request: HttpRequest): Promise<HttpAnswer> {
    let url = new URL(request.url);
    let hops = 0;
    // One answer to a challenge for each address: `stale=true` on every 401 would otherwise keep the sync lock for good.
    let isLoginRepeated = false;
    for (;;) {
      await this.#admit(url, request.method);
      const sent = this.options.auth.header(request.method, url);
      const answer = await this.#once(request, url, sent);
      if (answer.status === 401) {
        const isWorthRepeating = this.options.auth.answer(answer.headers.get('www-authenticate'), sent, url);
        if (isWorthRepeating && !isLoginRepeated) {
          isLoginRepeated = true;
          continue;
        }
        throw new RemoteError('auth', syncMessage('loginRejectedAppPassword', url.host), { status: 401 });
      }
      const next = redirectTarget(answer);
      if (!next) return answer;
      if (++hops > maxHops) {
        throw new RemoteError('redirect', syncMessage('tooManyRedirects', url.host));
      }
      if (url.protocol === 'https:' && next.protocol !== 'https:') {
        throw new RemoteError('redirect', syncMessage('unencryptedRedirect', url.host));
      }
      url = next;
      isLoginRepeated = false;
    }
  }

  /** Nothing at all is sent to an origin that may not have the credentials. */
  async #admit(url: URL, method: string): Promise<void> {
    const { home, isHomeOnly } = this.options;
    const mayHaveThem = isHomeOnly
      ? url.origin === home || this.#approved.has(url.origin)
      : mayReceiveCredentials(url.origin, home, this.#approved);
    if (mayHaveThem) return;
    if (await this.options.approve?.(url.origin)) {
      this.#approved.add(url.origin);
      return;
    }
    throw new RemoteError('redirect', syncMessage('redirect', new URL(home).host, url.origin), {
      origin: url.origin,
      cause: method,
    });
  }

  async #once(request: HttpRequest, url: URL, authorization: string | undefined): Promise<HttpAnswer> {
    const { signal, log } = this.options;
    const timeoutFactor = (this.options.timeoutMs ?? defaultTimeout) / defaultTimeout;
    const abort = new AbortController();
    let timedOut = false;
    const timer = setTimeout(
      () => {
        timedOut = true;
        abort.abort();
      },
      (request.timeoutMs ?? defaultTimeout) * timeoutFactor,
    );
    const onCancel = () => abort.abort();
    signal?.addEventListener('abort', onCancel, { once: true });
    const started = performance.now();
    const where = `${request.method} ${url.origin}${url.pathname}`;
    try {
      if (signal?.aborted) throw new RemoteError('cancelled', syncMessage('syncCanceled'));
      this.#requests++;
      const response = await this.options.fetch(url, {
        method: request.method,
        headers: {
          'User-Agent': 'Dueline',
          ...request.headers,
          ...(authorization && { Authorization: authorization }),
        },
        body: request.body,
        redirect: 'manual',
        signal: abort.signal,
      });
      if (response.status === 407) throw proxyLogin(url);
      const text = await readBody(response, url);
      log?.('debug', `${where} → ${response.status} (${Math.round(performance.now() - started)} ms)`);
      return { method: request.method, status: response.status, headers: response.headers, text, url: url.href };
    } catch (error) {
      const failure = transportError(error, url, request.method, { timedOut, cancelled: signal?.aborted ?? false });
      log?.('debug', `${where} → ${failure.kind} (${Math.round(performance.now() - started)} ms)`);
      throw failure;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onCancel);
    }
  }
}

function redirectTarget(answer: HttpAnswer): URL | undefined {
  const { status, headers, url, method } = answer;
  const location = headers.get('location');
  if (!location || !(status === 301 || status === 302 || status === 307 || status === 308 || status === 303)) return;
  if (status === 303 && method !== 'GET') return;
  const next = URL.canParse(location, url) ? new URL(location, url) : undefined;
  return next && /^https?:$/.test(next.protocol) ? next : undefined;
}

/** The body, and no more of it than may come. */
export async function readBody(response: Response, url: URL, most = maxBody): Promise<string> {
  if (!response.body) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > most) throw new RemoteError('protocol', syncMessage('responseTooLarge', url.host));
    chunks.push(chunk);
  }
  const [, charset] = /;\s*charset="?([^\s";]+)/i.exec(response.headers.get('content-type') ?? '') ?? [];
  return decodeText(new Uint8Array(Buffer.concat(chunks)), charset).text.replace(/^\ufeff/, '');
}
