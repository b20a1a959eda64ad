import assert from 'node:assert/strict';
import { packageOnce } from '../../scripts/package/once.mjs';
import { FaultProxy } from '../interop/support/faultProxy';
import type { Server } from '../interop/support/servers';
import { readOnlyAt } from './support/edges';
import { lists, titles } from './support/engine';
import { type Home, openHome } from './support/home';
import { Peer } from './support/peer';
import { until } from './support/wait';
import type { Window } from './support/window';

const timeoutMs = 60_000;

describe('a list on a server', () => {
  let home: Home<FaultProxy>;
  let server: Server;
  let proxy: FaultProxy;
  let peer: Peer;
  let window: Window;
  before(async () => {
    home = await openHome({
      front: async server => {
        const proxy = await FaultProxy.start(server.url);
        proxy.next = asShared;
        return proxy;
      },
      fill: async (peer, server) => {
        await peer.makeList('Errands');
        await peer.put('bread', 'SUMMARY:Buy bread');
        await peer.put('milk', 'SUMMARY:Buy milk');
        const shared = new Peer(server, '/anna/shared/');
        await shared.makeList('Family');
        await shared.put('trip', 'SUMMARY:Plan the trip');
      },
      vsix: [await packageOnce('full')], // the oldest editor asks no questions of a window under development
    });
    ({ server, front: proxy, peer, window } = home);
  });
  after(() => home?.close());
  afterEach(function () {
    return window.tidy(this.currentTest);
  });

  const asShared: FaultProxy['next'] = method => (method === 'PROPFIND' ? readOnlyAt('/anna/shared/') : undefined);
  const dialog = () => window.page.locator('.monaco-dialog-box');
  const found = async (name: string) => (await lists(window)).find(list => list.name === name);
  const onServer = (words: RegExp) =>
    until(`${words} on the server`, timeoutMs, async () => words.test(await peer.home()));
  /** What a row's menu offers. */
  const menuOf = async (row: string) => {
    await window.rows(row).first().click({ button: 'right' });
    const menu = window.page.locator('.monaco-menu-container .monaco-menu').last();
    await menu.getByRole('menuitem').first().waitFor({ timeout: timeoutMs });
    const names = await menu.locator('.action-label:not(.separator)').allTextContents();
    await window.page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached', timeout: timeoutMs });
    return names.filter(name => name !== '');
  };
  const expand = async (name: string) => {
    const row = window.rows(name).first();
    if ((await row.getAttribute('aria-expanded')) === 'false') await row.locator('.monaco-tl-twistie').click();
  };

  it('is made there, and gets its name and color there', async () => {
    await window.palette('Dueline: New List');
    await window.answer('List name', 'Hardware');
    await window.pick('Home server', /Select where to store the list/);
    await window.palette('Dueline: Sync Now');
    await onServer(/>Hardware</);
    await window.context('Hardware', 'Rename List…');
    await window.answer('List name', 'Tools');
    await window.rows('Tools').first().waitFor({ timeout: timeoutMs });
    await window.context('Tools', 'Set List Color…');
    await window.pick('Pink');
    await window.palette('Dueline: Sync Now');
    await onServer(/>Tools</);
    await onServer(/#db2777/i);
    assert.equal((await found('Tools'))!.isDirty, false);
    await window.pictures('lists-synced');
  });

  it('is deleted there after saying where, and how many tasks go with it', async () => {
    const id = (await found('Tools'))!.id;
    await window.run(async (vscode, id) => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      for (const title of ['Hammer', 'Saw', 'Glue']) await api.createTask(id, { title });
      await api.sync();
    }, id);
    await window.context('Tools', 'Delete List…');
    await until('the question', timeoutMs, async () => /Tools/.test((await dialog().textContent()) ?? ''));
    const question = (await dialog().textContent()) ?? '';
    assert.match(question, /It contains 3 tasks\./);
    assert.match(question, /also deleted on the server of .Home server./);
    await window.pictures('list-delete');
    await dialog().getByRole('button', { name: 'Delete List' }).click();
    await until('the list to be gone', timeoutMs, async () => (await found('Tools')) === undefined);
    assert.doesNotMatch(await peer.home(), />Tools</);
  });

  it('can be left alone or hidden where the server does not delete it', async () => {
    proxy.next = method => (method === 'DELETE' ? async ({ reply }) => reply({ status: 405 }) : undefined);
    await window.context('Errands', 'Delete List…');
    await dialog().getByRole('button', { name: 'Delete List' }).click();
    const offer = await window.notification(/The list .Errands. was not deleted/);
    await offer.getByRole('button', { name: 'Stop Syncing' }).waitFor({ timeout: timeoutMs });
    await window.pictures('list-delete-refused');
    await window.press(/The list .Errands. was not deleted/, 'Stop Syncing');
    await window.rows('Errands').filter({ hasText: 'not synced' }).first().waitFor({ timeout: timeoutMs });
    proxy.next = asShared;
    await window.context('Errands', 'Stop or Resume Syncing This List');
    await window
      .rows('Errands')
      .filter({ hasText: 'not synced' })
      .first()
      .waitFor({ state: 'detached', timeout: timeoutMs });
    assert.deepEqual((await titles(window, '@Errands')).sort(), ['Buy bread', 'Buy milk']);
  });

  it('is hidden and shown again, and stays in sync meanwhile', async () => {
    await window.context('Errands', 'Hide or Show List');
    await window.rows('Errands').first().waitFor({ state: 'detached', timeout: timeoutMs });
    await peer.put('eggs', 'SUMMARY:Buy eggs');
    await window.palette('Dueline: Sync Now');
    await until('the new task', timeoutMs, () =>
      window.run(async vscode => {
        const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
        const list = api.lists().find((one: { name: string }) => one.name === 'Errands');
        return api.rows(list.id).length === 3;
      }),
    );
    await window.choose('Dueline: Hide or Show List', 'Errands');
    await window.rows('Errands').first().waitFor({ timeout: timeoutMs });
  });

  it('is moved from this computer into the account, and from the account back', async () => {
    await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      const list = await api.createList({ name: 'Books' });
      await api.createTask(list, { title: 'Read Proust' });
    });
    await window.rows('Books').first().waitFor({ timeout: timeoutMs });
    await window.chooseFor('Books', 'Move List to Account…', 'Home server');
    await onServer(/>Books</);
    await until('its task there', timeoutMs, async () => {
      const books = await found('Books');
      return (
        books?.href != null && new Peer(server, new URL(books.href, server.url).pathname).find('SUMMARY:Read Proust')
      );
    });
    await window.chooseFor('Books', 'Move List to Account…', 'On this computer only');
    await window.notification(/The tasks in .Books. were moved/);
    await window.pictures('list-moved-back');
    const local = await until('the local list', timeoutMs, async () =>
      (await lists(window)).find(({ name, accountId }) => name === 'Books' && accountId === null),
    );
    const held = await window.run(async (vscode, id) => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      return api.rows(id).map(({ title }: { title: string }) => title) as string[];
    }, local.id);
    assert.deepEqual(held, ['Read Proust']);
  });

  it('is shown as read-only where it is someone else’s, and refuses edits in words', async () => {
    const row = window.rows('Family').filter({ hasText: 'read-only' }).first();
    await row.waitFor({ timeout: timeoutMs });
    assert.match((await row.getAttribute('aria-label')) ?? '', /read-only/);
    await expand('Family');
    await window.rows('Plan the trip').first().waitFor({ timeout: timeoutMs });
    await window.rows('Plan the trip').first().hover();
    assert.equal(await window.rows('Plan the trip').first().getByRole('button', { name: 'Postpone' }).count(), 0);
    assert.deepEqual(await menuOf('Plan the trip'), ['Open Task', 'Copy and Link']);
    await window.checkbox('Plan the trip').click();
    await window.notification(/do not have permission to edit .Family./);
    await window.pictures('read-only-refused');
    assert.deepEqual(await titles(window, 'is:done "Plan the trip"'), []);
    await window.command('notifications.clearAll');
    const offered = await menuOf('Family');
    assert.ok(offered.includes('Hide or Show List'), offered.join());
    assert.ok(!offered.includes('Rename List…'), offered.join());
    await window.context('Family', 'Delete List…');
    await window.press(/belongs to someone else/, 'Hide List');
    await window.rows('Family').first().waitFor({ state: 'detached', timeout: timeoutMs });
    assert.ok((await peer.home()).includes('>Family<'));
  });
});
