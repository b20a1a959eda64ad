import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { gitIn } from '../support/repository';
import { addTask, beginAnew, openCode, showFile, titlesOf } from './support/codeFiles';
import { until } from './support/wait';
import { taskNamed } from './support/widgetPages';
import type { Window } from './support/window';

const timeoutMs = 60_000;

describe('git and the active task', () => {
  let work: Awaited<ReturnType<typeof openCode>>;
  let window: Window;
  const git = (...args: string[]) => gitIn(work.folder, ...args);

  before(async () => {
    work = await openCode('git', { 'src/session.ts': 'export const session = 1;\n' });
    ({ window } = work);
    // The editor commits too.
    git('config', 'user.name', 'a');
    git('config', 'user.email', 'a@b.c');
  });
  beforeEach(() => beginAnew(work));
  afterEach(async function () {
    await window.tidy(this.currentTest);
  });

  it('is completed once the commit is made by the Commit button', async () => {
    const { id } = await addTask(window, 'Fix race');
    const status = async () => (await taskNamed(window, 'Fix race'))?.status;
    // The git extension opens the repository of a file that is shown.
    await showFile(window, work.file('src/session.ts'), 1);
    await until('the repository', timeoutMs, () =>
      window.run(async vscode => {
        const extension = await vscode.extensions.getExtension('vscode.git')!.activate();
        return extension.getAPI(1).repositories.length === 1;
      }),
    );
    // The task is worked on in the repository of the file in front.
    await window.command('dueline.linkHere', id);
    await until('the file in front', timeoutMs, async () => (await titlesOf(window, 'in:file')).length === 1);
    await window.command('dueline.start', id);
    await until('the task to be started', timeoutMs, async () => (await status()) === 1);
    const before = git('rev-parse', 'HEAD');
    writeFileSync(work.file('src/session.ts'), 'export const session = 3;\n');
    git('add', '.');
    await window.run(async vscode => {
      const extension = await vscode.extensions.getExtension('vscode.git')!.activate();
      const [repository] = extension.getAPI(1).repositories;
      repository.inputBox.value = 'Fix it again';
      await repository.status();
    });
    await window.command('workbench.view.scm');
    const more = window.page.locator('.scm-view .monaco-button-dropdown .monaco-dropdown-button').first();
    await more.waitFor({ timeout: timeoutMs });
    await more.click();
    await window.page.locator('.monaco-menu').first().waitFor({ timeout: timeoutMs });
    await window.picture('git-button');
    await window.menu('Commit and Complete');
    await until('the task to be done', timeoutMs, async () => (await status()) === 2);
    assert.notEqual(git('rev-parse', 'HEAD'), before);
    await window.command('dueline.undo');
    await until('the task to be open', timeoutMs, async () => (await status()) === 1);
  });
});
