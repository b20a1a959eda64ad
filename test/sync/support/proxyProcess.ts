/** A forward proxy in a process of its own. It leads every name to this computer, so that a test can use real ones. */
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';

interface Plan {
  /** `user:password` that it wants. */
  readonly login?: string;
  /** Reached over TLS itself, with a self-signed certificate. */
  readonly tls?: boolean;
  /** Answered to every CONNECT. */
  readonly refusal?: number;
}

/** A request that it got. */
interface ProxyRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

if (require.main === module) serve(JSON.parse(process.argv[2]!) as Plan);

function serve({ login, tls, refusal }: Plan): void {
  const note = ({ method, url, headers }: IncomingMessage) =>
    process.send!({ method: method!, target: url!, headers } satisfies ProxyRequest);
  const expected = login && `Basic ${Buffer.from(login).toString('base64')}`;
  const mayPass = ({ headers }: IncomingMessage) => !expected || headers['proxy-authorization'] === expected;
  const forward = (incoming: IncomingMessage, answer: ServerResponse) => {
    note(incoming);
    if (!mayPass(incoming)) {
      answer.writeHead(407, { 'proxy-authenticate': 'Basic realm="way out"' }).end();
      return;
    }
    const { port, pathname, search } = new URL(incoming.url!);
    const { 'proxy-authorization': _own, ...headers } = incoming.headers;
    const place = { host: '127.0.0.1', port, path: pathname + search, method: incoming.method, headers };
    const onward = request(place, there => {
      answer.writeHead(there.statusCode!, there.headers);
      there.pipe(answer);
    });
    onward.on('error', () => answer.writeHead(502).end());
    incoming.pipe(onward);
  };
  const tunnel = (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    note(incoming);
    const status = mayPass(incoming) ? (refusal ?? 200) : 407;
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    const there = connect(Number(incoming.url!.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      there.write(Uint8Array.from(head));
      there.pipe(socket).pipe(there);
    });
    for (const end of [socket, there]) end.on('error', () => [socket, there].forEach(one => void one.destroy()));
  };
  const file = (name: string) => readFileSync(`test/sync/fixtures/self-signed.${name}`);
  const server = tls ? createTlsServer({ key: file('key'), cert: file('crt') }, forward) : createServer(forward);
  server.on('connect', tunnel);
  server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }));
  process.once('disconnect', () => process.exit(0));
}

/** Each built test file has the folder of its own as `__dirname`, also for what it is built from. */
const builtTests = __dirname.replace(/([\\/]out[\\/]test)[\\/].*$/, '$1');

/** The parent's end. */
export class ProxyProcess {
  readonly requests: ProxyRequest[] = [];
  port = 0;
  readonly #child: ChildProcess;

  private constructor(private readonly plan: Plan) {
    this.#child = fork(join(builtTests, 'sync/support/proxyProcess.js'), [JSON.stringify(plan)], { stdio: 'inherit' });
  }

  static async start(plan: Plan = {}): Promise<ProxyProcess> {
    const proxy = new ProxyProcess(plan);
    await new Promise<void>(resolve =>
      proxy.#child.on('message', (message: ProxyRequest | { port: number }) => {
        if ('port' in message) {
          proxy.port = message.port;
          resolve();
        } else proxy.requests.push(message);
      }),
    );
    return proxy;
  }

  get url(): string {
    return `${this.plan.tls ? 'https' : 'http'}://127.0.0.1:${this.port}`;
  }

  withLogin(login: string): string {
    return this.url.replace('://', `://${login}@`);
  }

  async stop(): Promise<void> {
    const ended = new Promise(resolve => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await ended;
  }
}
