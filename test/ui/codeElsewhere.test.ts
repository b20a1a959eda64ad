import assert from 'node:assert/strict';
import { titlesOf } from './support/codeFiles';
import { Session } from './support/driver';
import { until } from './support/wait';
import type { Window } from './support/window';

const timeoutMs = 60_000;

describe('tasks in code in a folder that is on no disk', () => {
  let work: Session;
  let window: Window;

  before(async () => {
    work = await Session.open({
      theme: 'dark',
      folder: 'memory:/app',
      helpers: ['test/ui/memory'],
      size: { width: 1200, height: 800 },
    });
    window = work.window;
    await window.view();
  });
  after(() => work?.close());
  afterEach(async function () {
    await window.tidy(this.currentTest);
  });

  const show = (name: string, line: number) =>
    window.run(
      async (vscode, name, line) => {
        const file = vscode.Uri.parse(`memory:/app/${name}`);
        const editor = await vscode.window.showTextDocument(file, { preview: false });
        editor.selection = new vscode.Selection(line - 1, 0, line - 1, 0);
        await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
      },
      name,
      line,
    );
  const found = (query: string) => titlesOf(window, query);
  const text = () => window.run(vscode => vscode.window.activeTextEditor!.document.getText());

  it('are added for a line, follow it, and are found', async () => {
    await show('src/session.ts', 3);
    await window.page.keyboard.press('Control+Alt+Shift+Enter');
    await window.picks('session.ts:3').first().waitFor({ timeout: timeoutMs });
    await window.quickText.fill('Fix race');
    await window.picks('Add').first().waitFor();
    await window.page.keyboard.press('Enter');
    await until('the place', timeoutMs, async () => (await found('in:file')).includes('Fix race'));
    await window.run(async vscode => {
      const top = new vscode.Position(0, 0);
      await vscode.window.activeTextEditor!.edit(edit => edit.insert(top, '// words\n// more words\n'));
    });
    await window.command('workbench.action.files.save');
    await window.expand('Inbox');
    await window.rows('Fix race').filter({ hasText: 'session.ts:5' }).first().waitFor({ timeout: timeoutMs });
    await show('src/other.ts', 1);
    await until('the other file', timeoutMs, async () => (await found('in:file')).length === 0);
    assert.deepEqual(await found('in:workspace'), ['Fix race']);
    const id = await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      return api.query('title:"Fix race"')[0].task.id as number;
    });
    await window.command('dueline.openLink', id);
    const line = () => window.run(vscode => vscode.window.activeTextEditor?.selection.active.line);
    await until('the line', timeoutMs, async () => (await line()) === 4);
  });

  it('are those of a branch that nobody told of', async () => {
    const id = await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      return api.shortIdOf(api.query('title:"Fix race"')[0].task.id) as string;
    });
    assert.deepEqual(await found('in:branch'), []);
    await window.command('memory.write', '/app/.git/HEAD', `ref: refs/heads/${id}\n`);
    await until('the task of the branch', timeoutMs, async () => (await found('in:branch')).includes('Fix race'));
    await window.command('memory.write', '/app/.git/HEAD', 'ref: refs/heads/main\n');
    await until('no task of the branch', timeoutMs, async () => (await found('in:branch')).length === 0);
  });

  it('are created from TODO comments, which take an ID', async () => {
    await show('src/session.ts', 3);
    void window.command('dueline.addFromTodoWithId');
    await window.picks('session.ts:3').first().waitFor({ timeout: timeoutMs });
    await window.page.keyboard.press('Enter');
    await until('the ID', timeoutMs, async () => /TODO\(dl-[a-z\d]+\): check the token/.test(await text()));
    await until('the task', timeoutMs, async () => (await found('source:todo')).length === 1);
  });

  it('say what does not work there', async () => {
    await window.palette('Dueline: Find TODO Comments in Workspace');
    await window.pane('TODO Comments').getByText('No files to search were found.').waitFor({ timeout: timeoutMs });
    await window.choose('Dueline: Choose TODO Comments to Show', 'This Branch');
    await window.pane('TODO Comments').getByText('This branch cannot be compared').waitFor({ timeout: timeoutMs });
    await window.choose('Dueline: Choose TODO Comments to Show', 'Open Files');
    await window.pane('TODO Comments').getByText('check the token').first().waitFor({ timeout: timeoutMs });
  });
});
