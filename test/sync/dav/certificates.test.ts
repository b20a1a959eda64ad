import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { certificateOf, isTrusted } from '../../../src/sync/dav/certificates';
import { nodeFetch } from '../../../src/sync/dav/nodeFetch';

interface Pair {
  readonly key: Buffer;
  readonly cert: Buffer;
}

function selfSigned(folder: string, name: string): Pair {
  const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.crt`)];
  const request = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', ...request, '-keyout', key, '-out', cert, '-subj', `/CN=${name}`], {
    stdio: 'ignore',
  });
  return { key: readFileSync(key), cert: readFileSync(cert) };
}

describe('an untrusted certificate', () => {
  let folder: string;
  let server: Server;
  let url: string;
  let seen: { method: string; body: string; authorization: string | undefined }[];
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dueline-tls-'));
    server = createServer(selfSigned(folder, 'private.example'), (request, response) => {
      let body = '';
      request.on('data', chunk => (body += chunk));
      request.on('end', () => {
        seen.push({ method: request.method!, body, authorization: request.headers.authorization });
        response.writeHead(request.method === 'PUT' ? 204 : 207, { ETag: '"1"' });
        response.end(request.method === 'PUT' ? undefined : '<multistatus/>');
      });
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/dav/`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    seen = [];
  });

  it('is described with its fingerprint, without sending anything', async () => {
    const { fingerprint, subject, problem } = await certificateOf(url);
    assert.match(fingerprint, /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
    assert.equal(subject, 'private.example');
    assert.equal(problem, 'DEPTH_ZERO_SELF_SIGNED_CERT');
    assert.deepEqual(seen, []);
  });

  it('is requested over https only, by name or number, and reported if nothing answers', async () => {
    const port = new URL(url).port;
    assert.equal((await certificateOf(`localhost:${port}`)).subject, 'private.example');
    await assert.rejects(certificateOf('http://127.0.0.1/'), { kind: 'protocol' });
    await assert.rejects(certificateOf('https://127.0.0.1:1/'), { kind: 'offline' });
  });

  it('is not trusted by an empty line of the settings if it is missing', () => {
    const bare = { authorized: false, getPeerCertificate: () => ({}) } as unknown as TLSSocket;
    assert.equal(isTrusted(bare, new Set([''])), false);
  });

  it('is accepted if its fingerprint is trusted, in any notation', async () => {
    const { fingerprint } = await certificateOf(url);
    const trusting = nodeFetch([fingerprint.toLowerCase().replaceAll(':', '')], fetch);
    const answer = await trusting(new URL(url), {
      method: 'PROPFIND',
      headers: { Authorization: 'Basic abc', Depth: '0' },
      body: '<propfind>ä</propfind>',
    });
    assert.equal(answer.status, 207);
    assert.equal(answer.headers.get('etag'), '"1"');
    assert.equal(await answer.text(), '<multistatus/>');
    assert.equal((await trusting(url, { method: 'PUT', body: 'x' })).status, 204);
    assert.deepEqual(
      seen.map(({ method, body, authorization }) => [method, body, authorization]),
      [
        ['PROPFIND', '<propfind>ä</propfind>', 'Basic abc'],
        ['PUT', 'x', undefined],
      ],
    );
  });

  it('8: is refused if another one is trusted, before a byte of the request is sent', async () => {
    const other = `${'AB:'.repeat(31)}AB`;
    await assert.rejects(
      nodeFetch([other], fetch)(url, { method: 'PUT', headers: { Authorization: 'Basic abc' }, body: 'secret' }),
      { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    );
    assert.deepEqual(seen, []);
  });

  it('changes nothing about fetch if none is trusted', () => {
    assert.equal(nodeFetch([], fetch), fetch);
  });

  describe('and requests over connections that the server closes', () => {
    const methods: string[] = [];
    let answers: number;
    let closing: Server;
    let send: (method: string, authorization?: string) => Promise<string>;
    beforeEach(async () => {
      methods.splice(0);
      const answered = new Map<unknown, number>();
      closing = createServer(selfSigned(folder, 'closing.example'), ({ method, socket }, response) => {
        methods.push(method!);
        const count = answered.get(socket) ?? 0;
        answered.set(socket, count + 1);
        if (count >= answers) socket.destroy();
        else response.end('OK');
      });
      await new Promise<void>(resolve => closing.listen(0, '127.0.0.1', resolve));
      const address = `https://127.0.0.1:${(closing.address() as AddressInfo).port}/`;
      const { fingerprint } = await certificateOf(address);
      const trusting = nodeFetch([fingerprint], fetch);
      send = async (method, authorization = 'Basic abc') =>
        (await trusting(address, { method, headers: { authorization } })).text();
    });
    afterEach(() => {
      closing.closeAllConnections();
      closing.close();
    });

    it('are retried once if they change nothing', async () => {
      answers = 1;
      assert.equal(await send('PROPFIND'), 'OK');
      assert.equal(await send('PROPFIND'), 'OK');
      assert.deepEqual(methods, ['PROPFIND', 'PROPFIND', 'PROPFIND']);
    });

    it('are not retried over a connection of their own, for a change, or with a login that counts requests', async () => {
      answers = 0;
      await assert.rejects(send('PROPFIND'), { code: 'ECONNRESET' });
      answers = 1;
      for (const [method, login] of [
        ['PUT', undefined],
        ['PROPFIND', 'Digest nc=00000001'],
      ] as const) {
        assert.equal(await send('GET'), 'OK');
        await assert.rejects(send(method, login), { code: 'ECONNRESET' });
      }
      assert.deepEqual(methods, ['PROPFIND', 'GET', 'PUT', 'GET', 'PROPFIND']);
    });
  });

  it('is not waited for once the request is canceled', async () => {
    const { fingerprint } = await certificateOf(url);
    const stop = new AbortController();
    stop.abort();
    await assert.rejects(nodeFetch([fingerprint], fetch)(url, { signal: stop.signal }), { name: 'AbortError' });
  });
});
