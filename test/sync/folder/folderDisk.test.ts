import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FolderDisk, realDisk } from '../../../src/sync/folder/folderDisk';
import { AFolder, diskWith, fault, type Operation } from '../support/folders';
import { refusal } from '../support/memoryRemote';
import { todoText } from '../support/texts';

describe('a disk', () => {
  it('is silent only while this process is not busy itself', async () => {
    const disk = new FolderDisk(realDisk, 60, undefined);
    const busy = new Int32Array(new SharedArrayBuffer(4));
    const work = async () => {
      Atomics.wait(busy, 0, 0, 200);
      await new Promise(setImmediate);
      disk.checkCanceled();
      return 'answer';
    };
    assert.equal(await disk.watched('/folder', work), 'answer');
    await assert.rejects(
      disk.watched('/folder', () => new Promise(() => {})),
      { kind: 'timeout' },
    );
  });
});

describe('a file that another program writes while Dueline does', () => {
  let folder: AFolder;
  let href: string;
  let path: string;
  const [before, theirs, ours] = ['Buy bread', 'Buy cake', 'Buy two'].map(title =>
    todoText('bread', `SUMMARY:${title}`),
  );
  beforeEach(() => {
    folder = new AFolder();
    folder.addList('errands');
    folder.put('errands/bread.ics', before!);
    href = `${folder.url}errands/`;
    path = join(folder.path, 'errands', 'bread.ics');
  });
  afterEach(() => folder.stop());
  const text = () => readFileSync(path, 'utf8');
  const temporaries = () => readdirSync(join(folder.path, 'errands')).filter(name => name.endsWith('.tmp'));

  /** The collection of the list, and its one member; `act` runs once, before the first such operation after `start`. */
  const collectionWith = async (operation: Operation, act: () => void) => {
    let isStarted = false;
    const disk = diskWith((one, when, file) => {
      if (!isStarted || one !== operation || when !== 'after' || (one === 'open' && !file.endsWith('.tmp'))) return;
      isStarted = false;
      act();
    });
    const tasks = folder.connect(disk).collection({ href });
    const [member] = (await tasks.listing(true)).members;
    isStarted = true;
    return { tasks, member: member! };
  };

  it('is not overwritten, even if it was as expected when the temporary file was begun', async () => {
    const { tasks, member } = await collectionWith('open', () => writeFileSync(path, theirs!));
    assert.equal(await refusal(tasks.put(member.href, ours!, member.etag)), 'conflict');
    assert.equal(text(), theirs);
    assert.deepEqual(temporaries(), []);
  });

  it('is not created again if it was deleted then', async () => {
    const { tasks, member } = await collectionWith('open', () => rmSync(path));
    assert.equal(await refusal(tasks.put(member.href, ours!, member.etag)), 'gone');
    assert.equal(existsSync(path), false);
    assert.deepEqual(temporaries(), []);
  });

  it('is not removed', async () => {
    const { tasks, member } = await collectionWith('readdir', () => writeFileSync(path, theirs!));
    assert.equal(await refusal(tasks.remove(member.href, member.etag)), 'conflict');
    assert.equal(text(), theirs);
  });

  it('is not replaced by a new one of its name, even on a file system without links', async () => {
    const disk = diskWith((operation, when) => {
      if (operation !== 'link' || when !== 'before') return;
      writeFileSync(path, theirs!);
      throw fault('ENOTSUP');
    });
    rmSync(path);
    const tasks = folder.connect(disk).collection({ href });
    assert.equal(await refusal(tasks.put(tasks.member('bread.ics'), ours!, 'absent')), 'conflict');
    assert.equal(text(), theirs);
    assert.deepEqual(temporaries(), []);
  });
});
