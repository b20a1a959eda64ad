import assert from 'node:assert/strict';
import type { DuelineEngine } from '../../src/api';
import { type Anchor, anchorsOf } from '../../src/core/code/anchors';
import { isDuelineError } from '../../src/core/kernel/errors';
import { engines } from './support/engine';

describe('anchors of tasks', () => {
  const own = engines();
  const [repo, other] = ['0123456789ab', 'ba9876543210'];
  const at = (path: string, line?: number, inRepo = repo): Anchor => ({
    repo: inRepo,
    path,
    ...(line === undefined ? {} : { line }),
  });
  const places = (engine: DuelineEngine, ...args: Parameters<DuelineEngine['anchored']>) =>
    engine.anchored(...args).map(({ task, anchor }) => `${task} ${anchor.path}:${anchor.line ?? ''}`);

  it('are read again only if their lines change', async () => {
    const engine = await own.open();
    const listId = engine.defaultListId();
    const anchors = [at('a.ts', 3), at('b.ts', 7)];
    const [id] = await engine.apply([{ type: 'create', listId, input: { title: 'Fix race' }, anchors }]);
    const known = engine.anchored().map(({ anchor }) => anchor);
    await engine.updateTask(id!, { title: 'Fix both races' });
    await engine.apply([{ type: 'anchors', id: id!, edit: { add: [at('c.ts')] } }]);
    const now = engine.anchored().map(({ anchor }) => anchor);
    assert.deepEqual([now.length, ...known.map(anchor => now.includes(anchor))], [3, true, true]);
  });

  it('are known as soon as a change is announced', async () => {
    const engine = await own.open();
    const listId = engine.defaultListId();
    const known: number[] = [];
    engine.onDidChange(() => known.push(engine.anchored().length));
    for (const path of ['a.ts', 'b.ts', 'c.ts'])
      await engine.apply([{ type: 'create', listId, input: { title: path }, anchors: [at(path, 1)] }]);
    assert.deepEqual(known, [1, 2, 3]);
  });

  it('are created with a new task, change in one undo step, and are listed by path', async () => {
    const engine = await own.open();
    const listId = engine.defaultListId();
    const [id] = await engine.apply([
      { type: 'create', listId, input: { title: 'Fix race' }, anchors: [at('a.ts', 3), at('b.ts', 7)] },
    ]);
    const second = await engine.createTask(listId, { title: 'Second' });
    assert.deepEqual(places(engine, repo), [`${id} a.ts:3`, `${id} b.ts:7`]);
    const [first] = anchorsOf(engine.task(id!)!);
    await engine.apply([
      {
        type: 'anchors',
        id: id!,
        edit: { replace: [{ source: first!.source, by: at('c.ts', 9) }], add: [at('d.ts')] },
      },
      { type: 'anchors', id: second, edit: { add: [at('c.ts', 1), at('a.ts', 1, other)] } },
    ]);
    assert.deepEqual(places(engine, repo, ['c.ts', 'd.ts']), [`${id} c.ts:9`, `${id} d.ts:`, `${second} c.ts:1`]);
    assert.deepEqual(places(engine, other), [`${second} a.ts:1`]);
    await engine.undo();
    assert.deepEqual(places(engine, repo), [`${id} a.ts:3`, `${id} b.ts:7`]);
    assert.deepEqual(places(engine, other), []);
    await engine.deleteTask(id!);
    assert.deepEqual(places(engine, repo), []);
  });

  it('travel in an iCalendar file, and are found by their path', async () => {
    const one = await own.open();
    const [id] = await one.apply([
      { type: 'create', listId: one.defaultListId(), input: { title: 'x' }, anchors: [at('a.ts', 3)] },
    ]);
    assert.deepEqual(places(one, repo, ['a.ts']), [`${id} a.ts:3`]);
    assert.deepEqual(places(one, repo, ['b.ts']), []);
    const ics = one.exportTasks('ics');
    assert.match(ics, /X-DUELINE-ANCHOR;V=1;REPO=0123456789ab;PATH=a\.ts;LINE=4:0/);
    const two = await own.open();
    await two.importTasks('ics', ics, two.defaultListId());
    assert.deepEqual(
      two.anchored(repo).map(({ anchor }) => anchor.line),
      [3],
    );
  });

  it('are known to queries in every view, once the editor reports which are here and which are stale', async () => {
    const engine = await own.open();
    const listId = engine.defaultListId();
    const [one, two] = [
      await engine.createTask(listId, { title: 'one' }),
      await engine.createTask(listId, { title: 'two' }),
    ];
    const ids = (query: string) => engine.lines(query).map(({ task }) => task.id);
    assert.throws(
      () => ids('in:file'),
      error => isDuelineError(error, 'query'),
    );
    let changes = 0;
    engine.onDidChange(() => changes++);
    const here = new Set([one]);
    engine.setCodeLocations({
      here: place => (place === 'branch' ? new Set() : here),
      links: value => new Set(value === 'stale' ? [two] : [one, two]),
    });
    assert.equal(changes, 1);
    assert.deepEqual(ids('in:file'), [one]);
    assert.deepEqual(ids('in:branch'), []);
    assert.deepEqual(ids('link:stale'), [two]);
    assert.deepEqual(ids('has:link -in:file'), [two]);
    assert.deepEqual(engine.query('no:link'), []);
    engine.setCodeLocations({ here: () => new Set([two]), links: () => new Set() });
    assert.deepEqual(ids('in:file'), [two]);
    assert.deepEqual(ids('link:stale'), []);
    engine.setCodeLocations({});
    assert.throws(
      () => ids('in:file'),
      error => isDuelineError(error, 'query'),
    );
  });

  it('are read beside file links, and remove one from the URL when they replace it', async () => {
    const engine = await own.open();
    const listId = engine.defaultListId();
    const url = 'file:///home/a/b.ts#L1';
    const description = 'see [notes](file:///home/a/notes.md#L12)';
    const id = await engine.createTask(listId, { title: 'x', url, description });
    const links = () => engine.fileLinks().map(({ task, link }) => `${task} ${link.source}`);
    assert.deepEqual(links(), [`${id} ${url}`, `${id} file:///home/a/notes.md#L12`]);
    const other = await engine.createTask(listId, { title: 'y', url: 'https://example.com/' });
    const before = engine.fileLinks();
    await engine.updateTask(other, { title: 'z' });
    assert.equal(engine.fileLinks(), before, 'the same array');
    await engine.apply([{ type: 'anchors', id, edit: { add: [at('b.ts', 0)], remove: [url] } }]);
    assert.deepEqual([engine.task(id)?.url, links()], [null, [`${id} file:///home/a/notes.md#L12`]]);
    assert.deepEqual(places(engine, repo), [`${id} b.ts:0`]);
    await engine.undo();
    assert.deepEqual([engine.task(id)?.url, places(engine, repo)], [url, []]);
    await engine.deleteTask(id);
    assert.deepEqual(links(), []);
  });

  it('leave a task as it is if nothing changes, and are refused if invalid', async () => {
    const engine = await own.open();
    const id = await engine.createTask(engine.defaultListId(), { title: 'x' });
    await engine.apply([{ type: 'anchors', id, edit: { add: [at('a.ts', 3)] } }]);
    const before = engine.task(id);
    await engine.apply([{ type: 'anchors', id, edit: { add: [at('a.ts', 3)], remove: ['X-OTHER:1'] } }]);
    assert.deepEqual(engine.task(id), before);
    const wrong = { type: 'anchors', id, edit: { add: [{ path: 3 }] } } as never;
    await assert.rejects(engine.apply([wrong]), error => isDuelineError(error, 'invalid'));
  });
});
