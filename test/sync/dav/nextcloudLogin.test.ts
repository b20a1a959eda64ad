import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { browserLogin } from '../../../src/sync/dav/nextcloudLogin';

/** Speaks the login flow v2 below /cloud, as a Nextcloud in a folder does. */
describe('sign-in by browser', () => {
  let server: Server;
  let origin: string;
  let polls: string[];
  let agreesAfter: number;
  let endpoint: string | undefined;
  before(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', chunk => (body += chunk));
      request.on('end', () => {
        const answer = (status: number, value: unknown) => {
          response.writeHead(status, { 'Content-Type': 'application/json' });
          response.end(JSON.stringify(value));
        };
        if (request.url === '/cloud/index.php/login/v2' && request.method === 'POST') {
          answer(200, {
            poll: { token: 'tok/en', endpoint: endpoint ?? `${origin}/cloud/login/v2/poll` },
            login: `${origin}/cloud/login/v2/flow/abc`,
          });
        } else if (request.url === '/cloud/login/v2/poll') {
          polls.push(body);
          if (polls.length <= agreesAfter) answer(404, []);
          else answer(200, { server: `${origin}/cloud`, loginName: 'anna', appPassword: 'app-pass' });
        } else answer(404, {});
      });
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close());
  beforeEach(() => {
    polls = [];
    agreesAfter = 2;
    endpoint = undefined;
  });

  it('polls until the user has agreed, and returns the app password', async () => {
    const login = await browserLogin(`${origin}/cloud/remote.php/dav/`, fetch, 5);
    assert.equal(login?.url, `${origin}/cloud/login/v2/flow/abc`);
    assert.deepEqual(await login.wait(), { serverUrl: `${origin}/cloud`, username: 'anna', password: 'app-pass' });
    assert.deepEqual(polls, Array(3).fill('token=tok%2Fen'));
  });

  it('looks below https if no scheme was typed, and keeps the typed address if the server names another one', async () => {
    const urls: string[] = [];
    let polled = 0;
    const fetchIt = async (input: string | URL | Request) => {
      urls.push(String(input));
      if (String(input).endsWith('/login/v2'))
        return Response.json({
          login: 'https://a.example/flow',
          poll: { token: 't', endpoint: 'https://a.example/poll' },
        });
      polled++;
      if (polled === 1) throw new TypeError('fetch failed');
      if (polled === 2) return Response.json({ server: 'https://a.example' });
      return Response.json({ server: 'https://b.example', loginName: 'anna', appPassword: 'app-pass' });
    };
    const login = await browserLogin('a.example', fetchIt as typeof fetch, 5);
    assert.deepEqual(await login!.wait(), { serverUrl: 'https://a.example', username: 'anna', password: 'app-pass' });
    assert.equal(urls[0], 'https://a.example/index.php/login/v2');
  });

  it('can be cancelled', async () => {
    agreesAfter = Number.POSITIVE_INFINITY;
    const login = await browserLogin(`${origin}/cloud`, fetch, 5);
    const stop = new AbortController();
    const waiting = login!.wait(stop.signal);
    stop.abort();
    await assert.rejects(waiting, { kind: 'cancelled' });
  });

  it('reads no more of a response than an offer can contain', async () => {
    let given = 0;
    function* endless() {
      for (;;) {
        given++;
        yield new Uint8Array(64 * 1024).fill(0x20);
      }
    }
    const fetchIt = async () => ({ ok: true, body: Readable.from(endless()) });
    assert.equal(await browserLogin('https://a.example/', fetchIt as unknown as typeof fetch, 5), undefined);
    assert.ok(given < 100, `${given} pieces were read`);
  });

  it('is not offered if the server does not support it, or redirects elsewhere', async () => {
    assert.equal(await browserLogin(origin, fetch, 5), undefined);
    endpoint = 'https://elsewhere.example/poll';
    assert.equal(await browserLogin(`${origin}/cloud`, fetch, 5), undefined);
    assert.equal(await browserLogin('anna@example.org', fetch, 5), undefined);
    assert.equal(await browserLogin('http://127.0.0.1:1/', fetch, 5), undefined);
    assert.equal(await browserLogin('http://[', fetch, 5), undefined);
    assert.equal(await browserLogin('', fetch, 5), undefined);
  });
});
