import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Disk, FolderDisk, realDisk } from '../../../src/sync/folder/folderDisk';
import { lockName } from '../../../src/sync/folder/vdir';
import { AFolder, diskWith, fault } from '../support/folders';
import { refusal } from '../support/memoryRemote';

describe('the lock of a folder', () => {
  let folder: AFolder;
  let lock: string;
  beforeEach(() => {
    folder = new AFolder();
    lock = join(folder.path, lockName);
  });
  afterEach(() => folder.stop());
  const disk = (on: Disk = realDisk, maxMs = 300, signal?: AbortSignal) =>
    new FolderDisk(on, 10_000, signal, { staleMs: 200, maxMs });
  const names = () => readdirSync(folder.path);

  it('is waited for no longer than its time where nobody can remove it, without keeping the disk busy', async () => {
    mkdirSync(lock);
    let opened = 0;
    const counting = diskWith((operation, when) => {
      if (operation === 'open' && when === 'before') opened++;
    });
    assert.equal(await refusal(disk(counting).locked(folder.path, async () => undefined)), 'locked');
    assert.ok(opened > 1 && opened < 60, `${opened} tries`);
    assert.deepEqual(names(), [lockName]);
  });

  it('of a holder that is gone is removed', async () => {
    writeFileSync(lock, 'gone');
    assert.equal(
      await disk(realDisk, 10_000).locked(folder.path, async () => readFileSync(lock, 'utf8') !== 'gone'),
      true,
    );
    assert.deepEqual(names(), []);
  });

  it('is not left behind where it cannot be written', async () => {
    const full = {
      ...realDisk,
      async open(...args: Parameters<Disk['open']>) {
        const file = await realDisk.open(...args);
        return { writeFile: () => Promise.reject(fault('ENOSPC')), close: () => file.close() };
      },
    } as unknown as Disk;
    assert.equal(await refusal(disk(full).locked(folder.path, async () => undefined)), 'rejected');
    assert.deepEqual(names(), []);
  });

  it('that another one has put in the place of a stale one stays', async () => {
    writeFileSync(lock, 'gone');
    // The wait ends once the stale one was to be removed: on a busy machine, a time would end before.
    const wait = new AbortController();
    const late = diskWith((operation, when, path) => {
      const isRemoval = operation === 'unlink' || operation === 'rename';
      if (!isRemoval || when !== 'before' || path !== lock || readFileSync(lock, 'utf8') !== 'gone') return;
      writeFileSync(lock, 'fresh');
      wait.abort();
    });
    const locked = disk(late, 60_000, wait.signal).locked(folder.path, async () => undefined);
    assert.equal(await refusal(locked), 'cancelled');
    assert.equal(readFileSync(lock, 'utf8'), 'fresh');
    assert.deepEqual(names(), [lockName]);
  });

  it('that another one has taken over is not removed at the end', async () => {
    await disk().locked(folder.path, async () => writeFileSync(lock, 'theirs'));
    assert.equal(readFileSync(lock, 'utf8'), 'theirs');
  });
});
