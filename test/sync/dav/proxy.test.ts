import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { DuelineEngine } from '../../../src/api';
import { defaultSettings, type ProxySettings } from '../../../src/core/kernel/settings';
import { nodeFetch } from '../../../src/sync/dav/nodeFetch';
import { proxyFor } from '../../../src/sync/dav/proxy';
import { Devices } from '../support/devices';
import { ProxyProcess } from '../support/proxyProcess';
import { AServer } from '../support/server';
import { todoText } from '../support/texts';

const through = (settings: Partial<ProxySettings>): ProxySettings => ({ ...defaultSettings.proxy, ...settings });

describe('the proxy of an address', () => {
  const route = (target: string, settings: Partial<ProxySettings> = {}, env: Record<string, string> = {}) =>
    proxyFor(new URL(target), through(settings), env)?.url.href;
  const env = {
    HTTPS_PROXY: 'http://secure:1',
    http_proxy: 'plain:2',
    NO_PROXY: 'left.out, .below.it *.star.org 10.0.0.7',
  };

  it('comes from the settings, otherwise from the environment', () => {
    assert.equal(route('https://a.example/'), undefined);
    assert.equal(route('https://a.example/', {}, env), 'http://secure:1/');
    assert.equal(route('http://a.example/', {}, env), 'http://plain:2/');
    assert.equal(route('http://a.example/', {}, { all_proxy: 'http://all:3' }), 'http://all:3/');
    assert.equal(route('https://a.example/', { url: 'http://given:4' }, env), 'http://given:4/');
    assert.equal(route('https://a.example/', { isOff: true, url: 'http://given:4' }, env), undefined);
  });

  it('is not used for this computer, and for excluded hosts', () => {
    for (const host of [
      'localhost',
      '127.0.0.1',
      '127.9.9.9',
      '[::1]',
      'left.out',
      'x.left.out',
      'x.below.it',
      'a.star.org',
    ])
      assert.equal(route(`https://${host}/`, {}, env), undefined, host);
    assert.equal(route('https://10.0.0.7/', {}, env), undefined);
    for (const host of ['notleft.out', 'below.it.example', '10.0.0.77'])
      assert.equal(route(`https://${host}/`, {}, env), 'http://secure:1/', host);
    assert.equal(route('https://a.example/', { noProxy: ['a.example:444'] }, env), 'http://secure:1/');
    assert.equal(route('https://a.example:444/', { noProxy: ['a.example:444'] }, env), undefined);
    assert.equal(route('https://a.example/', { noProxy: ['*'] }, env), undefined);
  });

  it('may have a literal percent sign in its login', () => {
    const { authorization } = proxyFor(new URL('https://a.example/'), through({ url: 'http://me:100%@p:1' }), {})!;
    assert.equal(authorization, `Basic ${Buffer.from('me:100%').toString('base64')}`);
  });

  it('must be valid', () => {
    assert.throws(() => route('https://a.example/', { url: 'socks5://s:1' }), { kind: 'proxy' });
    assert.throws(() => route('https://a.example/', { url: 'http://:x' }), { kind: 'proxy' });
  });
});

