import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Editor } from '../support/vscode/editor';
import { clear } from './support/widgets';

const calendar = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//Example//Tasks//EN',
  'BEGIN:VTODO',
  'UID:file-1',
  'DTSTAMP:20260101T000000Z',
  'SUMMARY:From a file',
  'CATEGORIES:imported',
  'END:VTODO',
  'BEGIN:VTODO',
  'UID:file-2',
  'DTSTAMP:20260101T000000Z',
  'SUMMARY:Below it',
  'RELATED-TO:file-1',
  'END:VTODO',
  'END:VCALENDAR',
  '',
].join('\r\n');

/** Files that the user imports and exports, through the editor's own dialogs. */
describe('import and export', () => {
  let editor: Editor;
  let folder: string;
  const file = (name: string) => join(folder, name);
  before(async () => {
    editor = await Editor.open();
  });
  after(() => editor?.close());
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dueline-files-'));
    await clear(editor);
    editor.settings.reset();
    editor.notices.chosenFiles.length = 0;
  });
  afterEach(async function () {
    await editor.tidy(this.currentTest);
    await editor.command('workbench.action.closeAllEditors');
    for (const { id } of editor.engine.accounts()) await editor.engine.removeAccount(id);
    rmSync(folder, { recursive: true, force: true });
  });

  /** A command that asks for a file, and what the dialog answers. */
  function withFile(title: string, path: string): void {
    editor.notices.chosenFiles.push(editor.api.Uri.file(path));
    editor.palette(`Dueline: ${title}`);
  }
  const titles = () => editor.engine.query('sort:title').map(({ task }) => task.title);
  const titlesAre = (...expected: string[]) =>
    editor.changes.until(`the tasks ${expected}`, () => titles().join() === expected.join());
  const inbox = () => editor.engine.lists()[0]!.id;
  /** Imports into the Inbox from a file of that name. */
  async function importing(name: string, content: string | Uint8Array): Promise<void> {
    writeFileSync(file(name), content);
    withFile('Import Tasks…', file(name));
    await editor.questions.pick('iCalendar', 'Select a format');
    await editor.questions.pick('Inbox', 'Select a list to import into');
  }
  async function imported(): Promise<void> {
    await editor.engine.importReported('ics', new TextEncoder().encode(calendar), inbox());
  }

  it('imports a calendar file into a list, and Undo reverts it', async () => {
    await importing('tasks.ics', calendar);
    await editor.notices.notification(/Imported into .*Inbox.*: 2 new, 0 updated/);
    assert.deepEqual(titles(), ['Below it', 'From a file']);
    // The message can wait for long, and means the import.
    await editor.engine.createTask(inbox(), { title: 'Added later' });
    await editor.notices.press(/2 new, 0 updated/, 'Undo');
    await titlesAre('Added later');
    editor.palette('Dueline: Redo Task Change');
    await titlesAre('Added later', 'Below it', 'From a file');
  });

  it('names the programs whose files are read, and a new list after the file', async () => {
    // Todoist's backup has the number of the project behind its name.
    writeFileSync(file('Errands of May [2203306141].csv'), 'TYPE,CONTENT,PRIORITY\ntask,Buy pears,1\n');
    withFile('Import Tasks…', file('Errands of May [2203306141].csv'));
    await editor.questions.row(/Todoist, spreadsheets/);
    await editor.questions.pick('CSV', 'Select a format');
    await editor.questions.pick('New List…', 'Select a list to import into');
    assert.deepEqual(editor.notices.dialogs.at(-1)?.filters, { CSV: ['csv'] });
    await editor.questions.asked();
    assert.equal(editor.questions.current?.value, 'Errands of May');
    editor.questions.accept();
    await editor.notices.notification(/Imported into .Errands of May.: 1 new/);
    assert.deepEqual(titles(), ['Buy pears']);
    await editor.engine.deleteList(editor.engine.lists().find(({ name }) => name === 'Errands of May')!.id);
  });

  it('reads a file by its ending if the dialog let the user choose one of another format', async () => {
    writeFileSync(file('tasks.ICS'), calendar);
    writeFileSync(file('list.txt'), '- [ ] Buy pears\n');
    for (const [name, added] of [
      ['tasks.ICS', /: 2 new/],
      ['list.txt', /: 1 new/],
    ] as const) {
      withFile('Import Tasks…', file(name));
      await editor.questions.pick('Markdown', 'Select a format');
      await editor.questions.pick('Inbox', 'Select a list to import into');
      await editor.notices.notification(added);
    }
    assert.deepEqual(titles(), ['Below it', 'Buy pears', 'From a file']);
  });

  it('reports that everything already exists', async () => {
    await imported();
    await importing('tasks.ics', calendar);
    await editor.notices.notification(/tasks\.ics.* contains no new tasks/);
    assert.equal(titles().length, 2);
  });

  it('imports the intact tasks of a damaged calendar file, and reports how many are not', async () => {
    await imported();
    const broken = calendar
      .replace('UID:file-2', 'UID:file-3')
      .replace(/file-1/g, 'file-4')
      .replace('RELATED-TO', 'DUE:whenever\r\nRELATED-TO');
    await importing('broken.ics', broken.slice(0, broken.lastIndexOf('END:VTODO')));
    await editor.notices.notification(/Imported into .*: 2 new, 0 updated\. 1 entry could only be read in part\./);
    assert.equal(titles().filter(title => title === 'From a file').length, 2);
  });

  it('imports nothing from nonsense, reports it and leads to the reason', async () => {
    await imported();
    const before = titles();
    await importing('nonsense.ics', Uint8Array.from([0, 255, 1, 254, 60, 104, 116, 109, 108, 62, 10, 13, 0]));
    const { buttons } = await editor.notices.notification(/nonsense\.ics/);
    assert.deepEqual(titles(), before);
    assert.deepEqual(buttons, ['Show Details']);
    await editor.notices.press(/nonsense\.ics/, 'Show Details');
    await editor.changes.until('the reason', () => editor.tabs.activeEditor?.document.getText().includes('nonsense'));
  });

  it('exports in a format, and the file contains the tasks', async () => {
    await imported();
    withFile('Export Tasks…', file('out.md'));
    await editor.questions.pick('Markdown', 'Select a format');
    await editor.notices.notification(/Exported to .out\.md/);
    assert.match(readFileSync(file('out.md'), 'utf8'), /- \[ \] From a file/);
  });

  it('exports what a filter finds, from its menu', async () => {
    await imported();
    editor.notices.chosenFiles.push(editor.api.Uri.file(file('filter.txt')));
    await editor.context('No Date', 'Export Tasks…', 'dueline.filters');
    await editor.questions.pick('todo.txt', 'Select a format');
    await editor.notices.notification(/Exported to .filter\.txt/);
    assert.match(readFileSync(file('filter.txt'), 'utf8'), /From a file/);
  });

  it('exports the database and imports it again without duplicates', async () => {
    await imported();
    withFile('Export Tasks…', file('all.db'));
    await editor.questions.pick('SQLite database', 'Select a format');
    await editor.notices.notification(/Exported to .all\.db/);
    assert.equal(readFileSync(file('all.db')).subarray(0, 15).toString(), 'SQLite format 3');
    const before = titles();
    withFile('Import Tasks…', file('all.db'));
    await editor.questions.pick('SQLite', 'Select a format');
    await editor.notices.notification(/Imported 0 tasks/);
    assert.deepEqual(titles(), before);
  });

  it('refuses a file that is no database, with a message', async () => {
    writeFileSync(file('fake.db'), 'this is no database at all');
    withFile('Import Tasks…', file('fake.db'));
    await editor.questions.pick('SQLite', 'Select a format');
    const { message, detail } = await editor.notices.notification(/database/i);
    assert.doesNotMatch([message, detail].join('\n'), /undefined|\[object|TypeError/);
  });

  describe('of templates', () => {
    const trip = {
      name: 'Trip',
      title: 'Trip',
      due: '+3d',
      tags: ['travel'],
      subtasks: [{ title: 'Pack', due: '+2d' }],
    };
    const templates = () => (editor.settings.value('dueline.templates') as unknown[]) ?? [];
    const setTemplates = (all: readonly unknown[]) => editor.settings.update('dueline.templates', all);

    it('exports them, and the file contains them with their subtasks', async () => {
      setTemplates([trip]);
      editor.notices.chosenFiles.push(editor.api.Uri.file(file('templates.json')));
      editor.palette('Dueline: Manage Templates…');
      await editor.questions.pick('Export Templates…');
      await editor.changes.until('the file', () => existsSync(file('templates.json')));
      assert.deepEqual(JSON.parse(readFileSync(file('templates.json'), 'utf8')), [trip]);
    });

    it('imports them again beside the existing ones, and undo removes them', async () => {
      writeFileSync(file('templates.json'), JSON.stringify([trip]));
      const other = { name: 'Other', title: 'Other' };
      setTemplates([other]);
      withFile('Manage Templates…', file('templates.json'));
      await editor.questions.pick('Import Templates…');
      await editor.notices.notification(/Imported 1 template/);
      assert.deepEqual(templates(), [other, trip]);
      await editor.notices.press(/Imported 1 template/, 'Undo');
      await editor.changes.until('one template', () => templates().length === 1);
      assert.deepEqual(templates(), [other]);
    });

    it('imports nothing from a file without templates, and reports that', async () => {
      setTemplates([trip]);
      writeFileSync(file('none.json'), '{"name": "not a list"}');
      withFile('Manage Templates…', file('none.json'));
      await editor.questions.pick('Import Templates…');
      await editor.notices.notification(/none\.json.* contains no templates/);
      assert.deepEqual(templates(), [trip]);
    });
  });

  it('restores a backup after a preview of what would change', async () => {
    await imported();
    editor.palette('Dueline: Back Up Now');
    await editor.notices.notification(/Backup created/);
    await editor.engine.createTask(inbox(), { title: 'After the backup' });
    editor.palette('Dueline: Restore Backup…');
    await editor.questions.pick(/20\d\d/, /Select a backup to restore/);
    const dialog = await editor.notices.dialog();
    assert.match(dialog.message, /1 task differs/);
    assert.match(editor.tabs.activeEditor!.document.getText(), /After the backup/);
    dialog.close();
    assert.ok(titles().includes('After the backup'));
    editor.palette('Dueline: Restore Backup…');
    await editor.questions.pick(/20\d\d/, /Select a backup to restore/);
    (await editor.notices.dialog()).close('Restore');
    await titlesAre('Below it', 'From a file');
    editor.palette('Dueline: Undo Last Task Change');
    await titlesAre('After the backup', 'Below it', 'From a file');
  });

  it('adds a folder of task files as an account, and follows what is written there', async () => {
    mkdirSync(file('vdir/errands'), { recursive: true });
    const task = (uid: string, title: string) =>
      calendar.replace(/BEGIN:VTODO[\s\S]*END:VTODO/, `BEGIN:VTODO\r\nUID:${uid}\r\nSUMMARY:${title}\r\nEND:VTODO`);
    writeFileSync(file('vdir/errands/bread.ics'), task('vdir-1', 'Bread in a folder'));
    withFile('Add CalDAV Account or Folder…', file('vdir'));
    await editor.questions.row('Folder…');
    editor.questions.type('folder');
    editor.questions.accept();
    await editor.notices.notification(/Account connected\. Found 1 task list/);
    await editor.changes.until('its task', () => titles().includes('Bread in a folder'));
    writeFileSync(file('vdir/errands/milk.ics'), task('vdir-2', 'Milk in a folder'));
    await editor.changes.until('what was written', () => titles().includes('Milk in a folder'));
  });
});
