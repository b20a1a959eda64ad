import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Session } from './support/driver';
import { gitIn, makeRepository } from './support/repository';
import { until } from './support/wait';
import type { Window } from './support/window';

const timeoutMs = 60_000;

describe('repositories below the folder that is open', () => {
  let work: Session;
  let window: Window;
  let folder: string;
  const path = (...names: string[]) => join(folder, ...names);
  const git = (name: string, ...args: string[]) => gitIn(path(name), ...args);

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dueline-folders-'));
    for (const name of ['app', 'site']) {
      const files = { [`${name}.ts`]: `export const ${name} = 'a line of ${name}';\n` };
      makeRepository(path(name), files, `git@example.org:team/${name}.git`);
    }
    symlinkSync(path('site'), path('link'));
    const settings = { 'dueline.git.trailer': 'always' };
    work = await Session.open({ theme: 'dark', folder, withGit: true, settings, size: { width: 1300, height: 820 } });
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

  const show = (...names: string[]) =>
    window.run(
      async (vscode, path) => {
        await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(path), { preview: false });
        await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
      },
      path(...names),
    );
  const ids = (query: string): Promise<number[]> =>
    window.run(async (vscode, query) => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      return api.query(query).map(({ task }: { task: { id: number } }) => task.id);
    }, query);
  const message = (name: string): Promise<string | undefined> =>
    window.run(async (vscode, name) => {
      const { exports } = vscode.extensions.getExtension('vscode.git')!;
      const all = exports.getAPI(1).repositories as { rootUri: { path: string }; inputBox: { value: string } }[];
      return all.find(({ rootUri }) => rootUri.path.endsWith(`/${name}`))?.inputBox.value;
    }, name);
  /** The words behind lines, of the editor in front. */
  const behind = () =>
    window.page.evaluate<string[]>(`[...document.querySelectorAll('.editor-instance .view-line span')]
      .map(part => getComputedStyle(part, '::after').content).filter(text => text.includes('○'))`);
  const file = () => window.run(vscode => vscode.window.activeTextEditor?.document.fileName ?? '');

  it('have their commit message written once a file of them is in front', async () => {
    await until('the repositories', timeoutMs, async () => (await message('app')) !== undefined);
    await show('app', 'app.ts');
    void window.command('dueline.addHere');
    await window.picks('app.ts:1').first().waitFor({ timeout: timeoutMs });
    await window.quickText.fill('Fix the app');
    await window.page.keyboard.press('Enter');
    const [id] = await until('the task', timeoutMs, async () =>
      (await ids('Fix')).length > 0 ? ids('Fix') : undefined,
    );
    await window.command('dueline.start', id);
    await until('the line', timeoutMs, async () => (await message('app'))?.trim().startsWith('Task: dl-'));
    await window.command('dueline.stop', id);
  });

  it('have their tasks in each working copy of a repository', async () => {
    git('app', 'worktree', 'add', '-q', path('second'), '-b', 'second');
    await show('app', 'app.ts');
    await until('the first copy', timeoutMs, async () => (await ids('in:file')).length === 1);
    await show('second', 'app.ts');
    await until('no file', timeoutMs, async () => (await file()).includes('second'));
    await until('the second copy', timeoutMs, async () => (await behind()).length > 0);
    git('app', 'worktree', 'remove', '--force', path('second'));
  });

  it('have their links opened in a window in which no file of them was open', async () => {
    const [id] = await ids('Fix');
    await window.command('workbench.action.closeAllEditors');
    await window.reload();
    await window.view();
    await window.command('dueline.openLink', id);
    await until('the file', timeoutMs, async () => (await file()).endsWith('app.ts'));
  });

  it('are known to the git extension behind a symbolic link too', async () => {
    await show('link', 'site.ts');
    const [id] = await ids('Fix');
    assert.equal(await message('site'), '');
    await until('the line', timeoutMs, async () => {
      await window.command('dueline.insertTrailer', id);
      return (await message('site'))?.trim().startsWith('Task: dl-');
    });
  });
});
