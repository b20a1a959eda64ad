import assert from 'node:assert/strict';
import fs, { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Frame } from 'playwright-core';
import { Editor } from '../support/vscode/editor';
import { axe } from './support/axe';
import { focusIsOn, newTask, openTask } from './support/task';
import { clear, shows } from './support/widgets';

const description =
  'See src/race.ts:12 and `src/gone.ts:1`.\n\n- [x] reproduce\n- [ ] lock\n\n| Browser | Runs |\n|---|--:|\n| Firefox | 2 |';

describe('the notes of a task', () => {
  let folder: string;
  let workspace: string;
  let editor: Editor;
  let id: number;
  let frame: Frame;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dueline-notes-'));
    workspace = join(folder, 'workspace');
    mkdirSync(join(workspace, 'src'), { recursive: true });
    writeFileSync(
      join(workspace, 'src/race.ts'),
      Array.from({ length: 30 }, (_, at) => `// line ${at + 1}`).join('\n'),
    );
    editor = await Editor.open({ size: { width: 1000, height: 900 }, folder: workspace });
  });
  after(async () => {
    await editor?.close();
    rmSync(folder, { recursive: true });
  });
  beforeEach(async () => {
    await editor.command('workbench.action.closeAllEditors');
    await clear(editor);
    id = await newTask(editor, { title: 'Fix: the race', description });
    frame = await openTask(editor, id);
    await frame.locator('.markdown').waitFor();
  });
  afterEach(function () {
    fillDisk(false);
    return editor.tidy(this.currentTest);
  });

  const { writeSync } = fs;
  /** Makes every write of the extension fail, as on a full disk. */
  const fillDisk = (isFull: boolean) => {
    const refuse = () => {
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    };
    fs.writeSync = isFull ? (refuse as never) : writeSync;
  };
  const notes = () => editor.engine.task(id)!.description ?? '';
  const change = (description: string) => editor.engine.updateTask(id, { description });
  const stored = (subject: string, holds: (text: string) => boolean) =>
    editor.changes.until(subject, () => holds(notes()));
  const editorText = () => editor.tabs.activeEditor?.document.getText();
  const atLine = (line: number) =>
    editor.changes.until(`line ${line}`, () => editor.tabs.activeEditor?.selection.start.line === line - 1);
  /** Writes a file outside the workspace and returns its URL. */
  const outside = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return pathToFileURL(join(folder, name)).toString();
  };

  it('are shown as Markdown, with boxes that tick and a table', async () => {
    await frame.locator('.markdown th', { hasText: 'Runs' }).waitFor();
    await frame.locator('.markdown input').nth(1).click();
    await stored('the tick', text => text.includes('- [x] lock'));
    assert.equal(await frame.locator('.markdown input:checked').count(), 2);
    assert.deepEqual(await axe(frame), []);
  });

  it('are edited on a click or with Tab, and rendered again when they lose the focus', async () => {
    await frame.locator('#title').focus();
    await editor.page.keyboard.press('Tab');
    await frame.locator('.markdown').waitFor({ state: 'detached' });
    await frame.locator('#notes').press('Control+End');
    await editor.page.keyboard.type('\n\n**Done** soon.');
    // The part below moves up only after the click that leaves the text.
    await frame.locator('[data-chip=more]').click();
    await frame.locator('.markdown strong', { hasText: 'Done' }).waitFor();
    await frame.locator('dueline-chip-input').press('Escape');
    await stored('what was typed', text => text.endsWith('**Done** soon.'));
    await frame.locator('.markdown strong').click();
    await focusIsOn(frame, '#notes');
    await frame.locator('#title').focus();
  });

  it('show a change from elsewhere while nothing is typed, and merge it with typed text', async () => {
    await frame.locator('#notes').focus();
    const before = notes();
    await change(`Elsewhere.\n${before}`);
    await shows(frame, 'the change from elsewhere', async () =>
      (await frame.locator('#notes').inputValue()).startsWith('Elsewhere.'),
    );
    await frame.locator('#title').focus();
    await frame.locator('.markdown', { hasText: 'Elsewhere.' }).waitFor();
    await frame.locator('#notes').focus();
    await frame.locator('#notes').press('Control+End');
    await editor.page.keyboard.type('\nTyped ');
    await change(before);
    await stored('what was typed, without what was taken out', text => text === `${before}\nTyped `);
    await editor.page.keyboard.type('on.');
    await frame.locator('#title').focus();
    await stored('all that was typed', text => text === `${before}\nTyped on.`);
    await frame.locator('.markdown', { hasText: 'Typed on.' }).waitFor();
  });

  it('keep the typed text and show the error until they can be saved', async () => {
    const before = notes();
    fillDisk(true);
    await frame.locator('#notes').focus();
    await frame.locator('#notes').press('Control+End');
    await editor.page.keyboard.type('\n\nNot to be lost.');
    await frame.locator('#title').focus();
    await frame.locator('.notes-part .problem').waitFor();
    const held = async () => (await frame.locator('#notes').inputValue()).endsWith('Not to be lost.');
    assert.ok(await held());
    await frame.locator('.markdown', { hasText: 'Not to be lost.' }).waitFor();
    await frame.locator('#notes').focus();
    await frame.locator('#title').focus();
    assert.ok(await held());
    assert.equal(notes(), before);
    fillDisk(false);
    await frame.locator('#notes').focus();
    await editor.page.keyboard.press('Control+End');
    await editor.page.keyboard.type(' At all.');
    await frame.locator('#title').focus();
    await stored('all of it', text => text === `${before}\n\nNot to be lost. At all.`);
    await frame.locator('.notes-part .problem').waitFor({ state: 'detached' });
    await change(before);
    await frame.locator('.markdown', { hasText: 'Not to be lost.' }).waitFor({ state: 'detached' });
  });

  it('open a file of the workspace at its line, and report one that does not exist', async () => {
    await frame.locator('[data-file="src/gone.ts:1"]').click();
    await frame.locator('.problem', { hasText: 'src/gone.ts' }).waitFor();
    await frame.locator('[data-file="src/race.ts:12"]').click();
    await atLine(12);
  });

  it('open a file URL in the workspace at its line, and one outside it only if the user agrees', async () => {
    outside('elsewhere.txt', 'secret');
    const here = pathToFileURL(workspace);
    const links = [`[in](${here}/src/race.ts#L7)`, `[out](${here}/../elsewhere.txt)`];
    await change(links.join('\n\n'));
    await frame.locator('.link.file', { hasText: 'out' }).click();
    const dialog = await editor.notices.dialog();
    assert.match(dialog.message, /Open a file outside this workspace\?/);
    assert.match(dialog.detail ?? '', /[^.]elsewhere\.txt/);
    dialog.close();
    await frame.locator('.link.file', { hasText: 'out' }).click();
    const again = await editor.notices.dialog();
    assert.equal(editorText(), undefined);
    again.close('Open');
    await editor.changes.until('the file elsewhere', () => editorText() === 'secret');
    await editor.command('workbench.action.closeActiveEditor');
    const page = await editor.frame('dueline-task #title');
    await page.locator('.link.file', { hasText: 'in' }).click();
    await atLine(7);
  });

  it('are as strict as Open Link, which opens a file URL outside the workspace only if the user agrees', async () => {
    const linked = await newTask(editor, { title: 'Linked', url: outside('linked.txt', 'linked') });
    const left = editor.command('dueline.openLink', linked);
    const dialog = await editor.notices.dialog();
    assert.match(dialog.message, /Open a file outside this workspace\?/);
    assert.match(dialog.detail ?? '', /linked\.txt/);
    dialog.close();
    await left;
    assert.equal(editorText(), undefined);
    const opened = editor.command('dueline.openLink', linked);
    (await editor.notices.dialog()).close('Open');
    await opened;
    assert.equal(editorText(), 'linked');
  });

  it('open in an editor by a key', async () => {
    await frame.locator('#title').focus();
    await editor.page.keyboard.press('Control+e');
    await editor.changes.until('the editor', () => editorText() === description);
  });
});
