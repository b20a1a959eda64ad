import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { FolderAccount } from '../../../src/sync/folder/folderAccount';
import { type Disk, newFileIndex, realDisk } from '../../../src/sync/folder/folderDisk';
import type { RemoteError } from '../../../src/sync/remote/remote';
import { AFolder, caselessDisk, decomposingDisk, diskWith, fault } from '../support/folders';
import { refusal } from '../support/memoryRemote';
import { remoteContract, unnoted } from '../support/remoteContract';
import { todoText } from '../support/texts';

describe('a folder as a remote', () => {
  const folder = new AFolder();
  after(() => folder.stop());
  remoteContract(async () => folder.connect());

  it('does not overwrite a file whose name differs only in case', async () => {
    const account = folder.connect(caselessDisk());
    const tasks = account.collection({ href: await account.createList({ name: 'case', color: 0 }, unnoted) });
    await tasks.put(tasks.member('bread.ics'), todoText('bread'), 'absent');
    assert.equal(await refusal(tasks.put(tasks.member('BREAD.ics'), todoText('BREAD'), 'absent')), 'uidTaken');
    assert.deepEqual((await tasks.fetch([tasks.member('BREAD.ics')])).gone, [tasks.member('BREAD.ics')]);
  });

  it('has a list under one address, whatever other paths lead to its folder', async () => {
    const outer = new AFolder();
    try {
      outer.addList('Errands');
      const caseless = outer.connect(caselessDisk());
      assert.equal((await caseless.list(`${outer.url}Errands/`))?.name, 'Errands');
      assert.equal(await caseless.list(`${outer.url}errands/`), undefined);
      const account = outer.connect(decomposingDisk());
      const made = await account.createList({ name: 'Größe', color: 0 }, unnoted);
      assert.deepEqual(
        (await account.lists()).map(({ href }) => href),
        [`${outer.url}Errands/`, made],
      );
      assert.equal((await account.list(made))?.name, 'Größe');
    } finally {
      await outer.stop();
    }
  });

  it('reports for each disk error what sync does about it', async () => {
    const expected = { EIO: 'server', EROFS: 'readOnly', ENOSPC: 'rejected', EACCES: 'readOnly', ETIMEDOUT: 'server' };
    for (const [code, kind] of Object.entries(expected)) {
      const account = folder.connect(
        diskWith((operation, when) => {
          if (operation === 'link' && when === 'before' && code !== 'EACCES') throw fault(code);
          if (operation === 'open' && when === 'before' && code === 'EACCES') throw fault(code);
        }),
      );
      const { href } = (await folder.connect().lists())[0]!;
      const tasks = account.collection({ href });
      assert.equal(await refusal(tasks.put(tasks.member(`${code}.ics`), todoText(code), 'absent')), kind, code);
      assert.deepEqual((await tasks.fetch([tasks.member(`${code}.ics`)])).items, []);
    }
  });

  it('decides by what is on the disk afterwards whether a write was done', async () => {
    const { href } = (await folder.connect().lists())[0]!;
    const tasks = (when: 'before' | 'after') =>
      folder
        .connect(
          diskWith((operation, at, path) => {
            const isWrite = operation === 'link' || (operation === 'unlink' && path.endsWith('/done.ics'));
            if (isWrite && at === when) throw fault('EIO');
          }),
        )
        .collection({ href });
    const done = tasks('after').member('done.ics');
    const etag = await tasks('after').put(done, todoText('done'), 'absent');
    assert.equal((await tasks('after').fetch([done])).items[0]?.etag, etag);
    const isUnsure = (work: Promise<unknown>) =>
      work.then(
        () => 'done',
        (error: RemoteError) => error.details.unsure,
      );
    assert.equal(
      await isUnsure(tasks('before').put(tasks('before').member('no.ics'), todoText('no'), 'absent')),
      false,
    );
    assert.equal(await isUnsure(tasks('before').remove(done, etag!)), false);
    assert.equal(await isUnsure(tasks('after').remove(done, etag!)), 'done');
  });

  it('reads no device and no pipe, whatever its name', async () => {
    const path = folder.addList('devices');
    for (const name of ['zero.ics', 'displayname', 'color', 'order']) symlinkSync('/dev/zero', join(path, name));
    execFileSync('mkfifo', [join(path, 'pipe.ics')]);
    folder.put('devices/bread.ics', todoText('bread'));
    const account = folder.connect(
      diskWith((operation, when, file) => {
        if (operation === 'readFile' && when === 'before') assert.equal(file, join(path, 'bread.ics'));
      }),
    );
    const href = `${folder.url}devices/`;
    assert.equal((await account.list(href))?.name, 'devices');
    const tasks = account.collection({ href });
    const hrefs = ['zero.ics', 'pipe.ics', 'bread.ics'].map(name => tasks.member(name));
    const { items, gone } = await tasks.fetch(hrefs);
    assert.deepEqual(
      items.map(item => item.href),
      hrefs.slice(2),
    );
    assert.deepEqual(gone.toSorted(), hrefs.slice(0, 2).toSorted());
  });

  it('keeps what is known about the lists in a folder that is a list itself', async () => {
    const outer = new AFolder();
    const index = newFileIndex();
    const connect = () => new FolderAccount({ root: outer.url, index, hasLists: true, timeoutMs: 10_000 });
    try {
      outer.addList('inner');
      outer.put('inner/bread.ics', todoText('bread'));
      outer.put('milk.ics', todoText('milk'));
      const [inner, root] = [`${outer.url}inner/`, outer.url];
      for (const href of [inner, root]) await connect().collection({ href }).listing(true);
      assert.equal(index.get(`${inner}bread.ics`)?.text, 'bread');
      unlinkSync(join(outer.path, 'inner', 'bread.ics'));
      const emptied = { members: [], isComplete: true, isEmptyFolder: true };
      assert.deepEqual(await connect().collection({ href: inner }).listing(true), emptied);
      assert.equal(
        await refusal(
          connect()
            .collection({ href: inner })
            .fetch([`${inner}bread.ics`]),
        ),
        'protocol',
      );
    } finally {
      await outer.stop();
    }
  });

  it('recognizes a list without tasks by the files of vdirsyncer beside them, otherwise by a mark of its own', async () => {
    const outer = new AFolder();
    try {
      const one = `${outer.url}one/`;
      outer.addList('one');
      writeFileSync(join(outer.path, 'one', 'description'), 'What we need');
      assert.equal((await outer.connect().lists()).length, 1);
      for (const [name, expected] of [
        ['description', ['description']],
        ['notes.txt', ['.dueline', 'notes.txt']],
      ] as const) {
        outer.addList(`with ${name}`);
        writeFileSync(join(outer.path, `with ${name}`, name), 'text');
        outer.put(`with ${name}/bread.ics`, todoText('bread'));
        const href = `${outer.url}${encodeURIComponent(`with ${name}`)}/`;
        const tasks = outer.connect().collection({ href });
        const [bread] = (await tasks.listing(true)).members;
        await tasks.remove(bread!.href, bread!.etag);
        assert.deepEqual(readdirSync(join(outer.path, `with ${name}`)).toSorted(), expected);
        assert.ok((await outer.connect().lists()).some(list => list.href === href));
      }
      for (const name of ['.DS_Store', '.gitkeep', 'color.sync-conflict-20261120-101010-ABCDEFG'])
        writeFileSync(join(outer.path, 'one', name), '');
      assert.equal((await outer.connect().lists()).filter(list => list.href === one).length, 1);
      await outer.connect().deleteList(one, new Map());
      assert.equal(existsSync(join(outer.path, 'one')), false);
      // The other files in it stay, and are no list.
      const mixed = `${outer.url}${encodeURIComponent('with notes.txt')}/`;
      await outer.connect().deleteList(mixed, new Map());
      assert.deepEqual(readdirSync(join(outer.path, 'with notes.txt')).toSorted(), ['.dueline', 'notes.txt']);
      assert.ok((await outer.connect().lists()).every(list => list.href !== mixed));
    } finally {
      await outer.stop();
    }
  });

  it('reads the first line of a list’s name, and our side of an unresolved git merge', async () => {
    const outer = new AFolder();
    try {
      outer.addList('one');
      const merge = (ours: string, theirs: string) => `<<<<<<< HEAD\n${ours}\n=======\n${theirs}\n>>>>>>> other\n`;
      for (const [name, text] of [
        ['displayname', merge('Ours', 'Theirs')],
        ['color', merge('#DC143C', '#000000')],
        ['order', merge('3', '4')],
      ] as const)
        writeFileSync(join(outer.path, 'one', name), text);
      const [list] = await outer.connect().lists();
      assert.deepEqual(list, { ...list, name: 'Ours', color: 0xffdc143c | 0, order: 3 });
      writeFileSync(join(outer.path, 'one', 'displayname'), 'Two\r\nlines\n');
      assert.equal((await outer.connect().lists())[0]?.name, 'Two');
    } finally {
      await outer.stop();
    }
  });

  it('is not read-only on Windows because of an attribute that forbids nothing there', async () => {
    const outer = new AFolder();
    const platform = Object.getOwnPropertyDescriptor(process, 'platform')!;
    const path = outer.addList('one');
    try {
      outer.put('one/bread.ics', todoText('bread'));
      chmodSync(path, 0o555);
      const isReadOnly = async () =>
        (await outer.connect({ ...realDisk, access: async () => {} }).lists())[0]?.isReadOnly;
      assert.equal(await isReadOnly(), true);
      Object.defineProperty(process, 'platform', { ...platform, value: 'win32' });
      assert.equal(await isReadOnly(), false);
    } finally {
      Object.defineProperty(process, 'platform', platform);
      chmodSync(path, 0o755);
      await outer.stop();
    }
  });

  it('keeps a file’s permissions, and a link a link', async () => {
    const outer = new AFolder();
    const umask = process.umask(0o022);
    try {
      outer.addList('one');
      outer.put('bread.txt', todoText('bread'));
      const [there, link] = [join(outer.path, 'bread.txt'), join(outer.path, 'one', 'bread.ics')];
      symlinkSync(join('..', 'bread.txt'), link);
      chmodSync(there, 0o664);
      const tasks = outer.connect().collection({ href: `${outer.url}one/` });
      const [bread] = (await tasks.listing(true)).members;
      await tasks.put(bread!.href, todoText('bread', 'SUMMARY:Buy two'), bread!.etag);
      assert.equal(lstatSync(link).isSymbolicLink(), true);
      assert.match(readFileSync(there, 'utf8'), /Buy two/);
      assert.equal(statSync(there).mode & 0o777, 0o664);
      assert.deepEqual(readdirSync(outer.path).toSorted(), ['bread.txt', 'one']);
    } finally {
      process.umask(umask);
      await outer.stop();
    }
  });

  it('does not read the name or color of a list from a link, and leaves its target alone', async () => {
    const outer = new AFolder();
    try {
      const path = outer.addList('shared');
      outer.put('shared/bread.ics', todoText('bread'));
      const secret = join(outer.path, '.secret');
      writeFileSync(secret, 'a secret');
      for (const name of ['displayname', 'color', 'order']) symlinkSync(secret, join(path, name));
      const account = outer.connect();
      const href = `${outer.url}shared/`;
      assert.equal((await account.list(href))?.name, 'shared');
      await account.updateList(href, { name: 'Ours', color: 0x112233 });
      assert.equal(readFileSync(secret, 'utf8'), 'a secret');
      assert.equal(lstatSync(join(path, 'displayname')).isSymbolicLink(), false);
      assert.equal((await account.list(href))?.name, 'Ours');
      writeFileSync(join(path, 'displayname'), 'x'.repeat(5_000_000));
      assert.equal((await outer.connect().list(href))?.name.length, 500);
    } finally {
      await outer.stop();
    }
  });

  it('replaces a pipe by the name of the list, and cannot name it if a folder is in the way', async () => {
    const outer = new AFolder();
    try {
      const path = outer.addList('shared');
      outer.put('shared/bread.ics', todoText('bread'));
      execFileSync('mkfifo', [join(path, 'displayname')]);
      mkdirSync(join(path, 'color'));
      const account = outer.connect();
      const href = `${outer.url}shared/`;
      assert.deepEqual(await account.updateList(href, { name: 'Ours', color: 0x112233 }), ['color']);
      assert.equal((await account.list(href))?.name, 'Ours');
      assert.deepEqual(readdirSync(join(path, 'color')), []);
    } finally {
      await outer.stop();
    }
  });

  it('waits for a file that another program keeps open, and does not take its list for read-only', async () => {
    const account = folder.connect(
      diskWith((operation, when, path) => {
        const isHeld = operation === 'unlink' && path.endsWith('/held.ics');
        if (when === 'before' && (operation === 'rename' || isHeld)) throw fault('EPERM');
      }),
    );
    const { href } = (await folder.connect().lists())[0]!;
    const tasks = account.collection({ href });
    const etag = await tasks.put(tasks.member('held.ics'), todoText('held'), 'absent');
    assert.equal(await refusal(tasks.put(tasks.member('held.ics'), todoText('held', 'SUMMARY:x'), etag!)), 'locked');
    assert.equal(await refusal(tasks.remove(tasks.member('held.ics'), etag!)), 'locked');
  });

  it('reads a folder of events once, and again if it has changed', async () => {
    const outer = new AFolder();
    const read: string[] = [];
    const disk = diskWith((operation, when, file) => {
      if (operation === 'readFile' && when === 'before') read.push(basename(file));
    });
    const index = newFileIndex();
    const lists = () => new FolderAccount({ root: outer.url, index, hasLists: false, timeoutMs: 10_000, disk }).lists();
    try {
      outer.addList('events');
      for (const name of ['a', 'b']) outer.put(`events/${name}.ics`, todoText(name).replaceAll('VTODO', 'VEVENT'));
      await wait(60);
      assert.deepEqual(await lists(), []);
      assert.deepEqual(read.splice(0).toSorted(), ['a.ics', 'b.ics']);
      assert.deepEqual(await lists(), []);
      assert.deepEqual(read, []);
      outer.put('events/b.ics', todoText('b'), 30_000);
      assert.equal((await lists()).length, 1);
      assert.deepEqual(read, ['b.ics']);
    } finally {
      await outer.stop();
    }
  });

  it('checks ten thousand files once in a run, and reads only the new one', async () => {
    const outer = new AFolder();
    const index = newFileIndex();
    const many = 10_000;
    const count = { stat: 0, readFile: 0 };
    const disk = diskWith((operation, when) => {
      if (when === 'before' && (operation === 'stat' || operation === 'readFile')) count[operation]++;
    });
    const run = async () => {
      Object.assign(count, { stat: 0, readFile: 0 });
      const account = new FolderAccount({ root: outer.url, index, hasLists: true, timeoutMs: 60_000, disk });
      const [list] = await account.lists();
      const { members } = await account.collection(list!).listing(true);
      assert.equal(members.length, many);
      return { ...count };
    };
    try {
      outer.addList('large');
      for (let at = 0; at < many; at++) outer.put(`large/${at}.ics`, todoText(String(at)));
      await wait(60);
      await run();
      for (const newCount of [0, 1]) {
        if (newCount > 0) outer.put('large/7.ics', todoText('7', 'SUMMARY:New'), 30_000);
        await wait(60);
        const { stat, readFile } = await run();
        assert.equal(readFile, newCount);
        assert.ok(stat < many + 20, `${stat}`);
      }
    } finally {
      await outer.stop();
    }
  });

  it('lists what was written after its last check, here or by another program', async () => {
    const outer = new AFolder();
    try {
      outer.addList('one');
      outer.put('one/bread.ics', todoText('bread'));
      const account = outer.connect();
      const { href } = (await account.lists())[0]!;
      const tasks = account.collection({ href });
      await tasks.put(tasks.member('milk.ics'), todoText('milk'), 'absent');
      assert.equal((await tasks.listing(true)).members.length, 2);
      const before = (await account.list(href))?.ctag;
      outer.put('one/cake.ics', todoText('cake'));
      assert.equal((await tasks.findUid('cake')).length, 1);
      await wait(60);
      assert.notEqual((await account.list(href))?.ctag, before);
      assert.equal((await tasks.listing(true)).members.length, 3);
    } finally {
      await outer.stop();
    }
  });

  it('waits for an unresponsive disk no longer than its timeout', async () => {
    const silent = { ...realDisk, readdir: () => new Promise(() => {}) } as unknown as Disk;
    const account = new FolderAccount({
      root: folder.url,
      index: newFileIndex(),
      hasLists: false,
      timeoutMs: 50,
      disk: silent,
    });
    assert.equal(await refusal(account.lists()), 'timeout');
  });
});
