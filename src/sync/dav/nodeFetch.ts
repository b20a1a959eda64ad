import { type ClientRequest, type IncomingMessage, ClientRequest as OwnRequest, Agent as PlainAgent } from 'node:http';
import { Agent } from 'node:https';
import { connect, type NetConnectOpts } from 'node:net';
import { type Duplex, pipeline, Readable } from 'node:stream';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { createGunzip } from 'node:zlib';
import type { ProxySettings } from '../../core/kernel/settings';
import { fingerprintOf, isTrusted, normalised, problemOf } from './certificates';
import { connectToProxy, openTunnel, type ProxyRoute, portOf, proxyFor, proxyRefusal } from './proxy';

/** The callback through which node:http gets a connection, or the reason why there is none. */
type Done = (error: Error | null, stream?: Duplex) => void;

/**
 * A `fetch` over node:http, which can do what the global one cannot: it takes certificates with one of these SHA-256
 * fingerprints, goes through a proxy, and survives a server that closes its connection behind a large answer, for which
 * Node 24's own throws an error that nobody can catch (nodejs/undici#5360). A certificate is checked before the first
 * byte of a request goes out. `otherwise` is used if it is the caller's own (there are no `proxies` then) or knows the
 * editor's settings, unless certificates are trusted here.
 */
export function nodeFetch(
  fingerprints: Iterable<string>,
  otherwise: typeof fetch,
  proxies?: () => ProxySettings | undefined,
): typeof fetch {
  const trusted = new Set([...fingerprints].map(normalised));
  if (trusted.size === 0 && !proxies) return otherwise;
  const agents = new Map<string, PlainAgent>();
  const agentFor = (isSecure: boolean, route: ProxyRoute | undefined): PlainAgent => {
    const name = JSON.stringify([isSecure, route?.url.href, route?.authorization, route?.isStrict]);
    const known = agents.get(name);
    if (known) return known;
    const made = isSecure ? new SecureAgent(trusted, route) : new ForwardingAgent(route);
    agents.set(name, made);
    return made;
  };
  const fetchIt = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(String(input));
    const settings = proxies?.();
    const isPinned = url.protocol === 'https:' && trusted.size > 0;
    if (!isPinned && (!settings || settings.isKnownToFetch)) return otherwise(url, init);
    const route = settings && proxyFor(url, settings, process.env);
    return send(url, init, agentFor(url.protocol === 'https:', route), route);
  };
  return fetchIt as typeof fetch;
}

/** Over TLS, straight or through a tunnel. */
class SecureAgent extends Agent {
  constructor(
    private readonly trusted: ReadonlySet<string>,
    private readonly route: ProxyRoute | undefined,
  ) {
    super({ keepAlive: true });
  }

  /** Called by node:http, which waits for `done`. */
  createConnection(options: object, done?: Done): undefined {
    const { host, port, servername } = options as { host: string; port: number; servername?: string };
    void this.#connect(host, Number(port), servername).then(
      socket => done?.(null, socket),
      (error: Error) => done?.(error),
    );
    return undefined;
  }

  async #connect(host: string, port: number, servername: string | undefined): Promise<TLSSocket> {
    const way = this.route && (await openTunnel(this.route, host, port));
    return new Promise((resolve, reject) => {
      const name = { ...(servername && { servername }) };
      const address = way ? { socket: way, host, ...name } : { host, port, ...name };
      const socket = connectTls({ ...address, rejectUnauthorized: false }, () => {
        // Node's own switch, which `fetch` obeys too.
        if (process.env.NODE_TLS_REJECT_UNAUTHORIZED === '0' || isTrusted(socket, this.trusted)) return resolve(socket);
        const problem = { code: problemOf(socket) ?? 'CERT_UNTRUSTED', fingerprint: fingerprintOf(socket) };
        socket.destroy();
        reject(Object.assign(new Error('untrusted certificate'), problem));
      });
      socket.once('error', reject);
    });
  }
}

/** Connections without TLS: direct, or through a proxy, which gets the whole address. */
class ForwardingAgent extends PlainAgent {
  constructor(private readonly route: ProxyRoute | undefined) {
    super({ keepAlive: true });
  }

  createConnection(options: NetConnectOpts, done?: Done): Duplex | undefined {
    if (!this.route) return connect(options);
    void connectToProxy(this.route).then(
      socket => {
        socket.setTimeout(0);
        done?.(null, socket);
      },
      (error: Error) => done?.(error),
    );
    return undefined;
  }
}

/** A request that changes nothing may be sent again, once (RFC 9110, section 9.2.2). */
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'PROPFIND', 'REPORT']);

function send(
  url: URL,
  init: RequestInit,
  agent: PlainAgent,
  route: ProxyRoute | undefined,
  isAgain = false,
): Promise<Response> {
  const isForwarded = route !== undefined && url.protocol === 'http:';
  const method = init.method ?? 'GET';
  return new Promise((resolve, reject) => {
    const signal = init.signal ?? undefined;
    const body = typeof init.body === 'string' ? Buffer.from(init.body) : undefined;
    const headers = Object.fromEntries(new Headers(init.headers));
    const request = {
      protocol: url.protocol,
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: portOf(url),
      path: isForwarded ? url.href : url.pathname + url.search,
      method,
      headers: {
        host: url.host,
        'accept-encoding': 'gzip',
        ...headers,
        ...(body && { 'content-length': String(body.length) }),
        ...(isForwarded && route.authorization && { 'proxy-authorization': route.authorization }),
      },
      agent,
      ...(signal && { signal }),
    };
    // A login by Digest counts its requests: the same one twice is refused.
    const mayRepeat = !isAgain && safeMethods.has(method) && !headers.authorization?.startsWith('Digest ');
    let isAnswered = false;
    // The functions of `http` are not used: the editor overlays them with its own agents, which do not know the
    // certificates that are trusted here.
    const sent: ClientRequest = new OwnRequest(request, answer => {
      isAnswered = true;
      try {
        if (answer.statusCode === 407 && route) throw proxyRefusal(407, route.url.host, url.hostname);
        resolve(toResponse(answer));
      } catch (error) {
        // A status beyond 599 too: no `Response` can have one, and nobody would catch it out here.
        answer.resume();
        reject(error);
      }
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // The server may have closed a kept connection just then (RFC 9112, section 9.3.1), and others with it.
      if (!mayRepeat || !sent.reusedSocket || error.code !== 'ECONNRESET' || isAnswered) return reject(error);
      for (const kept of Object.values(agent.freeSockets).flat()) kept?.destroy();
      resolve(send(url, init, agent, route, true));
    });
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
  const isPacked = /^(x-)?gzip$/i.test(headers.get('content-encoding') ?? '');
  const body = isPacked ? pipeline(answer, createGunzip(), () => {}) : answer;
  return new Response(Readable.toWeb(body) as ConstructorParameters<typeof Response>[0], { status, headers });
}
