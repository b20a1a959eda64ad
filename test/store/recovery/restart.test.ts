import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { noLog } from '../../../src/core/kernel/log';
import { diskFiles, type Files } from '../../../src/store/journal/files';
import { decodeLine, encodeLine, recordLines } from '../../../src/store/journal/record';
import { Replica } from '../../../src/store/replica/replica';
import { tasksSchema } from '../../../src/store/sql/databaseSchema';
import { openTaskStore } from '../../../src/store/taskStore';
import { textsOf } from '../../support/texts';
import { MemoryFiles } from '../support/memoryFiles';
import { aHistory, aList, bytesIn, clock, dump, firstJournal, namesIn, rename, Scratch, user } from '../support/store';

/** A copy with one bit flipped in a line, counted from the first, or from the last (-1). */
function flipped(bytes: Uint8Array, line: number): Uint8Array {
  const copy = bytes.slice();
  const at = [...recordLines(bytes)].at(line)!.byteOffset - bytes.byteOffset;
  copy[at + 60]! ^= 1;
  return copy;
}

/** A copy that ends before its last line. */
function withoutLast(bytes: Uint8Array): Uint8Array {
  return bytes.slice(0, [...recordLines(bytes)].at(-1)!.byteOffset - bytes.byteOffset);
}

describe('a store restarted from before the damage', () => {
  const scratch = new Scratch();
  afterEach(() => scratch.clean());

  it('has this version’s schema, even if the damage is in a store with an older one', async () => {
    const folder = scratch.folder();
    const options = { folder: join(folder, 'store'), files: diskFiles, clock, log: noLog };
    const old = await Replica.open({ ...options, databaseSchema: tasksSchema(1) });
    for (const sql of [
      "INSERT INTO task_lists (name, color) VALUES ('Inbox', -1)",
      "INSERT INTO tasks (list_id, uid, title) VALUES (1, 'a', 'A')",
      "UPDATE tasks SET title = 'damaged'",
      "UPDATE tasks SET title = 'behind'",
    ])
      await old.commit(
        () => old.database.run(sql),
        () => ({}),
      );
    await old.close();
    const journal = join(folder, 'store', firstJournal);
    writeFileSync(journal, flipped(bytesIn(journal), -2));
    const store = await scratch.store(folder);
    assert.equal(store.readOnlyReason, undefined);
    assert.match(textsOf(store.notices).join(), /1 later changes and the damaged file are kept in /);
    await store.edit(user, tx => tx.updateTask(1, { tags: ['x'] }));
    await store.close();
    const again = await scratch.store(folder);
    assert.deepEqual([again.task(1)!.title, again.task(1)!.tags, again.notices], ['A', ['x'], []]);
    assert.equal(await again.data.salvage(), 1);
    assert.equal(again.task(1)!.title, 'behind');
  });

  it('is opened read-only if a newer version wrote the store', async () => {
    const { folder, states, journal } = await aHistory(scratch);
    const lines = [...recordLines(bytesIn(journal))].map(line => decodeLine(line)!);
    const newer = Buffer.concat(lines.map(line => encodeLine(line.k === 'head' ? { ...line, schema: 3 } : line)));
    writeFileSync(journal, flipped(Uint8Array.from(newer), -2));
    const before = readFileSync(journal, 'hex');
    const store = await scratch.store(folder);
    assert.equal(dump(store), states.at(-3));
    assert.match(store.readOnlyReason?.text ?? '', /newer version/);
    assert.match(textsOf(store.notices).join(), /1 later changes and the damaged file are kept in /);
    assert.equal(readFileSync(journal, 'hex'), before);
    assert.deepEqual(namesIn(folder, /./), [firstJournal]);
  });

  it('is opened read-only if nothing can be written', async () => {
    const { folder, states, journal } = await aHistory(scratch);
    writeFileSync(journal, flipped(bytesIn(journal), -2));
    let opened = 0;
    const openJournal: Files['openJournal'] = (path, mode) => {
      if (mode !== 'read') throw Object.assign(new Error('read only'), { code: 'EROFS' });
      opened++;
      return diskFiles.openJournal(path, mode);
    };
    const store = await scratch.store(folder, { files: { ...diskFiles, openJournal } });
    assert.equal(dump(store), states.at(-3));
    assert.match(store.readOnlyReason?.text ?? '', /Cannot write/);
    assert.match(textsOf(store.notices).join(), /was damaged at byte .* 1 later changes/);
    const before = opened;
    for (let round = 0; round < 3; round++) await store.refresh();
    assert.deepEqual([opened - before, store.notices.length], [0, 1], 'it is read once');
  });
});

