import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { connect as connectTls, type PeerCertificate, type TLSSocket } from 'node:tls';
import type { ServerCertificate } from '../core/syncState';
import { RemoteError } from './remote';

const patience = 15_000;

/** Looks at the certificate that a host shows, trusting nothing and sending nothing. */
export function certificateOf(address: string): Promise<ServerCertificate> {
  const url = new URL(/^[a-z][\w+.-]*:\/\//i.test(address) ? address : `https://${address}`);
  return new Promise((resolve, reject) => {
    if (url.protocol !== 'https:') throw new RemoteError('protocol', `${url.host} is not reached over https.`);
    const socket = connectTls({ ...target(url), rejectUnauthorized: false }, () => {
      const certificate = socket.getPeerCertificate();
      resolve({
        fingerprint: certificate.fingerprint256,
        subject: nameOf(certificate.subject),
        issuer: nameOf(certificate.issuer),
        validTo: certificate.valid_to,
        problem: problemOf(socket),
      });
      socket.destroy();
    });
    socket.setTimeout(patience, () => socket.destroy(new Error('timeout')));
    socket.on('error', cause =>
      reject(new RemoteError('offline', `Cannot reach ${url.host} to read its certificate.`, { cause })),
    );
  });
}

const nameOf = (name: PeerCertificate['subject'] | undefined): string =>
  name ? [name.CN, name.O].filter(Boolean).join(', ') : '';

const problemOf = (socket: TLSSocket): string | null =>
  socket.authorized
    ? null
    : String((socket.authorizationError as { code?: string } | null)?.code ?? socket.authorizationError);

const target = (url: URL) => {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { host, port: Number(url.port || 443), ...(isIP(host) === 0 && { servername: host }) };
};

/**
 * A `fetch` that also takes certificates with one of these SHA-256 fingerprints. A certificate is looked at before the
 * first byte of a request goes out; one that is neither valid nor listed fails as it would otherwise. Requests over
 * http go to `otherwise`.
 */
export function fetchTrusting(fingerprints: Iterable<string>, otherwise: typeof fetch): typeof fetch {
  const trusted = new Set([...fingerprints].map(normalised));
  if (trusted.size === 0) return otherwise;
  const agent = new PinningAgent(trusted);
  const fetchIt = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(String(input));
    return url.protocol === 'https:' ? send(url, init, agent) : otherwise(url, init);
  };
  return fetchIt as typeof fetch;
}

const normalised = (fingerprint: string) => fingerprint.replace(/[^0-9a-f]/gi, '').toUpperCase();

class PinningAgent extends Agent {
  constructor(private readonly trusted: ReadonlySet<string>) {
    super({ keepAlive: true });
  }

  /** Called by node:http, which waits for `done`. */
  createConnection(options: object, done?: (error: Error | null, stream: TLSSocket) => void): undefined {
    const { host, port, servername } = options as { host: string; port: number; servername?: string };
    const socket = connectTls({ host, port, ...(servername && { servername }), rejectUnauthorized: false }, () => {
      const fingerprint = socket.getPeerCertificate().fingerprint256 ?? '';
      if (socket.authorized || this.trusted.has(normalised(fingerprint))) return finish(null);
      return finish(
        Object.assign(new Error('untrusted certificate'), { code: problemOf(socket) ?? 'CERT_UNTRUSTED', fingerprint }),
      );
    });
    let isDone = false;
    const finish = (error: Error | null) => {
      if (isDone) return;
      isDone = true;
      if (error) socket.destroy();
      done?.(error, socket);
    };
    socket.once('error', finish);
    return undefined;
  }
}

function send(url: URL, init: RequestInit, agent: Agent): Promise<Response> {
  return new Promise((resolve, reject) => {
    const signal = init.signal ?? undefined;
    const body = typeof init.body === 'string' ? Buffer.from(init.body) : undefined;
    const headers = Object.fromEntries(new Headers(init.headers));
    const sent: ClientRequest = request(
      url,
      {
        method: init.method ?? 'GET',
        headers: { ...headers, ...(body && { 'content-length': String(body.length) }) },
        agent,
        ...(signal && { signal }),
      },
      answer => resolve(toResponse(answer)),
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

const hasNoBody = new Set([101, 204, 205, 304]);

function toResponse(answer: IncomingMessage): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headersDistinct))
    for (const one of value ?? []) headers.append(name, one);
  const status = answer.statusCode ?? 500;
  if (hasNoBody.has(status)) {
    answer.resume();
    return new Response(null, { status, headers });
  }
  return new Response(Readable.toWeb(answer) as ConstructorParameters<typeof Response>[0], { status, headers });
}
