import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { AList, answerTo, type Places } from './serverLists';

export interface Request {
  readonly method: string;
  /** Path as sent, percent-encoding included. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** The status of the answer; undefined before it, or if the connection was cut. */
  status?: number;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** A body that is not UTF-8. */
  readonly bytes?: Uint8Array;
}

/** `next` does what the server would do itself, and returns its response. */
export type Hook = (
  request: Request,
  next: () => Answer,
) => Answer | 'cut' | undefined | Promise<Answer | 'cut' | undefined>;

/**
 * A small CalDAV server on a real socket, with one user. It behaves well until `hook` says otherwise, and remembers
 * every request. Connections are closed after each answer.
 */
export class AServer implements Places {
  username = 'anna';
  password = 'pä€';
  readonly requests: Request[] = [];
  readonly lists = new Map<string, AList>();
  homes: readonly string[] = ['/home/'];
  hook: Hook | undefined;
  url = '';
  /** Stops serving; open again with `start` on the same port. */
  stop: () => Promise<void> = async () => {};

  static async start(options: { tls?: boolean } = {}): Promise<AServer> {
    const server = new AServer();
    const handle = (request: IncomingMessage, response: ServerResponse) => server.#serve(request, response);
    const file = (name: string) => readFileSync(`test/sync/fixtures/self-signed.${name}`);
    const sockets = options.tls
      ? createTlsServer({ key: file('key'), cert: file('crt') }, handle)
      : createServer(handle);
    await new Promise<void>(resolve => sockets.listen(0, '127.0.0.1', resolve));
    server.url = `${options.tls ? 'https' : 'http'}://127.0.0.1:${(sockets.address() as AddressInfo).port}/`;
    server.stop = () =>
      new Promise(resolve => {
        sockets.close(() => resolve());
        sockets.closeAllConnections();
      });
    return server;
  }

  addList(name: string, options: Partial<AList> = {}, path = `${this.homes[0]}${name}/`): AList {
    const list = Object.assign(new AList(path, name), options);
    this.lists.set(path, list);
    return list;
  }

  /** Requests of a method since the last `forget`, of those whose body or path holds `words`. */
  sent(method: string, words = ''): Request[] {
    return this.requests.filter(
      request => request.method === method && (request.body.includes(words) || request.path.includes(words)),
    );
  }

  forget(): void {
    this.requests.splice(0);
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of incoming.setEncoding('utf8')) body += chunk;
    const request: Request = {
      method: incoming.method!,
      path: incoming.url!,
      headers: incoming.headers,
      body,
    };
    this.requests.push(request);
    const next = () => (this.#mayEnter(request) ? answerTo(this, request) : unauthorized);
    const answer = (await this.hook?.(request, next)) ?? next();
    if (answer === 'cut') {
      incoming.socket.destroy();
      return;
    }
    request.status = answer.status;
    response.writeHead(answer.status, { connection: 'close', ...answer.headers }).end(answer.bytes ?? answer.body);
  }

  #mayEnter({ headers }: Request): boolean {
    const login = Buffer.from(`${this.username}:${this.password}`, 'utf8').toString('base64');
    return headers.authorization === `Basic ${login}`;
  }
}

const unauthorized: Answer = { status: 401, headers: { 'www-authenticate': 'Basic realm="a", charset="UTF-8"' } };
