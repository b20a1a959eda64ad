import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitIn, makeRepository } from '../support/repository';
import { plain, source } from '../support/sampleCode';
import { Editor } from '../support/vscode/editor';
import { axe } from './support/axe';
import { addHere, finds, idOf, lineInFront, showFile } from './support/code';
import { titles } from './support/home';
import { fitsEverySize, openTask } from './support/task';
import { clear, rowsOf, taskNamed, widgetWith } from './support/widgets';

const line = 'this.#token = requestToken(this.user);';

describe('tasks in code', () => {
  let editor: Editor;
  let folder: string;
  let first: string;
  const git = (...args: string[]) => gitIn(folder, ...args);
  const file = (name: string) => join(folder, 'src', name);
  const show = (name: string, at = 1) => showFile(editor, file(name), at);
  const found = (query: string) => titles(editor, query);
  const lines = (title: string) => taskNamed(editor, title)?.unknownProperties ?? '';

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dueline-code-'));
    const files = { 'src/session.ts': source, 'src/plain.ts': plain, 'src/other.ts': 'export const other = 1;\n' };
    makeRepository(folder, files, 'git@example.org:team/app.git');
    first = git('rev-parse', 'HEAD').trim();
    editor = await Editor.open({ folder, size: { width: 1300, height: 820 } });
  });
  after(async () => {
    await editor?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    await clear(editor);
    editor.settings.reset();
    await show('session.ts', 8);
    await addHere(editor, 'session.ts:8', 'Fix race tomorrow');
    await finds(editor, 'in:file', 'Fix race');
  });
  afterEach(async function () {
    await editor.tidy(this.currentTest);
    await editor.command('workbench.action.closeAllEditors');
    await editor.command('workbench.action.closeSidebar');
    git('checkout', '-qfB', 'main', first);
    git('clean', '-qfd');
  });

  it('are in the group Here of Today while their file is in front, and in queries', async () => {
    await editor.views.show('dueline.today');
    const today = await widgetWith(editor, 'today', 'Fix race');
    await today.locator('.group', { hasText: 'Here' }).first().waitFor();
    assert.deepEqual(found('in:file'), ['Fix race']);
    assert.deepEqual(found('in:folder'), ['Fix race']);
    assert.deepEqual(found('in:here link:file:src/session.ts'), ['Fix race']);
    await show('other.ts');
    await rowsOf(today, 'Fix race').waitFor({ state: 'detached' });
    assert.deepEqual(found('in:file'), []);
    assert.deepEqual(found('in:workspace'), ['Fix race']);
    assert.deepEqual(found('in:repo'), ['Fix race']);
  });

  it('store their path in plain text if that is set', async () => {
    editor.settings.update('dueline.links.syncPaths', true);
    await show('other.ts');
    await addHere(editor, 'other.ts:1', 'Name it');
    await finds(editor, 'in:file', 'Name it');
    assert.match(lines('Name it'), /PATH=src\/other\.ts;LINE=1:/);
  });

  it('lead to their line from their page', async () => {
    await show('session.ts', 1);
    const page = await openTask(editor, idOf(editor, 'Fix race'));
    await page.locator('.code-links .title', { hasText: 'session.ts:8' }).waitFor();
    assert.deepEqual(await page.locator('.code-links :is(.folder, .when)').allTextContents(), ['src', '']);
    assert.deepEqual(await axe(page), []);
    await fitsEverySize(editor, page);
    await page.locator('.code-links .title').focus();
    await editor.page.keyboard.press('Enter');
    await editor.changes.until('the line', () => lineInFront(editor) === line);
    assert.deepEqual(found('in:file'), ['Fix race']);
  });

  it('are opened at their line by a click on the location in a row, and by a key there', async () => {
    await show('session.ts', 1);
    await editor.views.show('dueline.today');
    const today = await widgetWith(editor, 'today', 'Fix race');
    await rowsOf(today, 'Fix race').first().locator('.to-link').click();
    await editor.changes.until('the line after a click', () => lineInFront(editor) === line);
    await show('session.ts', 1);
    await rowsOf(today, 'Fix race').first().locator('.title').click();
    await editor.page.keyboard.press('o');
    await editor.changes.until('the line after the key in a row', () => lineInFront(editor) === line);
  });

  it('are opened at their line by a key in the tree', async () => {
    await show('session.ts', 1);
    await editor.views.show('dueline.lists');
    await editor.tree().expand('Inbox');
    await editor.tree().click('Fix race');
    editor.key('o');
    await editor.changes.until('the line after the key in the tree', () => lineInFront(editor) === line);
  });

  it('show in a row the location in the file in front, with its line even before the file is saved', async () => {
    await show('other.ts');
    await editor.command('dueline.linkHere', idOf(editor, 'Fix race'));
    await editor.tree().expand('Inbox');
    await editor.tree().row(/Fix race.*other\.ts:1. \+1/);
    await show('session.ts', 8);
    await editor.tree().row(/Fix race.*session\.ts:8. \+1/);
  });

  it('are added on their page for the cursor of the last editor, and removed, each with undo', async () => {
    const before = lines('Fix race');
    await show('other.ts');
    const page = await openTask(editor, idOf(editor, 'Fix race'));
    const places = (text?: string) => page.locator('.code-links .title', { hasText: text });
    await places('session.ts:8').waitFor();
    const link = page.locator('.code-links .section-head button', { hasText: 'Link to other.ts:1' });
    await link.focus();
    await editor.page.keyboard.press('Enter');
    await places('other.ts:1').waitFor();
    await editor.page.keyboard.press('Control+z');
    await places('other.ts:1').waitFor({ state: 'detached' });
    await places().focus();
    await editor.page.keyboard.press('Delete');
    await places().waitFor({ state: 'detached' });
    assert.equal(taskNamed(editor, 'Fix race')!.unknownProperties, null);
    await editor.page.keyboard.press('Control+z');
    await places('session.ts:8').waitFor();
    await page.getByRole('button', { name: 'Remove session.ts:8' }).click();
    await places().waitFor({ state: 'detached' });
    await editor.command('dueline.undo');
    await editor.changes.until('the link', () => lines('Fix race') === before);
  });

  it('are opened at the line that is found again after a switch of branches', async () => {
    await editor.command('workbench.action.closeAllEditors');
    git('checkout', '-qb', 'feature');
    writeFileSync(file('session.ts'), `// A head\n// of three\n// lines\n${readFileSync(file('session.ts'), 'utf8')}`);
    git('commit', '-qam', 'second');
    await editor.command('dueline.openLink', idOf(editor, 'Fix race'));
    await editor.changes.until('the line', () => lineInFront(editor) === line);
    assert.equal(editor.tabs.activeEditor?.selection.active.line, 10);
  });

  it('are added without a link if there is no saved file in front', async () => {
    await editor.command('workbench.action.closeAllEditors');
    void editor.command('dueline.addHere');
    await editor.notices.notification(/The task is added without a link/);
    await editor.questions.asked(/Call the bank/);
    editor.questions.type('Anywhere');
    await editor.questions.row('Add');
    editor.questions.accept();
    await finds(editor, 'title:Anywhere', 'Anywhere');
    assert.deepEqual(found('has:link title:Anywhere'), []);
  });

  it('are created from a selected comment without its marks, and linked', async () => {
    writeFileSync(file('other.ts'), 'export const other = 1;\n/* FIXME(ana): close the file */');
    await show('other.ts', 2);
    void editor.palette('Dueline: Add Task from Selection');
    await editor.questions.row('other.ts:2');
    await editor.changes.until('the words', () => editor.questions.current?.line === 'close the file');
  });

  it('are created from the comments of a selection, and from other lines only if they are ticked', async () => {
    writeFileSync(file('other.ts'), 'function a() {\n  // TODO: one\n  // and more\n  b();\n  // FIXME: two\n}\n');
    await show('other.ts', 1);
    await editor.run(async vscode => {
      vscode.window.activeTextEditor!.selection = new vscode.Selection(0, 0, 5, 1);
    });
    void editor.palette('Dueline: Add Task from Selection');
    await editor.questions.row('b();');
    const lines = editor.questions.picks();
    assert.deepEqual(
      lines.map(({ label, picked }) => [label.replace(/[^\w\s(){};]/g, '').trim(), picked]),
      [
        ['function a() {', false],
        ['one and more', true],
        ['b();', false],
        ['two', true],
        ['}', false],
      ],
    );
    editor.questions.escape();
  });

  it('are created from the lines of a Markdown file, without ticking its headings', async () => {
    writeFileSync(file('plan.md'), '# Monday\n- Call Ana\n- [x] Buy milk\n');
    await show('plan.md', 1);
    await editor.run(async vscode => {
      vscode.window.activeTextEditor!.selection = new vscode.Selection(0, 0, 2, 14);
    });
    void editor.palette('Dueline: Add Task from Selection');
    await editor.questions.row('Call Ana');
    assert.deepEqual(
      editor.questions.picks().map(({ picked }) => picked),
      [false, true, true],
    );
    editor.questions.escape();
  });

  it('show that their code is gone', async () => {
    await show('session.ts', 7);
    await addHere(editor, 'session.ts:7', 'retry when the token has expired');
    await finds(editor, 'in:file', 'Fix race', 'retry when the token has expired');
    await editor.command('workbench.action.closeAllEditors');
    writeFileSync(file('session.ts'), 'export const gone = true;\n');
    await show('session.ts');
    await editor.tree().expand('Inbox');
    await editor.tree().row(/Fix race.*\(stale\)/);
    await finds(editor, 'link:stale', 'Fix race', 'retry when the token has expired');
    await editor.command('workbench.action.closeAllEditors');
    git('checkout', '-q', '--', 'src/session.ts');
    await show('session.ts');
    await editor.tree().row(/Fix race.*session\.ts:8(?!.*stale)/);
    await editor.tree().row(/retry.*session\.ts:7(?!.*stale)/);
    await finds(editor, 'link:stale');
  });

  it('show that they are probably on a line that is recognized by its neighbors only', async () => {
    await show('plain.ts', 4);
    await addHere(editor, 'plain.ts:4', 'Prepare it');
    await finds(editor, 'in:file', 'Prepare it');
    await editor.tree().expand('Inbox');
    await editor.tree().row(/Prepare it.*plain\.ts:4(?!.*probably)/);
    await editor.command('workbench.action.closeAllEditors');
    await finds(editor, 'in:file');
    writeFileSync(file('plain.ts'), plain.replace('prepare(input)', 'prepare(input, options)'));
    await show('plain.ts', 4);
    await editor.tree().row(/Prepare it.*plain\.ts:4.*\(probably here\)/);
    await finds(editor, 'in:file', 'Prepare it');
    await editor.command('workbench.action.closeAllEditors');
    await finds(editor, 'in:file');
    git('checkout', '-q', '--', 'src/plain.ts');
    await show('plain.ts', 4);
    await editor.tree().row(/Prepare it.*plain\.ts:4(?!.*probably)/);
  });

  it('are certain again of a line that was seen before it was changed, even if the task has an older line', async () => {
    const lines = plain.split('\n');
    const isSure = async (text: string, row: RegExp) => {
      writeFileSync(file('plain.ts'), text);
      await editor.command('workbench.action.closeAllEditors');
      await finds(editor, 'in:file');
      await show('plain.ts', 4);
      await editor.tree().row(row);
    };
    await show('plain.ts', 4);
    await addHere(editor, 'plain.ts:4', 'Prepare it');
    await editor.tree().expand('Inbox');
    const sure = /Prepare it.*plain\.ts:4(?!.*probably)/;
    const above = [
      "import { other } from './other';",
      '',
      'export function cut(text: string): string {',
      ...lines.slice(3),
    ];
    await isSure(above.join('\n'), sure);
    const context = [...above.slice(0, 4), '  const first = prepared.at(0);', '  return first ?? prepared;', '}', ''];
    await isSure(context.join('\n'), sure);
    const changed = context.join('\n').replace('prepare(input)', 'prepare(input, options)');
    await isSure(changed, /Prepare it.*plain\.ts:4.*\(probably here\)/);
    await isSure(context.join('\n'), sure);
  });

  it('are pinned to the line in which they are found', async () => {
    const before = lines('Fix race');
    assert.match(before, /LINE=8:/);
    await editor.command('workbench.action.closeAllEditors');
    writeFileSync(file('session.ts'), `// A head\n// of five\n// lines\n\n\n${source}`);
    await show('session.ts', 13);
    assert.equal(lineInFront(editor), line);
    await finds(editor, 'in:file', 'Fix race');
    await editor.command('dueline.pinHere', idOf(editor, 'Fix race'));
    await editor.changes.until('the line', () => /LINE=13:/.test(lines('Fix race')));
    await finds(editor, 'in:file', 'Fix race');
    await editor.command('dueline.undo');
    await editor.changes.until('the line before', () => lines('Fix race') === before);
  });

  it('are added to the list of the workspace, which opens with it and is stored in none of its files', async () => {
    const home = () => editor.engine.lists().find(({ id }) => id === editor.engine.defaultListId())?.name;
    const own = await editor.engine.createList({ name: 'App' });
    await editor.engine.createTask(own, { title: 'In the app' });
    await editor.command('dueline.list.setDefaultWorkspace', own);
    assert.equal(home(), 'App');
    assert.ok(!existsSync(join(folder, '.vscode')));
    await editor.reload();
    await editor.tree().row('In the app');
    assert.equal(home(), 'App');
    await editor.command('dueline.list.setDefaultWorkspace', own);
    assert.equal(home(), 'Inbox');
    await editor.engine.deleteList(own);
  });

  it('start on a branch whose name leads back to them; without the git extension it is copied', async () => {
    const { notices, questions } = editor;
    const id = editor.engine.shortIdOf(taskNamed(editor, 'Fix race')!);
    // The very first task is shown and selected there, and a command would act on it.
    await editor.command('workbench.action.closeSidebar');
    void editor.palette('Dueline: Start on a Branch…');
    await questions.pick('Fix race');
    await editor.changes.until('the name', () => questions.current?.value === `fix-race-${id}`);
    questions.accept();
    await notices.notification('The branch name was copied.');
    assert.equal(editor.clipboard, `fix-race-${id}`);
    await editor.changes.until('the task to be started', () => taskNamed(editor, 'Fix race')?.status === 1);
    assert.deepEqual(found('in:branch'), []);
    git('checkout', '-qb', editor.clipboard);
    // The user comes back from git in a terminal.
    editor.setFocused(true);
    await finds(editor, 'in:branch', 'Fix race');
    notices.clear();
    await editor.command('dueline.insertTrailer');
    await notices.notification('The line for the commit message was copied.');
    assert.equal(editor.clipboard, `Task: ${id}`);
  });
});

