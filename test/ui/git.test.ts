import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitIn, makeRepository } from '../support/repository';
import { titlesOf } from './support/codeFiles';
import { Session } from './support/driver';
import { until } from './support/wait';
import type { Window } from './support/window';

const timeoutMs = 60_000;

interface Row {
  readonly id: number;
  readonly title: string;
  readonly status: number;
  readonly unknownProperties: string | null;
}

describe('git and the active task', () => {
  let work: Session;
  let window: Window;
  let folder: string;
  const git = (...args: string[]) => gitIn(folder, ...args);

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dueline-git-'));
    makeRepository(folder, { 'src/session.ts': 'export const session = 1;\n' }, 'git@example.org:team/app.git');
    // The editor commits too.
    git('config', 'user.name', 'a');
    git('config', 'user.email', 'a@b.c');
    work = await Session.open({ theme: 'dark', folder, withGit: true, size: { width: 1300, height: 820 } });
    window = work.window;
    await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      for (const title of ['Fix race', 'Write docs']) await api.createTask(api.lists()[0].id, { title });
    });
    await until('the repository', timeoutMs, () =>
      window.run(async vscode => {
        const extension = await vscode.extensions.getExtension('vscode.git')!.activate();
        return extension.getAPI(1).repositories.length === 1;
      }),
    );
    await window.view();
    await window.expand('Inbox');
  });
  after(async () => {
    await work?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(async function () {
    await window.tidy(this.currentTest);
  });

  const rows = (): Promise<Row[]> =>
    window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      return api.rows(api.lists()[0].id) as Row[];
    });
  const row = async (title: string) => (await rows()).find(one => one.title === title)!;
  const found = (query: string) => titlesOf(window, query);
  const shortId = (id: number): Promise<string> =>
    window.run(async (vscode, id) => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      return api.shortIdOf(id) as string;
    }, id);
  const message = (): Promise<string> =>
    window.run(async vscode => {
      const extension = await vscode.extensions.getExtension('vscode.git')!.activate();
      return extension.getAPI(1).repositories[0].inputBox.value as string;
    });
  const set = (name: string, value?: unknown) =>
    window.run(
      async (vscode, name, value) => {
        await vscode.workspace.getConfiguration().update(name, value, true);
      },
      name,
      value ?? undefined,
    );
  const branch = () => git('branch', '--show-current').trim();
  const working = () => window.page.locator('.statusbar-item[id*="dueline.working"]');

  it('starts on a new branch, and the time runs', async () => {
    const id = await shortId((await row('Fix race')).id);
    await window.choose('Dueline: Start on a Branch', 'Fix race');
    await until('the name', timeoutMs, async () => (await window.quickText.inputValue()) === `fix-race-${id}`);
    await window.page.keyboard.press('Enter');
    await until('the branch', timeoutMs, async () => branch() === `fix-race-${id}`);
    await until('the time', timeoutMs, async () => /Fix race.* 0:00/.test((await working().textContent()) ?? ''));
    await until('the task of the branch', timeoutMs, async () => (await found('in:branch')).includes('Fix race'));
    assert.deepEqual(await found('is:active'), ['Fix race']);
    assert.equal((await row('Fix race')).unknownProperties, null);
    await window.pictures('git-active');
  });

  it('writes the line of the commit message by itself only where that is set', async () => {
    assert.equal(await message(), '');
    await set('dueline.git.trailer', 'always');
    const id = await shortId((await row('Fix race')).id);
    await until('the line', timeoutMs, async () => (await message()).trim() === `Task: ${id}`);
    await set('dueline.git.trailer');
    await until('the line to go', timeoutMs, async () => (await message()).trim() === '');
  });

  it('completes the task once the commit is made', async () => {
    const before = git('rev-parse', 'HEAD');
    await window.run(async vscode => {
      const extension = await vscode.extensions.getExtension('vscode.git')!.activate();
      extension.getAPI(1).repositories[0].inputBox.value = 'Fix the race';
    });
    writeFileSync(join(folder, 'src/session.ts'), 'export const session = 2;\n');
    git('add', '.');
    await window.run(async vscode => {
      const extension = await vscode.extensions.getExtension('vscode.git')!.activate();
      await extension.getAPI(1).repositories[0].status();
    });
    await window.command('dueline.commitAndComplete');
    await until('the task to be done', timeoutMs, async () => (await row('Fix race')).status === 2);
    assert.notEqual(git('rev-parse', 'HEAD'), before);
    assert.deepEqual(await found('is:active'), []);
    await window.command('dueline.undo');
    await until('the task to be open', timeoutMs, async () => (await row('Fix race')).status === 1);
  });

  it('does so in the Commit button too', async () => {
    await window.command('dueline.start', (await row('Fix race')).id);
    await until('the active task', timeoutMs, async () => (await found('is:active')).includes('Fix race'));
    const before = git('rev-parse', 'HEAD');
    writeFileSync(join(folder, 'src/session.ts'), 'export const session = 3;\n');
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
    await until('the task to be done', timeoutMs, async () => (await row('Fix race')).status === 2);
    assert.notEqual(git('rev-parse', 'HEAD'), before);
    await window.command('dueline.undo');
    await until('the task to be open', timeoutMs, async () => (await row('Fix race')).status === 1);
    await window.view();
  });

  it('offers the task of a branch after a switch to it', async () => {
    const own = branch();
    git('checkout', '-q', 'main');
    await until('the other branch', timeoutMs, async () => (await found('in:branch')).length === 0);
    git('checkout', '-q', own);
    const offer = window.page.locator('.statusbar-item[id*="dueline.branch"]');
    await offer.filter({ hasText: 'Fix race' }).waitFor({ timeout: timeoutMs });
    await window.picture('git-offer');
    await offer.locator('a').click();
    await until('the time', timeoutMs, async () => (await found('is:active')).includes('Fix race'));
    await offer.waitFor({ state: 'hidden', timeout: timeoutMs });
  });

  it('says in the row that its branch is merged, and completes nothing', async () => {
    const own = branch();
    await window.rows('Fix race').first().waitFor({ timeout: timeoutMs });
    git('checkout', '-q', 'main');
    git('merge', '-q', '--no-ff', '-m', 'merge', own);
    await window.rows('Fix race').filter({ hasText: 'merged: complete?' }).first().waitFor({ timeout: timeoutMs });
    assert.equal((await row('Fix race')).status, 1);
    await window.pictures('git-merged');
  });

  it('knows a branch with another name by a line of the task, which does not tell the name', async () => {
    git('branch', 'spike');
    await window.choose('Dueline: Start on a Branch', 'Write docs');
    await window.quickText.waitFor({ timeout: timeoutMs });
    await until('the question', timeoutMs, async () => (await window.quickText.inputValue()).startsWith('write-docs-'));
    await window.quickText.fill('spike');
    await window.page.keyboard.press('Enter');
    await until('the branch', timeoutMs, async () => branch() === 'spike');
    await until('the task of the branch', timeoutMs, async () => (await found('in:branch')).includes('Write docs'));
    const { unknownProperties } = await row('Write docs');
    assert.match(unknownProperties!, /X-DUELINE-BRANCH;V=1;REPO=[\da-f]{12}:#[\da-f]{24}/);
    assert.doesNotMatch(unknownProperties!, /spike/);
    assert.deepEqual(await found('is:active'), ['Write docs']);
  });

  it('asks in the row where the branch was deleted', async () => {
    writeFileSync(join(folder, 'src/docs.md'), '# Docs\n');
    git('add', '.');
    git('commit', '-qm', 'docs');
    const ahead = () =>
      window.run(async vscode => {
        const extension = await vscode.extensions.getExtension('vscode.git')!.activate();
        const [repository] = extension.getAPI(1).repositories;
        await repository.status();
        return repository.state.HEAD.commit as string;
      });
    const tip = git('rev-parse', 'HEAD').trim();
    await until('the commit to be seen', timeoutMs, async () => (await ahead()) === tip);
    await window.page.waitForTimeout(1500);
    git('checkout', '-q', 'main');
    git('branch', '-qD', 'spike');
    await until('the row', timeoutMs, async () => {
      await ahead();
      return (await window.rows('Write docs').filter({ hasText: 'branch deleted: complete?' }).count()) > 0;
    });
    assert.equal((await row('Write docs')).status, 1);
  });
});
