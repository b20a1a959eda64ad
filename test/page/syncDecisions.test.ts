import assert from 'node:assert/strict';
import { FaultProxy, faults } from '../interop/support/faultProxy';
import { Peer } from '../interop/support/peer';
import type { Editor } from '../support/vscode/editor';
import { accountState, finds, Home, listNamed, shownText, titles } from './support/home';

describe('decisions of sync', () => {
  let home: Home<FaultProxy>;
  let editor: Editor;
  let proxy: FaultProxy;
  let peer: Peer;
  before(async () => {
    home = await Home.open({
      front: server => FaultProxy.start(server.url),
      settings: { 'dueline.sync.onSave': false },
    });
    ({ editor, front: proxy, peer } = home);
  });
  after(() => home?.close());
  beforeEach(async () => {
    proxy.next = () => undefined;
    await home.empty(() =>
      peer.putAll('Errands', [
        ['UID:bread', 'SUMMARY:Buy bread', 'DESCRIPTION:At the corner.', 'X-SHELF:left'],
        ...Array.from({ length: 6 }, (_, at) => [`UID:more-${at}`, `SUMMARY:Other ${at}`]),
      ]),
    );
    await home.connect();
    await editor.tree().expand('Errands');
  });
  afterEach(async function () {
    await editor.tidy(this.currentTest);
    await editor.command('workbench.action.closeAllEditors');
  });

  const syncNow = () => editor.palette('Dueline: Sync Now');
  const named = (title: string) => editor.engine.query(`show:done "${title}"`)[0]!.task;
  const update = (title: string, patch: object) => editor.engine.updateTask(named(title).id, patch);
  /** Another program edits it like this. */
  const elsewhere = async (title: string, from: string, to: string) => {
    const name = named(title)
      .href!.split('/')
      .at(-1)!
      .replace(/\.ics$/, '');
    await peer.edit(name, from, to);
  };

  it('show the server’s copy of a task, and its last known copy if the server cannot be reached', async () => {
    await editor.context('Buy bread', 'Copy and Link › View Server Version');
    await shownText(editor, 'SUMMARY:Buy bread');
    await shownText(editor, 'X-SHELF:left');
    await editor.command('workbench.action.closeAllEditors');
    proxy.next = () => async exchange => exchange.cut();
    await editor.context('Buy bread', 'Copy and Link › View Server Version');
    await shownText(editor, 'The server cannot be reached. Last known version:');
    await shownText(editor, 'SUMMARY:Buy bread');
  });

  it('list pending changes by kind, with the server’s message, and open them as they will be sent', async () => {
    const { engine, notices, questions } = editor;
    await update('Buy bread', { title: 'Buy rye bread' });
    await engine.createTask(listNamed(editor, 'Errands')!.id, { title: 'Post the letter' });
    await engine.deleteTask(named('Other 5').id);
    proxy.next = method => (method === 'PUT' ? async ({ reply }) => reply({ status: 400, text: 'no' }) : undefined);
    await syncNow();
    await notices.press(/The server rejected 2 tasks/, 'Show Pending Changes');
    await questions.row(/Buy rye bread.*changed/s);
    await questions.row(/Post the letter.*new/s);
    await questions.pick('Buy rye bread');
    await editor.tabs.titled('Server ↔ Pending Change');
    await shownText(editor, 'SUMMARY:Buy rye bread');
    proxy.next = () => undefined;
    await update('Buy rye bread', { priority: 5 });
    await update('Post the letter', { priority: 5 });
    await syncNow();
    assert.ok(await peer.find('SUMMARY:Buy rye bread'));
    assert.deepEqual(titles(editor, 'is:dirty'), []);
  });

  for (const [button, title, kept] of [
    ['Use My Version', 'Other 1', ['mine']],
    ['Use Server Version', 'Other 2', ['theirs']],
    ['Keep Both', 'Other 3', ['mine', 'theirs']],
  ] as const)
    it(`ask about an edit that conflicts with another one: ${button}`, async () => {
      await update(title, { title: `${title} mine` });
      await elsewhere(title, `SUMMARY:${title}`, `SUMMARY:${title} theirs`);
      await syncNow();
      await editor.notices.press(/changed here and on the server/, 'Show Conflicts');
      await editor.questions.row(new RegExp(`${title} theirs.*Edited here and on the server: title`, 's'));
      await editor.questions.pick(`${title} theirs`);
      await (await editor.frame('form', title)).getByRole('button', { name: 'Compare as Text' }).click();
      await editor.tabs.titled('Yours');
      await shownText(editor, `SUMMARY:${title} mine`);
      await shownText(editor, `SUMMARY:${title} theirs`);
      await editor.editorButton(button);
      await editor.tabs.gone('Yours');
      const left = () => titles(editor, `"${title}"`).map(one => one.replace(`${title} `, ''));
      await editor.changes.until('the decision', () => left().sort().join() === [...kept].sort().join());
      await syncNow();
      for (const side of kept) assert.ok(await peer.find(`SUMMARY:${title} ${side}`));
      await editor.command('notifications.clearAll');
      editor.palette('Dueline: Show Conflicts');
      await editor.notices.notification(/No conflicts/);
    });

  it('ask before a list is suddenly emptied (17)', async () => {
    const before = titles(editor, '@Errands').sort();
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
    await syncNow();
    const gone = /tasks of this list are gone from the server/;
    const { message } = await editor.notices.notification(gone);
    assert.match(message, /tasks of this list are gone from the server\. Nothing was deleted here/);
    assert.deepEqual(titles(editor, '@Errands').sort(), before);
    await editor.notices.press(gone, 'Review…');
    await editor.questions.pick('Errands');
    await editor.questions.row('Check the server again');
    await editor.questions.row('They are moved to the trash');
    proxy.next = () => undefined;
    await editor.questions.pick('Check the server again');
    await finds(editor, '"Something new"');
    assert.equal(titles(editor, '@Errands').length, before.length + 1);
    await editor.changes.until('an end without an error', () => accountState(editor).error === null);
  });

  it('keep a list that is gone from its server, and report it (16)', async () => {
    const garden = new Peer(home.server, '/anna/garden/');
    await garden.makeList('Garden');
    await garden.put('rose', 'SUMMARY:Cut the roses');
    await syncNow();
    assert.equal(titles(editor, '"Cut the roses"').length, 1);
    await garden.send('DELETE', '');
    await syncNow();
    await editor.notices.notification(/The list .Garden. no longer exists on its server/);
    assert.equal(listNamed(editor, 'Garden')!.accountId, null);
    assert.deepEqual(titles(editor, '"Cut the roses"'), ['Cut the roses']);
    await editor.notices.press(/The list .Garden. no longer exists on its server/, 'Upload Again…');
    await editor.questions.pick('Home server', /Select where to store the list/);
    await editor.changes.until('the list on the server', () => listNamed(editor, 'Garden')?.href != null);
    assert.match(await peer.home(), />Garden</);
  });

  it('are in a readable log, without a title or a secret', async () => {
    const { server } = home;
    await update('Buy bread', { title: 'Buy rye bread' });
    await syncNow();
    editor.palette('Dueline: Show Sync Log');
    await editor.changes.until('the log', () => editor.opened.includes('log:Dueline Sync'));
    // The editor's log leaves out the lines for finding faults.
    const text = editor.logs.filter(line => !/^(trace|debug) /.test(line)).join('\n');
    assert.match(text, /Account \d+: \d+ requests, \d+ received, \d+ sent/);
    const login = Buffer.from(`${server.username}:${server.password}`).toString('base64');
    const secrets = [server.password, login, 'Authorization'];
    const words = ['bread', 'Other', 'letter', 'roses', 'corner', 'Something new', 'Errands', 'Garden'];
    for (const word of [...secrets, ...words]) assert.ok(!text.includes(word), `“${word}” is in the log`);
  });
});

const badToken = '<?xml version="1.0"?><error xmlns="DAV:"><valid-sync-token/></error>';
