import assert from 'node:assert/strict';
import { FaultProxy } from '../interop/support/faultProxy';
import { Peer } from '../interop/support/peer';
import type { Editor } from '../support/vscode/editor';
import { readOnlyAt } from './support/edges';
import { Home, listNamed, titles } from './support/home';

describe('a list on a server', () => {
  let home: Home<FaultProxy>;
  let editor: Editor;
  let proxy: FaultProxy;
  let peer: Peer;
  before(async () => {
    home = await Home.open({ front: server => FaultProxy.start(server.url) });
    ({ editor, front: proxy, peer } = home);
  });
  after(() => home?.close());
  beforeEach(async () => {
    proxy.next = asShared;
    await home.empty(async () => {
      await peer.makeList('Errands');
      await peer.put('bread', 'SUMMARY:Buy bread');
      await peer.put('milk', 'SUMMARY:Buy milk');
      const shared = new Peer(home.server, '/anna/shared/');
      await shared.makeList('Family');
      await shared.put('trip', 'SUMMARY:Plan the trip');
    });
    await home.connect();
  });
  afterEach(function () {
    return editor.tidy(this.currentTest);
  });

  const asShared: FaultProxy['next'] = method => (method === 'PROPFIND' ? readOnlyAt('/anna/shared/') : undefined);
  const tree = () => editor.tree();
  const syncNow = () => editor.palette('Dueline: Sync Now');
  /** Makes a list in the account, with tasks, and syncs. */
  const makeList = async (name: string, ...tasks: string[]) => {
    const { engine } = editor;
    const id = await engine.createList({ name, accountId: engine.accounts()[0]!.id });
    for (const title of tasks) await engine.createTask(id, { title });
    await engine.sync();
    return id;
  };

  it('is created there, and gets its name and color there', async () => {
    editor.palette('Dueline: New List…');
    await editor.questions.answer('List name', 'Hardware');
    await editor.questions.row('Home server');
    assert.match(editor.questions.picks()[0]!.label, /Home server/);
    await editor.questions.pick('Home server', /Select where to store the list/);
    await tree().row('Hardware');
    await syncNow();
    assert.match(await peer.home(), />Hardware</);
    await editor.context('Hardware', 'Rename List…');
    await editor.questions.answer('List name', 'Tools');
    await tree().row('Tools');
    await editor.context('Tools', 'Set List Color…');
    await editor.questions.pick('Pink');
    await editor.changes.until('the color', () => listNamed(editor, 'Tools')!.color === (0xffdb2777 | 0));
    await syncNow();
    assert.match(await peer.home(), />Tools</);
    assert.match(await peer.home(), /#db2777/i);
    assert.equal(listNamed(editor, 'Tools')!.isDirty, false);
  });

  it('is deleted there after a question that names the server and the number of tasks', async () => {
    await makeList('Tools', 'Hammer', 'Saw', 'Glue');
    assert.match(await peer.home(), />Tools</);
    await editor.context('Tools', 'Delete List…');
    const { message, detail, close } = await editor.notices.dialog();
    assert.match(message, /Tools/);
    assert.match(detail!, /It contains 3 tasks\./);
    assert.match(detail!, /also deleted on the server of .Home server./);
    close('Delete List');
    await editor.changes.until('the list to be gone', () => listNamed(editor, 'Tools') === undefined);
    assert.doesNotMatch(await peer.home(), />Tools</);
  });

  it('can be ignored or hidden if the server does not delete it', async () => {
    proxy.next = method => (method === 'DELETE' ? async ({ reply }) => reply({ status: 405 }) : undefined);
    await editor.context('Errands', 'Delete List…');
    (await editor.notices.dialog()).close('Delete List');
    await editor.notices.press(/The list .Errands. was not deleted/, 'Stop Syncing');
    await tree().row(/Errands.*not synced/);
    proxy.next = asShared;
    await editor.context('Errands', 'Resume Syncing This List');
    await tree().gone(/Errands.*not synced/);
    assert.deepEqual(titles(editor, '@Errands').sort(), ['Buy bread', 'Buy milk']);
  });

  it('is hidden and shown again, and stays in sync meanwhile', async () => {
    await editor.context('Errands', 'Hide List');
    await tree().gone('Errands');
    await peer.put('eggs', 'SUMMARY:Buy eggs');
    await syncNow();
    assert.equal(editor.engine.rows(listNamed(editor, 'Errands')!.id).length, 3);
    editor.palette('Dueline: Show or Hide Lists…');
    const { description } = await editor.questions.row('Errands');
    assert.match(description!, /Home server/);
    await editor.questions.pickMany('Errands', 'Family');
    await tree().row('Errands');
    await tree().gone('Family');
    await editor.command('dueline.undo');
    await tree().row('Family');
    await tree().gone('Errands');
  });

  it('is moved from this computer into the account, and from the account back', async () => {
    const { engine, questions } = editor;
    await engine.createTask(await engine.createList({ name: 'Books' }), { title: 'Read Proust' });
    const move = async (to: string) => {
      await editor.context('Books', 'Move List to Account…');
      await questions.pick(to);
    };
    await move('Home server');
    const isThere = () => listNamed(editor, 'Books')?.href != null && titles(editor, 'is:dirty').length === 0;
    await editor.changes.until('the list on the server', isThere);
    assert.match(await peer.home(), />Books</);
    const { href } = listNamed(editor, 'Books')!;
    const { server } = home;
    assert.ok(await new Peer(server, new URL(href!, server.url).pathname).find('SUMMARY:Read Proust'));
    await move('On this computer only');
    await editor.notices.notification(/The tasks in .Books. were moved/);
    const local = engine.lists().find(({ name, accountId }) => name === 'Books' && accountId === null)!;
    assert.deepEqual(
      engine.rows(local.id).map(({ title }) => title),
      ['Read Proust'],
    );
  });

  it('is shown as read-only if it is someone else’s, and refuses edits with a message', async () => {
    const { item } = await tree().row(/Family.*read-only/);
    assert.match(item.accessibilityInformation!.label, /read-only/);
    await tree().expand('Family');
    const task = await tree().row('Plan the trip');
    const place = { view: 'dueline.lists', viewItem: task.item.contextValue };
    const named = (one: { title: string }) => one.title;
    assert.ok(!editor.commands.menu('view/item/context', place, 'inline').map(named).includes('Postpone'));
    assert.deepEqual(editor.commands.menu('view/item/context', place).map(named), ['Open Task', 'Copy and Link']);
    await tree().tick('Plan the trip');
    await editor.notices.notification(/do not have permission to edit .Family./);
    assert.deepEqual(titles(editor, 'is:done "Plan the trip"'), []);
    editor.notices.clear();
    const { contextValue } = (await tree().row('Family')).item;
    const offered = editor.commands
      .menu('view/item/context', { view: 'dueline.lists', viewItem: contextValue })
      .map(named);
    assert.ok(offered.includes('Hide List'), offered.join());
    assert.ok(!offered.includes('Rename List…'), offered.join());
    await editor.context('Family', 'Delete List…');
    await editor.notices.press(/belongs to someone else/, 'Hide List');
    await tree().gone('Family');
    assert.match(await peer.home(), />Family</);
  });
});
