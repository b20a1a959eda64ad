import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { howToInstall, isInstalled, startRadicale, startXandikos } from '../interop/support/servers';
import { Session } from './support/driver';
import { titles } from './support/engine';
import { Peer } from './support/peer';
import { until } from './support/wait';
import type { Window } from './support/window';

const timeoutMs = 60_000;

const servers = [
  { program: 'radicale', start: startRadicale, list: '/anna/errands/' },
  { program: 'xandikos', start: startXandikos, list: '/anna/calendars/errands/' },
];

async function addAccount(window: Window, url: string, username: string, password: string): Promise<void> {
  await window.choose('Dueline: Add CalDAV Account', 'Other CalDAV Server');
  await window.answer(/Enter the server address/, url);
  await window.answer(/Username/, username);
  await window.answer(/Enter your password/, password);
}

describe('an account in the window', () => {
  let session: Session;
  let window: Window;
  before(async () => {
    session = await Session.open({ theme: 'dark', size: { width: 1100, height: 1200 } });
    window = session.window;
    await window.view();
  });
  after(() => session?.close());
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window.shot(`failed-${this.currentTest.title.slice(0, 40)}`);
  });

  const open = (query: string) => titles(window, query);

  /** A click on a row that is just being redrawn goes nowhere: it is repeated, as a person would. */
  const tick = (title: string) =>
    until(`the completion of ${title}`, timeoutMs, async () => {
      await window.checkbox(title).click({ timeout: 5000 });
      return until('completion', 3000, async () => (await open(`is:done "${title}"`)).length === 1);
    });

  for (const { program, start, list } of servers)
    it(`syncs both ways with ${program}`, async () => {
      if (!isInstalled(program)) throw new Error(howToInstall(program));
      const server = await start();
      try {
        const peer = new Peer(server, list);
        await peer.makeList(`Errands ${program}`);
        await peer.put(`bread-${program}`, `SUMMARY:Buy bread ${program}`, 'X-SHELF:left');
        await addAccount(window, server.url, server.username, server.password);
        await until('the pulled task', timeoutMs, async () => (await open(`"Buy bread ${program}"`)).length === 1);
        await window.rows(`Errands ${program}`).first().locator('.monaco-tl-twistie').click();
        await tick(`Buy bread ${program}`);
        await window.palette('Dueline: Quick Add Task');
        await window.quickText.fill(`Post letter ${program} @"Errands ${program}"`);
        await window.page.keyboard.press('Enter');
        await until('the new task', timeoutMs, async () => (await open(`"Post letter ${program}"`)).length === 1);
        await window.palette('Dueline: Sync Now');
        const bread = await until('the completion on the server', timeoutMs, async () => {
          const text = await peer.get(`bread-${program}`);
          return text.includes('STATUS:COMPLETED') ? text : undefined;
        });
        assert.ok(bread.includes('X-SHELF:left'), bread);
        await until('the new task on the server', timeoutMs, () => peer.find(`SUMMARY:Post letter ${program}`));
        await peer.put(`milk-${program}`, `SUMMARY:Buy milk ${program}`);
        await window.palette('Dueline: Sync Now');
        await until(
          'the change on the server',
          timeoutMs,
          async () => (await open(`"Buy milk ${program}"`)).length === 1,
        );
        await window.picture(`account-${program}`);
      } finally {
        await server.stop();
      }
      const before = await open('show:done');
      await window.palette('Dueline: Sync Now');
      await window.notification(/could not be synced/);
      await window.picture(`account-${program}-gone`);
      await until('an error at every account', timeoutMs, () =>
        window.run(async vscode => {
          const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
          return api.accounts().every(({ lastSyncError }: { lastSyncError: string | null }) => lastSyncError !== null);
        }),
      );
      assert.deepEqual(await open('show:done'), before);
    });

  it('says what to do about a wrong password, an unreachable server and a server without CalDAV', async () => {
    const before = await open('show:done');
    const radicale = await startRadicale();
    const web = createServer((_, response) => response.writeHead(404).end('nothing here')).listen(0, '127.0.0.1');
    try {
      await addAccount(window, radicale.url, 'anna', 'wrong');
      await window.quickInput
        .getByText(/password/i)
        .first()
        .waitFor({ timeout: timeoutMs });
      await until('the password again', timeoutMs, () =>
        window.quickInput
          .getByText(/rejected the username or password/)
          .first()
          .isVisible(),
      );
      await window.picture('account-wrong-password');
      await window.page.keyboard.press('Escape');

      await addAccount(window, 'http://127.0.0.1:9/', 'anna', 'x');
      await until('the address again', timeoutMs, () =>
        window.quickInput
          .getByText(/127\.0\.0\.1:9/)
          .first()
          .isVisible(),
      );
      await window.picture('account-unreachable');
      await window.page.keyboard.press('Escape');

      await addAccount(window, `http://127.0.0.1:${(web.address() as AddressInfo).port}/`, 'anna', 'x');
      await until('the address again', timeoutMs, () =>
        window.quickInput
          .getByText(/CalDAV/)
          .nth(1)
          .isVisible(),
      );
      await window.picture('account-no-caldav');
      await window.page.keyboard.press('Escape');
    } finally {
      await radicale.stop();
      web.close();
    }
    assert.deepEqual(await open('show:done'), before);
  });
});
