import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Editor } from '../support/vscode/editor';
import { clear, isTrue } from './support/widgets';

describe('links from outside', () => {
  let editor: Editor;
  let uid: string;
  before(async () => {
    editor = await Editor.open({
      settings: { 'dueline.filters': [{ id: 'high', name: 'Important', query: '!high' }] },
    });
  });
  after(() => editor?.close());
  beforeEach(async () => {
    const { engine } = editor;
    await clear(editor);
    const list = engine.lists()[0]!.id;
    await engine.createTask(list, { title: 'Other' });
    uid = engine.task(await engine.createTask(list, { title: 'Linked', priority: 1 }))!.uid;
  });
  afterEach(async function () {
    await editor.tidy(this.currentTest);
    await editor.command('workbench.action.closeAllEditors');
    await editor.command('dueline.filter.clear');
  });

  /** The editor hands a link over like this, once the user has agreed. */
  const follow = (path: string) => void editor.handleUri!(editor.api.Uri.parse(`vscode://dueline.dueline${path}`));
  const open = () => editor.engine.query('is:open').map(({ task }) => task.title);

  it('add: fills in the line, and adds nothing before the user does', async () => {
    follow('/add?title=Buy%20milk%20%23shop');
    await editor.questions.row('#shop');
    assert.equal(editor.questions.current!.value, 'Buy milk #shop');
    editor.questions.escape();
    assert.equal(open().length, 2);
  });

  it('add: takes the text as it is, with all signs that mean something in an address', async () => {
    const text = 'Compare C++ & R&D = 100% of #plan';
    follow(`/add?title=${encodeURIComponent(text)}`);
    await editor.questions.row('#plan');
    assert.equal(editor.questions.current!.value, text);
    editor.questions.escape();
  });

  it('task: opens a task whose UID has such signs, by the link that was copied', async () => {
    const { engine } = editor;
    const entry = { uid: 'a+b&c=d%41@example.com', title: 'From elsewhere' };
    await engine.importTasks('json', JSON.stringify([entry]), engine.lists()[0]!.id);
    follow(`/task?uid=${encodeURIComponent(entry.uid)}`);
    await editor.changes.until('its tab', () => editor.tabs.titles.join() === 'From elsewhere');
  });

  it('task: opens the task of that uid', async () => {
    follow(`/task?uid=${encodeURIComponent(uid)}`);
    await editor.changes.until('its tab', () => editor.tabs.titles.join() === 'Linked');
  });

  it('filter: narrows the Lists view', async () => {
    follow('/filter?id=high');
    const tree = editor.tree();
    await editor.changes.until('the filter', () =>
      /Filtered: .?!high/.test([tree.description, tree.message, ...tree.rows.map(({ label }) => label)].join('\n')),
    );
  });

  it('today: shows it', async () => {
    follow('/today');
    const page = await editor.frame('body.as-sidebar dueline-widget');
    assert.match((await page.locator('body').getAttribute('data-boot')) ?? '', /"kind":"today"/);
    await isTrue(page, 'document.hasFocus()');
  });

  it('from a file: asks for the task to link, whichever row is selected in a tree', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dueline-links-'));
    const path = join(folder, 'source.txt');
    writeFileSync(path, 'source');
    await editor.tree().expand('Inbox');
    await editor.tree().click('Other');
    await editor.changes.until('its tab', () => editor.tabs.titles.includes('Other'));
    await editor.api.window.showTextDocument(editor.api.Uri.file(path));
    editor.palette('Dueline: Link Task to This Line');
    await editor.questions.pick('Linked');
    const links = () =>
      editor.engine
        .query('is:open')
        .filter(({ task }) => /X-DUELINE-ANCHOR.*LINE=1/.test(task.unknownProperties ?? ''))
        .map(({ task }) => task.title);
    await editor.changes.until('the link', () => links().length > 0);
    assert.deepEqual(links(), ['Linked']);
    rmSync(folder, { recursive: true, force: true });
  });

  it('report a target that does not exist, and change nothing', async () => {
    follow('/task?uid=nowhere');
    await editor.notices.notification('The task in this link was not found.');
    const before = open();
    follow('/delete?uid=all');
    await editor.changes.until('a note of it', () => editor.logs.some(line => line.includes('/delete')));
    assert.deepEqual(open(), before);
    assert.equal(before.length, 2);
  });
});
