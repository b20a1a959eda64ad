import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Editor } from '../support/vscode/editor';
import { AFolder } from '../sync/support/folders';
import { todoText } from '../sync/support/texts';
import { connect, empty, titles } from './support/home';
import { rowsOf } from './support/widgets';

describe('a second file of a task, in the editor', () => {
  let editor: Editor;
  let folder: AFolder;
  before(async () => {
    editor = await Editor.open({ settings: { 'dueline.sync.intervalMinutes': 0, 'dueline.sync.onFocus': false } });
  });
  after(() => editor?.close());
  beforeEach(async () => {
    folder = new AFolder();
    folder.addList('errands');
    folder.put('errands/bread.ics', todoText('bread', 'SUMMARY:Buy bread'));
    folder.put('errands/bread 2.ics', todoText('bread', 'SUMMARY:Buy cake'));
    await connect(editor, folder, 'Folder');
  });
  afterEach(async function () {
    await editor.tidy(this.currentTest);
    await empty(editor);
    await folder.stop();
  });

  it('is marked at its task in widgets until it is decided', async () => {
    const list = editor.engine.lists().find(({ name }) => name === 'errands')!.id;
    // A task that is due now is reminded of a moment later, and its menu then has Snooze in that place.
    const due = editor.clock.time + 3_600_000;
    await editor.engine.createTask(list, { title: 'Milk', due, priority: 1 });
    const bread = editor.engine.query('bread')[0]!.task;
    await editor.engine.updateTask(bread.id, { due });
    await editor.command('dueline.today.focus');
    const page = await editor.frame('body.as-sidebar .row', 'Buy bread');
    const sign = rowsOf(page, 'Buy bread').locator('.issue');
    await sign.waitFor();
    assert.equal(await sign.getAttribute('title'), 'conflict');
    assert.match((await rowsOf(page, 'Buy bread').textContent()) ?? '', /conflict/);
    assert.equal(await rowsOf(page, 'Milk').locator('.issue').count(), 0);
    const menuOf = async (title: string) => {
      // The next menu is open a moment after the click.
      editor.menus.escape();
      await rowsOf(page, title).click({ button: 'right' });
      return editor.menus.titles();
    };
    assert.ok(!(await menuOf('Milk')).includes('Resolve Conflict…'));
    assert.ok((await menuOf('Buy bread')).includes('Resolve Conflict…'));
    await editor.menus.choose('Resolve Conflict…');
    await editor.frame('form', 'Buy bread');
    const [conflict] = editor.engine.syncing!.conflicts();
    await editor.command('dueline.sync.useServer', conflict!.id);
    await sign.waitFor({ state: 'detached' });
  });

  it('loses its mark after the decision, even if that edits no task', async () => {
    const syncing = editor.engine.syncing!;
    assert.equal(syncing.conflicts().length, 1);
    const gone = new Promise<void>(resolve => {
      const watching = syncing.onDidLog(() => {
        if (existsSync(join(folder.path, 'errands/bread 2.ics'))) return;
        watching.dispose();
        resolve();
      });
    });
    await editor.command('dueline.sync.useServer', syncing.conflicts()[0]!.id);
    await gone;
    assert.deepEqual(titles(editor, '@errands'), ['Buy bread']);
  });

  it('is counted, and keeps a sync from reporting that everything is done', async () => {
    for (const name of ['bread 3', 'bread 4']) folder.put(`errands/${name}.ics`, todoText('bread', `SUMMARY:${name}`));
    await editor.palette('Dueline: Sync Now');
    await editor.notices.notification(/2 files have the same task as another file/);
    await editor.palette('Dueline: Sync Now');
    assert.equal(editor.notices.statusWords.at(-1), '1 task needs your decision.');
  });
});
