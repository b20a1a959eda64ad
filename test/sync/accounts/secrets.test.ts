import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Secrets } from '../../../src/api';
import { AServer } from '../support/server';
import { aWorld } from '../support/world';

/** One for all folders, as the editor's own is for its profiles. */
class SharedSecrets implements Secrets {
  readonly values = new Map<string, string>();
  get = async (key: string) => this.values.get(key);
  set = async (key: string, value: string) => void this.values.set(key, value);
  delete = async (key: string) => void this.values.delete(key);
}

describe('a stored password', () => {
  const world = aWorld();
  let other: AServer;
  beforeEach(async () => {
    other = await AServer.start();
    other.addList('theirs');
  });
  afterEach(() => other.stop());

  /** Opens a device whose account's row was given the other server's address, as a file from elsewhere can do. */
  const withForeignAddress = async (folder: string, secrets: Secrets) => {
    const engine = await world.devices.start({ folder, secrets });
    const [account] = engine.accounts();
    await world.devices
      .storeOf(engine)
      .edit({ origin: 'sync' }, tx =>
        tx.updateAccount(account!.id, { homeSetUrl: `${other.url}home/`, principalUrl: `${other.url}me/` }),
      );
    return engine;
  };

  it('is sent to no other server if the sidecar is lost and the row names another one', async () => {
    const folder = world.devices.folder();
    const secrets = new SharedSecrets();
    const first = await world.devices.open(world.server, { folder, secrets });
    await first.sync();
    await first.close();
    rmSync(join(folder, 'sidecar'), { recursive: true });
    const engine = await withForeignAddress(folder, secrets);
    assert.match((await world.report(engine)).error ?? '', /not stored on this computer/);
    assert.deepEqual(other.requests, []);
  });

  it('is sent to no server that a file imported in a new folder names', async () => {
    const secrets = new SharedSecrets();
    const first = await world.devices.open(world.server, { secrets });
    const scratch = world.devices.folder();
    const hostile = await world.devices.open(other, { folder: join(scratch, 'made'), secrets: new SharedSecrets() });
    await hostile.exportDatabase(join(scratch, 'hostile.db'));
    const folder = world.devices.folder();
    mkdirSync(join(folder, 'import'), { recursive: true });
    copyFileSync(join(scratch, 'hostile.db'), join(folder, 'import', 'tasks.db'));
    other.forget();
    const engine = await world.devices.start({ folder, secrets });
    assert.deepEqual(
      engine.accounts().map(({ id, homeSetUrl }) => ({ id, homeSetUrl })),
      [{ id: first.accounts()[0]!.id, homeSetUrl: `${other.url}home/` }],
    );
    assert.match((await world.report(engine)).error ?? '', /not stored on this computer/);
    assert.deepEqual(other.requests, []);
  });

  it('stays with its account if two folders keep theirs in one place', async () => {
    const secrets = new SharedSecrets();
    const one = await world.devices.open(world.server, { secrets });
    other.password = 'other';
    const two = await world.devices.open(other, { secrets });
    assert.equal(one.accounts()[0]!.id, two.accounts()[0]!.id);
    world.server.forget();
    assert.equal((await world.report(one)).error, null);
    const logins = world.server.requests.flatMap(({ headers }) => headers.authorization ?? []);
    assert.equal(new Set(logins).size, 1, 'one login is sent, and it is the right one');
    assert.equal((await world.report(two)).error, null);
    await two.removeAccount(two.accounts()[0]!.id);
    assert.equal((await world.report(one)).error, null);
  });

  it('is read from storage each time', async () => {
    const secrets = new SharedSecrets();
    const engine = await world.devices.open(world.server, { secrets });
    assert.equal((await world.report(engine)).error, null);
    for (const [key, value] of secrets.values) secrets.values.set(key, value.replace(world.server.password, 'wrong'));
    assert.match((await world.report(engine)).error ?? '', /rejected the username or password/);
  });

  it('is not sent if 1.1.0 stored it by the number of a row, and is deleted once the user signs in', async () => {
    const secrets = new SharedSecrets();
    const engine = await world.devices.open(world.server, { secrets });
    const [account] = engine.accounts();
    const sidecar = await world.devices.storeOf(engine).sidecar();
    secrets.values.clear();
    for (const key of ['caldav:1', 'caldav:1:mark']) secrets.values.set(key, 'of another folder');
    await sidecar.put('syncAccounts', [[String(account!.id), { home: new URL(world.server.url).origin }]]);
    world.server.forget();
    assert.match((await world.report(engine)).error ?? '', /not stored on this computer/);
    assert.deepEqual(world.server.requests, []);
    await engine.syncing!.setPassword(account!.id, world.server.password);
    assert.equal((await world.report(engine)).error, null);
    assert.equal(secrets.values.size, 1);
    await engine.removeAccount(account!.id);
    assert.equal(secrets.values.size, 0);
  });
});
