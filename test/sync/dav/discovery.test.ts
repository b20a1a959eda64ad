import assert from 'node:assert/strict';
import type { DuelineError } from '../../../src/core/kernel/errors';
import { toDuelineError } from '../../../src/sync/accounts/toDuelineError';
import { transportError } from '../../../src/sync/dav/transportErrors';
import { type Answer, AServer } from '../support/server';
import { multistatus, withProps } from '../support/serverLists';
import { aWorld } from '../support/world';

describe('account discovery', () => {
  const world = aWorld();
  const names = async () => {
    const engine = await world.devices.open(world.server);
    return engine
      .lists()
      .filter(({ accountId }) => accountId !== null)
      .map(({ name }) => name)
      .toSorted();
  };

  it('A1 tries a wrong password once, and reports it', async () => {
    const engine = await world.devices.start();
    const adding = engine.addAccount({ serverUrl: world.server.url, username: 'anna', password: 'wrong' });
    await assert.rejects(adding, (error: DuelineError) => error.kind === 'auth' && /password/.test(error.message));
    assert.equal(world.server.requests.filter(({ headers }) => headers.authorization !== undefined).length, 1);
    assert.deepEqual(engine.accounts(), []);
  });

  it('refuses an account that is set up already, by any of its addresses, and names it', async () => {
    const engine = await world.devices.open(world.server);
    const { url, username, password } = world.server;
    const [account] = engine.accounts();
    for (const serverUrl of [url, `${url}home/`])
      await assert.rejects(engine.addAccount({ serverUrl, username, password }), {
        kind: 'duplicate',
        message: `This account is already set up: ${account!.displayName}.`,
      });
    assert.equal(engine.accounts().length, 1);
    assert.equal(engine.lists().filter(({ accountId }) => accountId !== null).length, 1);
    await engine.removeAccount(account!.id);
    await engine.addAccount({ serverUrl: url, username, password });
  });

  /** fetch of a world in which only these addresses exist; notes what was asked of whom. */
  const web = (pages: Record<string, () => Response>) => {
    const requests: { url: string; authorization: string | null }[] = [];
    const fetch = async (input: string | URL | Request, init?: RequestInit) => {
      const url = String(input);
      requests.push({ url, authorization: new Headers(init?.headers).get('authorization') });
      return pages[url]?.() ?? new Response('not here', { status: 404 });
    };
    return { requests, fetch: fetch as typeof globalThis.fetch };
  };
  const redirect = (location: string, status = 301) => new Response(null, { status, headers: { location } });
  const answer = (props: string, href = '/') => new Response(multistatus(withProps(href, props)).body, { status: 207 });

  it('A2 sends nothing to another owner’s host without the user’s approval', async () => {
    const { requests, fetch } = web({
      'https://cal.example.com/.well-known/caldav': () => redirect('https://dav.elsewhere.net/'),
      'https://dav.elsewhere.net/': () => answer('<C:calendar-home-set><D:href>/home/</D:href></C:calendar-home-set>'),
    });
    const engine = await world.devices.start({ fetch });
    const adding = engine.addAccount({ serverUrl: 'https://cal.example.com', username: 'anna', password: 'secret' });
    await assert.rejects(adding, /dav\.elsewhere\.net/);
    assert.deepEqual(
      requests.filter(({ url }) => url.includes('elsewhere')),
      [],
    );
  });

  it('A2 follows to another host of the same owner', async () => {
    const home = '<C:calendar-home-set><D:href>https://p07.example.com/home/</D:href></C:calendar-home-set>';
    const type = '<D:resourcetype><D:collection/><C:calendar/></D:resourcetype><D:displayname>L</D:displayname>';
    const { fetch } = web({
      'https://cal.example.com/.well-known/caldav': () => redirect('https://dav.example.com/', 308),
      'https://dav.example.com/': () => answer(home),
      'https://p07.example.com/home/': () => answer(type, '/home/list/'),
    });
    const engine = await world.devices.start({ fetch });
    await engine.addAccount({ serverUrl: 'https://cal.example.com', username: 'anna', password: 'secret' });
    assert.deepEqual(
      engine.lists().flatMap(({ accountId, name }) => (accountId === null ? [] : [name])),
      ['L'],
    );
  });

  it('A3 follows no redirect from https to http', async () => {
    const { requests, fetch } = web({ 'https://cal.example.com/dav/': () => redirect('http://cal.example.com/dav/') });
    const engine = await world.devices.start({ fetch });
    const adding = engine.addAccount({ serverUrl: 'https://cal.example.com/dav/', username: 'a', password: 'b' });
    await assert.rejects(adding, /unencrypted/);
    assert.deepEqual(
      requests.filter(({ url }) => url.startsWith('http:')),
      [],
    );
  });

  it('follows redirects with method and body, and gives up on a circle', async () => {
    world.server.hook = ({ path }) =>
      path === '/old/' ? { status: 301, headers: { location: '/home/tasks/' } } : undefined;
    const engine = await world.devices.start();
    await engine.addAccount({ serverUrl: `${world.server.url}old/`, username: 'anna', password: 'pä€' });
    assert.ok(world.server.sent('PROPFIND', '/home/tasks/').every(({ body }) => body.includes('propfind')));
    world.server.hook = ({ path }) => ({ status: 302, headers: { location: path } });
    const circle = engine.addAccount({ serverUrl: `${world.server.url}dav/`, username: 'anna', password: 'pä€' });
    await assert.rejects(circle, /redirect/);
  });

  it('promises nothing if no account is added, but a sync announces its next attempt', async () => {
    const failures: [Answer | 'cut', RegExp][] = [
      ['cut', /^Cannot reach .* your connection\.$/],
      [{ status: 503 }, /^\S+ is busy \(503\)\.$/],
      [{ status: 500 }, /^No CalDAV service was found/],
    ];
    const { engine } = await world.device();
    const { url: serverUrl, username, password } = world.server;
    for (const [answer, message] of failures) {
      world.server.hook = () => answer;
      await assert.rejects(engine.addAccount({ serverUrl, username, password }), { message });
      assert.match(
        (await world.report(engine)).error ?? '',
        /when the server is available|will retry (automatically|later)/,
      );
      world.devices.clock.time += 3_600_000;
    }
    const late = transportError(new Error('aborted'), new URL(serverUrl), 'PROPFIND', {
      timedOut: true,
      cancelled: false,
    });
    assert.match(late.message, /later/);
    assert.match(toDuelineError(late).message, /did not respond in time\.$/);
  });

  it('logs in if a server shows a public page instead of asking for a login', async () => {
    world.server.hook = ({ method, headers, path }) =>
      method === 'PROPFIND' && headers.authorization === undefined
        ? multistatus(withProps(path, '<D:current-user-principal><D:unauthenticated/></D:current-user-principal>'))
        : undefined;
    assert.deepEqual(await names(), ['tasks']);
  });

  it('reports an invalid address, whatever is wrong with it', async () => {
    const engine = await world.devices.start();
    for (const serverUrl of ['https://', 'http://[bad', 'https:///', ' '])
      await assert.rejects(engine.addAccount({ serverUrl, username: 'anna', password: 'x' }), { kind: 'invalid' });
    assert.deepEqual(engine.accounts(), []);
  });

  it('A4 logs in with a password outside Latin-1', async () => {
    assert.deepEqual(await names(), ['tasks']);
  });

  it('A5 shows the lists of both homes', async () => {
    world.server.homes = ['/home/', '/shared/'];
    world.server.addList('team', {}, '/shared/team/');
    assert.deepEqual(await names(), ['tasks', 'team']);
  });

  it('A6 offers lists that may contain tasks, with or without declared components', async () => {
    world.server.addList('any', { components: undefined });
    world.server.addList('events', { components: ['VEVENT'] });
    world.server.addList('mixed', { components: ['VEVENT', 'VTODO'] });
    assert.deepEqual(await names(), ['any', 'mixed', 'tasks']);
  });

  it('A7 keeps names with unusual characters', async () => {
    for (const [at, name] of ['2024', '1.50', 'true', ''].entries())
      world.server.addList(name, {}, `/home/segment${at}/`);
    assert.deepEqual(await names(), ['1.50', '2024', 'segment3', 'tasks', 'true']);
  });

  it('A8 names the host and the problem with a certificate, and keeps pending changes', async () => {
    const secure = await AServer.start({ tls: true });
    secure.addList('tasks');
    const { NODE_TLS_REJECT_UNAUTHORIZED: before } = process.env;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      const engine = await world.devices.open(secure);
      const device = world.devices.list(engine, 'tasks');
      await device.sync();
      const id = await engine.createTask(device.id, { title: 'Waits' });
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = '1';
      const { error } = await world.report(engine);
      assert.match(error ?? '', /certificate of 127\.0\.0\.1/);
      assert.equal(engine.accounts()[0]!.lastSyncError, error);
      assert.equal(engine.task(id)!.isDirty, true);
    } finally {
      if (before === undefined) Reflect.deleteProperty(process.env, 'NODE_TLS_REJECT_UNAUTHORIZED');
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
      await secure.stop();
    }
  });
});
