import assert from 'node:assert/strict';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Files } from '../../../src/store/journal/files';
import { openTaskStore } from '../../../src/store/taskStore';
import { textsOf } from '../../support/texts';
import { MemoryFiles } from '../support/memoryFiles';
import { aList, clock, user } from '../support/store';

const folder = '/disk';
const place = join(folder, 'store');

/** A disk on which snapshots fail: the way goes through every journal. */
class DiskWithoutSnapshots extends MemoryFiles {
  override writeWhole(path: string, bytes: Uint8Array): Promise<void> {
    return path.endsWith('.db') ? Promise.reject(new Error('no snapshot')) : super.writeWhole(path, bytes);
  }
}

const uids = Array.from({ length: 16 }, (_, at) => `task ${at}`);

/** A store in which each edit made one task, in several journals; the seals lead on, or also snapshots. */
async function made(disk: MemoryFiles): Promise<ReadonlyMap<string, Uint8Array>> {
  const open = () => openTaskStore({ folder, clock, files: disk, compactAt: 6_000 });
  let store = await open();
  await store.edit(user, tx => aList(tx, 'Inbox'));
  for (const [at, uid] of uids.entries()) {
    await store.edit(user, tx => {
      tx.insertTask({ listId: 1, uid, description: 'x'.repeat(1_000) });
      // So every record has the row of the list, and none of them can cost it.
      tx.updateList(1, { color: at });
    });
    if (at % 4 !== 3) continue;
    // Closing waits for the snapshot.
    await store.close();
    store = await open();
  }
  await store.close();
  const names = disk.list(place).filter(name => /^[js]-/.test(name));
  return new Map(await Promise.all(names.map(async name => [name, await disk.read(join(place, name))] as const)));
}

async function diskOf(contents: ReadonlyMap<string, Uint8Array>): Promise<MemoryFiles> {
  const disk = new MemoryFiles();
  for (const [name, bytes] of contents) await disk.writeWhole(join(place, name), bytes);
  return disk;
}

async function found(files: Files): Promise<{ missing: readonly string[]; notices: readonly string[] }> {
  const store = await openTaskStore({ folder, clock, files });
  const notices = textsOf(store.notices).filter(text => text.includes('restored'));
  await store.data.salvage();
  const rows = store.select<{ uid: string }>('SELECT uid FROM tasks').map(({ uid }) => uid);
  await store.close();
  assert.equal(new Set(rows).size, rows.length);
  return { missing: uids.filter(uid => !rows.includes(uid)), notices };
}

describe('a flipped bit', () => {
  for (const [files, disk] of [
    ['journals alone', () => new DiskWithoutSnapshots()],
    ['snapshots and journals', () => new MemoryFiles()],
  ] as const)
    it(`costs no edit but the one it hits, even if a crash interrupts the repair, of ${files}`, async () => {
      const contents = await made(disk());
      const names = [...contents.keys()].sort();
      assert.ok(names.filter(name => name.startsWith('j-')).length > 1);
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...names), fc.nat(), fc.nat(7), fc.nat(40), async (name, at, bit, steps) => {
          const bytes = contents.get(name)!.slice();
          bytes[at % bytes.length]! ^= 1 << bit;
          // A later format is refused: nothing is lost then, and nothing can be shown.
          fc.pre(!name.endsWith('.json') || !/"format": [2-9]/.test(new TextDecoder().decode(bytes)));
          const harmed = await diskOf(new Map([...contents, [name, bytes]]));
          harmed.stepsLeft = steps;
          await openTaskStore({ folder, clock, files: harmed }).then(
            store => store.close(),
            () => {},
          );
          const after = harmed.afterCrash();
          const { missing } = await found(after);
          assert.ok(missing.length <= (name.startsWith('j-') ? 1 : 0), `${missing}`);
          assert.deepEqual(await found(after), { missing, notices: [] });
        }),
        { numRuns: 100 },
      );
    });
});
