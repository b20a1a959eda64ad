import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Fault } from '../../interop/support/faultProxy';
import type { Server } from '../../interop/support/servers';

const addressOf = (server: { address(): unknown }) => `127.0.0.1:${(server.address() as AddressInfo).port}`;

const listen = (server: ReturnType<typeof createServer>) =>
  new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));

/** Hands a request on to the server behind, with another login if one is given. */
function pass(incoming: IncomingMessage, outgoing: ServerResponse, behind: string, authorization?: string): void {
  const { host: _host, connection: _connection, ...headers } = incoming.headers;
  const onward = request(new URL(incoming.url!, behind), {
    method: incoming.method,
    headers: { ...headers, ...(authorization !== undefined && { authorization }) },
  });
  onward.on('response', answer => {
    outgoing.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(outgoing);
  });
  onward.on('error', () => outgoing.destroy());
  incoming.pipe(onward);
}

const basic = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

/** A certificate of its own in front of a server, as on a machine at home. */
export class TlsFront {
  #pair = selfSigned('home.example');
  readonly #server;

  private constructor(behind: string) {
    this.#server = createTlsServer(this.#pair, (incoming, outgoing) => pass(incoming, outgoing, behind));
  }

  static async start(behind: string): Promise<TlsFront> {
    const front = new TlsFront(behind);
    await listen(front.#server);
    return front;
  }

  get url(): string {
    return `https://${addressOf(this.#server)}/`;
  }

  /** SHA-256, in the form that users compare. */
  get fingerprint(): string {
    return new X509Certificate(new Uint8Array(this.#pair.cert)).fingerprint256;
  }

  /** Another key and certificate from now on, for connections that are there as well. */
  renew(): void {
    this.#pair = selfSigned('home.example');
    this.#server.setSecureContext(this.#pair);
    this.#server.closeAllConnections();
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

function selfSigned(name: string): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'dueline-tls-'));
  try {
    const [key, cert] = [join(folder, 'key'), join(folder, 'crt')];
    const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    const files = ['-keyout', key, '-out', cert, '-subj', `/O=Home/CN=${name}`];
    execFileSync('openssl', ['req', ...kind, ...files], { stdio: 'ignore' });
    return { key: readFileSync(key), cert: readFileSync(cert) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * The sign-in that a Nextcloud adds to CalDAV: by browser (login flow v2), with a page to agree on and an app password
 * that the server behind knows nothing of.
 */
export class LoginFlow {
  readonly appPassword = 'app-zK4-Tq9';
  /** How often the program asked whether the user has agreed. */
  polls = 0;
  onPoll = () => {};
  #agreed = false;
  readonly #server = createServer((incoming, outgoing) => this.#serve(incoming, outgoing));

  private constructor(private readonly behind: Server) {}

  static async start(behind: Server): Promise<LoginFlow> {
    const flow = new LoginFlow(behind);
    await listen(flow.#server);
    return flow;
  }

  get url(): string {
    return `http://${addressOf(this.#server)}/`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #serve(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const respond = (status: number, body: unknown) =>
      outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const { username, password } = this.behind;
    switch (incoming.url) {
      case '/index.php/login/v2':
        this.#agreed = false;
        return void respond(200, {
          poll: { token: 'one-sign-in', endpoint: `${this.url}login/v2/poll` },
          login: `${this.url}login/v2/flow/one`,
        });
      case '/login/v2/flow/one':
        return void outgoing
          .writeHead(200, { 'content-type': 'text/html' })
          .end(
            '<title>Sign in</title><form method="post" action="/login/v2/grant"><button>Grant access</button></form>',
          );
      case '/login/v2/grant':
        this.#agreed = true;
        return void outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<title>Granted</title>');
      case '/login/v2/poll':
        this.polls += 1;
        this.onPoll();
        if (!this.#agreed) return void respond(404, []);
        return void respond(200, { server: this.url, loginName: username, appPassword: this.appPassword });
    }
    const given = Buffer.from((incoming.headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString();
    const isApp = given === `${username}:${this.appPassword}`;
    pass(incoming, outgoing, this.behind.url, isApp ? basic(username, password) : undefined);
  }
}

/** A server that takes another password than the one behind, and any other once the test decides so. */
export class PasswordFront {
  readonly #server;
  /** The origin that every request is redirected to. */
  movedTo: string | undefined;

  private constructor(
    readonly behind: Server,
    public password: string,
  ) {
    this.#server = createServer((incoming, outgoing) => {
      if (this.movedTo !== undefined) {
        outgoing.writeHead(307, { Location: new URL(incoming.url!, this.movedTo).href }).end();
        return;
      }
      const given = Buffer.from((incoming.headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString();
      const isRight = given === `${behind.username}:${this.password}`;
      pass(incoming, outgoing, behind.url, basic(behind.username, isRight ? behind.password : 'no'));
    });
  }

  static async start(behind: Server, password: string): Promise<PasswordFront> {
    const front = new PasswordFront(behind, password);
    await listen(front.#server);
    return front;
  }

  /** The values that a user needs to sign in. */
  get login(): { url: string; username: string; password: string } {
    return { url: `http://${addressOf(this.#server)}/`, username: this.behind.username, password: this.password };
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** Makes lists whose address holds `path` read-only for the user. */
export const readOnlyAt =
  (path: string): Fault =>
  async ({ forward, reply }) => {
    const answer = await forward();
    const { 'content-encoding': packing, ...headers } = answer.headers;
    const plain = packing === 'gzip' ? gunzipSync(new Uint8Array(answer.body)) : answer.body;
    const text = plain
      .toString()
      .replace(/<(\w+:)?response>[\s\S]*?<\/(\w+:)?response>/g, response =>
        response.includes(path)
          ? response.replace(/<(\w+:)?privilege>\s*<(?!(\w+:)?read\b)[\s\S]*?privilege>/g, '')
          : response,
      );
    reply({ ...answer, headers, body: Buffer.from(text) });
  };
