import assert from 'node:assert/strict';
import { axe } from './support/axe';
import { Session } from './support/driver';
import { until } from './support/wait';

const timeoutMs = 20_000;

describe('the notes of a task', () => {
  let session: Session;
  let id: number;
  const page = () => session.window.frame('dueline-task #title');
  const api = (method: string, ...args: unknown[]) =>
    session.window.run(
      (vscode, method, args) =>
        vscode.extensions.getExtension('dueline.dueline')?.exports[method as string](...(args as unknown[])),
      method,
      args,
    );
  const notes = async () => ((await api('task', id)) as { description: string | null }).description ?? '';
  const stored = (what: string, holds: (text: string) => boolean) =>
    until(what, timeoutMs, async () => holds(await notes()));
  const editorText = () =>
    session.window.run(vscode => vscode.window.activeTextEditor?.document.getText()) as Promise<string | undefined>;

  before(async () => {
    session = await Session.open({ theme: 'dark', size: { width: 1000, height: 900 } });
    id = await session.window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')?.activate();
      const folder = vscode.workspace.workspaceFolders![0]!.uri;
      const text = Array.from({ length: 30 }, (_, at) => `// line ${at + 1}`).join('\n');
      await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, 'src/race.ts'), new TextEncoder().encode(text));
      const description =
        'See src/race.ts:12 and `src/gone.ts:1`.\n\n- [x] reproduce\n- [ ] lock\n\n| Browser | Runs |\n|---|--:|\n| Firefox | 2 |';
      return api.createTask(api.lists()[0].id, { title: 'Fix: the race', description });
    });
    await session.window.command('dueline.open', id);
  });
  after(() => session?.close());
  afterEach(async function () {
    if (this.currentTest?.state === 'failed')
      await session.window.shot(`failed-${this.currentTest.title.slice(0, 40)}`);
  });

  it('are shown as Markdown, with boxes that tick and a table', async () => {
    const frame = await page();
    await frame.locator('.markdown th', { hasText: 'Runs' }).waitFor();
    await frame.locator('.markdown input').nth(1).click();
    await stored('the tick', text => text.includes('- [x] lock'));
    assert.equal(await frame.locator('.markdown input:checked').count(), 2);
    assert.deepEqual(await axe(frame), []);
    await session.window.pictures('task-notes');
  });

  it('are written where they are clicked or Tab leads, and shown again when they are left', async () => {
    const frame = await page();
    await frame.locator('#title').focus();
    await session.window.page.keyboard.press('Tab');
    await frame.locator('.markdown').waitFor({ state: 'detached' });
    await frame.locator('#notes').press('Control+End');
    await session.window.page.keyboard.type('\n\n**Done** soon.');
    // What is below moves up only after the click that leaves the text.
    await frame.locator('[data-chip=more]').click();
    await frame.locator('.markdown strong', { hasText: 'Done' }).waitFor();
    await frame.locator('dueline-chip-line').press('Escape');
    await stored('what was typed', text => text.endsWith('**Done** soon.'));
    await frame.locator('.markdown strong').click();
    await until('the focus in the text', timeoutMs, () =>
      frame.evaluate<boolean>(`document.activeElement?.id === 'notes'`),
    );
    await frame.locator('#title').focus();
  });

  it('show what was changed elsewhere in a text that is only looked at, and merge it with what was typed', async () => {
    const { window } = session;
    const frame = await page();
    await frame.locator('#notes').focus();
    const before = await notes();
    await api('updateTask', id, { description: `Elsewhere.\n${before}` });
    await until('the change from elsewhere', timeoutMs, async () =>
      (await frame.locator('#notes').inputValue()).startsWith('Elsewhere.'),
    );
    await frame.locator('#title').focus();
    await frame.locator('.markdown', { hasText: 'Elsewhere.' }).waitFor();
    await frame.locator('#notes').focus();
    await frame.locator('#notes').press('Control+End');
    await window.page.keyboard.type('\nTyped ');
    await api('updateTask', id, { description: before });
    await stored('what was typed, without what was taken out', text => text === `${before}\nTyped `);
    await window.page.keyboard.type('on.');
    await frame.locator('#title').focus();
    await stored('all that was typed', text => text === `${before}\nTyped on.`);
    await frame.locator('.markdown', { hasText: 'Typed on.' }).waitFor();
  });

  it('stay in sight with what is wrong where they cannot be saved, until they are', async () => {
    const frame = await page();
    const before = await notes();
    /** Has the editor's host write nothing, as on a disk that is full. */
    const fillDisk = (isFull: boolean) =>
      session.window.run((_vscode, isFull) => {
        const fs: { writeSync: unknown; reallyWriteSync?: unknown } = require('node:fs');
        fs.reallyWriteSync ??= fs.writeSync;
        const refuse = () => {
          throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
        };
        fs.writeSync = isFull ? refuse : fs.reallyWriteSync;
      }, isFull);
    await fillDisk(true);
    await frame.locator('#notes').focus();
    await frame.locator('#notes').press('Control+End');
    await session.window.page.keyboard.type('\n\nNot to be lost.');
    await frame.locator('#title').focus();
    await frame.locator('.notes-part .problem').waitFor();
    await session.window.pictures('task-notes-problem');
    const held = async () => (await frame.locator('#notes').inputValue()).endsWith('Not to be lost.');
    assert.ok(await held());
    await frame.locator('.markdown', { hasText: 'Not to be lost.' }).waitFor();
    await frame.locator('#notes').focus();
    await frame.locator('#title').focus();
    assert.ok(await held());
    assert.equal(await notes(), before);
    await fillDisk(false);
    await frame.locator('#notes').focus();
    await session.window.page.keyboard.press('Control+End');
    await session.window.page.keyboard.type(' At all.');
    await frame.locator('#title').focus();
    await stored('all of it', text => text === `${before}\n\nNot to be lost. At all.`);
    await frame.locator('.notes-part .problem').waitFor({ state: 'detached' });
    await api('updateTask', id, { description: before });
    await frame.locator('.markdown', { hasText: 'Not to be lost.' }).waitFor({ state: 'detached' });
  });

  it('open a file of the workspace at its line, and say where there is none', async () => {
    const frame = await page();
    await frame.locator('[data-file="src/gone.ts:1"]').click();
    await frame.locator('.problem', { hasText: 'src/gone.ts' }).waitFor();
    await frame.locator('[data-file="src/race.ts:12"]').click();
    await until(
      'the line',
      timeoutMs,
      async () => (await session.window.run(vscode => vscode.window.activeTextEditor?.selection.active.line)) === 11,
    );
    await session.window.command('workbench.action.closeActiveEditor');
  });

  it('open the address of a file in the workspace at its line, and of one elsewhere only where the person agrees', async () => {
    const { window } = session;
    const before = await notes();
    const folder = await window.run(vscode => {
      const { uri } = vscode.workspace.workspaceFolders![0]!;
      const elsewhere = vscode.Uri.joinPath(uri, '..', 'elsewhere.txt');
      return vscode.workspace.fs.writeFile(elsewhere, new TextEncoder().encode('secret')).then(() => uri.toString());
    });
    const links = [`[in](${folder}/src/race.ts#L7)`, `[out](${folder}/../elsewhere.txt)`];
    await api('updateTask', id, { description: links.join('\n\n') });
    const frame = await page();
    const dialog = window.page.locator('.monaco-dialog-box');
    await frame.locator('.link.file', { hasText: 'out' }).click();
    await dialog.getByText('Open a file outside this workspace?').waitFor();
    await dialog.getByText(/[^.]elsewhere\.txt/).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.notEqual(await editorText(), 'secret');
    await frame.locator('.link.file', { hasText: 'out' }).click();
    await dialog.getByRole('button', { name: 'Open' }).click();
    await until('the file elsewhere', timeoutMs, async () => (await editorText()) === 'secret');
    await window.command('workbench.action.closeActiveEditor');
    await (await page()).locator('.link.file', { hasText: 'in' }).click();
    await until(
      'the line',
      timeoutMs,
      async () => (await window.run(vscode => vscode.window.activeTextEditor?.selection.active.line)) === 6,
    );
    await window.command('workbench.action.closeActiveEditor');
    await api('updateTask', id, { description: before });
    await (await page()).locator('[data-file="src/race.ts:12"]').waitFor();
  });

  it('lead no more freely than the URL of the task, which Open Link opens elsewhere only where the user agrees', async () => {
    const { window } = session;
    const elsewhere = await window.run(vscode => {
      const file = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, '..', 'apart', 'linked.txt');
      return vscode.workspace.fs.writeFile(file, new TextEncoder().encode('linked')).then(() => file.toString());
    });
    const linked = await window.run(async (vscode, url) => {
      const engine = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      return engine.createTask(engine.lists()[0].id, { title: 'Linked', url }) as Promise<number>;
    }, elsewhere);
    const dialog = window.page.locator('.monaco-dialog-box');
    const left = window.command('dueline.openLink', linked);
    await dialog.getByText('Open a file outside this workspace?').waitFor();
    await dialog.getByText(/linked\.txt/).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await left;
    assert.notEqual(await editorText(), 'linked');
    const opened = window.command('dueline.openLink', linked);
    await dialog.getByRole('button', { name: 'Open' }).click();
    await opened;
    await until('the linked file', timeoutMs, async () => (await editorText()) === 'linked');
    await window.command('workbench.action.closeActiveEditor');
    await api('deleteTask', linked);
  });

  it('are edited in an editor, both ways', async () => {
    const { window } = session;
    const frame = await page();
    await frame.locator('#title').focus();
    await window.page.keyboard.press('Control+e');
    await until('the editor', timeoutMs, async () => (await editorText())?.startsWith('See src/race.ts'));
    const language = await window.run(vscode => vscode.window.activeTextEditor?.document.languageId);
    assert.equal(language, 'markdown');
    // The file is that of the task, whatever the task is called by now.
    await api('updateTask', id, { title: 'Fix: the race, again' });
    await window.page.keyboard.press('Control+Home');
    await window.page.keyboard.type('First. ');
    await window.page.keyboard.press('Control+s');
    await stored('what was saved', text => text.startsWith('First. See'));
    await until('the saved file', timeoutMs, async () =>
      session.window.run(vscode => vscode.window.activeTextEditor?.document.isDirty === false),
    );
    await api('updateTask', id, { description: 'From elsewhere' });
    await until('the change from elsewhere', timeoutMs, async () => (await editorText()) === 'From elsewhere');
  });

  it('lose neither version where both were changed', async () => {
    const { window } = session;
    await window.page.keyboard.press('Control+End');
    await window.page.keyboard.type(', and mine');
    await until('the typed text', timeoutMs, async () => (await editorText()) === 'From elsewhere, and mine');
    await api('updateTask', id, { description: 'From elsewhere again' });
    await window.page.keyboard.press('Control+s');
    await window.notification(/Failed to save/);
    assert.equal(await notes(), 'From elsewhere again');
    assert.equal(await editorText(), 'From elsewhere, and mine');
    await window.command('workbench.action.files.revert');
    await until('the stored text', timeoutMs, async () => (await editorText()) === 'From elsewhere again');
  });
});
