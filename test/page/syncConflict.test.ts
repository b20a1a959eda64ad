import assert from 'node:assert/strict';
import { Peer } from '../interop/support/peer';
import { type Server, startRadicale } from '../interop/support/servers';
import { Editor } from '../support/vscode/editor';
import { axeInThemes } from './support/axe';
import { connect, empty, finds } from './support/home';

describe('a conflict that the user wants to be asked about', () => {
  let server: Server;
  let editor: Editor;
  let peer: Peer;
  before(async () => {
    server = await startRadicale();
    peer = new Peer(server, '/anna/errands/');
    editor = await Editor.open({
      size: { width: 1200, height: 1100 },
      settings: { 'dueline.sync.enabled': false, 'dueline.sync.conflictPolicy': 'ask' },
    });
  });
  after(async () => {
    await editor?.close();
    await server?.stop();
  });
  beforeEach(async () => {
    await empty(editor);
    await peer.clear();
    await peer.makeList('Errands');
    await editor.resize(1200, 1100);
    await editor.theme('dark');
    editor.settings.update('dueline.display.language', undefined);
    // A conflict that waits since the test before is older.
    editor.clock.time += 60_000;
  });
  afterEach(async function () {
    await editor.tidy(this.currentTest);
    await editor.command('workbench.action.closeAllEditors');
  });

  /** Edits these tasks on both sides, and syncs. */
  const collide = async (...uids: string[]) => {
    const { engine } = editor;
    for (const uid of uids) await peer.put(uid, `SUMMARY:${uid} there`);
    for (const { task } of engine.query('list:Errands'))
      if (uids.includes(task.uid)) await engine.updateTask(task.id, { title: `${task.uid} here` });
    await editor.palette('Dueline: Sync Now');
  };

  it('asks in a notification, and does what is chosen', async () => {
    for (const uid of ['bread', 'milk', 'salt']) await peer.put(uid, `SUMMARY:${uid}`);
    await connect(editor, server, 'Home server');
    const filters = editor.tree('dueline.filters');
    await filters.row(/^Overdue/);
    assert.equal(filters.find('Conflicts'), undefined, 'hidden while there are none');
    await collide('bread');
    await editor.notices.notification(/bread there.*Edited here and on the server: title.*Which version do you want/);
    await editor.notices.press(/Which version do you want/, 'Use My Version');
    await finds(editor, '"bread here"');
    await collide('milk', 'salt');
    await editor.notices.press(/2 tasks were changed here and on the server/, 'Review…');
    await editor.questions.row('milk there');
    editor.questions.escape();
    await filters.expand('Conflicts');
    for (const title of ['milk there', 'salt there']) await filters.row(title);
    await filters.collapse('Conflicts');
  });

  it('shows both versions field by field, and applies the choices as one edit', async () => {
    const { engine } = editor;
    await peer.put('bread', 'SUMMARY:Bread', 'DESCRIPTION:Corner shop', 'PRIORITY:9');
    await connect(editor, server, 'Home server');
    await peer.put('bread', 'SUMMARY:White bread', 'DESCRIPTION:Open until six', 'PRIORITY:5');
    const edited = () => engine.query('list:Errands')[0]!.task;
    await engine.updateTask(edited().id, { title: 'Rye bread', description: 'Baker next door', priority: 1 });
    await editor.palette('Dueline: Sync Now');
    await editor.notices.press(/Which version do you want/, 'Compare');
    const page = await editor.frame('form', 'Your version was not sent');
    for (const value of ['White bread', 'Rye bread', 'medium priority', 'high priority', 'Baker next door'])
      await page.getByText(value).first().waitFor();
    assert.deepEqual(await axeInThemes(editor, page), []);
    const field = (name: string) => page.getByRole('group', { name, exact: true });
    assert.equal(await field('Title').getByLabel('Both').count(), 0);
    await editor.resize(1200, 760);
    await field('Title').getByLabel('Mine').check();
    await field('Notes').getByLabel('Both').check();
    await page.getByRole('button', { name: 'Apply' }).click();
    await editor.changes.until('what was chosen', () => edited().title === 'Rye bread');
    const { description, priority } = edited();
    assert.deepEqual({ description, priority }, { description: 'Open until six\n\nBaker next door', priority: 5 });
    await editor.tabs.gone('Conflict: ');
    await editor.command('dueline.undo');
    await editor.changes.until('the server’s version', () => edited().description === 'Open until six');
    assert.equal(edited().title, 'White bread');
  });

  it('is resolved by keyboard, from right to left, too', async () => {
    await peer.put('milk', 'SUMMARY:milk');
    await connect(editor, server, 'Home server');
    editor.settings.update('dueline.display.language', 'ar');
    await collide('milk');
    await editor.notices.press(/أيّ نسخة تريد/, '\u2067مقارنة\u2069');
    const page = await editor.frame('html[dir=rtl] form');
    await page.locator('#field0-server:focus').waitFor();
    await editor.page.keyboard.press('ArrowUp');
    await editor.page.keyboard.press('Enter');
    await finds(editor, '"milk here"');
  });
});