describe('a response read by our own client', () => {
  it('arrives complete and unpacked, without the global fetch', async () => {
    const text = 'a line of an answer\n'.repeat(200_000);
    const server = createHttpServer((request, answer) => {
      assert.equal(request.headers['accept-encoding'], 'gzip');
      answer.writeHead(207, { 'Content-Encoding': 'gzip', Connection: 'close' }).end(gzipSync(text));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const unwanted = () => assert.fail('the global fetch was asked');
    const response = await nodeFetch([], unwanted, () => defaultSettings.proxy)(url);
    assert.equal(response.status, 207);
    assert.equal(await response.text(), text);
    server.close();
  });

  it('fails if its compressed body is cut off', async () => {
    const packed = gzipSync(randomBytes(50_000).toString('hex'));
    const server = createHttpServer((_, answer) => {
      answer.writeHead(200, { 'Content-Encoding': 'gzip' }).end(packed.subarray(0, packed.length / 2));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const response = await nodeFetch([], fetch, () => defaultSettings.proxy)(url);
    await assert.rejects(response.text());
    server.close();
  });

  it('fails if its status is invalid', async () => {
    const strange = createServer(socket => socket.end('HTTP/1.1 999 Strange\r\nContent-Length: 0\r\n\r\n'));
    await once(strange.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(strange.address() as AddressInfo).port}`;
    await assert.rejects(nodeFetch([], fetch, () => through({ url }))('http://tasks.example/'), RangeError);
    strange.close();
  });
});

describe('sync through a proxy', () => {
  const devices = new Devices();
  const stops: (() => Promise<void>)[] = [];
  const lines: string[] = [];
  const environment = { ...process.env };
  afterEach(async () => {
    process.env = { ...environment };
    await devices.close();
    for (const stop of stops.splice(0)) await stop();
    lines.splice(0);
  });

  const aServer = async (options: { tls?: boolean } = {}) => {
    const server = await AServer.start(options);
    stops.push(server.stop);
    server.addList('tasks').put('t.ics', todoText('t', 'SUMMARY:Task'));
    // A name that only the proxy knows the way to.
    const url = server.url.replace('127.0.0.1', 'tasks.example');
    return { server, url };
  };
  const aProxy = async (...plan: Parameters<typeof ProxyProcess.start>) => {
    const proxy = await ProxyProcess.start(...plan);
    stops.push(() => proxy.stop());
    return proxy;
  };
  const anEngine = async (settings: Partial<ProxySettings>): Promise<DuelineEngine> => {
    const engine = await devices.start({ log: (_level, text) => void lines.push(text) });
    engine.configure({ proxy: through(settings) });
    return engine;
  };
  const add = (engine: DuelineEngine, url: string, trusted: readonly string[] = []) =>
    engine.addAccount({ serverUrl: url, username: 'anna', password: 'pä€', trusted });
  const titles = (engine: DuelineEngine) =>
    engine.lists().flatMap(({ id }) => engine.rows(id).map(({ title }) => title));

  it('forwards requests over http with their headers and without its own login', async () => {
    const { server, url } = await aServer();
    const proxy = await aProxy({ login: 'me:s3cret' });
    const engine = await anEngine({ url: proxy.withLogin('me:s3cret') });
    await add(engine, url);
    await engine.sync();
    await engine.updateTask(engine.rows(engine.lists()[0]!.id)[0]!.id, { title: 'Edited' });
    assert.equal((await engine.sync()).accounts[0]!.error, null);
    assert.ok([...server.lists.values()][0]!.get('t.ics').includes('SUMMARY:Edited'));
    assert.ok(proxy.requests.every(({ target }) => target.startsWith('http://tasks.example:')));
    assert.equal(proxy.requests.length, server.requests.length);
    assert.ok(server.requests.every(({ headers }) => headers['proxy-authorization'] === undefined));
  });

  it('tunnels to an https server, and sees neither login nor tasks', async () => {
    const { server, url } = await aServer({ tls: true });
    const proxy = await aProxy();
    const engine = await anEngine({ url: proxy.url });
    await assert.rejects(add(engine, url), { kind: 'tls' });
    assert.deepEqual(server.requests, []);
    const { fingerprint } = await engine.syncing!.certificateOf(url);
    await add(engine, url, [fingerprint]);
    assert.equal((await engine.sync()).accounts[0]!.error, null);
    assert.deepEqual(titles(engine), ['Task']);
    assert.ok(proxy.requests.every(({ method }) => method === 'CONNECT'));
    assert.ok(proxy.requests.every(({ headers }) => headers.authorization === undefined));
  });

  it('follows the environment if nothing is set', async () => {
    const { url } = await aServer();
    const proxy = await aProxy();
    process.env.HTTP_PROXY = proxy.url;
    const engine = await anEngine({});
    await add(engine, url);
    await engine.sync();
    assert.deepEqual(titles(engine), ['Task']);
    process.env.NO_PROXY = 'tasks.example';
    const before = proxy.requests.length;
    assert.match((await engine.sync()).accounts[0]!.error!, /^Cannot reach tasks\.example/);
    assert.equal(proxy.requests.length, before);
  });

  for (const tls of [false, true])
    for (const login of [undefined, 'me:wrong'])
      it(`reports what a proxy requires that refuses ${login ? 'the login' : 'a request without one'}, to ${tls ? 'https' : 'http'}`, async () => {
        const { server, url } = await aServer({ tls });
        const proxy = await aProxy({ login: 'me:s3cret' });
        const engine = await anEngine({ url: login ? proxy.withLogin(login) : proxy.url });
        const failure = await add(engine, url).catch((error: Error) => error);
        assert.ok(failure instanceof Error);
        assert.match(failure.message, /proxy 127\.0\.0\.1:\d+ requires a username and password \(407\)/);
        assert.equal((failure as Error & { kind: string }).kind, 'offline');
        assert.deepEqual(server.requests, []);
      });

  it('accepts the login as a header, too, and logs neither', async () => {
    const { url } = await aServer();
    const proxy = await aProxy({ login: 'me:s3cret' });
    const header = `Basic ${Buffer.from('me:s3cret').toString('base64')}`;
    const engine = await anEngine({ url: proxy.url, authorization: header });
    await add(engine, url);
    engine.configure({ proxy: through({ url: proxy.withLogin('me:other') }) });
    const { accounts } = await engine.sync();
    const state = engine.syncing!.accountState(accounts[0]!.accountId);
    assert.deepEqual(state, { ...state, problem: 'action', remedy: null });
    engine.configure({ proxy: through({ url: proxy.withLogin('me:s3cret') }) });
    assert.equal((await engine.sync()).accounts[0]!.error, null);
    const texts = [...lines, accounts[0]!.error!, JSON.stringify(engine.accounts())].join('\n');
    for (const secret of ['s3cret', 'other', header.slice(6)]) assert.ok(!texts.includes(secret), secret);
    assert.match(texts, /PROPFIND http:\/\/tasks\.example/);
  });

  it('names a proxy that does not exist, and one that lets nothing through', async () => {
    const { url } = await aServer({ tls: true });
    const nobody = await anEngine({ url: 'http://127.0.0.1:1' });
    await assert.rejects(add(nobody, url), {
      kind: 'offline',
      message: 'Cannot reach the proxy 127.0.0.1:1. Check the http.proxy setting and your connection.',
    });
    const strict = await aProxy({ refusal: 403 });
    const refused = await anEngine({ url: strict.url });
    await assert.rejects(add(refused, url), /does not allow connections to tasks\.example \(403\)/);
    const lost = await aProxy({ refusal: 502 });
    const cut = await anEngine({ url: lost.url });
    await assert.rejects(add(cut, url), /cannot reach tasks\.example \(502\)/);
  });

  it('accepts a proxy’s own certificate only if it is not to be checked', async () => {
    const { url } = await aServer();
    const proxy = await aProxy({ tls: true });
    await assert.rejects(add(await anEngine({ url: proxy.url }), url), /Cannot reach the proxy/);
    assert.deepEqual(proxy.requests, []);
    await add(await anEngine({ url: proxy.url, isStrict: false }), url);
    assert.ok(proxy.requests.length > 0);
  });

  it('leaves everything to a caller that passes its own fetch', async () => {
    const { server } = await aServer();
    process.env.HTTP_PROXY = 'http://127.0.0.1:1';
    const engine = await devices.start({
      fetch: (input, init) => fetch(String(input).replace('tasks.example', '127.0.0.1'), init),
    });
    await add(engine, server.url.replace('127.0.0.1', 'tasks.example'));
    assert.equal(engine.lists().length, 1);
  });
});
