import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDuelineError } from '../../src/core/kernel/errors';
import { plainMessage } from '../../src/core/kernel/message';
import { AServer } from './support/server';
import { aWorld } from './support/world';

describe('the sync API of the views', () => {
  const world = aWorld();
  const open = async () => {
    const engine = await world.devices.open(world.server);
    const syncing = engine.syncing!;
    const [account] = engine.accounts();
    return { engine, syncing, account: account! };
  };

  it('renames an account, trims the name, and requires one', async () => {
    const { engine, syncing, account } = await open();
    await syncing.renameAccount(account.id, '  My\n cloud ');
    assert.equal(engine.accounts()[0]?.displayName, 'My cloud');
    await assert.rejects(syncing.renameAccount(account.id, ' '), { kind: 'invalid' });
    await assert.rejects(syncing.renameAccount(99, 'x'), { kind: 'notFound' });
  });

  it('translates a stored refusal', async () => {
    const { engine, syncing } = await open();
    const id = await engine.createTask(engine.defaultListId(), { title: 'Refused' });
    const kept = { hash: '', message: 'The server refused it.', attempts: 1, isFinal: true };
    const sidecar = await world.devices.storeOf(engine).sidecar();
    await sidecar.edit(writer => writer.set('rowErrors', String(id), kept));
    assert.deepEqual(syncing.rowErrors().get(id), plainMessage(kept.message));
  });

  it('knows the address of an account', async () => {
    const { syncing, account } = await open();
    assert.equal(syncing.addressOf(account.id), `${world.server.url}home/`);
    assert.throws(() => syncing.addressOf(99), { kind: 'notFound' });
  });

  it('stores nothing of a refused password that would help to guess it', async () => {
    const noted: unknown[] = [];
    for (let device = 0; device < 2; device++) {
      world.server.hook = undefined;
      const { engine, account } = await open();
      world.server.hook = () => ({ status: 401 });
      assert.match((await world.report(engine)).error ?? '', /rejected the username or password/);
      world.devices.clock.time += 86_400_000;
      assert.deepEqual((await engine.sync({ trigger: 'schedule' })).accounts, []);
      const sidecar = await world.devices.storeOf(engine).sidecar();
      noted.push(sidecar.get<{ refusedCredentials?: string }>('syncAccounts', String(account.id))?.refusedCredentials);
    }
    assert.ok(noted.every(one => typeof one === 'string' && one.length > 20));
    assert.notEqual(noted[0], noted[1], 'the same name and password leave the same behind on every computer');
  });

  it('stores a new password, and continues if the server cannot be reached', async () => {
    const { engine, syncing, account } = await open();
    await assert.rejects(syncing.setPassword(account.id, 'wrong'), { kind: 'auth' });
    assert.equal((await world.report(engine)).error, null);
    world.server.hook = () => ({ status: 500 });
    await syncing.setPassword(account.id, world.server.password);
    world.server.hook = undefined;
    assert.equal((await world.report(engine)).error, null);
  });

  it('shows a certificate, and trusts it for one account once the user confirms', async () => {
    const tls = await AServer.start({ tls: true });
    tls.addList('tasks');
    try {
      const engine = await world.devices.start();
      const syncing = engine.syncing!;
      const adding = engine.addAccount({ serverUrl: tls.url, username: tls.username, password: tls.password });
      await assert.rejects(adding, { kind: 'tls' });
      const { fingerprint, problem } = await syncing.certificateOf(tls.url);
      assert.equal(problem, 'DEPTH_ZERO_SELF_SIGNED_CERT');
      const account = { serverUrl: tls.url, username: tls.username, password: tls.password, trusted: [fingerprint] };
      const id = await engine.addAccount(account);
      assert.equal((await world.report(engine)).error, null);
      await syncing.trustCertificate(id, fingerprint);
      assert.equal((await world.report(engine)).error, null);
    } finally {
      await tls.stop();
    }
    const { syncing } = await open();
    await assert.rejects(syncing.certificateOf(world.server.url), error => isDuelineError(error));
    await assert.rejects(syncing.trustCertificate(99, 'AA'), { kind: 'notFound' });
  });

  it('signs in by the browser if the server offers that, and reports if nobody agrees', async () => {
    const { syncing } = await open();
    const { url } = world.server;
    const offer = { login: `${url}page`, poll: { token: 't', endpoint: `${url}poll` } };
    const granted = { server: url, loginName: 'anna', appPassword: 'app' };
    world.server.hook = ({ path }) => {
      if (path.endsWith('/login/v2')) return { status: 200, body: JSON.stringify(offer) };
      return path === '/poll' ? { status: 200, body: JSON.stringify(granted) } : undefined;
    };
    const login = await syncing.browserLogin(url);
    assert.equal(login?.url, offer.login);
    assert.deepEqual(await login.wait(), { serverUrl: url, username: 'anna', password: 'app' });
    await assert.rejects(login.wait(AbortSignal.abort()), { kind: 'cancelled' });
  });

  it('pauses, and is still paused after a restart', async () => {
    const folder = world.devices.folder();
    const first = await world.devices.open(world.server, { folder });
    await first.syncing!.setPaused(true);
    assert.equal(first.syncing!.isPaused, true);
    await first.close();
    const { syncing } = await world.devices.start({ folder });
    await syncing!.pendingText(1);
    assert.equal(syncing!.isPaused, true);
    await syncing!.setPaused(false);
    assert.equal(syncing!.isPaused, false);
  });

  it('keeps passwords in memory if it has no storage for them', async () => {
    const { url, username, password } = world.server;
    const engine = await world.devices.open(world.server, { secrets: undefined });
    assert.equal((await world.report(engine)).error, null);
    const [account] = engine.accounts();
    await engine.removeAccount(account!.id);
    await engine.addAccount({ serverUrl: url, username, password });
    assert.equal((await world.report(engine)).error, null);
  });

  for (const [conflictPolicy, title] of [
    ['localWins', 'Mine'],
    ['serverWins', 'Theirs'],
    ['keepBoth', 'Theirs'],
  ] as const)
    it(`resolves conflicts by itself if that is set: ${conflictPolicy}`, async () => {
      world.put('a', 'SUMMARY:Old');
      const device = await world.device();
      device.engine.configure({ conflictPolicy });
      await device.engine.updateTask(device.byUid('a')!.id, { title: 'Mine' });
      world.put('a', 'SUMMARY:Theirs');
      await device.sync();
      assert.equal(device.byUid('a')!.title, title);
      assert.deepEqual(device.engine.syncing!.conflicts(), []);
      assert.equal(device.rows().length, conflictPolicy === 'keepBoth' ? 2 : 1);
    });

  it('offers no sign-in by browser if the server does not', async () => {
    const { syncing } = await open();
    assert.equal(await syncing.browserLogin(world.server.url), undefined);
  });

  it('returns the server’s copy: fresh, as last seen, or none', async () => {
    world.put('a', 'SUMMARY:One');
    const device = await world.device();
    const syncing = device.engine.syncing!;
    const { id } = world.titled(device, 'One');
    world.put('a', 'SUMMARY:Two');
    const fresh = await syncing.serverCopy(id);
    assert.match(fresh.text, /SUMMARY:Two/);
    assert.equal(fresh.isCurrent, true);
    world.server.hook = () => ({ status: 500 });
    const seen = await syncing.serverCopy(id);
    assert.match(seen.text, /SUMMARY:One/);
    assert.equal(seen.isCurrent, false);
    world.server.hook = undefined;
    world.list.remove('a.ics');
    await assert.rejects(syncing.serverCopy(id), /was deleted on the server/);
    const own = await device.engine.createTask(device.id, { title: 'Mine' });
    await assert.rejects(syncing.serverCopy(own), /not on the server yet/);
    await assert.rejects(syncing.serverCopy(999), { kind: 'notFound' });
  });

  it('answers before anything of sync has been loaded', async () => {
    const folder = world.devices.folder();
    const before = await world.devices.open(world.server, { folder });
    await before.close();
    const syncing = (await world.devices.start({ folder })).syncing!;
    const [state] = (await world.devices.start({ folder })).accounts().map(({ id }) => syncing.accountState(id));
    assert.equal(state?.problem, 'none');
    assert.deepEqual(
      { conflicts: syncing.conflicts(), emptiedLists: syncing.emptiedLists(), isPaused: syncing.isPaused },
      { conflicts: [], emptiedLists: [], isPaused: false },
    );
  });

  it('recognizes an account by its principal, or by a list if its home is unknown', async () => {
    const { engine, syncing, account } = await open();
    const set = (patch: { homeSetUrl: null; principalUrl?: null }) =>
      world.devices.storeOf(engine).edit({ origin: 'sync' }, tx => tx.updateAccount(account.id, patch));
    await set({ homeSetUrl: null });
    assert.equal(syncing.addressOf(account.id), account.principalUrl);
    await set({ homeSetUrl: null, principalUrl: null });
    assert.equal(syncing.addressOf(account.id), engine.lists().find(({ name }) => name === 'tasks')?.href);
  });

  it('refuses unknown ids', async () => {
    const { engine, syncing } = await open();
    await assert.rejects(syncing.resolveConflict('none', 'mine'), { kind: 'notFound' });
    assert.throws(() => syncing.accountState(99), { kind: 'notFound' });
    await assert.rejects(engine.removeAccount(99), { kind: 'notFound' });
    await assert.rejects(engine.sync({ listId: 99 }), { kind: 'notFound' });
    await assert.rejects(engine.sync({ accountId: 99 }), { kind: 'notFound' });
  });

  it('reports that the password is not stored here', async () => {
    const { account } = await open();
    const other = await world.devices.start();
    await world.devices.storeOf(other).edit({ origin: 'sync' }, tx => {
      tx.insertAccount({ displayName: 'Cloud', homeSetUrl: account.homeSetUrl, username: 'anna' });
    });
    const report = await world.report(other);
    assert.match(report.error ?? '', /password for “Cloud” is not stored on this computer/);
    assert.match(other.accounts()[0]?.lastSyncError ?? '', /not stored on this computer/);
  });

  it('sends no password to an address from a restored file until the user enters it for that', async () => {
    const { engine, syncing, account } = await open();
    assert.equal((await world.report(engine)).error, null);
    const elsewhere = { homeSetUrl: 'http://127.0.0.1:1/home/', principalUrl: null };
    const edit = (patch: typeof elsewhere | Pick<typeof account, 'homeSetUrl'>) =>
      world.devices.storeOf(engine).edit({ origin: 'sync' }, tx => tx.updateAccount(account.id, patch));
    await edit(elsewhere);
    assert.match((await world.report(engine)).error ?? '', /not stored on this computer/);
    await edit({ homeSetUrl: account.homeSetUrl });
    assert.equal((await world.report(engine)).error, null);
    await edit(elsewhere);
    await syncing.setPassword(account.id, world.server.password);
    assert.match((await world.report(engine)).error ?? '', /Cannot reach/);
  });

  it('reports that an account without an address has lost it', async () => {
    const engine = await world.devices.start({
      secrets: { get: async () => 'secret', set: async () => {}, delete: async () => {} },
    });
    await world.devices.storeOf(engine).edit({ origin: 'sync' }, tx => tx.insertAccount({ displayName: 'Cloud' }));
    assert.match((await world.report(engine)).error ?? '', /server address of this account is missing/);
  });

  it('does not ask an unknown principal for its home if that is gone', async () => {
    const { engine, account } = await open();
    await world.devices
      .storeOf(engine)
      .edit({ origin: 'sync' }, tx => tx.updateAccount(account.id, { principalUrl: null }));
    world.server.hook = ({ path }) => (path === '/home/' ? { status: 404 } : undefined);
    const { error } = await world.report(engine);
    assert.ok(error);
    assert.deepEqual(world.server.sent('PROPFIND', '/me/'), []);
  });

  it('reports that the home is gone if the principal knows no better', async () => {
    const { engine } = await open();
    world.server.hook = ({ path }) =>
      path === '/home/' ? { status: 404 } : path === '/me/' ? { status: 403 } : undefined;
    const { error } = await world.report(engine);
    assert.doesNotMatch(error ?? 'none', /has moved its lists|none/);
  });

  it('goes to the home in a restored file, not to those stored before', async () => {
    world.server.homes = ['/home/', '/second/'];
    const { engine, account } = await open();
    world.server.addList('moved', {}, '/third/moved/');
    world.server.homes = ['/home/', '/second/', '/third/'];
    await world.devices
      .storeOf(engine)
      .edit({ origin: 'sync' }, tx =>
        tx.updateAccount(account.id, { homeSetUrl: new URL('/third/', world.server.url).href }),
      );
    assert.equal((await world.report(engine)).error, null);
    assert.ok(engine.lists().some(({ name }) => name === 'moved'));
  });

  it('stores every home that the principal names, if none is stored', async () => {
    world.server.homes = ['/home/', '/second/'];
    world.server.addList('other', {}, '/second/other/');
    const folder = world.devices.folder();
    const first = await world.devices.open(world.server, { folder });
    const [account] = first.accounts();
    await world.devices
      .storeOf(first)
      .edit({ origin: 'sync' }, tx => tx.updateAccount(account!.id, { homeSetUrl: null }));
    await first.close();
    rmSync(join(folder, 'sidecar'), { recursive: true, force: true });
    const engine = await world.devices.start({ folder });
    await world.devices.signIn(engine, world.server);
    assert.equal((await world.report(engine)).error, null);
    world.server.addList('later', {}, '/second/later/');
    assert.equal((await world.report(engine)).error, null);
    assert.ok(engine.lists().some(({ name }) => name === 'later'));
  });

  it('finds the homes again through the principal', async () => {
    const { engine, account } = await open();
    const store = world.devices.storeOf(engine);
    await store.edit({ origin: 'sync' }, tx => tx.updateAccount(account.id, { homeSetUrl: null }));
    assert.equal(account.principalUrl !== null, true);
    assert.equal((await world.report(engine)).error, null);
  });
});
