import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { type SearchedFile, searchFiles } from '../../src/code/todos/todoSearch';

const never = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose() {} }) };

describe('the search for TODO comments on the disk', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dueline-todos-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return name;
  };
  const search = async (names: readonly string[], keys: readonly string[] = [], maxTotalBytes = 1_000_000) => {
    const found: SearchedFile[] = [];
    const files = names.map((name, at) => ({ path: join(folder, name), key: keys[at] }));
    await searchFiles({ files, words: ['TODO'], maxTotalBytes }, never as vscode.CancellationToken, part =>
      found.push(...part),
    );
    return found;
  };
  const texts = (found: readonly SearchedFile[]) => found.map(({ todos }) => todos?.map(({ text }) => text));

  it('reads files in their order, and those that cannot be read as empty', async () => {
    const names = [write('one.ts', '// TODO: first\n'), 'missing.ts', write('none.ts', 'export {};\n')];
    assert.deepEqual(texts(await search([...names, write('two.py', '# TODO: second\n')])), [
      ['first'],
      [],
      [],
      ['second'],
    ]);
  });

  it('counts columns as the editor does, without the mark of the encoding', async () => {
    const [found] = await search([write('marked.ts', '\ufeff// TODO: here\n')]);
    assert.equal(found!.todos![0]!.character, 3);
  });

  it('reads only files that have changed', async () => {
    const names = [write('one.ts', '// TODO: first\n'), write('two.ts', '// TODO: second\n')];
    const keys = (await search(names)).map(({ key }) => key!);
    write('two.ts', '// TODO: another one\n');
    assert.deepEqual(texts(await search(names, keys)), [undefined, ['another one']]);
  });

  it('ends after a given number of bytes', async () => {
    const names = [write('one.ts', '// TODO: first\n'), write('two.ts', '// TODO: second\n')];
    assert.deepEqual(texts(await search(names, [], 10)), [['first']]);
  });

  it('does not wait for a pipe', async function () {
    if (process.platform === 'win32') return this.skip();
    execFileSync('mkfifo', [join(folder, 'pipe.ts')]);
    assert.deepEqual(texts(await search(['pipe.ts'])), [[]]);
  });
});
