import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { type Server, startRadicale } from '../interop/support/servers';
import { Session } from './support/driver';
import { LoginFlow, TlsFront } from './support/edges';
import { accounts, connect, empty, lists, titles } from './support/engine';
import { Peer } from './support/peer';
import { until } from './support/wait';
import type { Window } from './support/window';

const patience = 60_000;

/** A fingerprint as it is shown: too long for one line. */
const halves = (fingerprint: string) => [fingerprint.slice(0, 47), fingerprint.slice(48)];

describe('adding an account', () => {
  let server: Server;
  let session: Session;
  let window: Window;
  before(async () => {
    server = await startRadicale();
    const peer = new Peer(server, '/anna/errands/');
    await peer.makeList('Errands');
    await peer.put('bread', 'SUMMARY:Buy bread');
    session = await Session.open({ theme: 'dark', size: { width: 1100, height: 760 } });
    window = session.window;
    await window.view();
  });
  after(async () => {
    await session?.close();
    await server?.stop();
  });
  afterEach(async function () {
    await window.tidy(this.currentTest);
    await empty(window);
  });

  const start = () => window.palette('Dueline: Add CalDAV Account');
  const goBack = () => window.quickInput.getByRole('button', { name: 'Back' }).click();
  const says = (words: RegExp) => window.quickInput.getByText(words).first().waitFor({ timeout: patience });
  const asks = (prompt: RegExp) => says(prompt);
  const connected = async () => {
    await until('the account', patience, async () => (await accounts(window)).length === 1);
    await until('its task', patience, async () => (await titles(window, '"Buy bread"')).length === 1);
    return (await accounts(window))[0]!;
  };

  it('by its address, with every step back and forth again', async () => {
    await start();
    await asks(/server’s address/);
    assert.equal(await window.quickInput.getByRole('button', { name: 'Back' }).count(), 0);
    await window.shots('add-server');
    await window.answer(/server’s address/, server.url);
    await asks(/User name/);
    await goBack();
    await asks(/server’s address/);
    assert.equal(await window.quickText.inputValue(), server.url);
    await window.page.keyboard.press('Enter');
    await window.answer(/User name/, 'anne');
    await asks(/Password/);
    await window.shots('add-password');
    await goBack();
    await asks(/User name/);
    assert.equal(await window.quickText.inputValue(), 'anne');
    await window.answer(/User name/, server.username);
    await window.answer(/Password/, server.password);
    const account = await connected();
    assert.equal(account.username, server.username);
    await window.notification(/The account is connected, with 1 task list/);
    await window.rows('Errands').first().waitFor({ timeout: patience });
    await window.shots('add-connected');
  });

  it('by an e-mail address, which is offered as the name too', async () => {
    await start();
    await window.answer(/server’s address/, `anna@${new URL(server.url).host}`);
    await asks(/User name/);
    assert.equal(await window.quickText.inputValue(), `anna@${new URL(server.url).host}`);
    await window.answer(/User name/, server.username);
    await window.answer(/Password/, server.password);
    await connected();
  });

  it('by keyboard alone, from the palette to the task’s row', async () => {
    const { keyboard } = window.page;
    await start();
    await asks(/server’s address/);
    await keyboard.type(server.url);
    await keyboard.press('Enter');
    await asks(/User name/);
    await keyboard.type(server.username);
    await keyboard.press('Enter');
    await asks(/Password/);
    await keyboard.type('nonsense');
    await keyboard.press('Enter');
    await says(/refused|wrong|not accepted/i);
    // What was wrong is selected: typing replaces it.
    await keyboard.insertText(server.password);
    await keyboard.press('Enter');
    await connected();
    await window.rows('Errands').first().waitFor({ timeout: patience });
    await window.run(vscode => vscode.commands.executeCommand('dueline.lists.focus'));
    // The first sync draws the tree anew meanwhile, which may swallow a key.
    await until('the task’s row', patience, async () => {
      await keyboard.press('End');
      await keyboard.press('ArrowRight');
      return window.rows('Buy bread').first().isVisible();
    });
  });

  it('says in place what is wrong with a password, and takes the right one there', async () => {
    await start();
    await window.answer(/server’s address/, server.url);
    await window.answer(/User name/, server.username);
    await window.answer(/Password/, 'wrong');
    await says(/refused|wrong|not accepted/i);
    await window.shots('add-wrong-password');
    assert.deepEqual(await accounts(window), []);
    await window.quickText.fill(server.password);
    await window.page.keyboard.press('Enter');
    await connected();
  });

  it('whose certificate nobody vouches for: shows it before any password, and again when it has changed', async () => {
    const front = await TlsFront.start(server.url);
    try {
      await start();
      await window.answer(/server’s address/, front.url);
      await asks(/is not trusted/);
      for (const half of halves(front.fingerprint)) await window.picks(half).first().waitFor({ timeout: patience });
      await window.picks('home.example').first().waitFor({ timeout: patience });
      await window.shots('add-certificate');
      await window.pick('Do not trust it');
      await says(/Without trust in its certificate/);
      assert.equal(await window.quickText.inputValue(), front.url);
      await window.page.keyboard.press('Enter');
      await asks(/is not trusted/);
      await goBack();
      await asks(/server’s address/);
      await window.page.keyboard.press('Enter');
      await window.pick('Trust this certificate');
      await window.answer(/User name/, server.username);
      await window.answer(/Password/, server.password);
      const { displayName } = await connected();

      front.renew();
      await window.palette('Dueline: Sync Now');
      await window.notification(/could not be synced/);
      await window.rows('certificate not trusted').first().waitFor({ timeout: patience });
      await window.page.locator('.statusbar-item.error-kind').first().waitFor({ timeout: patience });
      const status = window.page.locator('.statusbar-item.error-kind').first();
      const label = await status.locator('a').getAttribute('aria-label');
      await window.shots('certificate-changed');
      await window.press(/could not be synced/, 'Look at Certificate…');
      for (const half of halves(front.fingerprint)) await window.picks(half).first().waitFor({ timeout: patience });
      await window.shots('certificate-again');
      await window.pick('Trust this certificate');
      await until('the account to be fine', patience, async () => (await accounts(window))[0]!.trouble === 'none');
      await window.page.locator('.statusbar-item.error-kind').waitFor({ state: 'detached', timeout: patience });
      assert.ok(label?.includes(displayName), label ?? '');
    } finally {
      front.stop();
    }
  });

  describe('in the browser (login flow v2)', () => {
    let flow: LoginFlow;
    beforeEach(async () => {
      flow = await LoginFlow.start(server);
    });
    afterEach(() => flow.stop());

    const browserPage = async (): Promise<Page> => {
      const opening = window.page.context().waitForEvent('page', { timeout: patience });
      await window.pick('Sign in with the browser');
      const page = await opening;
      // The editor as a server sends addresses of this machine through a proxy that the build at hand lacks, and the
      // oldest one forgets the path on the way.
      const [, port, path] = /\/proxy\/(\d+)\/(.*)$/.exec(page.url()) ?? [];
      assert.equal(`http://127.0.0.1:${port}/`, flow.url);
      assert.match(path!, /^(login\/v2\/flow\/one)?$/);
      await page.goto(`${flow.url}login/v2/flow/one`);
      return page;
    };

    it('opens the server’s page, waits until the person has agreed, and keeps the app password', async () => {
      await start();
      await window.answer(/server’s address/, flow.url);
      await window.picks('Sign in with the browser').first().waitFor({ timeout: patience });
      await window.shots('add-browser-choice');
      await goBack();
      await window.answer(/server’s address/, flow.url);
      const page = await browserPage();
      await window.notification(/Agree in the browser/);
      await until('several polls', patience, () => flow.polls >= 2);
      await window.shots('add-browser-waiting');
      await page.getByRole('button', { name: 'Grant access' }).click();
      const account = await connected();
      assert.equal(account.username, server.username);
      await page.close();
    });

    it('can be cancelled, and goes on by name and password', async () => {
      await start();
      await window.answer(/server’s address/, flow.url);
      const page = await browserPage();
      await until('a poll', patience, () => flow.polls >= 1);
      await window.press(/Agree in the browser/, 'Cancel');
      await window.picks('Enter user name and password').first().waitFor({ timeout: patience });
      await window.quickInput.getByPlaceholder(/The sign-in was cancelled/).waitFor({ timeout: patience });
      await window.shots('add-browser-cancelled');
      const notes = window.page.locator('.notifications-center .notification-list-item');
      assert.equal(await notes.filter({ hasText: 'cancelled' }).count(), 0);
      await window.pick('Enter user name and password');
      await window.answer(/User name/, server.username);
      await window.answer(/Password/, server.password);
      await connected();
      await page.close();
    });

    it('tells when nobody has agreed for too long, and lets it be started anew', async () => {
      await start();
      await window.answer(/server’s address/, flow.url);
      const page = await browserPage();
      await until('a poll', patience, () => flow.polls >= 1);
      await window.run(() => {
        const now = performance.now.bind(performance);
        performance.now = () => now() + 21 * 60_000;
      });
      await window.quickInput.getByPlaceholder(/Nobody agreed/).waitFor({ timeout: patience });
      await window.shots('add-browser-late');
      await page.close();
      const again = await browserPage();
      await again.getByRole('button', { name: 'Grant access' }).click();
      await connected();
      await again.close();
    });
  });

  it('leaves nothing behind where the person leaves', async () => {
    await connect(window, server, 'Kept');
    const before = await lists(window);
    await start();
    await window.answer(/server’s address/, server.url);
    await asks(/User name/);
    await window.page.keyboard.press('Escape');
    await window.quickInput.waitFor({ state: 'hidden', timeout: patience });
    assert.equal((await accounts(window)).length, 1);
    assert.deepEqual(await lists(window), before);
  });
});
