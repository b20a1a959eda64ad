import assert from 'node:assert/strict';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { makeRepository } from '../support/repository';
import { run } from './support/api';
import { until } from './support/changes';
import { CodeFolder } from './support/code';

const source = `class Session {
  #token: Token | undefined;

  refresh(): void {
    this.#token = requestToken(this.user);
  }
}
`;

describe('tasks in code', () => {
  let code: CodeFolder;
  before(async () => {
    code = await CodeFolder.make('Code');
    makeRepository(code.path, { 'src/session.ts': source, 'src/other.ts': 'export const other = 1;\n' });
  });
  after(() => code?.remove());
  afterEach(() => code.clear());

  it('are opened in a file that was moved', async () => {
    const id = await code.link('src/session.ts', 5, 'Fix race');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    mkdirSync(code.file('lib'));
    renameSync(code.file('src/session.ts'), code.file('lib/session.ts'));
    await run('dueline.openLink', id);
    await code.isInFront('lib/session.ts', 5);
    renameSync(code.file('lib/session.ts'), code.file('src/session.ts'));
  });

  it('have their short ID in code as a link', async () => {
    const id = await code.engine.createTask(code.listId, { title: 'Fix race' });
    const shortId = code.engine.shortIdOf(code.engine.task(id)!);
    writeFileSync(code.file('src/seen.ts'), `// See ${shortId} and dl-zzzzzzzz.\n`);
    await code.show('src/seen.ts');
    const { document } = vscode.window.activeTextEditor!;
    const links = await until(code.engine, async () => {
      const found = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
        'vscode.executeLinkProvider',
        document.uri,
      );
      return found.length > 0 && found;
    });
    assert.deepEqual(
      links.map(({ range, target }) => `${document.getText(range)} ${decodeURIComponent(String(target))}`),
      [`${shortId} command:dueline.open?[${id}]`],
    );
  });
});
