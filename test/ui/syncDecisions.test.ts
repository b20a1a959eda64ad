import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FaultProxy, faults } from '../interop/support/faultProxy';
import type { Server } from '../interop/support/servers';
import { accounts, lists, titles } from './support/engine';
import { type Home, openHome } from './support/home';
import { Peer } from './support/peer';
import { until } from './support/wait';
import type { Window } from './support/window';

const timeoutMs = 60_000;

describe('what sync decides and shows', () => {
  let home: Home<FaultProxy>;
  let server: Server;
  let proxy: FaultProxy;
  let peer: Peer;
  let window: Window;
  before(async () => {
    home = await openHome({
      front: server => FaultProxy.start(server.url),
      fill: peer =>
        peer.putAll('Errands', [
          ['UID:bread', 'SUMMARY:Buy bread', 'DESCRIPTION:At the corner.', 'X-SHELF:left'],
          ...Array.from({ length: 6 }, (_, at) => [`UID:more-${at}`, `SUMMARY:Other ${at}`]),
        ]),
      size: { width: 1200, height: 760 },
      settings: { 'dueline.sync.onSave': false },
    });
    ({ server, front: proxy, peer, window } = home);
    await expand('Errands');
  });
  after(() => home?.close());
  afterEach(async function () {
    await window.tidy(this.currentTest);
    await window.command('workbench.action.closeAllEditors');
  });

  const expand = async (name: string) => {
    const row = window.rows(name).first();
    await row.waitFor({ timeout: timeoutMs });
    if ((await row.getAttribute('aria-expanded')) === 'false') await row.locator('.monaco-tl-twistie').click();
  };
  const update = (title: string, patch: object) =>
    window.run(
      async (vscode, title, patch) => {
        const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
        const [found] = api.query(`show:done "${title}"`);
        await api.updateTask(found.task.id, patch);
      },
      title,
      patch,
    );
  const shown = (text: string) =>
    window.page.locator('.view-lines').getByText(text).first().waitFor({ timeout: timeoutMs });
  const hrefOf = (title: string) =>
    window.run(async (vscode, title) => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      return api.query(`"${title}"`)[0].task.href as string;
    }, title);
  /** As another program edits it. */
  const elsewhere = async (title: string, from: string, to: string) => {
    const name = (await hrefOf(title))
      .split('/')
      .at(-1)!
      .replace(/\.ics$/, '');
    await peer.edit(name, from, to);
  };

  it('shows the server’s copy of a task, and what it last had where it cannot be reached', async () => {
    await window.context('Buy bread', 'Copy and Link › View Server Version');
    await shown('SUMMARY:Buy bread');
    await shown('X-SHELF:left');
    await window.pictures('server-copy');
    await window.command('workbench.action.closeAllEditors');
    proxy.next = () => async exchange => exchange.cut();
    await window.context('Buy bread', 'Copy and Link › View Server Version');
    await shown('The server cannot be reached. Last known version:');
    await shown('SUMMARY:Buy bread');
    await window.pictures('server-copy-offline');
    proxy.next = () => undefined;
  });

  it('lists what waits by its kind, with what the server said to it, and opens it as it will be sent', async () => {
    await update('Buy bread', { title: 'Buy rye bread' });
    await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      const list = api.lists().find((one: { name: string }) => one.name === 'Errands');
      await api.createTask(list.id, { title: 'Post the letter' });
      await api.deleteTask(api.query('"Other 5"')[0].task.id);
    });
    proxy.next = method => (method === 'PUT' ? async ({ reply }) => reply({ status: 400, text: 'no' }) : undefined);
    await window.palette('Dueline: Sync Now');
    await window.press(/The server rejected 2 tasks/, 'Show Pending Changes');
    await window.picks('Buy rye bread').filter({ hasText: 'changed' }).first().waitFor({ timeout: timeoutMs });
    await window.picks('Post the letter').filter({ hasText: 'new' }).first().waitFor({ timeout: timeoutMs });
    await window.pictures('pending-changes-refused');
    await window.pick('Buy rye bread');
    await window.page.locator('.tab').filter({ hasText: 'Server ↔ Pending Change' }).waitFor({ timeout: timeoutMs });
    await shown('SUMMARY:Buy rye bread');
    await window.pictures('pending-changes-diff');
    proxy.next = () => undefined;
    await update('Buy rye bread', { priority: 5 });
    await update('Post the letter', { priority: 5 });
    await window.palette('Dueline: Sync Now');
    await until('the server to have it', timeoutMs, () => peer.find('SUMMARY:Buy rye bread'));
    await until('nothing to wait', timeoutMs, async () => (await titles(window, 'is:dirty')).length === 0);
  });

  for (const [button, title, kept] of [
    ['Use My Version', 'Other 1', ['mine']],
    ['Use Server Version', 'Other 2', ['theirs']],
    ['Keep Both', 'Other 3', ['mine', 'theirs']],
  ] as const)
    it(`asks about an edit that met another one: ${button}`, async () => {
      await update(title, { title: `${title} mine` });
      await elsewhere(title, `SUMMARY:${title}`, `SUMMARY:${title} theirs`);
      await window.palette('Dueline: Sync Now');
      await window.press(/changed here and on the server/, 'Show Conflicts');
      await window
        .picks(`${title} theirs`)
        .filter({ hasText: 'Edited here and on the server: title' })
        .first()
        .waitFor({ timeout: timeoutMs });
      await window.pick(`${title} theirs`);
      await (await window.frame('form', title)).getByRole('button', { name: 'Compare as Text' }).click();
      await window.page.locator('.tab').filter({ hasText: 'yours' }).waitFor({ timeout: timeoutMs });
      await shown(`SUMMARY:${title} mine`);
      await shown(`SUMMARY:${title} theirs`);
      if (button === 'Keep Both') await window.pictures('conflict-diff');
      await window.page.locator('.editor-actions').getByRole('button', { name: button }).first().click();
      await window.page.locator('.tab').filter({ hasText: 'yours' }).waitFor({ state: 'detached', timeout: timeoutMs });
      await until('the decision', timeoutMs, async () => {
        const found = (await titles(window, `"${title}"`)).map(one => one.replace(`${title} `, ''));
        return found.sort().join() === [...kept].sort().join();
      });
      await window.palette('Dueline: Sync Now');
      for (const side of kept)
        await until('the server to agree', timeoutMs, () => peer.find(`SUMMARY:${title} ${side}`));
      await window.command('notifications.clearAll');
      await window.palette('Dueline: Show Conflicts');
      await window.notification(/No conflicts/);
    });

  it('asks before it believes that a list is suddenly empty (17)', async () => {
    const before = (await titles(window, '@Errands')).sort();
    assert.ok(before.length >= 5, before.join());
    proxy.next = method =>
      method === 'REPORT' || method === 'PROPFIND'
        ? async exchange => {
            if (exchange.body.includes('sync-collection')) return exchange.reply({ status: 403, text: badToken });
            // The folder is asked about lists, the list about its tasks.
            if (exchange.path.endsWith('/errands/')) return faults['empty multistatus']!(exchange);
            exchange.reply(await exchange.forward());
          }
        : undefined;
    await peer.put('news', 'SUMMARY:Something new');
    await window.palette('Dueline: Sync Now');
    await window.notification(/tasks of this list are gone from the server\. Nothing was deleted here/);
    assert.deepEqual((await titles(window, '@Errands')).sort(), before);
    await window.pictures('emptied');
    await window.press(/tasks of this list are gone from the server/, 'Review…');
    await window.pick('Errands');
    await window.picks('Check the server again').first().waitFor({ timeout: timeoutMs });
    await window.picks('They are moved to the trash').first().waitFor({ timeout: timeoutMs });
    await window.pictures('emptied-question');
    proxy.next = () => undefined;
    await window.pick('Check the server again');
    await until('the new task', timeoutMs, async () => (await titles(window, '"Something new"')).length === 1);
    assert.equal((await titles(window, '@Errands')).length, before.length + 1);
    await until('an end without an error', timeoutMs, async () => (await accounts(window))[0]!.error === null);
  });

  it('keeps a list that is gone from its server, and says so (16)', async () => {
    const garden = new Peer(server, '/anna/garden/');
    await garden.makeList('Garden');
    await garden.put('rose', 'SUMMARY:Cut the roses');
    await window.palette('Dueline: Sync Now');
    await until('the list', timeoutMs, async () => (await titles(window, '"Cut the roses"')).length === 1);
    await garden.send('DELETE', '');
    await window.palette('Dueline: Sync Now');
    await window.notification(/The list .Garden. no longer exists on its server/);
    await window.pictures('list-gone');
    const kept = (await lists(window)).find(({ name }) => name === 'Garden')!;
    assert.equal(kept.accountId, null);
    assert.deepEqual(await titles(window, '"Cut the roses"'), ['Cut the roses']);
    await window.press(/The list .Garden. no longer exists on its server/, 'Upload Again…');
    await window.pick('Home server', /Select where to store the list/);
    await until('the list on the server', timeoutMs, async () => (await peer.home()).includes('>Garden<'));
  });

  it('keeps a log that a person can read, without a title or a secret in it', async () => {
    await window.palette('Dueline: Show Sync Log');
    await window.page
      .locator('.part.panel')
      .getByText(/Account\s\d+:\s\d+\srequests/)
      .first()
      .waitFor({ timeout: timeoutMs });
    await window.pictures('sync-log');
    const text = logsOf(join(home.session.server.data, 'user'));
    assert.match(text, /Account \d+: \d+ requests, \d+ received, \d+ sent/);
    const login = Buffer.from(`${server.username}:${server.password}`).toString('base64');
    const secrets = [server.password, login, 'Authorization'];
    const words = ['bread', 'Other', 'letter', 'roses', 'corner', 'Something new', 'Errands', 'Garden'];
    for (const word of [...secrets, ...words]) assert.ok(!text.includes(word), `“${word}” is in the log`);
  });
});

const badToken = '<?xml version="1.0"?><error xmlns="DAV:"><valid-sync-token/></error>';

/** Everything that Dueline logged, its sync among it. */
function logsOf(folder: string): string {
  const files = readdirSync(folder, { recursive: true }) as string[];
  const own = files.filter(file => /dueline\.dueline.*\.log$/.test(file));
  assert.ok(
    own.some(file => /Sync/.test(file)),
    files.filter(file => file.endsWith('.log')).join('\n'),
  );
  return own.map(file => readFileSync(join(folder, file), 'utf8')).join('\n');
}
