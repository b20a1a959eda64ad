import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Editor } from '../support/vscode/editor';

const journal = 'store/store/j-00000007-0123456789ab.jsonl';
const text = 'what is left of a journal whose snapshot is gone\n';

describe('a start with a store that cannot be opened', () => {
  let editor: Editor;
  beforeEach(async () => {
    editor = await Editor.open({ files: { [journal]: text } });
  });
  afterEach(async function () {
    await editor?.tidy(this.currentTest);
    await editor?.close();
  });

  it('is reported in the views, by a notification and at every command, changes nothing, and recovers once it is fixed', async () => {
    const { commands, notices } = editor;
    const file = join(editor.storage, journal);
    assert.equal(editor.engine, undefined);
    assert.match(commands.welcome('dueline.lists'), /Your tasks were not changed/);
    assert.deepEqual(
      ['today', 'lists', 'filters', 'widgets.week'].filter(view => commands.hasView(`dueline.${view}`)),
      ['lists'],
    );
    for (const title of ['Quick Add Task…', 'Filter Tasks…']) assert.ok(!editor.viewButtons().includes(title), title);
    await notices.notification('Dueline could not open the task store');
    notices.clear();
    for (const title of ['Dueline: Quick Add Task…', 'Dueline: Search Tasks…']) {
      void editor.palette(title);
      await notices.notification('Dueline could not open the task store');
      notices.clear();
    }
    editor.palette('Dueline: Choose Data Folder…');
    await editor.questions.pick('Other Folder…', 'Select where the tasks of this profile are');
    await editor.welcomeButton('dueline.lists', 'Reveal Data Folder');
    assert.match(editor.opened.at(-1) ?? '', /store$/);
    assert.equal(readFileSync(file, 'utf8'), text);
    rmSync(file);
    await editor.welcomeButton('dueline.lists', 'Reload Window');
    await editor.tree().row('Inbox');
    assert.ok(commands.hasView('dueline.today'));
    assert.deepEqual(
      ['Quick Add Task…', 'Filter Tasks…'].filter(title => !editor.viewButtons().includes(title)),
      [],
    );
  });
});