const withoutSnapshots: Files = {
  ...diskFiles,
  writeWhole: (path, bytes) =>
    path.endsWith('.db') ? Promise.reject(new Error('no snapshot')) : diskFiles.writeWhole(path, bytes),
};

describe('journals that no seal leads to', () => {
  const scratch = new Scratch();
  afterEach(() => scratch.clean());

  /** Journals one after the other, the last without an edit: the seal of one leads to the next, and no snapshot does. */
  async function journals(folder: string, count: number): Promise<void> {
    for (let made = 1; made < count; made++) {
      const store = await scratch.store(folder, { files: withoutSnapshots, compactAt: 4_000 });
      if (made === 1) await store.edit(user, tx => aList(tx, 'Inbox', 'a', 'b'));
      await store.edit(user, tx => tx.updateTask(1, { title: `in ${made}`, description: 'x'.repeat(4_000) }));
      await store.close();
    }
    assert.equal(namesIn(folder, /^j-/).length, count);
  }

  it('move their windows over, even one that has no edit yet', async () => {
    const folder = scratch.folder();
    await journals(folder, 3);
    const behind = await scratch.store(folder, { files: { ...withoutSnapshots, watch: () => ({ dispose() {} }) } });
    const first = join(folder, 'store', firstJournal);
    writeFileSync(first, withoutLast(bytesIn(first)));
    const opened = await scratch.store(folder);
    assert.match(textsOf(opened.notices).join(), /at the end of j-00000000\.jsonl .* 1 later changes/);
    await behind.edit(user, tx => tx.updateTask(2, { title: 'from behind' }));
    await opened.refresh();
    const fresh = await scratch.store(folder);
    for (const store of [behind, opened, fresh])
      assert.deepEqual([store.task(1)?.title, store.task(2)?.title], ['in 1', 'from behind']);
  });

  it('are in quarantine before the damaged one ends: version 1.1.0 would continue from there', async () => {
    const folder = scratch.folder();
    await journals(folder, 3);
    const first = join(folder, 'store', firstJournal);
    const harmed = withoutLast(bytesIn(first));
    writeFileSync(first, harmed);
    const fullDisk: Files = {
      ...diskFiles,
      writeWhole: path => Promise.reject(Object.assign(new Error(`no space for ${path}`), { code: 'ENOSPC' })),
    };
    await assert.rejects(scratch.store(folder, { files: fullDisk }));
    assert.deepEqual(bytesIn(first), harmed);
    const store = await scratch.store(folder);
    assert.match(textsOf(store.notices).join(), / 1 later changes/);
    assert.equal(await store.data.salvage(), 1);
    assert.equal(store.task(1)?.title, 'in 2');
  });

  for (const [damage, harm] of [
    ['the seal is lost', withoutLast],
    ['an edit before it is damaged', (bytes: Uint8Array) => flipped(bytes, -2)],
    ['it and an edit before it are damaged', (bytes: Uint8Array) => flipped(flipped(bytes, -2), -1)],
  ] as const)
    it(`are kept completely through a crash at any step if ${damage}`, async () => {
      const folder = scratch.folder();
      await journals(folder, 2);
      const last = await scratch.store(folder, { files: withoutSnapshots });
      for (const title of ['1', '2']) await rename(last, title);
      await last.close();
      const harmed = new MemoryFiles();
      for (const name of namesIn(folder, /^j-/)) {
        const bytes = bytesIn(join(folder, 'store', name));
        await harmed.writeWhole(`/disk/store/${name}`, name === firstJournal ? harm(bytes) : bytes);
      }
      const open = (files: MemoryFiles) => openTaskStore({ folder: '/disk', clock, files });
      const before = dump(await open(harmed.afterCrash()));
      for (let steps = 0; ; steps++) {
        const files = harmed.afterCrash();
        files.stepsLeft = steps;
        const isOpen = await open(files).then(
          () => true,
          () => false,
        );
        for (const disk of [files.afterCrash(), files.afterPowerLoss()]) {
          const store = await open(disk);
          assert.equal(dump(store), before, `after ${steps} steps`);
          await store.edit(user, tx => tx.updateTask(2, { title: 'went on' }));
          assert.ok((await store.data.salvage()) >= 2, `after ${steps} steps`);
          assert.deepEqual([store.task(1)!.title, store.task(2)!.title], ['2', 'went on']);
          const after = dump(store);
          await store.close();
          const again = await open(disk);
          assert.deepEqual([dump(again), again.notices], [after, []]);
          await again.close();
        }
        if (isOpen) return;
      }
    });
});
