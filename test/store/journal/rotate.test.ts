import assert from 'node:assert/strict';
import { appendFileSync, cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diskFiles, type Files } from '../../../src/store/journal/files';
import { decodeLine, encodeLine, journalHead, recordLines, type Seal } from '../../../src/store/journal/record';
import { tasksSchema } from '../../../src/store/sql/databaseSchema';
import type { TaskStore } from '../../../src/store/taskStore';
import { textsOf } from '../../support/texts';
import { aList, bytesIn, dump, firstJournal, namesIn, rename, Scratch, user } from '../support/store';

/** A disk that takes no snapshots: a window that is closed before its snapshot is written. */
const withoutSnapshots: Files = {
  ...diskFiles,
  writeWhole: (path, bytes) =>
    path.endsWith('.db') ? Promise.reject(new Error('closed before')) : diskFiles.writeWhole(path, bytes),
};
const asleep: Files = { ...withoutSnapshots, watch: () => ({ dispose() {} }) };

describe('the seal of a journal', () => {
  const scratch = new Scratch();
  afterEach(() => scratch.clean());

  const placeOf = (folder: string) => join(folder, 'store');
  const firstIn = (folder: string) => join(placeOf(folder), firstJournal);

  /** Two journals with edits in both, and no snapshot: only the seal leads from the first to the second. */
  async function twoJournals() {
    const folder = scratch.folder();
    const first = await scratch.store(folder, { files: withoutSnapshots, compactAt: 1_000 });
    await first.edit(user, tx => aList(tx, 'Inbox', 'a', 'b'));
    const before = dump(first);
    await first.edit(user, tx => tx.updateTask(2, { title: 'the last before', description: 'x'.repeat(1_000) }));
    const sealed = dump(first);
    await first.close();
    const second = await scratch.store(folder, { files: withoutSnapshots });
    for (const title of ['1', '2', '3']) await rename(second, title);
    const after = dump(second);
    await second.close();
    const names = namesIn(folder, /^[js]-/);
    assert.equal(names.length, 2);
    assert.equal(names[0], firstJournal);
    const bytes = bytesIn(firstIn(folder));
    const lines = [...recordLines(bytes)].map(line => ({
      at: line.byteOffset - bytes.byteOffset,
      content: decodeLine(line),
    }));
    const { at, content } = lines.at(-1)!;
    assert.equal(content?.k, 'seal');
    return {
      folder,
      before,
      sealed,
      after,
      bytes,
      at,
      lastEdit: lines.at(-2)!.at,
      seal: content as Seal,
      next: names[1]!,
    };
  }

  function copyOf(folder: string, first: Uint8Array): string {
    const copy = scratch.folder();
    cpSync(folder, copy, { recursive: true });
    writeFileSync(firstIn(copy), first);
    return copy;
  }

  async function closed(store: TaskStore): Promise<{ rows: string; notices: readonly string[] }> {
    const [rows, notices] = [dump(store), textsOf(store.notices)];
    await store.close();
    return { rows, notices };
  }

  it('may be damaged at any byte: later edits are found and kept, and the damage is reported', async () => {
    const { folder, after, bytes, at } = await twoJournals();
    const copy = copyOf(folder, bytes);
    for (let byte = at - 1; byte < bytes.length; byte++) {
      const flipped = bytes.slice();
      flipped[byte]! ^= 1 << (byte % 8);
      writeFileSync(firstIn(copy), flipped);
      const { rows, notices } = await closed(await scratch.store(copy, { files: withoutSnapshots }));
      assert.equal(rows, after, `byte ${byte - at}`);
      assert.match(
        notices.join(),
        /damaged at the end of j-00000000\.jsonl\. .* No data was lost/,
        `byte ${byte - at}`,
      );
    }
    assert.deepEqual(namesIn(copy, /./), namesIn(folder, /./));
  });

  it('is no longer needed once a snapshot includes it', async () => {
    const { folder, bytes, at } = await twoJournals();
    // Before the line, in its frame (checksum, blank, braces), in its words, behind it.
    for (const byte of [at - 1, at, at + 8, at + 9, at + 60, bytes.length - 2, bytes.length - 1]) {
      const flipped = bytes.slice();
      flipped[byte]! ^= 4;
      const copy = copyOf(folder, flipped);
      const store = await scratch.store(copy);
      await rename(store, 'went on');
      const { rows } = await closed(store);
      assert.deepEqual(await closed(await scratch.store(copy)), { rows, notices: [] });
    }
  });

  it('keeps its position even if damaged: records that lost the race against it stay excluded', async () => {
    const { folder, after, bytes, at, seal } = await twoJournals();
    const flipped = bytes.slice();
    flipped[at + 2]! ^= 1;
    const copy = copyOf(folder, flipped);
    appendFileSync(firstIn(copy), encodeLine({ s: seal.s, p: seal.p, i: 'late', w: 'late', t: 0, o: [['tasks', 1]] }));
    assert.equal(dump(await scratch.store(copy)), after);
  });

  it('is found by a window that was open before it', async () => {
    const { folder, after, bytes, lastEdit, next } = await twoJournals();
    const copy = copyOf(folder, bytes.slice(0, lastEdit));
    rmSync(join(placeOf(copy), next));
    const window = await scratch.store(copy, { files: asleep });
    const flipped = bytes.slice();
    flipped[bytes.length - 1]! ^= 1;
    writeFileSync(firstIn(copy), flipped);
    cpSync(join(placeOf(folder), next), join(placeOf(copy), next));
    await window.refresh();
    assert.equal(dump(window), after);
  });

  it('is followed if it is written during the search for it, and nothing is reported', async () => {
    const { folder, after, bytes, at, next } = await twoJournals();
    const copy = copyOf(folder, bytes.slice(0, at));
    let isLate = true;
    const files: Files = {
      ...withoutSnapshots,
      openJournal(path, mode) {
        if (isLate && path.endsWith(next)) {
          isLate = false;
          appendFileSync(firstIn(copy), bytes.subarray(at));
        }
        return diskFiles.openJournal(path, mode);
      },
    };
    assert.deepEqual(await closed(await scratch.store(copy, { files })), { rows: after, notices: [] });
  });

  it('is not missed if the next journal was never used', async () => {
    const { folder, sealed, bytes, at, next } = await twoJournals();
    const copy = copyOf(folder, bytes.slice(0, at));
    const head = encodeLine(journalHead(tasksSchema(), 'a store', 1));
    writeFileSync(join(placeOf(copy), next), head);
    assert.deepEqual(await closed(await scratch.store(copy)), { rows: sealed, notices: [] });
  });

  for (const [damage, tail] of [
    ['lost', ''],
    ['nothing but zeros', '\0'.repeat(230)],
    ['another journal’s', '"j":"j-00000001-0badc0de.jsonl"'],
  ] as const)
    it(`that is ${damage} leaves the later journals in quarantine, from which they can be salvaged`, async () => {
      const { folder, sealed, bytes, at, next } = await twoJournals();
      const copy = copyOf(folder, bytes.slice(0, at));
      appendFileSync(firstIn(copy), tail);
      const store = await scratch.store(copy);
      assert.equal(dump(store), sealed);
      assert.match(
        textsOf(store.notices).join(),
        /at the end of j-00000000\.jsonl and .*\. 3 later changes are kept in /,
      );
      const kept = readdirSync(join(placeOf(copy), 'quarantine'), { recursive: true, encoding: 'utf8' });
      assert.ok(kept.some(name => name.endsWith(next)));
      assert.deepEqual(await closed(store), { rows: sealed, notices: textsOf(store.notices) });
      const again = await scratch.store(copy);
      assert.deepEqual(again.notices, []);
      assert.equal(await again.data.salvage(), 3);
      assert.equal(again.task(1)?.title, '3');
    });

  it('leaves the earlier state if it is lost together with the edit before it', async () => {
    const { folder, before, bytes, lastEdit } = await twoJournals();
    const copy = copyOf(folder, bytes.slice(0, lastEdit));
    const windows = await Promise.all([1, 2].map(() => scratch.store(copy)));
    for (const each of windows) assert.equal(dump(each), before);
    await windows[0]!.edit(user, tx => tx.updateTask(2, { title: 'together' }));
    await windows[1]!.refresh();
    assert.equal(dump(windows[1]!), dump(windows[0]!));
    const { rows, notices } = await closed(await scratch.store(copy));
    assert.deepEqual({ rows, notices }, { rows: dump(windows[0]!), notices: [] });
    await windows[0]!.data.salvage();
    assert.deepEqual(
      [1, 2].map(id => windows[0]!.task(id)?.title),
      ['3', 'together'],
    );
  });

  it('brings a window over that writes behind it while it is lost', async () => {
    const { folder, bytes, at } = await twoJournals();
    const copy = copyOf(folder, bytes);
    const behind = await scratch.store(copy, { files: asleep });
    writeFileSync(firstIn(copy), bytes.slice(0, at));
    const opened = await scratch.store(copy);
    await behind.edit(user, tx => tx.updateTask(2, { title: 'from behind' }));
    await opened.refresh();
    assert.equal(opened.task(2)?.title, 'from behind');
    assert.equal(dump(behind), dump(opened));
  });

  it('is reported as lost if nothing can be written, and nothing is changed', async () => {
    const { folder, sealed, bytes, at } = await twoJournals();
    const copy = copyOf(folder, bytes.slice(0, at));
    const files: Files = {
      ...withoutSnapshots,
      openJournal(path, mode) {
        if (mode === 'read') return diskFiles.openJournal(path, mode);
        throw Object.assign(new Error('read only'), { code: 'EROFS' });
      },
    };
    const names = namesIn(copy, /./);
    const { rows, notices } = await closed(await scratch.store(copy, { files }));
    assert.equal(rows, sealed);
    assert.match(notices.join(), /3 later changes are kept in /);
    assert.deepEqual(namesIn(copy, /./), names);
  });
});
