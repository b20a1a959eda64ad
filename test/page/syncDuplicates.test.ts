import assert from 'node:assert/strict';
import { Peer } from '../interop/support/peer';
import { type Server, startRadicale } from '../interop/support/servers';
import { Editor } from '../support/vscode/editor';
import { connect, empty, finds, listNamed, shownText, titles } from './support/home';

describe('a task that is in two lists after a move', () => {
  let server: Server;
  let editor: Editor;
  let errands: Peer;
  before(async () => {
    server = await startRadicale();
    editor = await Editor.open({ settings: { 'dueline.sync.enabled': false } });
    errands = new Peer(server, '/anna/errands/');
  });
  beforeEach(async () => {
    await empty(editor);
    await errands.clear();
    await errands.makeList('Errands');
    await new Peer(server, '/anna/later/').makeList('Later');
    await connect(editor, server, 'Home server');
  });
  afterEach(async function () {
    await editor.tidy(this.currentTest);
    await editor.command('workbench.action.closeAllEditors');
  });
  after(async () => {
    await editor?.close();
    await server?.stop();
  });

  const rows = (words: string) => editor.tree().rows.filter(({ label }) => label.includes(words));
  const notes = () => rows('1 possible duplicate');

  /** The task is moved to Later, and someone puts it into Errands again; so it stays for an hour. */
  const makeTwo = async (uid: string) => {
    const { engine } = editor;
    await errands.put(uid, `SUMMARY:Buy ${uid}`);
    await engine.sync();
    const { task } = engine.query('list:Errands').find(row => row.task.uid === uid)!;
    await engine.moveTask(task.id, { listId: listNamed(editor, 'Later')!.id });
    await engine.sync();
    await errands.put(uid, `SUMMARY:Buy white ${uid}`);
    await engine.sync();
    editor.clock.time += 3_600_000;
    await engine.sync();
  };

  it('is shown under both lists and among the conflicts, and stays in the list that is chosen', async () => {
    await makeTwo('bread');
    for (const list of ['Errands', 'Later']) await editor.tree().expand(list);
    await editor.changes.until('a note in both lists', () => notes().length === 2);
    editor.tree().click('1 possible duplicate');
    await editor.questions.pick('Buy bread');
    await editor.questions.pick('Merge…');
    await editor.tabs.titled('↔');
    await shownText(editor, 'SUMMARY:Buy white bread');
    await editor.questions.pick(/^\W*Keep in \W*Errands/);
    await finds(editor, 'bread');
    assert.deepEqual(titles(editor, 'bread'), ['Buy white bread']);
    await editor.tree().gone('1 possible duplicate');
  });

  it('stays in both if both are kept, and is no longer shown as a conflict', async () => {
    await makeTwo('milk');
    await editor.tree().expand('Errands');
    editor.tree().click('1 possible duplicate');
    await editor.questions.pick('Buy milk');
    await editor.questions.pick('Keep Both');
    await editor.tree().gone('1 possible duplicate');
    assert.equal(titles(editor, 'milk').length, 2);
  });
});
