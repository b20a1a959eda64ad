import assert from 'node:assert/strict';
import {
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isDuelineError } from '../../../src/core/kernel/errors';
import { diskFiles, type Files } from '../../../src/store/journal/files';
import { encodeLine } from '../../../src/store/journal/record';
import { buildSnapshot } from '../../../src/store/snapshot/compaction';
import { tasksSchema } from '../../../src/store/sql/databaseSchema';
import type { StoreChange } from '../../../src/store/types';
import { aHistory, aList, bytesIn, dump, firstJournal, namesIn, rename, Scratch, user } from '../support/store';

const isStorage = (error: unknown) => isDuelineError(error, 'storage');

describe('recovery', () => {
  const scratch = new Scratch();
  afterEach(() => scratch.clean());

  const written = (titles?: readonly string[], options = {}) => aHistory(scratch, titles, options);

  const copyOf = (folder: string) => {
    const copy = scratch.folder();
    cpSync(folder, copy, { recursive: true });
    return copy;
  };

  it('opens after a cut at every byte of the last record, and continues from there', async () => {
    const { folder, states, journal } = await written();
    const bytes = bytesIn(journal);
    const start = bytes.lastIndexOf(0x0a, bytes.length - 2);
    const copy = copyOf(folder);
    const file = join(copy, 'store', firstJournal);
    for (let cut = start - 1; cut <= bytes.length; cut++) {
      writeFileSync(file, bytes.subarray(0, cut));
      const store = await scratch.store(copy);
      // The record is whole without its last newline.
      const expected = cut >= bytes.length - 1 ? states.at(-1) : states.at(-2);
      assert.equal(dump(store), expected, `cut at ${cut} of ${bytes.length}`);
      if (cut % 5 > 0) {
        await store.close();
        continue;
      }
      await rename(store, 'after');
      const after = dump(store);
      await store.close();
      const again = await scratch.store(copy);
      assert.equal(dump(again), after, `written after a cut at ${cut}`);
      assert.deepEqual(again.notices, []);
      await again.close();
    }
  });

  it('opens after a cut at any byte of the very first write, and of a journal that has just begun', async () => {
    const fresh = scratch.folder();
    await (await scratch.store(fresh)).close();
    const { folder, states } = await written(
      Array.from({ length: 8 }, (_, at) => `title ${at}`),
      { compactAt: 3_000 },
    );
    const newest = namesIn(folder, /^j-/).at(-1)!;
    for (const [from, name, expected] of [
      [fresh, firstJournal, ['[[],[],[],[]]']],
      [folder, newest, states],
    ] as const) {
      const bytes = bytesIn(join(from, 'store', name));
      for (let cut = 0; cut < bytes.length; cut += 61) {
        const copy = copyOf(from);
        writeFileSync(join(copy, 'store', name), bytes.subarray(0, cut));
        const store = await scratch.store(copy);
        assert.ok((expected as readonly string[]).includes(dump(store)), `${name} cut at ${cut}`);
        await store.edit(user, tx => tx.insertList({ name: 'after', color: 0 }));
        const after = dump(store);
        await store.close();
        const again = await scratch.store(copy);
        assert.equal(dump(again), after);
        await again.close();
      }
    }
  });

  it('reads a journal without its heads', async () => {
    const { folder, states, journal } = await written();
    const bytes = bytesIn(journal);
    const heads = new TextDecoder().decode(bytes).lastIndexOf('"k":"head"');
    bytes[20]! ^= 1;
    bytes[heads + 20]! ^= 1;
    writeFileSync(journal, bytes);
    assert.equal(dump(await scratch.store(folder)), states.at(-1));
  });

  it('skips zeros and junk at the end', async () => {
    const { folder, states } = await written();
    for (const tail of ['\0', '\0'.repeat(4096), 'junk\n\n{"s":9}\n', '\n\n']) {
      const copy = copyOf(folder);
      const file = join(copy, 'store', firstJournal);
      writeFileSync(file, tail, { flag: 'a' });
      const store = await scratch.store(copy);
      assert.equal(dump(store), states.at(-1));
      await rename(store, 'after');
      await store.close();
      assert.equal((await scratch.store(copy)).task(1)?.title, 'after');
    }
  });

  it('never hides damage in the middle: it opens an older state, shows a notice and keeps the bytes', async () => {
    const { folder, states, journal } = await written();
    const bytes = bytesIn(journal);
    const lastRecord = bytes.lastIndexOf(0x0a, bytes.length - 2);
    for (let at = 3; at < lastRecord; at += 37) {
      const copy = copyOf(folder);
      const file = join(copy, 'store', firstJournal);
      const flipped = bytes.slice();
      flipped[at]! ^= 1 << (at % 8);
      writeFileSync(file, flipped);
      const store = await scratch.store(copy).catch(error => {
        assert.ok(isStorage(error), String(error));
        return undefined;
      });
      if (!store) continue;
      if (dump(store) === states.at(-1)) {
        // One of the journal's two heads: nothing depends on it.
        await store.close();
        continue;
      }
      assert.ok(['[[],[],[],[]]', ...states].includes(dump(store)), `byte ${at}`);
      assert.equal(store.notices.length, 1, `byte ${at}`);
      const kept = readdirSync(join(copy, 'store', 'quarantine'), { recursive: true, encoding: 'utf8' });
      assert.ok(kept.some(name => name.endsWith(firstJournal)));
      await store.edit(user, tx => tx.insertList({ name: 'after', color: 0 }));
      const after = dump(store);
      await store.close();
      const again = await scratch.store(copy);
      assert.equal(dump(again), after);
      assert.deepEqual(again.notices, []);
      await again.close();
    }
  });

  it('reports damage in the last record', async () => {
    const { folder, states, journal } = await written();
    const bytes = bytesIn(journal);
    bytes[bytes.length - 20]! ^= 1;
    writeFileSync(journal, bytes);
    const store = await scratch.store(folder);
    assert.equal(dump(store), states.at(-2));
    assert.equal(store.notices.length, 1);
  });

  it('compacts the journal into snapshots, and opens from older ones if the newest is damaged', async () => {
    const titles = Array.from({ length: 40 }, (_, at) => `title ${at}`);
    const { folder, states } = await written(titles, { compactAt: 2_000 });
    const snapshots = namesIn(folder, /^s-.*\.db$/);
    assert.ok(snapshots.length >= 2, `${snapshots}`);
    assert.equal(existsSync(join(folder, 'store', firstJournal)), false);
    assert.equal(dump(await scratch.store(folder)), states.at(-1));
    for (const harm of [
      (path: string) => truncateSync(path, 100),
      (path: string) => rmSync(path),
      (path: string) => writeFileSync(path.replace('.db', '.json'), '{'),
    ]) {
      const copy = copyOf(folder);
      harm(join(copy, 'store', namesIn(copy, /^s-.*\.db$/).at(-1)!));
      const store = await scratch.store(copy);
      assert.equal(dump(store), states.at(-1));
      assert.equal(store.notices.length, 1);
      await store.close();
      const again = await scratch.store(copy);
      assert.equal(dump(again), states.at(-1));
      assert.deepEqual(again.notices, []);
    }
  });

  it('never opens an empty store if files are missing', async () => {
    const { folder } = await written(
      Array.from({ length: 40 }, (_, at) => `title ${at}`),
      { compactAt: 2_000 },
    );
    for (const pattern of [/^s-/, /^s-.*json$/, /^j-/]) {
      const copy = copyOf(folder);
      for (const name of namesIn(copy, pattern)) rmSync(join(copy, 'store', name));
      await assert.rejects(scratch.store(copy), isStorage, `${pattern}`);
    }
  });

  it('reports missing files if the newest snapshot is damaged and the journals before it are gone', async () => {
    const { folder } = await written(
      Array.from({ length: 40 }, (_, at) => `title ${at}`),
      { compactAt: 2_000 },
    );
    writeFileSync(join(folder, 'store', namesIn(folder, /^s-.*\.db$/).at(-1)!), 'damaged');
    for (const name of namesIn(folder, /^j-/).slice(0, -1)) rmSync(join(folder, 'store', name));
    await assert.rejects(scratch.store(folder), /is incomplete: required files are damaged or missing/);
  });

  it('later builds a snapshot that a crash prevented', async () => {
    const { folder, states } = await written();
    const databaseSchema = tasksSchema();
    const store = join(folder, 'store');
    const last = readFileSync(join(store, firstJournal), 'utf8').trim().split('\n').at(-1)!;
    const { s, i } = JSON.parse(last.slice(9));
    const head = JSON.parse(readFileSync(join(store, firstJournal), 'utf8').trim().split('\n')[0]!.slice(9));
    const next = 'j-00000001-abcdef01.jsonl';
    writeFileSync(join(store, next), encodeLine({ ...head, gen: 1 }));
    const seal = { k: 'seal', s: s + 1, p: i, i: 'x', w: 'w', t: 0, j: next, next: 1, schema: 2 } as const;
    writeFileSync(join(store, firstJournal), encodeLine(seal), { flag: 'a' });
    const opened = await scratch.store(folder);
    assert.equal(dump(opened), states.at(-1));
    await opened.close();
    assert.equal(namesIn(folder, /^s-00000001-.*json$/).length, 1);
    assert.equal(await buildSnapshot({ files: diskFiles, folder: store, databaseSchema: databaseSchema, gen: 1 }), 0);
    await assert.rejects(
      buildSnapshot({ files: diskFiles, folder: store, databaseSchema: databaseSchema, gen: 2 }),
      /has not begun/,
    );
    assert.equal(dump(await scratch.store(folder)), states.at(-1));
  });

  it('lets a window that slept through three compactions catch up, and lists what changed', async () => {
    const folder = scratch.folder();
    const awake = await scratch.store(folder, { compactAt: 2_000 });
    await awake.edit(user, tx => aList(tx, 'Inbox', 'a', 'b'));
    const deaf = { ...diskFiles, watch: () => ({ dispose() {} }) };
    const asleep = await scratch.store(folder, { files: deaf });
    const seen: StoreChange[] = [];
    asleep.onDidChange(change => seen.push(change));
    for (let round = 0; round < 60; round++) await rename(awake, `title ${round}`);
    await awake.close();
    assert.ok(namesIn(folder, /^s-.*json$/).length > 0);
    await asleep.edit(user, tx => tx.updateTask(2, { title: `after ${tx.task(1)!.title}` }));
    assert.equal(asleep.task(2)!.title, 'after title 59');
    const tasks = new Set(seen.filter(change => change.origin === 'otherWindow').flatMap(change => change.tasks));
    assert.deepEqual([...tasks], [1]);
    const fresh = await scratch.store(folder);
    assert.equal(dump(fresh), dump(asleep));
  });

  it('keeps the undo history across compactions', async () => {
    const { folder, states } = await written(
      Array.from({ length: 30 }, (_, at) => `title ${at}`),
      { compactAt: 2_000 },
    );
    const store = await scratch.store(folder);
    for (const state of states.toReversed().slice(1)) {
      await store.undo();
      assert.equal(dump(store), state);
    }
  });

  it('opens while another window compacts the store, and does not take that for damage', async () => {
    const { folder, states } = await written(
      Array.from({ length: 40 }, (_, at) => `title ${at} ${'x'.repeat(60)}`),
      { compactAt: 2_000 },
    );
    const later = copyOf(folder);
    // Closing waits for the snapshot, so each of these folds at least once.
    for (let round = 0; round < 80; round += 16) {
      const awake = await scratch.store(later, { compactAt: 2_000 });
      for (let at = round; at < round + 16; at++) await rename(awake, `later ${at} ${'x'.repeat(60)}`);
      await awake.close();
    }
    const namesOf = (place: string) => namesIn(place, /^[js]-/);
    assert.ok(namesOf(folder).every(name => !namesOf(later).includes(name)));
    let isFolded = false;
    const files = {
      ...diskFiles,
      read: async (path: string) => {
        if (path.endsWith('.db') && !isFolded) {
          isFolded = true;
          for (const name of namesOf(folder)) rmSync(join(folder, 'store', name));
          for (const name of namesOf(later)) copyFileSync(join(later, 'store', name), join(folder, 'store', name));
        }
        return diskFiles.read(path);
      },
    };
    const store = await scratch.store(folder, { files });
    assert.equal(isFolded, true);
    assert.notEqual(dump(store), states.at(-1));
    assert.match(store.task(1)!.title!, /^later 79/);
    assert.deepEqual(store.notices, []);
  });

  it('creates one store if several windows start for the first time together', async () => {
    const folder = scratch.folder();
    const stores = await Promise.all([1, 2, 3].map(() => scratch.store(folder)));
    await Promise.all(stores.map((store, at) => store.edit(user, tx => aList(tx, `List ${at}`, 'x'))));
    for (const store of stores) await store.refresh();
    assert.equal(stores[0]!.lists().length, 3);
    assert.equal(new Set(stores.map(dump)).size, 1);
    assert.equal(dump(await scratch.store(folder)), dump(stores[0]!));
  });

  it('polls if folders cannot be watched', async () => {
    const folder = scratch.folder();
    const files = {
      ...diskFiles,
      watch: () => {
        throw new Error('not here');
      },
    };
    const [one, two] = [await scratch.store(folder, { files }), await scratch.store(folder, { files })];
    const arrived = new Promise(resolve => two.onDidChange(resolve));
    await one.edit(user, tx => aList(tx, 'Inbox', 'a'));
    await arrived;
    assert.equal(dump(two), dump(one));
  });

  it('keeps the sidecar while the machine is too busy to open it', async () => {
    const folder = scratch.folder();
    const before = await scratch.store(folder);
    await (await before.sidecar()).put('some', [['key', 'kept']]);
    await before.close();
    let isBusy = true;
    const openJournal: Files['openJournal'] = (path, mode) => {
      if (isBusy && path.includes('sidecar')) throw Object.assign(new Error('too many'), { code: 'EMFILE' });
      return diskFiles.openJournal(path, mode);
    };
    const store = await scratch.store(folder, { files: { ...diskFiles, openJournal } });
    await assert.rejects(store.sidecar(), { kind: 'storage' });
    isBusy = false;
    assert.equal((await store.sidecar()).get('some', 'key'), 'kept');
    assert.deepEqual(store.notices, []);
  });

  it('compacts the sidecar, too, and starts it over if it cannot be read', async () => {
    const folder = scratch.folder();
    let store = await scratch.store(folder, { compactAt: 2_000 });
    for (let round = 0; round < 30; round++) {
      await (await store.sidecar()).put('base', [[`key ${round % 5}`, 'x'.repeat(200) + round]]);
    }
    await store.close();
    const names = readdirSync(join(folder, 'sidecar')).filter(name => /^[js]-/.test(name));
    assert.ok(names.some(name => name.endsWith('.db')));
    store = await scratch.store(folder);
    assert.equal((await store.sidecar()).entries('base').length, 5);
    await store.close();
    for (const name of names) writeFileSync(join(folder, 'sidecar', name), 'damaged');
    store = await scratch.store(folder);
    assert.equal((await store.sidecar()).entries('base').length, 0);
    assert.equal(store.notices.length, 1);
    assert.ok(readdirSync(folder).some(name => name.startsWith('sidecar-damaged')));
  });

  it('acknowledges nothing once its files are removed', async () => {
    const folder = scratch.folder();
    const store = await scratch.store(folder);
    await store.edit(user, tx => aList(tx, 'Inbox', 'a'));
    rmSync(join(folder, 'store'), { recursive: true });
    await assert.rejects(rename(store, 'lost'), isStorage);
    assert.equal(store.task(1)!.title, 'a');
  });

  it('points to the backups if the store is gone', async () => {
    const { folder } = await written();
    const store = await scratch.store(folder);
    await store.data.backUpNow();
    await store.close();
    rmSync(join(folder, 'store'), { recursive: true });
    const again = await scratch.store(folder);
    assert.match(again.notices[0]!.text, /backups/);
    await again.data.restoreBackup(again.data.backups()[0]!.path);
    assert.equal(again.task(1)!.title, '3');
  });

  it('can use a copy of a folder', async () => {
    const { folder, states } = await written();
    const copy = scratch.folder();
    cpSync(join(folder, 'store'), join(copy, 'store'), { recursive: true });
    copyFileSync(join(folder, 'store', firstJournal), join(copy, 'store', `copy of ${firstJournal}`));
    assert.equal(dump(await scratch.store(copy)), states.at(-1));
  });
});
