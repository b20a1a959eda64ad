import assert from 'node:assert/strict';
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { DuelineEngine } from '../../../src/api';
import { newTemporaryName } from '../../../src/sync/folder/vdir';
import { diskWith, fault, type Operation } from '../support/folders';
import { calendar, todo, todoText } from '../support/texts';
import { aFolderWorld } from '../support/world';

describe('deleting a list in a folder', () => {
  const world = aFolderWorld();
  beforeEach(() => {
    world.folder.addList('errands');
    world.folder.put('errands/bread.ics', todoText('bread', 'SUMMARY:Buy bread', 'X-OWN;X-P=1:kept'));
    world.folder.put('errands/milk.ics', todoText('milk', 'SUMMARY:Buy milk'));
    writeFileSync(join(world.folder.path, 'errands', 'displayname'), 'Errands');
    world.folder.addList('garden');
    world.folder.put('garden/rose.ics', todoText('rose', 'SUMMARY:Rose'));
  });

  const path = (...names: string[]) => join(world.folder.path, ...names);
  const files = () => readdirSync(path('errands')).toSorted();
  const texts = () => Object.fromEntries(files().map(name => [name, readFileSync(path('errands', name), 'utf8')]));
  const open = async (disk?: object) => {
    const engine = await world.devices.open(world.folder, { disk } as object);
    const list = world.devices.list(engine, 'Errands');
    await list.sync();
    return list;
  };
  const namesOf = (engine: DuelineEngine) =>
    engine.lists().flatMap(({ name, accountId }) => (accountId === null ? [] : [name]));
  const syncedNames = async (engine: DuelineEngine) => {
    assert.equal((await engine.sync()).accounts[0]!.error, null);
    return namesOf(engine);
  };
  /** A disk that refuses the first such operation once `isStarted` is set. */
  const refusing = (operation: Operation, code: string, isMeant: (file: string) => boolean) => {
    const state = { isStarted: false, count: 0 };
    const disk = diskWith((one, when, file) => {
      if (!state.isStarted || one !== operation || when !== 'before' || !isMeant(file)) return;
      state.isStarted = false;
      throw fault(code);
    });
    return { disk, state };
  };

  for (const [finding, change] of Object.entries({
    'a task that is new there': () => world.folder.put('errands/cake.ics', todoText('cake')),
    'a version that is new there': () =>
      world.folder.put('errands/milk.ics', todoText('milk', 'SUMMARY:Buy two'), 30_000),
    'a file that is still being written': () =>
      world.folder.put('errands/cake.ics', todoText('cake').slice(0, 60), 30_000),
    'a file that is in the cloud only': () => writeFileSync(path('errands', '.cake.ics.icloud'), 'bplist'),
  }))
    it(`is refused with ${finding}, and changes nothing`, async () => {
      const { engine, id, rows } = await open();
      change();
      const before = texts();
      await assert.rejects(engine.deleteList(id), /the list was not deleted/);
      assert.deepEqual(texts(), before);
      assert.equal(rows().length, 2);
      for (const name of files()) if (name.startsWith('.') || name === 'cake.ics') unlinkSync(path('errands', name));
      assert.deepEqual(await syncedNames(engine), ['Errands', 'garden']);
      await engine.deleteList(id);
      assert.deepEqual(readdirSync(world.folder.path), ['garden']);
    });

  it('never leaves a folder that other computers mistake for a missing disk, wherever the process ends', async () => {
    const changing: readonly Operation[] = ['open', 'link', 'rename', 'unlink', 'rmdir'];
    for (let cut = 1, isOver = false; !isOver; cut++) {
      rmSync(path('garden'), { recursive: true, force: true });
      rmSync(path('.dueline'), { force: true });
      let [count, isStarted] = [0, false];
      let reopen: (() => Promise<DuelineEngine>) | undefined;
      const disk = diskWith((operation, when) => {
        // A file that was opened would stay open.
        if (operation === 'open' && when === 'after') return;
        if (reopen) throw fault('EIO');
        if (!isStarted || !changing.includes(operation) || ++count < cut) return;
        reopen = world.devices.cutOff(engine);
        throw fault('EIO');
      });
      const { engine, id } = await open(disk);
      const other = await open();
      isStarted = true;
      await engine.deleteList(id).catch(() => undefined);
      isOver = reopen === undefined;
      const again = await (reopen?.() ?? engine);
      for (let run = 0; run < 2; run++) for (const one of [other.engine, again]) await syncedNames(one);
      const left = namesOf(again);
      assert.deepEqual(namesOf(other.engine), left);
      assert.deepEqual(
        readdirSync(world.folder.path).filter(name => name.endsWith('.tmp')),
        [],
      );
      if (left.length > 0) await again.deleteList(again.lists().find(({ name }) => name === 'Errands')!.id);
      for (const one of [other.engine, again]) assert.deepEqual(await syncedNames(one), []);
      await world.devices.close();
      rmSync(path('errands'), { recursive: true, force: true });
      world.folder.addList('errands');
      world.folder.put('errands/milk.ics', todoText('milk', 'SUMMARY:Buy milk'));
      writeFileSync(path('errands', 'displayname'), 'Errands');
    }
  });

  it('leaves none even if another computer deletes the only other list at the same time', async () => {
    let isStarted = false;
    const disk = diskWith((operation, when, file) => {
      if (isStarted && operation === 'rename' && when === 'before' && file === path('errands'))
        rmSync(path('garden'), { recursive: true });
    });
    const { engine, id } = await open(disk);
    const other = await open();
    isStarted = true;
    await engine.deleteList(id);
    for (const one of [engine, other.engine]) assert.equal((await one.sync()).accounts[0]!.error, null);
  });

  it('is complete for every computer, even if the disk does not confirm the removal of the last folder', async () => {
    rmSync(path('garden'), { recursive: true });
    let isStarted = false;
    const disk = diskWith((operation, when) => {
      if (isStarted && operation === 'rmdir' && when === 'after') throw fault('ETIMEDOUT');
    });
    const { engine, id } = await open(disk);
    const other = await open();
    isStarted = true;
    await engine.deleteList(id);
    for (const one of [engine, other.engine]) assert.deepEqual(await syncedNames(one), []);
  });

  it('is refused with a file that is too large to be read, even if its version is known', async () => {
    const occurrences = Array.from({ length: 10_001 }, (_, at) => todo('milk', `RECURRENCE-ID:${20_000_101 + at}`));
    world.folder.put('errands/milk.ics', calendar(...occurrences));
    const account = world.folder.connect();
    const [errands] = (await account.lists()).filter(({ name }) => name === 'Errands');
    const { members } = await account.collection(errands!).listing(true);
    const known = new Map(members.map(({ href, etag }) => [href, etag]));
    await assert.rejects(account.deleteList(errands!.href, known), /milk\.ics/);
    assert.equal(files().length, 3);
  });

  it('restores every file as it was if one cannot be removed', async () => {
    symlinkSync('../garden/lily', path('errands', 'lily.ics'));
    writeFileSync(path('garden', 'lily'), todoText('lily', 'SUMMARY:Lily'));
    const { disk, state } = refusing('rename', 'EPERM', file => file.endsWith('milk.ics'));
    const { engine, id, rows } = await open(disk);
    const before = texts();
    state.isStarted = true;
    await assert.rejects(engine.deleteList(id), /milk\.ics/);
    assert.deepEqual(texts(), before);
    assert.deepEqual(await syncedNames(engine), ['Errands', 'garden']);
    assert.equal(rows().length, 3);
    await engine.deleteList(id);
    assert.deepEqual(readdirSync(world.folder.path), ['garden']);
    assert.ok(existsSync(path('garden', 'lily')));
  });

  for (const others of ['no other file', 'other files', 'a marker of an earlier deletion'])
    it(`is completely done or undone after the process has ended in it, with ${others}`, async () => {
      if (others !== 'no other file') world.folder.put('errands/notes.txt', 'Notes');
      if (others.startsWith('a marker')) writeFileSync(path('errands', '.dueline'), 'deleted\n');
      const kept = Object.entries(texts());
      const outcomes: string[] = [];
      const changing: readonly Operation[] = ['rename', 'unlink', 'rmdir'];
      for (let cut = 1, isOver = false; !isOver; cut++) {
        let [count, isStarted] = [0, false];
        let reopen: (() => Promise<DuelineEngine>) | undefined;
        const disk = diskWith((operation, when) => {
          if (reopen) throw fault('EIO');
          if (!isStarted || !changing.includes(operation) || when !== 'before' || ++count < cut) return;
          reopen = world.devices.cutOff(engine);
          throw fault('EIO');
        });
        const { engine, id } = await open(disk);
        isStarted = true;
        await engine.deleteList(id).catch(() => undefined);
        isOver = reopen === undefined;
        const again = await (reopen?.() ?? engine);
        for (let run = 0; run < 2; run++) await syncedNames(again);
        const isDone = !namesOf(again).includes('Errands');
        outcomes.push(isDone ? 'done' : 'undone');
        const left = existsSync(path('errands')) ? files().filter(name => name.endsWith('.ics')) : [];
        if (isDone) assert.deepEqual(left, []);
        else {
          for (const [name, text] of kept) if (name !== '.dueline') assert.equal(texts()[name], text);
          assert.deepEqual(world.devices.list(again, 'Errands').titles(), ['Buy bread', 'Buy milk']);
        }
        if (existsSync(path('errands')))
          assert.deepEqual(
            files().filter(name => name.endsWith('.tmp')),
            [],
          );
        rmSync(path('errands'), { recursive: true, force: true });
        world.folder.addList('errands');
        for (const [name, text] of kept) writeFileSync(path('errands', name), text);
      }
      assert.equal(outcomes[0], 'undone');
      assert.equal(outcomes.at(-1), 'done');
      assert.deepEqual(outcomes, outcomes.toSorted().toReversed());
    });

  it('is complete for every computer, even if the folder cannot be removed', async () => {
    const { disk, state } = refusing('rmdir', 'EBUSY', () => true);
    const { engine, id } = await open(disk);
    const other = await open();
    state.isStarted = true;
    await engine.deleteList(id);
    assert.deepEqual(await syncedNames(engine), ['garden']);
    assert.deepEqual(await syncedNames(other.engine), ['garden']);
  });

  it('includes symbolic links to a file, and does not ask about a renamed file', async () => {
    const { engine, id } = await open();
    symlinkSync('bread.ics', path('errands', 'zwieback.ics'));
    symlinkSync('milk.ics', path('errands', 'a.ics'));
    renameSync(path('errands', 'bread.ics'), path('errands', 'bun.ics'));
    symlinkSync('bun.ics', path('errands', 'bread.ics'));
    await engine.deleteList(id);
    assert.deepEqual(readdirSync(world.folder.path), ['garden']);
  });

  it('can be undone, and brings the tasks back', async () => {
    const { engine, id } = await open();
    await engine.deleteList(id);
    await engine.undo();
    for (let run = 0; run < 2; run++) await engine.sync();
    assert.deepEqual(namesOf(engine).toSorted(), ['Errands', 'garden']);
    const [folder] = readdirSync(world.folder.path).filter(name => name !== 'garden');
    const names = readdirSync(path(folder!)).filter(name => name.endsWith('.ics'));
    assert.deepEqual(
      names.map(name => /SUMMARY:(.*)\r/.exec(readFileSync(path(folder!, name), 'utf8'))?.[1]).toSorted(),
      ['Buy bread', 'Buy milk'],
    );
    assert.ok(names.some(name => readFileSync(path(folder!, name), 'utf8').includes('X-OWN;X-P=1:kept')));
  });

  it('keeps other files in the folder, which is no longer a list for any computer', async () => {
    world.folder.put('errands/notes.txt', 'Notes');
    world.folder.put('errands/party.ics', todoText('party').replaceAll('VTODO', 'VEVENT'));
    const [one, two] = [await open(), await open()];
    await one.engine.deleteList(one.id);
    assert.deepEqual(files(), ['.dueline', 'displayname', 'notes.txt', 'party.ics']);
    for (const { engine } of [one, two]) assert.deepEqual(await syncedNames(engine), ['garden']);
    // A new task makes the folder a list again, and it stays one after the task is deleted.
    unlinkSync(path('errands', 'party.ics'));
    world.folder.put('errands/cake.ics', todoText('cake', 'SUMMARY:Buy cake'));
    assert.deepEqual(await syncedNames(two.engine), ['Errands', 'garden']);
    const [again] = two.engine.lists().filter(({ name, accountId }) => name === 'Errands' && accountId !== null);
    await two.engine.deleteTask(two.engine.rows(again!.id).find(({ uid }) => uid === 'cake')!.id);
    assert.deepEqual(await syncedNames(two.engine), ['Errands', 'garden']);
    assert.deepEqual(await syncedNames(one.engine), ['Errands', 'garden']);
  });

  it('ignores temporary files, and a sync removes those of this computer', async () => {
    const { engine, id } = await open();
    const [own, foreign] = [newTemporaryName(), '.dueline-01234567-x.tmp'];
    for (const name of [own, foreign]) writeFileSync(path('errands', name), '');
    await engine.sync();
    assert.equal(existsSync(path('errands', own)), false);
    assert.equal(existsSync(path('errands', foreign)), true);
    writeFileSync(path('errands', own), '');
    await engine.deleteList(id);
    assert.deepEqual(readdirSync(world.folder.path), ['garden']);
  });
});
