import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Anchor } from '../../src/core/code/anchors';
import { fingerprintAt, formatFingerprint, indexText } from '../../src/core/code/fingerprint';
import { hashedPath, repositoryOf } from '../../src/core/code/repository';
import { openEngine } from '../../src/engine';
import { plain, source } from '../support/sampleCode';
import { clock } from './support/aStart';
import { aTerminal } from './support/terminal';

const repository = repositoryOf(['git@example.org:team/app.git'], 'app');

describe('the command line in a repository', () => {
  const terminal = aTerminal();

  /** A repository with two files, and tasks at lines of them, in a store. */
  async function aRepository() {
    const [store, root] = [terminal.folder(), terminal.folder()];
    for (const folder of ['.git', 'src/deep']) mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, '.git/config'), '[remote "origin"]\n\turl = git@example.org:team/app.git\n');
    writeFileSync(join(root, 'src/session.ts'), source);
    writeFileSync(join(root, 'src/deep/plain.ts'), plain);
    const engine = await openEngine({ folder: store, clock });
    const listId = engine.defaultListId();
    const at = async (title: string, anchor: Omit<Anchor, 'repo'>) => {
      const id = await engine.createTask(listId, { title });
      await engine.apply([{ type: 'anchors', id, edit: { add: [{ repo: repository.id, ...anchor }] } }]);
      return engine.shortIdOf(engine.task(id)!);
    };
    const fingerprint = fingerprintAt(indexText(source), 7)!;
    const race = await at('Fix race', { path: hashedPath(repository, 'src/session.ts'), line: 7, fingerprint });
    await at('Name it', { path: 'src/deep/plain.ts' });
    const other = await engine.createTask(listId, { title: 'Elsewhere' });
    const [anchor] = [{ repo: repositoryOf([], 'other').id, path: 'a.ts', line: 0 }];
    await engine.apply([{ type: 'anchors', id: other, edit: { add: [anchor] } }]);
    await engine.createTask(listId, { title: 'Buy milk' });
    await engine.close();
    writeFileSync(join(root, '.git/HEAD'), `ref: refs/heads/milk-${race}\n`);
    const dueline = (cwd: string, ...args: string[]) =>
      terminal.run(['--store', store, ...args], { cwd: join(root, cwd) });
    const titles = async (cwd: string, query: string) =>
      JSON.parse((await dueline(cwd, 'list', query, '--json')).out)
        .tasks.map(({ title }: { title: string }) => title)
        .sort();
    return { root, race, dueline, titles };
  }

  it('finds tasks by their code, in the repository, in one of its folders, and on its branch', async () => {
    const { titles, dueline } = await aRepository();
    assert.deepEqual(await titles('.', 'in:repo'), ['Fix race', 'Name it']);
    assert.deepEqual(await titles('src/deep', 'in:repo'), ['Fix race', 'Name it']);
    assert.deepEqual(await titles('src/deep', 'in:folder'), ['Name it']);
    assert.deepEqual(await titles('src', 'in:branch'), ['Fix race']);
    assert.deepEqual(await titles('src/deep', 'in:here'), ['Fix race', 'Name it']);
    assert.deepEqual(await titles('.', 'has:link'), ['Elsewhere', 'Fix race', 'Name it']);
    assert.deepEqual(await titles('.', 'link:file:session.ts'), ['Fix race']);
    const { code, err } = await dueline('.', 'list', 'in:file');
    assert.equal(code, 1);
    assert.match(err, /in:file” is available in editor windows only/);
  });

  it('prints paths from the root, with the line where the code is now', async () => {
    const { root, race, dueline } = await aRepository();
    const shown = async () => (await dueline('src/deep', 'show', race)).out;
    assert.match(await shown(), /^Code +src\/session\.ts:8$/m);
    writeFileSync(join(root, 'src/session.ts'), `// A head\n${source}`);
    assert.match(await shown(), /^Code +src\/session\.ts:9$/m);
    const [{ places }] = JSON.parse((await dueline('.', 'show', race, '--json')).out).tasks;
    assert.deepEqual(places, [{ path: 'src/session.ts', line: 9 }]);
    writeFileSync(join(root, 'src/session.ts'), 'gone\n');
    assert.match(await shown(), /^Code +src\/session\.ts:8 \(stale\)$/m);
    assert.match((await dueline('.', 'here')).out, /^src\/session\.ts:8 {2}dl-\w+ {2}Fix race$/m);
    assert.match((await dueline('.', 'here')).out, /^src\/deep\/plain\.ts {2}dl-\w+ {2}Name it$/m);
  });

  it('follows no path out of the repository, and does not read from pipes', async function () {
    if (process.platform === 'win32') this.skip();
    const { root, race, dueline } = await aRepository();
    rmSync(join(root, 'src/session.ts'));
    execFileSync('mkfifo', [join(root, 'src/session.ts'), join(root, 'pipe')]);
    assert.match((await dueline('.', 'show', race)).out, /^ID +dl-/m);
    writeFileSync(join(root, '../outside.ts'), source);
    const print = formatFingerprint(fingerprintAt(indexText(source), 7)!);
    const anchor = (path: string) => `X-DUELINE-ANCHOR;V=1;REPO=${repository.id};PATH=${path};LINE=3:${print}`;
    const todo = ['pipe', '../outside.ts'].map(
      (path, at) => `BEGIN:VTODO\r\nUID:out-${at}\r\nSUMMARY:To ${at}\r\n${anchor(path)}\r\nEND:VTODO\r\n`,
    );
    const file = join(root, 'tasks.ics');
    writeFileSync(file, `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${todo.join('')}END:VCALENDAR\r\n`);
    await dueline('.', 'import', file);
    const { tasks } = JSON.parse((await dueline('.', 'list', 'To', '--json')).out);
    assert.deepEqual(
      tasks.map(({ places }: { places?: unknown }) => places),
      [[{ path: 'pipe', line: 3, isStale: true }], []],
    );
    rmSync(join(root, '../outside.ts'));
  });
});
