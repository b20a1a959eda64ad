import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageOnce } from '../../scripts/package/once.mjs';
import { Session } from './support/driver';
import { until } from './support/wait';
import type { Window } from './support/window';

const timeoutMs = 30_000;

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

/** Files as a person brings them in and takes them out, through the editor's own dialogs. */
describe('files in and out', () => {
  let session: Session;
  let window: Window;
  const file = (name: string) => join(session.folder, name);
  before(async () => {
    session = await Session.open({
      vsix: [await packageOnce('full')], // the oldest editor asks no questions of a window under development
      theme: 'dark',
      settings: { 'files.simpleDialog.enable': true },
    });
    window = session.window;
    await window.view();
  });
  after(() => session?.close());
  afterEach(function () {
    return window.tidy(this.currentTest);
  });

  /** The editor's simple dialog: a path is typed, again where the dialog has put its folder into the line meanwhile. */
  async function choose(path: string): Promise<void> {
    const { page } = window;
    const button = window.quickInput
      .locator('a.monaco-button')
      .filter({ hasText: /Import|Open|OK|Export|Add Folder/, visible: true });
    await button.first().waitFor({ timeout: timeoutMs });
    const isIdle = async () => (await window.quickInput.locator('.quick-input-progress.active').count()) === 0;
    await window.picks('..').first().waitFor({ timeout: timeoutMs });
    const isGone = async () => (await button.count()) === 0;
    await until(`the dialog to take ${path}`, timeoutMs, async () => {
      if (await isGone()) return true;
      await until('the folder to be read', 5000, isIdle);
      await window.quickText.fill(path);
      await until('the path to be read', 5000, async () => {
        await page.waitForTimeout(250);
        return (await window.quickText.inputValue()) === path && (await isIdle());
      });
      // The question that comes next is not the dialog: what was typed for one is no answer to the other.
      if (await isGone()) return true;
      await page.keyboard.press('Enter');
      return until('the dialog to go', 10_000, isGone);
    });
  }
  /** A file is there before anything is in it. */
  const written = (name: string) =>
    until(`${name} to be written`, timeoutMs, () => readFileSync(file(name), 'utf8') || undefined);
  const titles = () =>
    window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      return api.query('sort:title').map((row: { task: { title: string } }) => row.task.title) as string[];
    });

  it('imports a calendar file into a list, and Undo takes it back', async () => {
    writeFileSync(file('tasks.ics'), calendar);
    await window.palette('Dueline: Import Tasks…');
    await choose(file('tasks.ics'));
    await window.pick('Inbox', 'Select a list to import into');
    await window.notification(/Imported into .*Inbox.*: 2 new, 0 updated/);
    assert.deepEqual(await titles(), ['Below it', 'From a file']);
    // The message can wait for long, and means the import.
    const later = await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      return api.createTask(api.lists()[0].id, { title: 'Added later' }) as number;
    });
    await window.press(/2 new, 0 updated/, 'Undo');
    await until('the import undone', timeoutMs, async () => (await titles()).join() === 'Added later');
    await window.palette('Dueline: Redo Task Change');
    await until('both tasks', timeoutMs, async () => (await titles()).length === 3);
    await window.run(async (vscode, id) => {
      await vscode.extensions.getExtension('dueline.dueline')!.exports.deleteTask(id);
    }, later);
  });

  it('says so where everything is here already', async () => {
    await window.palette('Dueline: Import Tasks…');
    await choose(file('tasks.ics'));
    await window.pick('Inbox', 'Select a list to import into');
    await window.notification(/tasks\.ics.* contains no new tasks/);
    assert.equal((await titles()).length, 2);
  });

  it('takes what is whole out of a broken calendar file, and says how much is not', async () => {
    const broken = calendar
      .replace('UID:file-2', 'UID:file-3')
      .replace(/file-1/g, 'file-4')
      .replace('RELATED-TO', 'DUE:whenever\r\nRELATED-TO');
    writeFileSync(file('broken.ics'), broken.slice(0, broken.lastIndexOf('END:VTODO')));
    await window.palette('Dueline: Import Tasks…');
    await choose(file('broken.ics'));
    await window.pick('Inbox', 'Select a list to import into');
    await window.notification(/Imported into .*: 2 new, 0 updated\. 1 entry could only be read in part\./);
    await window.picture('import-broken');
    assert.ok((await titles()).includes('From a file'));
  });

  it('imports nothing from nonsense, says so and leads to the reason', async () => {
    const before = await titles();
    writeFileSync(file('nonsense.ics'), Uint8Array.from([0, 255, 1, 254, 60, 104, 116, 109, 108, 62, 10, 13, 0]));
    await window.palette('Dueline: Import Tasks…');
    await choose(file('nonsense.ics'));
    await window.pick('Inbox', 'Select a list to import into');
    await window.notification(/nonsense\.ics/);
    await window.picture('import-nonsense');
    assert.deepEqual(await titles(), before);
  });

  it('exports in a format, and the file holds the tasks', async () => {
    await window.palette('Dueline: Export Tasks…');
    await window.pick('Markdown', 'Select a format');
    await choose(file('out.md'));
    const text = await written('out.md');
    assert.match(text, /- \[ \] From a file/);
    await window.notification(/Exported to .out\.md/);
  });

  it('exports what a filter finds, from its menu', async () => {
    await window.command('dueline.filters.focus');
    await window.context('No Date', 'Export Tasks…');
    await window.pick('todo.txt', 'Select a format');
    await choose(file('filter.txt'));
    const text = await written('filter.txt');
    assert.match(text, /From a file/);
  });

  it('exports the database and imports it again, adding nothing twice', async () => {
    await window.palette('Dueline: Export Database…');
    await choose(file('all.db'));
    await until(
      'the file',
      timeoutMs,
      () => readFileSync(file('all.db')).subarray(0, 15).toString() === 'SQLite format 3',
    );
    const before = await titles();
    await window.palette('Dueline: Import Database…');
    await choose(file('all.db'));
    await window.notification(/Imported 0 tasks/);
    assert.deepEqual(await titles(), before);
  });

  it('refuses a file that is no database, in words', async () => {
    writeFileSync(file('fake.db'), 'this is no database at all');
    await window.palette('Dueline: Import Database…');
    await choose(file('fake.db'));
    const said = await window.notification(/database/i);
    await window.picture('import-fake-database');
    assert.doesNotMatch((await said.textContent()) ?? '', /undefined|\[object|TypeError/);
  });

  describe('of templates', () => {
    const trip = {
      name: 'Trip',
      title: 'Trip',
      due: '+3d',
      tags: ['travel'],
      subtasks: [{ title: 'Pack', due: '+2d' }],
    };
    const templates = () =>
      window.run(vscode => (vscode.workspace.getConfiguration().get('dueline.templates') as unknown[]) ?? []);
    const setTemplates = (all: readonly unknown[]) =>
      window.run(
        (vscode, all) =>
          vscode.workspace.getConfiguration().update('dueline.templates', all, vscode.ConfigurationTarget.Global),
        all,
      );
    const hasTemplates = (count: number) =>
      until(`${count} templates`, timeoutMs, async () => (await templates()).length === count);

    it('exports them, and the file holds them with their subtasks', async () => {
      await setTemplates([trip]);
      await window.palette('Dueline: Export Templates…');
      await choose(file('templates.json'));
      assert.deepEqual(JSON.parse(await written('templates.json')), [trip]);
    });

    it('imports them again, beside those that are there; Undo takes them back', async () => {
      const other = { name: 'Other', title: 'Other' };
      await setTemplates([other]);
      await window.palette('Dueline: Import Templates…');
      await choose(file('templates.json'));
      await window.notification(/Imported 1 template/);
      assert.deepEqual(await templates(), [other, trip]);
      await window.press(/Imported 1 template/, 'Undo');
      await hasTemplates(1);
      assert.deepEqual(await templates(), [other]);
    });

    it('imports none from a file that has none, and says so', async () => {
      writeFileSync(file('none.json'), '{"name": "not a list"}');
      const before = await templates();
      await window.palette('Dueline: Import Templates…');
      await choose(file('none.json'));
      await window.notification(/none\.json.* contains no templates/);
      assert.deepEqual(await templates(), before);
    });
  });

  it('takes everything back to a backup, after showing what would change', async () => {
    await window.palette('Dueline: Back Up Now');
    await window.notification(/Backup created/);
    await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      await api.createTask(api.lists()[0].id, { title: 'After the backup' });
    });
    const dialog = window.page.locator('.monaco-dialog-box');
    await window.palette('Dueline: Restore Backup…');
    await window.pick(/20\d\d/, /Select a backup to restore/);
    await dialog.waitFor({ timeout: timeoutMs });
    assert.match((await dialog.textContent()) ?? '', /1 task differs/);
    await window.page.locator('.editor-instance', { hasText: 'After the backup' }).first().waitFor();
    await window.picture('restore-preview');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.ok((await titles()).includes('After the backup'));
    await window.palette('Dueline: Restore Backup…');
    await window.pick(/20\d\d/, /Select a backup to restore/);
    await dialog.getByRole('button', { name: 'Restore' }).click({ timeout: timeoutMs });
    await until('the earlier tasks', timeoutMs, async () => !(await titles()).includes('After the backup'));
    await window.palette('Dueline: Undo Last Task Change');
    await until('the later ones', timeoutMs, async () => (await titles()).includes('After the backup'));
  });

  it('adds a folder of task files as an account, and follows what is written there', async () => {
    mkdirSync(file('vdir/errands'), { recursive: true });
    const task = (uid: string, title: string) =>
      calendar.replace(/BEGIN:VTODO[\s\S]*END:VTODO/, `BEGIN:VTODO\r\nUID:${uid}\r\nSUMMARY:${title}\r\nEND:VTODO`);
    writeFileSync(file('vdir/errands/bread.ics'), task('vdir-1', 'Bread in a folder'));
    await window.palette('Dueline: Add CalDAV Account');
    await window.picks('Folder…').first().waitFor({ timeout: timeoutMs });
    await window.pictures('add-account-folder');
    await window.page.keyboard.type('folder');
    await window.page.keyboard.press('Enter');
    await choose(file('vdir'));
    await window.notification(/Account connected\. Found 1 task list/);
    await until('its task', timeoutMs, async () => (await titles()).includes('Bread in a folder'));
    // The window that leads syncs by itself from ten seconds after its start on.
    writeFileSync(file('vdir/errands/milk.ics'), task('vdir-2', 'Milk in a folder'));
    await until('what was written', timeoutMs, async () => (await titles()).includes('Milk in a folder'));
  });
});
