import assert from 'node:assert/strict';
import { packageOnce } from '../../scripts/package/once.mjs';
import { pick } from '../support/pick';
import { PasswordFront } from './support/edges';
import { accounts, lists, titles } from './support/engine';
import { type Home, openHome } from './support/home';
import { Peer } from './support/peer';
import { until } from './support/wait';
import type { Window } from './support/window';

const timeoutMs = 60_000;

describe('an existing account', () => {
  let home: Home<PasswordFront>;
  let front: PasswordFront;
  let peer: Peer;
  let window: Window;
  before(async () => {
    home = await openHome({
      account: 'Home',
      front: server => PasswordFront.start(server, 'first'),
      fill: async (peer, server) => {
        await peer.makeList('Errands');
        await peer.put('bread', 'SUMMARY:Buy bread');
        await new Peer(server, '/anna/garden/').makeList('Garden');
      },
      vsix: [await packageOnce('full')], // the oldest editor asks no questions of a window under development
    });
    ({ front, peer, window } = home);
  });
  after(() => home?.close());
  afterEach(function () {
    return window.tidy(this.currentTest);
  });

  const dialog = () => window.page.locator('.monaco-dialog-box');
  const red = () => window.page.locator('.statusbar-item.error-kind').first();
  const edit = (from: string, to: string) =>
    window.run(
      async (vscode, from, to) => {
        const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
        const [found] = api.query(`"${from}"`);
        await api.updateTask(found.task.id, { title: to });
      },
      from,
      to,
    );

  it('gets another name from its menu', async () => {
    await window.context('Home', 'Rename Account…');
    assert.equal(await window.quickText.inputValue(), 'Home');
    await window.answer('Rename Account', '');
    await window.quickInput.getByText('An account name is required.').waitFor({ timeout: timeoutMs });
    await window.answer('Rename Account', 'Home server');
    await window.rows('Home server').first().waitFor({ timeout: timeoutMs });
  });

  it('says where its password is no longer taken, asks for it there, and goes on', async () => {
    front.password = 'second';
    await window.palette('Dueline: Sync Now');
    await window.notification(/could not be synced/);
    await window.rows('sign in again').first().waitFor({ timeout: timeoutMs });
    assert.match((await red().locator('a').getAttribute('aria-label')) ?? '', /Home server.* needs attention/);
    await window.pictures('password-needed');
    await window.press(/could not be synced/, 'Enter Password…');
    await window.answer(/Enter your password/, 'third');
    await window.quickInput
      .getByText(/rejected the username or password/)
      .first()
      .waitFor({ timeout: timeoutMs });
    await window.pictures('password-refused');
    await window.quickText.fill('second');
    await window.page.keyboard.press('Enter');
    await until('the account to be fine', timeoutMs, async () => (await accounts(window))[0]!.trouble === 'none');
    await red().waitFor({ state: 'detached', timeout: timeoutMs });
  });

  it('takes another password from its menu while all is well, and by a click on the red status', async () => {
    await window.context('Home server', 'Enter Password…');
    await window.answer(/Enter your password/, 'second');
    await until('the password', timeoutMs, async () => (await accounts(window))[0]!.trouble === 'none');
    front.password = 'fourth';
    await window.command('notifications.clearAll');
    await window.palette('Dueline: Sync Now');
    await red().waitFor({ timeout: timeoutMs });
    await red().locator('a').click();
    await window.answer(/Enter your password/, 'fourth');
    await red().waitFor({ state: 'detached', timeout: timeoutMs });
  });

  it('pauses and goes on; what was edited meanwhile waits', async () => {
    await window.palette('Dueline: Pause or Resume Sync');
    await window.rows('paused').first().waitFor({ timeout: timeoutMs });
    await edit('Buy bread', 'Buy rye bread');
    await window.palette('Dueline: Show Pending Changes');
    await window.picks('Buy rye bread').first().waitFor({ timeout: timeoutMs });
    await window.pictures('sync-paused');
    await window.page.keyboard.press('Escape');
    assert.match(await peer.get('bread'), /SUMMARY:Buy bread/);
    await window.palette('Dueline: Pause or Resume Sync');
    await window.rows('paused').first().waitFor({ state: 'detached', timeout: timeoutMs });
    await window.palette('Dueline: Sync Now');
    await until('the edit on the server', timeoutMs, async () => /Buy rye bread/.test(await peer.get('bread')));
  });

  it('syncs the lists that are chosen; the others stay as they are and say so', async () => {
    await window.context('Home server', 'Choose Lists…');
    await window.picks('Errands').first().waitFor({ timeout: timeoutMs });
    await window.pictures('choose-lists');
    await window.pickMany('Errands');
    const row = window.rows('Errands').filter({ hasText: 'not synced' });
    await row.first().waitFor({ timeout: timeoutMs });
    assert.match((await row.first().getAttribute('aria-label')) ?? '', /not synced/);
    await peer.put('milk', 'SUMMARY:Buy milk');
    await window.palette('Dueline: Sync Now');
    await until('a run', timeoutMs, async () => (await accounts(window))[0]!.error === null);
    assert.deepEqual(await titles(window, '"Buy milk"'), []);
    await window.pictures('list-not-synced');
    await window.context('Errands', 'Stop or Resume Syncing This List');
    await until('what came meanwhile', timeoutMs, async () => (await titles(window, '"Buy milk"')).length === 1);
    await row.first().waitFor({ state: 'detached', timeout: timeoutMs });
  });

  it('is removed after saying what stays and what never reaches the server', async () => {
    await window.palette('Dueline: Pause or Resume Sync');
    await edit('Buy milk', 'Buy oat milk');
    await window.context('Home server', 'Remove Account…');
    await dialog().getByText('Remove the account').waitFor({ timeout: timeoutMs });
    const text = ((await dialog().textContent()) ?? '').replace(/\s+/g, ' ');
    assert.match(text, /Remove the account .Home server.\?/);
    assert.match(text, /2 tasks are kept on this computer/);
    assert.match(text, /Nothing is deleted on the server/);
    assert.match(text, /1 unsynced change will be lost/);
    await window.pictures('remove-account');
    await dialog().getByRole('button', { name: 'Sync First' }).click();
    await until('the edit on the server', timeoutMs, async () => /Buy oat milk/.test(await peer.get('milk')));
    await until('the question again', timeoutMs, async () =>
      /kept on this computer/.test((await dialog().textContent()) ?? ''),
    );
    assert.doesNotMatch((await dialog().textContent()) ?? '', /will be lost/);
    await dialog().getByRole('button', { name: 'Remove Account' }).click();
    await window.rows('Home server').first().waitFor({ state: 'detached', timeout: timeoutMs });
    assert.deepEqual(await accounts(window), []);
    assert.deepEqual((await titles(window, 'is:open')).sort(), ['Buy oat milk', 'Buy rye bread']);
    const kept = (await lists(window)).find(({ name }) => name === 'Errands')!;
    assert.deepEqual(pick(kept, 'accountId', 'href'), { accountId: null, href: null });
    assert.match(await peer.get('bread'), /Buy rye bread/);
  });
});
