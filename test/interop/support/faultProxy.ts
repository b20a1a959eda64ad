import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /** Hands the request on, once; the server has then seen it. */
  readonly forward: () => Promise<Answer>;
  readonly reply: (answer: Partial<Answer> & { status: number; text?: string }) => void;
  /** Ends the connection without a (whole) answer. */
  readonly cut: (half?: Answer) => void;
}

export type Fault = (exchange: Exchange) => Promise<void>;

const xml = { 'content-type': 'application/xml; charset=utf-8' };

/** The faults of networks, proxies and servers, each by a name for a failing test's report. */
export const faults: Readonly<Record<string, Fault>> = {
  latency: async ({ forward, reply }) => {
    await new Promise(resolve => setTimeout(resolve, 30));
    reply(await forward());
  },
  'reset before the server': async ({ cut }) => cut(),
  'reset after the server stored it': async ({ forward, cut }) => {
    await forward();
    cut();
  },
  'truncated body': async ({ forward, cut }) => cut(await forward()),
  '401 midway': async ({ reply }) => reply({ status: 401, headers: { 'www-authenticate': 'Basic realm="x"' } }),
  '412 without reason': async ({ reply }) => reply({ status: 412 }),
  '429 with Retry-After': async ({ reply }) => reply({ status: 429, headers: { 'retry-after': '5' } }),
  '503 with Retry-After': async ({ reply }) => reply({ status: 503, headers: { 'retry-after': '5' } }),
  '500': async ({ reply }) => reply({ status: 500, text: 'oops' }),
  '502 after the server stored it': async ({ forward, reply }) => {
    await forward();
    reply({ status: 502, text: 'bad gateway' });
  },
  '500 after the server stored it': async ({ forward, reply }) => {
    await forward();
    reply({ status: 500, text: 'oops' });
  },
  'sent twice by a proxy': async ({ forward, reply }) => {
    await forward();
    reply(await forward());
  },
  locked: async ({ reply }) => reply({ status: 423 }),
  'no room': async ({ reply }) => reply({ status: 507 }),
  'nothing there': async ({ reply }) => reply({ status: 404 }),
  'a page to log in': async ({ reply }) =>
    reply({ status: 200, headers: { 'content-type': 'text/html' }, text: '<html><body>Please log in' }),
  'a token that is not known any more': async ({ body, forward, reply }) => {
    if (!body.includes('sync-collection')) return reply(await forward());
    const text = '<error xmlns="DAV:"><valid-sync-token/></error>';
    reply({ status: 403, headers: xml, text });
  },
  'members left out': async ({ body, forward, reply }) => {
    const answer = await forward();
    if (!body.includes('calendar-multiget')) return reply(answer);
    let at = 0;
    const text = answer.body
      .toString()
      .replace(/<([\w-]*:)?response>[\s\S]*?<\/([\w-]*:)?response>/g, one => (at++ % 2 === 0 ? '' : one));
    reply({ ...answer, body: Buffer.from(text) });
  },
  'failing propstats': async ({ forward, reply }) => {
    const answer = await forward();
    const text = answer.body.toString().replaceAll('HTTP/1.1 200 OK', 'HTTP/1.1 403 Forbidden');
    reply({ ...answer, body: answer.status === 207 ? Buffer.from(text) : answer.body });
  },
  'redirect to another origin': async ({ reply }) =>
    reply({ status: 307, headers: { location: 'http://127.0.0.2:9/elsewhere/' } }),
  'redirect loop': async ({ path, reply }) => reply({ status: 308, headers: { location: path } }),
  'empty multistatus': async ({ method, forward, reply }) => {
    if (method !== 'REPORT' && method !== 'PROPFIND') return reply(await forward());
    reply({ status: 207, headers: xml, text: '<?xml version="1.0"?><multistatus xmlns="DAV:"/>' });
  },
  'no ETag': async ({ forward, reply }) => {
    const answer = await forward();
    reply({ ...answer, headers: { ...answer.headers, etag: undefined } });
  },
  'weak ETag': async ({ forward, reply }) => {
    const answer = await forward();
    const { etag } = answer.headers;
    reply({ ...answer, headers: { ...answer.headers, etag: etag && `W/${etag}` } });
  },
  '-gzip ETag': async ({ forward, reply }) => {
    const answer = await forward();
    const { etag } = answer.headers;
    reply({ ...answer, headers: { ...answer.headers, etag: etag && String(etag).replace(/"$/, '-gzip"') } });
  },
  'not XML at all': async ({ reply }) => reply({ status: 207, headers: xml, text: '<html><body>Please log in' }),
};

/** After these nobody knows whether the server did what was asked; it did, but for the first. */
export const lostAnswers = Object.entries(faults).filter(([name]) => /^reset|after the server stored it/.test(name));

/** A proxy in front of a server that answers as the test says: `next` is asked at every request, undefined lets it through. */
export class FaultProxy {
  next: (method: string, path: string) => Fault | undefined = () => undefined;
  requests = 0;
  readonly #serving = new Set<Promise<void>>();
  readonly #server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
    const served = this.#serve(incoming, outgoing).finally(() => this.#serving.delete(served));
    this.#serving.add(served);
  });
  readonly #pages = new Pages();
  /** Cuts change reports into pages of this many members (RFC 6578 3.6); 0 leaves them whole. */
  pageSize = 0;

  private constructor(readonly target: URL) {}

  static async start(target: string): Promise<FaultProxy> {
    const proxy = new FaultProxy(new URL(target));
    await new Promise<void>(resolve => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** Resolves once the server has answered all that was handed on until now. */
  async idle(): Promise<void> {
    await Promise.all(this.#serving);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise(resolve => this.#server.close(resolve));
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    this.requests++;
    const body = await bytesOf(incoming);
    const method = incoming.method!;
    const reply: Exchange['reply'] = ({ status, headers = {}, body: bytes, text }) => {
      const content = bytes ?? Buffer.from(text ?? '');
      const { 'transfer-encoding': _chunks, connection: _connection, 'content-length': _length, ...kept } = headers;
      for (const [name, value] of Object.entries(kept)) if (value !== undefined) outgoing.setHeader(name, value);
      outgoing.writeHead(status, { 'content-length': content.length }).end(content);
    };
    const exchange: Exchange = {
      method,
      path: incoming.url!,
      body: body.toString(),
      forward: () => this.#forward(incoming, body),
      reply,
      cut: half => {
        if (half && half.body.length > 1) {
          outgoing.writeHead(half.status, { 'content-type': 'text/xml', 'content-length': half.body.length });
          outgoing.write(half.body.subarray(0, half.body.length >> 1), () => outgoing.destroy());
        } else outgoing.destroy();
      },
    };
    try {
      const fault = this.next(method, incoming.url!);
      if (fault) await fault(exchange);
      else if (this.pageSize > 0 && exchange.body.includes('sync-collection'))
        reply(await this.#pages.answer(exchange, this.pageSize));
      else reply(await exchange.forward());
    } catch {
      outgoing.destroy();
    }
  }

  #forward(incoming: IncomingMessage, body: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      // Faults rewrite answers, so none may come packed.
      const { host: _host, connection: _connection, 'accept-encoding': _packed, ...headers } = incoming.headers;
      const onward = request(new URL(incoming.url!, this.target), {
        method: incoming.method,
        headers: { ...headers, 'content-length': body.length },
      });
      onward.on('error', reject);
      onward.on('response', async response => {
        const bytes = await bytesOf(response);
        resolve({ status: response.statusCode!, headers: response.headers, body: bytes });
      });
      onward.end(body);
    });
  }
}

/** The way to a place, with its faults. */
export type Way = Pick<FaultProxy, 'next' | 'idle' | 'url' | 'stop'>;

/** Change reports page by page: what was held back is given out for the token that the page before ended with. */
class Pages {
  readonly #held = new Map<string, { members: string[]; token: string }>();

  async answer({ body, path, forward }: Exchange, size: number): Promise<Answer> {
    const syncToken = /<[^>]*sync-token[^>]*>([^<]*)</.exec(body)?.[1] ?? '';
    let rest = this.#held.get(syncToken);
    let headers: Answer['headers'] = xml;
    if (!rest) {
      const answer = await forward();
      const text = answer.body.toString();
      const token = /<([\w-]*:)?sync-token>([^<]*)</.exec(text)?.[2];
      if (answer.status !== 207 || token === undefined) return answer;
      headers = answer.headers;
      rest = { members: text.match(/<([\w-]*:)?response>[\s\S]*?<\/([\w-]*:)?response>/g) ?? [], token };
    }
    const page = rest.members.slice(0, size).join('');
    const left = rest.members.slice(size);
    const next = left.length === 0 ? rest.token : `page-${this.#held.size}-of-${rest.token}`;
    if (left.length > 0) this.#held.set(next, { members: left, token: rest.token });
    const more = `<response xmlns="DAV:"><href>${path}</href><status>HTTP/1.1 507 Insufficient Storage</status></response>`;
    const names = 'xmlns="DAV:" xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"';
    const text = `<?xml version="1.0"?><multistatus ${names}>${page}${left.length > 0 ? more : ''}<sync-token>${next}</sync-token></multistatus>`;
    return { status: 207, headers, body: Buffer.from(text) };
  }
}

async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}
