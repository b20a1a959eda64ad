import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DuelineEngine } from '../../../src/api';
import { caselessDisk, decomposingDisk, diskWith, fault } from '../support/folders';
import { todoText } from '../support/texts';
import { aFolderWorld } from '../support/world';

describe('a list whose folder is renamed', () => {
  const world = aFolderWorld();
  beforeEach(() => {
    world.folder.addList('errands');
    world.folder.put('errands/bread.ics', todoText('bread', 'SUMMARY:Buy bread'));
    world.folder.put('errands/milk.ics', todoText('milk', 'SUMMARY:Buy milk'));
  });

  const path = (...names: string[]) => join(world.folder.path, ...names);
  const rename = (from: string, to: string) => renameSync(path(from), path(to));
  /** A checkout or Syncthing renames like this: the folder and its files are new ones. */
  const makeAgain = (from: string, to: string) => {
    cpSync(path(from), path(to), { recursive: true });
    rmSync(path(from), { recursive: true });
  };
  const lists = (engine: DuelineEngine) =>
    engine
      .lists()
      .filter(({ id, accountId }) => accountId !== null || engine.rows(id).length > 0)
      .map(({ name, accountId }) => (accountId === null ? `local ${name}` : name));
  const listOf = (engine: DuelineEngine, id: number) => engine.lists().find(one => one.id === id);
  const nameOf = (engine: DuelineEngine, id: number) => listOf(engine, id)?.name;
  const open = async (disk?: object) => {
    const engine = await world.devices.open(world.folder, { disk } as object);
    await engine.sync();
    return { engine, list: world.devices.list(engine, 'errands') };
  };
  const syncWell = async (engine: DuelineEngine) => {
    const [report] = (await engine.sync()).accounts;
    assert.equal(report?.error, null);
    return report;
  };

  for (const [how, change] of [
    ['here', rename],
    ['on another computer', makeAgain],
  ] as const)
    it(`${how} stays one list, with its tasks and pending edits`, async () => {
      const { engine, list } = await open();
      await engine.updateTask(list.byUid('bread')!.id, { title: 'Buy two' });
      await engine.deleteTask(list.byUid('milk')!.id);
      const { id } = list.byUid('bread')!;
      change('errands', 'shopping');
      await syncWell(engine);
      assert.deepEqual(lists(engine), ['shopping']);
      assert.equal(list.byUid('bread')?.id, id);
      assert.equal(nameOf(engine, list.id), 'shopping');
      assert.deepEqual(readdirSync(path('shopping')), ['bread.ics']);
      assert.match(readFileSync(path('shopping', 'bread.ics'), 'utf8'), /SUMMARY:Buy two/);
      assert.deepEqual(readdirSync(world.folder.path), ['shopping']);
      world.folder.put('shopping/bread.ics', todoText('bread', 'SUMMARY:Buy three'), 30_000);
      await syncWell(engine);
      assert.deepEqual(list.titles(), ['Buy three']);
    });

  it('keeps its name if that is in a file', async () => {
    writeFileSync(path('errands', 'displayname'), 'errands');
    const { engine } = await open();
    rename('errands', 'shopping');
    await syncWell(engine);
    assert.deepEqual(lists(engine), ['errands']);
  });

  it('is followed in the next run if the computer failed meanwhile', async () => {
    const { engine, list } = await open();
    const openAgain = world.devices.cutOffAt(
      engine,
      () => listOf(engine, list.id)?.href?.endsWith('/shopping/') ?? false,
    );
    await engine.updateTask(list.byUid('bread')!.id, { title: 'Buy two' });
    rename('errands', 'shopping');
    await engine.sync();
    const again = await openAgain();
    await syncWell(again);
    assert.deepEqual(lists(again), ['shopping']);
    assert.match(readFileSync(path('shopping', 'bread.ics'), 'utf8'), /SUMMARY:Buy two/);
  });

  it('only in case, on a disk that ignores case, stays one list', async () => {
    const { engine, list } = await open(caselessDisk());
    rename('errands', 'Errands');
    await syncWell(engine);
    assert.deepEqual(lists(engine), ['Errands']);
    assert.deepEqual(list.titles(), ['Buy bread', 'Buy milk']);
    await engine.updateTask(list.byUid('bread')!.id, { title: 'Buy two' });
    await syncWell(engine);
    assert.match(readFileSync(path('Errands', 'bread.ics'), 'utf8'), /SUMMARY:Buy two/);
  });

  it('to something that lacks some of its tasks stays here, and nothing in it is deleted', async () => {
    const { engine } = await open();
    mkdirSync(path('shopping'));
    world.folder.put('shopping/bread.ics', todoText('bread', 'SUMMARY:Buy bread'));
    rmSync(path('errands'), { recursive: true });
    await syncWell(engine);
    assert.deepEqual(lists(engine), ['local errands', 'shopping']);
    assert.deepEqual(world.devices.list(engine, 'errands').titles(), ['Buy bread', 'Buy milk']);
  });

  it('and partly restored by a computer that had edited a task is asked about: the task is in both', async () => {
    const { engine, list } = await open();
    rename('errands', 'shopping');
    await syncWell(engine);
    world.folder.addList('errands');
    world.folder.put('errands/bread.ics', todoText('bread', 'SUMMARY:Buy two'));
    for (let round = 0; round < 3; round++) {
      await syncWell(engine);
      world.devices.clock.time += 11 * 60_000;
    }
    const [offer, ...more] = engine.syncing!.conflicts();
    assert.deepEqual(more, []);
    assert.equal(offer!.reason, 'duplicate');
    assert.deepEqual([offer!.listId, offer!.other!.listId].includes(list.id), true);
    await engine.syncing!.resolveConflict(offer!.id, 'both');
    await syncWell(engine);
    assert.deepEqual(engine.syncing!.conflicts(), []);
  });

  it('is a new list if it has no tasks', async () => {
    world.folder.addList('garden');
    const { engine } = await open();
    rename('garden', 'park');
    await syncWell(engine);
    assert.deepEqual(lists(engine).toSorted(), ['errands', 'park']);
  });

  it('is not followed if two folders could be it', async () => {
    const { engine } = await open();
    cpSync(path('errands'), path('a copy'), { recursive: true });
    makeAgain('errands', 'shopping');
    await syncWell(engine);
    assert.deepEqual(lists(engine).toSorted(), ['a copy', 'local errands', 'shopping']);
  });

  it('has one address if the disk writes names in another Unicode form', async () => {
    const disk = decomposingDisk();
    const { engine } = await open(disk);
    await engine.createList({ name: 'Größe', accountId: engine.accounts()[0]!.id });
    await syncWell(engine);
    await syncWell(engine);
    assert.deepEqual(lists(engine).toSorted(), ['Größe', 'errands']);
    const list = world.devices.list(engine, 'Größe');
    await engine.createTask(list.id, { title: 'Measure' });
    await syncWell(engine);
    assert.equal(readdirSync(path('Größe'.normalize('NFD'))).filter(name => name.endsWith('.ics')).length, 1);
  });

  it('is looked up again if the disk fails meanwhile', async () => {
    let isFailing = false;
    const { engine } = await open(
      diskWith((operation, when) => {
        if (isFailing && operation === 'stat' && when === 'before') throw fault('EIO');
      }),
    );
    rename('errands', 'shopping');
    isFailing = true;
    assert.notEqual((await engine.sync()).accounts[0]!.error, null);
    isFailing = false;
    await syncWell(engine);
    assert.deepEqual(lists(engine), ['shopping']);
  });
});