describe('links between tasks and code', () => {
  let editor: Editor;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dueline-links-'));
    makeRepository(folder, { 'src/session.ts': 'export class Session {\n  close(): void {}\n}\n' });
    editor = await Editor.open({ folder });
  });
  after(async () => {
    await editor?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => clear(editor));
  afterEach(function () {
    return editor.tidy(this.currentTest);
  });

  it('are offered by Quick Add for the line of the cursor, and created if the user accepts', async () => {
    const { questions } = editor;
    await showFile(editor, join(folder, 'src/session.ts'), 2);
    void editor.palette('Dueline: Quick Add Task…');
    await questions.asked();
    questions.type('Close twice');
    const offer = () => {
      const [row] = questions.picks('session.ts:2');
      return row ? [row.label, row.description, row.detail].join(' ') : '';
    };
    await editor.changes.until('the offer', () => /Link to .*session\.ts:2.*\?/.test(offer()));
    await questions.pick('session.ts:2');
    await editor.changes.until('the link', () => /linked to this line/.test(offer()));
    questions.accept();
    await finds(editor, 'in:file', 'Close twice');
    void editor.palette('Dueline: Quick Add Task…');
    await questions.asked();
    questions.type('Elsewhere');
    await questions.row('Add');
    questions.accept();
    await finds(editor, 'title:Elsewhere', 'Elsewhere');
    assert.deepEqual(titles(editor, 'title:Elsewhere has:link'), []);
  });
});

describe('repositories below the open folder', () => {
  let editor: Editor;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dueline-folders-'));
    for (const name of ['app', 'site'])
      makeRepository(
        join(folder, name),
        { [`${name}.ts`]: `export const ${name} = 1;\n` },
        `git@example.org:team/${name}.git`,
      );
    editor = await Editor.open({ folder });
  });
  after(async () => {
    await editor?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(function () {
    return editor.tidy(this.currentTest);
  });

  it('open their links in a window in which none of their files was open', async () => {
    await showFile(editor, join(folder, 'app/app.ts'));
    await addHere(editor, 'app.ts:1', 'Fix the app');
    await finds(editor, 'in:file', 'Fix the app');
    await editor.command('workbench.action.closeAllEditors');
    await editor.reload();
    assert.equal(editor.tabs.activeEditor, undefined);
    await editor.command('dueline.openLink', idOf(editor, 'Fix the app'));
    await editor.changes.until('the file', () => editor.tabs.activeEditor?.document.fileName.endsWith('app.ts'));
  });
});
