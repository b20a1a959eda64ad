import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../../src/core/kernel/errors';
import { computedCrc32, crc32 } from '../../../src/store/journal/crc32';
import { diskFiles } from '../../../src/store/journal/files';
import { Scratch } from '../support/store';

describe('checksums', () => {
  it('are the same with and without the platform’s implementation', () => {
    for (const text of ['', 'a', 'Miete zahlen', 'x'.repeat(10_000)]) {
      const bytes = new TextEncoder().encode(text);
      assert.equal(computedCrc32(bytes).toString(16).padStart(8, '0'), crc32(bytes));
    }
    assert.equal(crc32(new TextEncoder().encode('123456789')), 'cbf43926');
  });
});

describe('files on the disk', () => {
  const scratch = new Scratch();
  afterEach(() => scratch.clean());

  it('lists nothing for a missing folder, and throws other errors', () => {
    const folder = scratch.folder();
    assert.deepEqual(diskFiles.list(join(folder, 'none')), []);
    writeFileSync(join(folder, 'file'), '');
    assert.throws(
      () => diskFiles.list(join(folder, 'file')),
      error => codeOf(error) === 'ENOTDIR',
    );
  });

  it('ignores a missing file on removal, and reports if it cannot remove one', async () => {
    const folder = scratch.folder();
    assert.equal(await diskFiles.remove(join(folder, 'none')), true);
    assert.equal(await diskFiles.remove(folder), false);
    assert.equal(diskFiles.ageOf(join(folder, 'none')), undefined);
  });

  it('reports why a folder cannot be created, not that the one above is missing', () => {
    const folder = scratch.folder();
    symlinkSync(join(folder, 'nowhere'), join(folder, 'taken'));
    assert.throws(
      () => diskFiles.makeFolder(join(folder, 'taken')),
      error => codeOf(error) === 'EEXIST',
    );
  });

  it('leaves nothing of a file that could not be written', async () => {
    const folder = scratch.folder();
    mkdirSync(join(folder, 'taken'));
    await assert.rejects(diskFiles.writeWhole(join(folder, 'taken'), new Uint8Array(9)));
    assert.deepEqual(diskFiles.list(folder), ['taken']);
  });

  it('lets one process claim a file', () => {
    const path = join(scratch.folder(), 'lock');
    assert.equal(diskFiles.claim(path, 'me'), true);
    assert.equal(diskFiles.claim(path, 'you'), false);
    diskFiles.release(path);
    assert.equal(diskFiles.claim(path, 'you'), true);
    assert.throws(
      () => diskFiles.claim(join(path, 'below'), 'x'),
      error => codeOf(error) === 'ENOTDIR',
    );
  });

  it('reads the existing part of a journal, and keeps a file open until it is synced', async () => {
    const path = join(scratch.folder(), 'journal');
    const journal = diskFiles.openJournal(path, 'create');
    journal.append(new TextEncoder().encode('abc'));
    assert.equal(journal.read(1, 10).length, 2);
    const syncing = journal.sync();
    journal.close();
    await syncing;
    assert.throws(() => journal.size());
  });
});
