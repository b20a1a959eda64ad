import assert from 'node:assert/strict';
import { type Server, startRadicale } from '../interop/support/servers';
import { Session } from './support/driver';
import { empty, titles } from './support/engine';
import { until } from './support/wait';
import type { Window } from './support/window';

const timeoutMs = 60_000;

describe('sync', () => {
  let session: Session;
  before(async () => {
    session = await Session.open({ size: { width: 1200, height: 760 } });
    await session.window.view();
  });
  after(() => session?.close());

  for (const theme of ['light', 'dark'] as const)
    describe(`shows its hand (${theme})`, () => {
      let server: Server;
      let window: Window;
      before(async () => {
        server = await startRadicale();
        window = session.window;
        await window.theme(theme);
        await syncsAlone(false);
      });
      afterEach(function () {
        return window.tidy(this.currentTest);
      });
      after(async () => {
        await window.command('workbench.action.closeAllEditors');
        await empty(window);
        await server?.stop();
      });

      const syncsAlone = (value: boolean) =>
        window.run(async (vscode, value) => {
          await vscode.workspace.getConfiguration().update('dueline.sync.enabled', value, true);
        }, value);
      const login = () => `Basic ${Buffer.from(`${server.username}:${server.password}`).toString('base64')}`;
      const onServer = async (href: string) =>
        (await fetch(new URL(href, server.url), { headers: { authorization: login() } })).text();
      const replace = async (href: string, from: string, to: string) => {
        const text = await onServer(href);
        assert.ok(text.includes(from), text);
        const answer = await fetch(new URL(href, server.url), {
          method: 'PUT',
          headers: { authorization: login(), 'content-type': 'text/calendar; charset=utf-8' },
          body: text.replace(from, to),
        });
        assert.ok(answer.ok, String(answer.status));
      };

      it('keeps what gave way, compares both versions, and uses mine', async () => {
        const { url, username, password } = server;
        const href = await window.run(
          async (vscode, serverUrl, username, password) => {
            const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
            const accountId = await api.addAccount({ serverUrl, username, password, displayName: 'Home server' });
            const list = await api.createList({ name: 'Errands', accountId });
            const id = await api.createTask(list, { title: 'Buy bread', description: 'At the corner.' });
            await api.sync();
            await api.updateTask(id, { title: 'Buy rye bread', priority: 1 });
            return api.task(id).href as string;
          },
          url,
          username,
          password,
        );
        await replace(href, 'SUMMARY:Buy bread', 'SUMMARY:Buy white bread');
        await window.palette('Dueline: Sync Now');
        await until('the conflict', timeoutMs, async () => (await titles(window, 'is:conflicted')).length === 1);
        await window.rows('Errands').first().locator('.monaco-tl-twistie').click();
        await window.rows('Buy white bread').first().waitFor({ timeout: timeoutMs });
        await window.picture(`sync-conflict-row-${theme}`);
        await window.palette('Dueline: Show Conflicts');
        await window.picks('Buy white bread').first().waitFor({ timeout: timeoutMs });
        await window.picture(`sync-conflicts-${theme}`);
        await window.page.keyboard.press('Escape');
        await window.choose('Dueline: Show Conflicts', 'Buy white bread');
        const page = await window.frame('form', 'Your version was not sent');
        await page.getByLabel('Mine', { exact: false }).first().waitFor({ timeout: timeoutMs });
        await window.picture(`sync-conflict-page-${theme}`);
        await page.getByRole('button', { name: 'Compare as Text' }).click();
        const tab = window.page.locator('.tab').filter({ hasText: 'yours' });
        await tab.waitFor({ timeout: timeoutMs });
        await window.page.locator('.diffOverview, .monaco-diff-editor').first().waitFor({ timeout: timeoutMs });
        await window.page.getByText('SUMMARY:Buy rye bread').first().waitFor({ timeout: timeoutMs });
        await window.picture(`sync-conflict-diff-${theme}`);
        await window.page.locator('.editor-actions').getByRole('button', { name: 'Use My Version' }).first().click();
        await until('my title', timeoutMs, async () => (await titles(window, '"rye"')).length === 1);
        await tab.waitFor({ state: 'detached', timeout: timeoutMs });
        assert.deepEqual(await titles(window, 'is:conflicted'), []);
      });

      it('shows what waits to be sent, and how it will look', async () => {
        await window.run(async vscode => {
          const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
          const list = api.lists().find((one: { name: string }) => one.name === 'Errands');
          await api.createTask(list.id, { title: 'Post the letter' });
          await api.updateList(list.id, { color: 0xffdb2777 | 0 });
        });
        await window.palette('Dueline: Show Pending Changes');
        await window.picks('Post the letter').first().waitFor({ timeout: timeoutMs });
        await window.picture(`sync-pending-changes-${theme}`);
        await window.page.keyboard.press('Escape');
        await window.choose('Dueline: Show Pending Changes', 'Buy rye bread');
        await window.page
          .locator('.tab')
          .filter({ hasText: 'Server ↔ Pending Change' })
          .waitFor({ timeout: timeoutMs });
        await window.page.getByText('SUMMARY:Buy rye bread').first().waitFor({ timeout: timeoutMs });
        await window.picture(`sync-pending-changes-diff-${theme}`);
      });

      it('sends an edit by itself', async () => {
        await syncsAlone(true);
        await window.run(async vscode => {
          const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
          const [found] = api.query('"Post the letter"');
          await api.updateTask(found.task.id, { title: 'Post both letters' });
        });
        await until('nothing to wait', timeoutMs, async () => (await titles(window, 'is:dirty')).length === 0);
        await window.palette('Dueline: Show Pending Changes');
        await window.notification(/No pending changes/);
      });

      it('is red only where a person must act, and quiet while the server is away', async () => {
        await server.stop();
        await window.palette('Dueline: Sync Now');
        await window.notification(/could not be synced/);
        await window
          .rows('Home server')
          .filter({ hasText: 'waiting for the server' })
          .first()
          .waitFor({ timeout: timeoutMs });
        const item = window.page
          .locator('[id="dueline.dueline.dueline.today"], .statusbar-item')
          .filter({ has: window.page.locator('.codicon-checklist') })
          .first();
        assert.doesNotMatch((await item.getAttribute('class')) ?? '', /error/);
        await window.picture(`sync-offline-${theme}`);
      });
    });
});
