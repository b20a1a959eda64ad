import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Session } from './support/driver';
import { until } from './support/wait';
import type { Window } from './support/window';

const timeoutMs = 60_000;
const source = '// TODO: check the token\nexport const token = 1;\n';

describe('tasks in code in Restricted Mode', () => {
  let work: Session;
  let window: Window;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dueline-restricted-'));
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'src/token.ts'), source);
    work = await Session.open({ theme: 'dark', folder, restricted: true, size: { width: 1200, height: 800 } });
    window = work.window;
    await window.view();
  });
  after(async () => {
    await work?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(async function () {
    await window.tidy(this.currentTest);
  });

  const actions = () =>
    window.run(
      async (vscode, path) => {
        const editor = await vscode.window.showTextDocument(vscode.Uri.file(path));
        editor.selection = new vscode.Selection(0, 0, 0, 0);
        const { document, selection } = editor;
        const found = await vscode.commands.executeCommand('vscode.executeCodeActionProvider', document.uri, selection);
        return (found as { title: string }[]).map(({ title }) => title);
      },
      join(folder, 'src/token.ts'),
    );
  const found = (query: string): Promise<number[]> =>
    window.run(async (vscode, query) => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      return api.query(query).map(({ task }: { task: { id: number } }) => task.id);
    }, query);

  it('lists TODO comments and links tasks to them, without an offer to write into the file', async () => {
    assert.equal(await window.run(vscode => vscode.workspace.isTrusted), false);
    const titles = await actions();
    assert.ok(titles.includes('Create Task from This TODO'), titles.join());
    assert.ok(!titles.some(title => title.includes('Write Its ID')), titles.join());
    void window.command('dueline.addFromTodo');
    await window.picks('token.ts:1').first().waitFor({ timeout: timeoutMs });
    await window.page.keyboard.press('Enter');
    await until('the task', timeoutMs, async () => (await found('source:todo')).length === 1);
  });

  it('refuses what would change the file', async () => {
    const [id] = await found('source:todo');
    await window.command('dueline.complete', id);
    await until('the task to be done', timeoutMs, async () => (await found('source:todo')).length === 0);
    assert.ok(!(await actions()).some(title => title.startsWith('Remove This')), (await actions()).join());
    for (const command of ['dueline.removeTodo', 'dueline.addFromTodoWithId']) {
      void window.command(command);
      await window.notification('In Restricted Mode, Dueline does not change files.');
      await window.command('notifications.clearAll');
    }
    assert.equal(await window.page.getByText('Its TODO comment is still in the code.').count(), 0);
    assert.equal(readFileSync(join(folder, 'src/token.ts'), 'utf8'), source);
  });
});
