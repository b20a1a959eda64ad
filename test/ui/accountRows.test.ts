import assert from 'node:assert/strict';
import { type Server, startRadicale, startXandikos } from '../interop/support/servers';
import { Session } from './support/driver';
import { accounts, connect, empty } from './support/engine';
import { until } from './support/wait';
import type { Window } from './support/window';

const timeoutMs = 60_000;

describe('the row of an account in the Lists view', () => {
  let server: Server;
  let other: Server;
  let session: Session;
  let window: Window;
  before(async () => {
    session = await Session.open({
      size: { width: 1000, height: 700 },
      settings: { 'dueline.sync.enabled': false },
    });
    window = session.window;
    await window.view();
    server = await startRadicale();
    other = await startXandikos();
  });
  afterEach(function () {
    return window.tidy(this.currentTest);
  });
  after(async () => {
    await empty(window);
    await session?.close();
    await server?.stop();
    await other?.stop();
  });

  it('says when it was synced, and whose account it is where two have one name', async () => {
    await connect(window, server, 'Home');
    await window.rows('Home').filter({ hasText: 'last synced now' }).first().waitFor({ timeout: timeoutMs });
    await connect(window, { ...other, username: 'ben' }, 'Home', false);
    for (const name of ['Home (anna)', 'Home (ben)']) await window.rows(name).first().waitFor({ timeout: timeoutMs });
    assert.deepEqual(
      (await accounts(window)).map(({ displayName }) => displayName),
      ['Home', 'Home'],
    );
    await window.pictures('account-rows');
  });

  it('says that sync is paused, and resumes it', async () => {
    await window.palette('Dueline: Pause or Resume Sync');
    await window
      .rows('Home (anna)')
      .filter({ hasText: 'paused · last synced' })
      .first()
      .waitFor({ timeout: timeoutMs });
    await window.rows('Home (anna)').first().hover();
    await window.pictures('account-rows-paused');
    await window.inline('Home (anna)', 'Pause or Resume Sync');
    await window.rows('paused').first().waitFor({ state: 'detached', timeout: timeoutMs });
  });

  it('tries again after a failure, from the row and from the message', async () => {
    await server.stop();
    await window.inline('Home (anna)', 'Sync Now');
    await window
      .rows('Home (anna)')
      .filter({ hasText: 'waiting for the server' })
      .first()
      .waitFor({ timeout: timeoutMs });
    await window.rows('Home (anna)').first().hover();
    await window.pictures('account-rows-failed');
    await window.inline('Home (anna)', 'Try Sync Again');
    await window.press(/could not be synced/, 'Try Again');
    await window.notification(/could not be synced/);
    await until('the account to be told of', timeoutMs, async () => (await accounts(window))[0]?.error !== null);
  });
});
