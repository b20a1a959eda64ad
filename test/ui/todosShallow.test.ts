import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Session } from './support/driver';
import { gitIn, makeRepository, writeIn } from './support/repository';
import { until } from './support/wait';

const timeoutMs = 60_000;

describe('TODO comments of a branch in a clone without its beginning', () => {
  let root: string;
  let work: Session | undefined;
  const git = (folder: string, ...args: string[]) => gitIn(join(root, folder), ...args);
  const write = (name: string, text: string) => writeIn(root, name, text);

  before(() => {
    root = mkdtempSync(join(tmpdir(), 'dueline-shallow-'));
    makeRepository(join(root, 'origin'), { 'a.ts': '// TODO: from the beginning\n' });
    git('origin', 'checkout', '-qb', 'feature');
    write('origin/b.ts', '// TODO: pushed on the branch\n');
    git('origin', 'add', '.');
    git('origin', 'commit', '-qm', 'second');
    const from = pathToFileURL(join(root, 'origin')).href;
    git('.', 'clone', '-q', '--depth', '1', '--branch', 'feature', from, 'clone');
    git('clone', 'fetch', '-q', '--depth', '1', 'origin', 'main:refs/remotes/origin/main');
    write('clone/c.ts', '// TODO: committed here\n');
    git('clone', 'add', '.');
    git('clone', 'commit', '-qm', 'third');
    write('clone/b.ts', '// TODO: pushed on the branch\n// TODO: not committed\n');
  });
  after(async () => {
    await work?.close();
    rmSync(root, { recursive: true, force: true });
  });

  it('are those that its upstream does not have', async () => {
    assert.throws(() => git('clone', 'merge-base', 'HEAD', 'origin/main'));
    work = await Session.open({ folder: join(root, 'clone'), withGit: true, size: { width: 1200, height: 800 } });
    const { window } = work;
    await until('the repository', timeoutMs, () =>
      window.run(async vscode => {
        const extension = await vscode.extensions.getExtension('vscode.git')!.activate();
        return extension.getAPI(1).repositories.length === 1;
      }),
    );
    await window.view();
    await window.choose('Dueline: Choose TODO Comments to Show', 'This Branch');
    const pane = window.pane('TODO Comments');
    await pane.getByText(/Compared with .?origin\/feature/).waitFor({ timeout: timeoutMs });
    const texts = async () => (await pane.locator('.monaco-list-row').allInnerTexts()).join(' ');
    await until('the comments', timeoutMs, async () => /committed here/.test(await texts()));
    assert.match(await texts(), /not committed/);
    assert.doesNotMatch(await texts(), /pushed on the branch|from the beginning/);
  });
});
