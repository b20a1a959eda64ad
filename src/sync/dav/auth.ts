import { createHash, randomBytes } from 'node:crypto';
import { syncMessage } from '../messages';
import { type AuthScheme, RemoteError } from '../remote/remote';

/** The login of an account. Without a username the password is a bearer token. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** The part of a login that requests need. */
export type Login = Pick<Authenticator, 'header' | 'answer' | 'insist' | 'scheme'>;

/** Nobody logs in. */
export const anonymous: Login = {
  header: () => undefined,
  answer: () => false,
  insist: () => false,
  scheme: undefined,
};

interface Challenge {
  readonly scheme: string;
  readonly params: ReadonlyMap<string, string>;
}

/**
 * Basic (RFC 7617, always UTF-8), Digest (RFC 7616: MD5, SHA-256 and their -sess forms, qop auth or none) and Bearer.
 * Over https Basic goes out at once, since some servers never ask; over http only when asked, so that a server with
 * Digest does not get to see the password. A server that used Digest once gets nothing else over http.
 */
export class Authenticator {
  #scheme: AuthScheme | undefined;
  #challenge: ReadonlyMap<string, string> | undefined;
  #count = 0;

  constructor(
    private readonly credentials: Credentials,
    known?: AuthScheme,
  ) {
    this.#scheme = credentials.username === '' ? 'bearer' : known === 'bearer' ? undefined : known;
  }

  /** The scheme that the server asked for last, to be remembered. */
  get scheme(): AuthScheme | undefined {
    return this.#scheme;
  }

  header(method: string, url: URL): string | undefined {
    const scheme = this.#scheme ?? (url.protocol === 'https:' ? 'basic' : undefined);
    if (scheme === 'basic') return this.#basic();
    if (scheme === 'bearer') return `Bearer ${this.#token}`;
    if (scheme === 'digest' && this.#challenge) return this.#digest(method, url, this.#challenge);
    return undefined;
  }

  /** Handles a 401. True if the request is worth sending again, because an option has not been tried yet. */
  answer(wwwAuthenticate: string | null, sent: string | undefined, url: URL): boolean {
    if (this.credentials.username === '') return sent === undefined;
    const challenges = parseChallenges(wwwAuthenticate ?? '');
    const digest = challenges.find(({ scheme, params }) => scheme === 'digest' && canHash(params.get('algorithm')));
    const basic = challenges.some(({ scheme }) => scheme === 'basic') || challenges.length === 0;
    if (digest && (!basic || url.protocol === 'http:')) {
      const tried = sent?.startsWith('Digest ') ?? false;
      if (tried && digest.params.get('stale')?.toLowerCase() !== 'true') return false;
      this.#scheme = 'digest';
      this.#challenge = digest.params;
      this.#count = 0;
      return true;
    }
    // Anyone on an open line could ask for Basic in the server's place, and read the password.
    const isTalkedDown = this.#scheme === 'digest' && url.protocol === 'http:';
    if (!basic || isTalkedDown || sent?.startsWith('Basic ')) return false;
    this.#scheme = 'basic';
    return true;
  }

  /** For a server that lets one in and then says `unauthenticated`: log in without being asked. */
  insist(): boolean {
    if (this.#scheme !== undefined) return false;
    this.#scheme = 'basic';
    return true;
  }

  /**
   * Refuses a token that a header cannot contain: the request would never be sent, and the server would seem not to
   * answer.
   */
  get #token(): string {
    const { password } = this.credentials;
    if (/^[!-~]+$/.test(password)) return password;
    throw new RemoteError('auth', syncMessage('tokenInvalid'));
  }

  #basic(): string {
    return `Basic ${Buffer.from(`${this.credentials.username}:${this.credentials.password}`, 'utf8').toString('base64')}`;
  }

  #digest(method: string, url: URL, challenge: ReadonlyMap<string, string>): string {
    const algorithm = challenge.get('algorithm') ?? 'MD5';
    const hash = (text: string) => createHash(hashName(algorithm)!).update(text, 'utf8').digest('hex');
    const realm = challenge.get('realm') ?? '';
    const nonce = challenge.get('nonce') ?? '';
    const qop = challenge
      .get('qop')
      ?.split(',')
      .some(option => option.trim() === 'auth')
      ? 'auth'
      : undefined;
    const uri = url.pathname + url.search;
    const cnonce = randomBytes(8).toString('hex');
    const nc = (++this.#count).toString(16).padStart(8, '0');
    const { username, password } = this.credentials;
    let key = hash(`${username}:${realm}:${password}`);
    if (/-sess$/i.test(algorithm)) key = hash(`${key}:${nonce}:${cnonce}`);
    const request = hash(`${method}:${uri}`);
    const response = hash(qop ? `${key}:${nonce}:${nc}:${cnonce}:${qop}:${request}` : `${key}:${nonce}:${request}`);
    const fields = [
      `username="${quoted(username)}"`,
      `realm="${quoted(realm)}"`,
      `nonce="${quoted(nonce)}"`,
      `uri="${uri}"`,
      `algorithm=${algorithm}`,
      `response="${response}"`,
    ];
    if (qop) fields.push(`qop=${qop}`, `nc=${nc}`, `cnonce="${cnonce}"`);
    const opaque = challenge.get('opaque');
    if (opaque !== undefined) fields.push(`opaque="${quoted(opaque)}"`);
    // For `fetch`, header values are bytes: a username outside ASCII is sent as its UTF-8 bytes.
    return Buffer.from(`Digest ${fields.join(', ')}`, 'utf8').toString('latin1');
  }
}

const quoted = (text: string) => text.replace(/["\\]/g, '\\$&');

function hashName(algorithm = 'MD5'): string | undefined {
  const name = algorithm.toUpperCase().replace(/-SESS$/, '');
  return name === 'MD5' ? 'md5' : name === 'SHA-256' ? 'sha256' : undefined;
}

const canHash = (algorithm: string | undefined) => hashName(algorithm) !== undefined;

/** One header may hold several challenges, their parameters separated by commas like the challenges themselves. */
export function parseChallenges(header: string): Challenge[] {
  const found: { scheme: string; params: Map<string, string> }[] = [];
  const part = /(?<![\w-])(?:([A-Za-z][\w-]*)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))|([A-Za-z][\w-]*)(?=\s|,|$))/g;
  for (const [, name, inQuotes, bare, scheme] of header.matchAll(part)) {
    if (scheme !== undefined) found.push({ scheme: scheme.toLowerCase(), params: new Map() });
    else found.at(-1)?.params.set(name!.toLowerCase(), inQuotes?.replace(/\\(.)/g, '$1') ?? bare!);
  }
  return found;
}
