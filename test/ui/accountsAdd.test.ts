import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { Peer } from '../interop/support/peer';
import { type Server, startRadicale } from '../interop/support/servers';
import { LoginFlow, TlsFront } from '../page/support/edges';
import { Session } from './support/driver';
import { accounts, connect, empty, lists, titles } from './support/engine';
import { until } from './support/wait';
import type { Window } from './support/window';

const timeoutMs = 60_000;

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

  const start = () => window.choose('Dueline: Add CalDAV Account', 'Other CalDAV Server');
  const goBack = () => window.quickInput.getByRole('button', { name: 'Back' }).click();
  const says = (words: RegExp) => window.quickInput.getByText(words).first().waitFor({ timeout: timeoutMs });
  const asks = (prompt: RegExp) => says(prompt);
  const connected = async () => {
    await until('the account', timeoutMs, async () => (await accounts(window)).length === 1);
    await until('its task', timeoutMs, async () => (await titles(window, '"Buy bread"')).length === 1);
    return (await accounts(window))[0]!;
  };

  it('takes an address, with every step back and forth again', async () => {
    await start();
    await asks(/Enter the server address/);
    await goBack();
    await window.picks('Other CalDAV Server').first().waitFor({ timeout: timeoutMs });
    assert.equal(await window.quickInput.getByRole('button', { name: 'Back' }).count(), 0);
    await window.pick('Other CalDAV Server');
    await asks(/Enter the server address/);
    await window.pictures('add-server');
    await window.answer(/Enter the server address/, server.url);
    await asks(/Username/);
    await goBack();
    await asks(/Enter the server address/);
    assert.equal(await window.quickText.inputValue(), server.url);
    await window.page.keyboard.press('Enter');
    await window.answer(/Username/, 'anne');
    await asks(/Enter your password/);
    await window.pictures('add-password');
    await goBack();
    await asks(/Username/);
    assert.equal(await window.quickText.inputValue(), 'anne');
    await window.answer(/Username/, server.username);
    await window.answer(/Enter your password/, server.password);
    const account = await connected();
    assert.equal(account.username, server.username);
    await window.notification(/Account connected\. Found 1 task list/);
    await window.rows('Errands').first().waitFor({ timeout: timeoutMs });
    await window.pictures('add-connected');
  });

  it('knows providers: their addresses, what to know of them, and which one has no tasks to sync', async () => {
    await window.choose('Dueline: Add CalDAV Account', 'iCloud');
    await window.quickInput.getByPlaceholder(/iCloud: Not supported/).waitFor({ timeout: timeoutMs });
    await window.pictures('add-provider');
    await window.pick('Fastmail');
    await window.answer(/Enter your email address/, 'anna@fastmail.example');
    await asks(/Enter an app password/);
    await goBack();
    await asks(/Enter your email address/);
    await goBack();
    await window.pick('Nextcloud');
    await asks(/Nextcloud, as shown in the browser/);
    assert.equal(await window.quickText.inputValue(), '');
    await goBack();
    await window.pick('Radicale');
    await window.answer(/Enter the address of your Radicale/, server.url);
    await window.answer(/Username/, server.username);
    await window.answer(/Enter your password/, server.password);
    await connected();
  });

  it('takes an email address, which is offered as the name too', async () => {
    await start();
    await window.answer(/Enter the server address/, `anna@${new URL(server.url).host}`);
    await asks(/Username/);
    assert.equal(await window.quickText.inputValue(), `anna@${new URL(server.url).host}`);
    await window.answer(/Username/, server.username);
    await window.answer(/Enter your password/, server.password);
    await connected();
  });

  it('works by keyboard alone, from the palette to the task’s row', async () => {
    const { keyboard } = window.page;
    await window.palette('Dueline: Add CalDAV Account');
    await window.picks('Nextcloud').first().waitFor({ timeout: timeoutMs });
    await keyboard.type('Other');
    await keyboard.press('Enter');
    await asks(/Enter the server address/);
    await keyboard.type(server.url);
    await keyboard.press('Enter');
    await asks(/Username/);
    await keyboard.type(server.username);
    await keyboard.press('Enter');
    await asks(/Enter your password/);
    await keyboard.type('nonsense');
    await keyboard.press('Enter');
    await says(/rejected the username or password/);
    // What was wrong is selected: typing replaces it.
    await keyboard.insertText(server.password);
    await keyboard.press('Enter');
    await connected();
    await window.rows('Errands').first().waitFor({ timeout: timeoutMs });
    await window.run(vscode => vscode.commands.executeCommand('dueline.lists.focus'));
    // The first sync draws the tree again meanwhile, which may swallow a key.
    await until('the task’s row', timeoutMs, async () => {
      await keyboard.press('End');
      await keyboard.press('ArrowRight');
      return window.rows('Buy bread').first().isVisible();
    });
  });

  it('says in place what is wrong with a password, and takes the right one there', async () => {
    await start();
    await window.answer(/Enter the server address/, server.url);
    await window.answer(/Username/, server.username);
    await window.answer(/Enter your password/, 'wrong');
    await says(/rejected the username or password/);
    await window.pictures('add-wrong-password');
    assert.deepEqual(await accounts(window), []);
    await window.quickText.fill(server.password);
    await window.page.keyboard.press('Enter');
    await connected();
  });

  it('shows a certificate that is not trusted before any password, and again when it has changed', async () => {
    const front = await TlsFront.start(server.url);
    try {
      await start();
      await window.answer(/Enter the server address/, front.url);
      await asks(/is not trusted/);
      for (const half of halves(front.fingerprint)) await window.picks(half).first().waitFor({ timeout: timeoutMs });
      await window.picks('home.example').first().waitFor({ timeout: timeoutMs });
      await window.pictures('add-certificate');
      await window.pick('Do not trust this certificate');
      await says(/The certificate was not trusted/);
      assert.equal(await window.quickText.inputValue(), front.url);
      await window.page.keyboard.press('Enter');
      await asks(/is not trusted/);
      await goBack();
      await asks(/Enter the server address/);
      await window.page.keyboard.press('Enter');
      await window.pick('Trust this certificate for this account');
      await window.answer(/Username/, server.username);
      await window.answer(/Enter your password/, server.password);
      const { displayName } = await connected();
      // A sync that still runs would fail by its connection, which is cut.
      await until('the end of the first sync', timeoutMs, () =>
        window.run(async vscode => {
          const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
          return api.accounts()[0].lastSyncAt !== null;
        }),
      );

      front.renew();
      await window.palette('Dueline: Sync Now');
      await window.notification(/could not be synced/);
      await window.rows('certificate not trusted').first().waitFor({ timeout: timeoutMs });
      await window.page.locator('.statusbar-item.error-kind').first().waitFor({ timeout: timeoutMs });
      const status = window.page.locator('.statusbar-item.error-kind').first();
      const label = await status.locator('a').getAttribute('aria-label');
      await window.pictures('certificate-changed');
      await window.press(/could not be synced/, 'Review Certificate…');
      for (const half of halves(front.fingerprint)) await window.picks(half).first().waitFor({ timeout: timeoutMs });
      await window.pictures('certificate-again');
      await window.pick('Trust this certificate for this account');
      await until('the account to be fine', timeoutMs, async () => (await accounts(window))[0]!.trouble === 'none');
      await window.page.locator('.statusbar-item.error-kind').waitFor({ state: 'detached', timeout: timeoutMs });
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
      const opening = window.page.context().waitForEvent('page', { timeout: timeoutMs });
      await window.pick('Sign in with your browser');
      const page = await opening;
      // The editor as a server sends addresses of this machine through a proxy that this build lacks, and the
      // oldest one forgets the path on the way.
      const [, port, path] = /\/proxy\/(\d+)\/(.*)$/.exec(page.url()) ?? [];
      assert.equal(`http://127.0.0.1:${port}/`, flow.url);
      assert.match(path!, /^(login\/v2\/flow\/one)?$/);
      // What the editor opened is still on its way, and can end the visit to another page.
      await until('the page to sign in', timeoutMs, async () => {
        await page.goto(`${flow.url}login/v2/flow/one`, { timeout: 10_000 });
        return true;
      });
      return page;
    };

    it('opens the server’s page, waits until the person has agreed, and keeps the app password', async () => {
      await start();
      await window.answer(/Enter the server address/, flow.url);
      await window.picks('Sign in with your browser').first().waitFor({ timeout: timeoutMs });
      await window.pictures('add-browser-choice');
      await goBack();
      await window.answer(/Enter the server address/, flow.url);
      const page = await browserPage();
      await window.notification(/Approve the sign-in in your browser/);
      await until('several polls', timeoutMs, () => flow.polls >= 2);
      await window.pictures('add-browser-waiting');
      await page.getByRole('button', { name: 'Grant access' }).click();
      const account = await connected();
      assert.equal(account.username, server.username);
      await page.close();
    });

    it('can be cancelled, and goes on by name and password', async () => {
      await start();
      await window.answer(/Enter the server address/, flow.url);
      const page = await browserPage();
      await until('a poll', timeoutMs, () => flow.polls >= 1);
      await window.press(/Approve the sign-in in your browser/, 'Cancel');
      await window.picks('Enter username and password').first().waitFor({ timeout: timeoutMs });
      await window.quickInput.getByPlaceholder(/Sign-in was canceled/).waitFor({ timeout: timeoutMs });
      await window.pictures('add-browser-cancelled');
      const notes = window.page.locator('.notifications-center .notification-list-item');
      assert.equal(await notes.filter({ hasText: 'cancelled' }).count(), 0);
      await window.pick('Enter username and password');
      await window.answer(/Username/, server.username);
      await window.answer(/Enter your password/, server.password);
      await connected();
      await page.close();
    });

    it('tells when nobody has agreed for too long, and lets it be started again', async () => {
      await start();
      await window.answer(/Enter the server address/, flow.url);
      const page = await browserPage();
      await until('a poll', timeoutMs, () => flow.polls >= 1);
      await window.run(() => {
        const now = performance.now.bind(performance);
        performance.now = () => now() + 21 * 60_000;
      });
      await window.quickInput.getByPlaceholder(/sign-in was not approved/).waitFor({ timeout: timeoutMs });
      await window.pictures('add-browser-late');
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
    await window.answer(/Enter the server address/, server.url);
    await asks(/Username/);
    await window.page.keyboard.press('Escape');
    await window.quickInput.waitFor({ state: 'hidden', timeout: timeoutMs });
    assert.equal((await accounts(window)).length, 1);
    assert.deepEqual(await lists(window), before);
  });
});
