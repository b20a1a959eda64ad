import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DuelineEngine, EngineOptions } from '../../../src/api';
import type { SyncedList } from '../support/devices';
import { caselessDisk, diskWith, fault } from '../support/folders';
import { AServer } from '../support/server';
import { linesOf, todoText } from '../support/texts';
import { aFolderWorld } from '../support/world';

describe('a folder account', () => {
  const world = aFolderWorld();

  const device = async (options: object = {}): Promise<SyncedList> => {
    const engine = await world.devices.open(world.folder, options as Partial<EngineOptions>);
    const list = world.devices.list(engine, 'Errands');
    await list.sync();
    return list;
  };
  const errands = (tasks: Record<string, string>) => {
    world.folder.addList('errands');
    writeFileSync(join(world.folder.path, 'errands', 'displayname'), 'Errands\n');
    writeFileSync(join(world.folder.path, 'errands', 'color'), '#DC143C');
    for (const [name, text] of Object.entries(tasks)) world.folder.put(`errands/${name}`, text);
  };
  const file = (name: string) => readFileSync(join(world.folder.path, 'errands', name), 'utf8');
  const files = () => readdirSync(join(world.folder.path, 'errands')).toSorted();
  const errorOf = async (engine: DuelineEngine) => (await engine.sync()).accounts[0]!.error;

  it('leaves the letters of a file as they are if a fold splits one, or a byte is none', async () => {
    const text = todoText('bread', 'SUMMARY:Café', 'DESCRIPTION:Größe');
    errands({ 'bread.ics': text });
    const bytes = Buffer.from(text.replace('SUMMARY', 'X-BAD:\xff\r\nSUMMARY'));
    const path = join(world.folder.path, 'errands', 'bread.ics');
    for (const [name, written] of [
      [
        'split',
        Buffer.from(bytes.toString('latin1').replace('\xc3\xa9', '\xc3\r\n \xa9').replace('\xc3\xbf', ''), 'latin1'),
      ],
      ['bad', Buffer.from(bytes.toString('latin1').replace('\xc3\xbf', '\xff'), 'latin1')],
    ] as const) {
      writeFileSync(path, new Uint8Array(written));
      const { engine, id, sync } = await device();
      const [row] = engine.rows(id);
      assert.deepEqual([row?.title, row?.description], ['Café', 'Größe'], name);
      await engine.updateTask(row!.id, { priority: 1 });
      await sync();
      assert.deepEqual(
        ['SUMMARY:Café', 'DESCRIPTION:Größe', 'PRIORITY:1'].filter(line => !linesOf(file('bread.ics')).includes(line)),
        [],
        name,
      );
      await engine.close();
    }
  });

  it('removes no task while the name of a file is not UTF-8, and names the file', async function () {
    if (process.platform !== 'linux') this.skip();
    errands({
      'Größe.ics': todoText('size', 'SUMMARY:Size'),
      'bread.ics': todoText('bread', 'SUMMARY:Buy bread'),
      'milk.ics': todoText('milk', 'SUMMARY:Buy milk'),
    });
    const folder = join(world.folder.path, 'errands');
    const engine = await world.devices.open(world.folder);
    const { titles } = world.devices.list(engine, 'Errands');
    assert.equal(await errorOf(engine), null);
    const latin1 = Buffer.from(`${folder}/Gr\xf6\xdfe.ics`, 'latin1');
    renameSync(join(folder, 'Größe.ics'), latin1);
    unlinkSync(join(folder, 'bread.ics'));
    assert.match((await errorOf(engine)) ?? '', /Gr\ufffd\ufffde\.ics.*EILSEQ/);
    assert.deepEqual(titles().toSorted(), ['Buy bread', 'Buy milk', 'Size']);
    renameSync(latin1, join(folder, 'Größe.ics'));
    assert.equal(await errorOf(engine), null);
    assert.deepEqual(titles().toSorted(), ['Buy milk', 'Size']);
  });

  it('notices the removal of a file that appeared while its list was read', async () => {
    errands({});
    let isComing = false;
    const disk = diskWith((_operation, when, path) => {
      // The files of an empty list are read a second time.
      if (!isComing || when !== 'before' || !path.endsWith('displayname')) return;
      isComing = false;
      world.folder.put('errands/bread.ics', todoText('bread', 'SUMMARY:Buy bread'));
    });
    const engine = await world.devices.open(world.folder, { disk } as Partial<EngineOptions>);
    const { titles, sync } = world.devices.list(engine, 'Errands');
    isComing = true;
    await sync();
    assert.deepEqual(titles(), ['Buy bread']);
    unlinkSync(join(world.folder.path, 'errands', 'bread.ics'));
    await sync();
    assert.deepEqual(titles(), []);
  });

  it('sends edits of tasks whose UIDs are words that every object has, and of their subtasks', async () => {
    const uids = ['__proto__', 'constructor', 'toString'];
    const names = Object.fromEntries(uids.map((uid, at) => [`${at}.ics`, todoText(uid, `SUMMARY:${at}`)]));
    errands({ ...names, '9.ics': todoText('child', 'SUMMARY:9', 'RELATED-TO:__proto__') });
    const { engine, id, sync } = await device();
    const rows = engine.rows(id);
    assert.deepEqual(
      rows.map(({ parentId }) => rows.find(row => row.id === parentId)?.uid),
      [undefined, undefined, undefined, '__proto__'],
    );
    for (const row of rows) await engine.updateTask(row.id, { location: 'Here' });
    assert.equal((await sync()).pushed, 4);
    for (const name of files().filter(one => one.endsWith('.ics')))
      assert.ok(linesOf(file(name)).includes('LOCATION:Here'), name);
  });

  it('reads lists and tasks, whatever the names of their files, and leaves the rest alone', async () => {
    errands({
      'a name.ics': todoText('bread', 'SUMMARY:Buy bread'),
      '.hidden.ics': todoText('hidden'),
      'half.tmp': todoText('half'),
      'no-ending': todoText('none'),
    });
    mkdirSync(join(world.folder.path, 'pictures'));
    writeFileSync(join(world.folder.path, 'pictures', 'cat.png'), '');
    const { engine, titles, id } = await device();
    assert.deepEqual(titles(), ['Buy bread']);
    assert.deepEqual(
      engine
        .lists()
        .filter(({ accountId }) => accountId !== null)
        .map(({ name }) => name),
      ['Errands'],
    );
    assert.equal(engine.lists().find(list => list.id === id)?.color, 0xffdc143c | 0);
  });

  it('keeps the name of a list if a folder has the place of its file, and writes the edits of its tasks', async () => {
    errands({ 'bread.ics': todoText('bread', 'SUMMARY:Buy bread') });
    const list = await device();
    const { engine, id } = list;
    unlinkSync(join(world.folder.path, 'errands', 'displayname'));
    mkdirSync(join(world.folder.path, 'errands', 'displayname'));
    await engine.updateList(id, { name: 'Mine' });
    await engine.updateTask(list.byUid('bread')!.id, { title: 'Buy two' });
    const [report] = (await engine.sync()).accounts;
    assert.deepEqual(
      [report!.error, report!.notices.map(({ kind }) => kind), engine.lists().find(one => one.id === id)!.name],
      [null, ['refusedProperty'], 'errands'],
    );
    assert.match(file('bread.ics'), /SUMMARY:Buy two/);
  });

  it('writes an edit into the same file, and keeps every other line and its line ends', async () => {
    const text = todoText('bread', 'SUMMARY:Buy bread', 'X-OWN;X-P=1:kept').replaceAll('\r\n', '\n');
    errands({ 'Brot.ics': text });
    const list = await device();
    await list.engine.updateTask(list.byUid('bread')!.id, { title: 'Buy two' });
    await list.sync();
    assert.deepEqual(files(), ['Brot.ics', 'color', 'displayname']);
    assert.equal(file('Brot.ics').includes('\r'), false);
    const stamps = /^(DTSTAMP|LAST-MODIFIED|SEQUENCE|CREATED|PRODID)/;
    assert.deepEqual(
      linesOf(file('Brot.ics')).filter(line => !stamps.test(line)),
      linesOf(text.replace('Buy bread', 'Buy two')).filter(line => !stamps.test(line)),
    );
  });

  it('reads no file if nothing changed, and one if one is new', async () => {
    errands(Object.fromEntries(['a', 'b', 'c'].map(uid => [`${uid}.ics`, todoText(uid)])));
    const read: string[] = [];
    const disk = diskWith((operation, when, path) => {
      if (operation === 'readFile' && when === 'before') read.push(path.split('/').at(-1)!);
    });
    const list = await device({ disk });
    await list.sync();
    await new Promise(resolve => setTimeout(resolve, 60));
    await list.sync();
    read.splice(0);
    await list.sync();
    assert.deepEqual(read, []);
    world.folder.put('errands/b.ics', todoText('b', 'SUMMARY:New words'), 30_000);
    await list.sync();
    assert.deepEqual([...new Set(read)], ['b.ics']);
    assert.ok(list.titles().includes('New words'));
  });

  it('asks about the tasks of an empty folder, however few, and does what the user answers', async () => {
    errands({ 'bread.ics': todoText('bread') });
    const { engine, rows, id } = await device();
    const { syncing } = engine;
    for (const name of files()) unlinkSync(join(world.folder.path, 'errands', name));
    assert.match((await errorOf(engine)) ?? '', /Choose what to do/);
    assert.deepEqual(syncing!.emptiedLists(), [id]);
    await syncing!.decideEmptied(id, 'deleteHere');
    assert.equal(await errorOf(engine), null);
    assert.deepEqual(rows(), []);
    assert.equal((await engine.trash()).length, 1);
    world.folder.put('errands/milk.ics', todoText('milk'));
    assert.equal(await errorOf(engine), null);
    assert.equal(rows().length, 1);
  });

  it('deletes nothing if the folder is gone or empty, and continues when it is back', async () => {
    errands({ 'bread.ics': todoText('bread') });
    const { engine, rows, sync } = await device();
    const away = `${world.folder.path}-away`;
    renameSync(world.folder.path, away);
    assert.match((await errorOf(engine)) ?? '', /not found or is empty/);
    mkdirSync(world.folder.path);
    assert.match((await errorOf(engine)) ?? '', /not found or is empty/);
    // Syncthing creates the first in a new folder, macOS the second in each folder that it shows.
    mkdirSync(join(world.folder.path, '.stfolder'));
    writeFileSync(join(world.folder.path, '.DS_Store'), '');
    assert.match((await errorOf(engine)) ?? '', /not found or is empty/);
    mkdirSync(join(world.folder.path, 'errands'));
    writeFileSync(join(world.folder.path, 'errands', '.DS_Store'), '');
    assert.match((await errorOf(engine)) ?? '', /Nothing was deleted here. Choose what to do/);
    assert.match((await errorOf(engine)) ?? '', /Nothing was deleted here. Choose what to do/);
    assert.equal(rows().length, 1);
    rmSync(world.folder.path, { recursive: true });
    renameSync(away, world.folder.path);
    await sync();
    assert.equal(rows().length, 1);
    assert.equal(rows()[0]!.isDeleted, false);
  });

  it('transfers the deletion of the last task to another computer with the folder', async () => {
    world.folder.addList('errands');
    world.folder.put('errands/bread.ics', todoText('bread'));
    world.folder.put('errands/.DS_Store', '');
    const one = await world.devices.open(world.folder);
    const two = await world.devices.open(world.folder);
    for (const engine of [one, two]) await engine.sync();
    const here = world.devices.list(one, 'errands');
    await one.deleteTask(here.byUid('bread')!.id);
    await here.sync();
    assert.deepEqual(files(), ['.DS_Store', '.dueline']);
    const there = world.devices.list(two, 'errands');
    await there.sync();
    assert.deepEqual(there.rows(), []);
  });

  it('restores a task whose deletion is undone, even if the disk failed after it', async () => {
    errands({ 'bread.ics': todoText('bread') });
    let isFailing = false;
    const disk = diskWith((operation, _when, path) => {
      if (operation === 'unlink' && path.endsWith('bread.ics')) isFailing = true;
      else if (operation === 'readdir' && isFailing) throw fault('EIO');
    });
    const list = await device({ disk });
    await list.engine.deleteTask(list.byUid('bread')!.id);
    await list.engine.sync();
    isFailing = false;
    await list.engine.undo();
    await list.sync();
    await list.sync();
    assert.equal(list.rows().length, 1);
    assert.deepEqual(files(), ['bread.ics', 'color', 'displayname']);
  });

  it('waits for a file that is in the cloud, or is still being written', async () => {
    const bread = todoText('bread', 'SUMMARY:Buy bread');
    errands({ 'bread.ics': bread, 'milk.ics': todoText('milk', 'SUMMARY:Buy milk') });
    const { rows, titles, sync, engine, byUid } = await device();
    unlinkSync(join(world.folder.path, 'errands', 'bread.ics'));
    writeFileSync(join(world.folder.path, 'errands', '.bread.ics.icloud'), 'bplist');
    world.folder.put('errands/milk.ics', todoText('milk', 'SUMMARY:Buy more').slice(0, 60), 30_000);
    await sync();
    assert.deepEqual(titles(), ['Buy bread', 'Buy milk']);
    await engine.updateTask(byUid('bread')!.id, { title: 'Buy two' });
    await engine.sync();
    assert.equal(rows().length, 2);
    unlinkSync(join(world.folder.path, 'errands', '.bread.ics.icloud'));
    world.folder.put('errands/bread.ics', bread, 20_000);
    world.folder.put('errands/milk.ics', todoText('milk', 'SUMMARY:Buy more'), 20_000);
    await sync();
    assert.deepEqual(titles(), ['Buy more', 'Buy two']);
    assert.match(file('bread.ics'), /SUMMARY:Buy two/);
  });

  it('merges an edit with one of another program, as with a server', async () => {
    errands({ 'bread.ics': todoText('bread', 'SUMMARY:Buy bread', 'LOCATION:Town') });
    const list = await device();
    await list.engine.updateTask(list.byUid('bread')!.id, { title: 'Buy two' });
    world.folder.put('errands/bread.ics', todoText('bread', 'SUMMARY:Buy bread', 'LOCATION:Village'), 30_000);
    await list.sync();
    assert.match(file('bread.ics'), /SUMMARY:Buy two/);
    assert.match(file('bread.ics'), /LOCATION:Village/);
  });

  it('merges an edit with one that arrives while it is written', async () => {
    errands({ 'bread.ics': todoText('bread', 'SUMMARY:Buy bread', 'LOCATION:Town') });
    let isEdited = false;
    const disk = diskWith((operation, when, path) => {
      if (isEdited || operation !== 'open' || when !== 'after' || !path.endsWith('.tmp')) return;
      isEdited = true;
      world.folder.put('errands/bread.ics', todoText('bread', 'SUMMARY:Buy bread', 'LOCATION:Village'), 30_000);
    });
    const list = await device({ disk });
    await list.engine.updateTask(list.byUid('bread')!.id, { title: 'Buy two' });
    await list.sync();
    assert.match(file('bread.ics'), /SUMMARY:Buy two/);
    assert.match(file('bread.ics'), /LOCATION:Village/);
  });

  for (const [kind, disk] of [
    ['any disk', undefined],
    ['a disk on which case does not count', caselessDisk()],
  ] as const)
    it(`follows a renamed file by its UID, on ${kind}`, async () => {
      errands({ 'Bread.ics': todoText('bread', 'SUMMARY:Buy bread') });
      const list = await device({ disk });
      const { id } = list.byUid('bread')!;
      renameSync(join(world.folder.path, 'errands', 'Bread.ics'), join(world.folder.path, 'errands', 'bread.ics'));
      await list.sync();
      assert.equal(list.byUid('bread')?.id, id);
      await list.engine.updateTask(id, { title: 'Buy two' });
      await list.sync();
      assert.deepEqual(files(), ['bread.ics', 'color', 'displayname']);
    });

  it('shows a folder without write permission as a read-only list', async () => {
    errands({ 'bread.ics': todoText('bread') });
    const list = await device();
    const { chmodSync } = await import('node:fs');
    chmodSync(join(world.folder.path, 'errands'), 0o555);
    try {
      await list.sync();
      assert.equal(list.engine.lists().find(({ id }) => id === list.id)?.isReadOnly, true);
      await assert.rejects(list.engine.updateTask(list.byUid('bread')!.id, { title: 'No' }));
    } finally {
      chmodSync(join(world.folder.path, 'errands'), 0o755);
    }
    await list.sync();
    assert.equal(list.engine.lists().find(({ id }) => id === list.id)?.isReadOnly, false);
  });

  it('moves tasks to a server and back without loss', async () => {
    const server = await AServer.start();
    try {
      server.addList('there');
      errands({ 'bread.ics': todoText('bread', 'SUMMARY:Buy bread', 'X-OWN;X-P=1:kept') });
      const list = await device();
      const { engine } = list;
      await engine.addAccount({ serverUrl: server.url, username: server.username, password: server.password });
      await engine.sync();
      const there = world.devices.list(engine, 'there');
      await engine.moveTask(list.byUid('bread')!.id, { listId: there.id });
      await engine.sync();
      assert.deepEqual(files(), ['color', 'displayname']);
      const [text] = [...server.lists.get('/home/there/')!.items.values()].map(item => item.text);
      assert.ok(linesOf(text!).includes('X-OWN;X-P=1:kept'));
      await engine.moveTask(there.byUid('bread')!.id, { listId: list.id });
      await engine.sync();
      await engine.sync();
      assert.equal(server.lists.get('/home/there/')!.items.size, 0);
      assert.deepEqual(files(), ['bread.ics', 'color', 'displayname']);
      assert.ok(linesOf(file('bread.ics')).includes('X-OWN;X-P=1:kept'));
      assert.deepEqual(list.titles(), ['Buy bread']);
    } finally {
      await server.stop();
    }
  });

  it('ignores a folder that was not chosen on this computer until it is chosen', async () => {
    errands({ 'bread.ics': todoText('bread') });
    const { engine, sync } = await device();
    const sidecar = await world.devices.storeOf(engine).sidecar();
    const [[key, value]] = sidecar.entries<object>('syncAccounts') as [[string, object]];
    await sidecar.put('syncAccounts', [[key, { ...value, folder: undefined }]]);
    assert.match((await errorOf(engine)) ?? '', /was not chosen on this computer/);
    await engine.addAccount({ serverUrl: world.folder.url, username: '', password: '' });
    assert.equal(engine.accounts().length, 1);
    await sync();
    await assert.rejects(
      engine.addAccount({ serverUrl: world.folder.url, username: '', password: '' }),
      /already set up/,
    );
    await assert.rejects(
      engine.addAccount({ serverUrl: `${world.folder.url}errands/`, username: '', password: '' }),
      /already set up/,
    );
  });

  it('notices what another program writes: new lists, but no temporary files', async () => {
    errands({ 'bread.ics': todoText('bread') });
    const { engine, id } = await device();
    const changes: (number | undefined)[] = [];
    const watching = engine.syncing!.watchFolders(listId => changes.push(listId));
    const heard = async (about: number | undefined) => {
      for (let waited = 0; waited < 20_000 && !changes.includes(about); waited += 20)
        await new Promise(resolve => setTimeout(resolve, 20));
      assert.ok(changes.includes(about));
      await new Promise(resolve => setTimeout(resolve, 300));
      changes.splice(0);
    };
    try {
      world.folder.put('errands/milk.ics', todoText('milk'));
      await heard(id);
      world.folder.addList('garden');
      await heard(undefined);
      writeFileSync(join(world.folder.path, 'errands', '.milk.ics.tmp'), '');
      await new Promise(resolve => setTimeout(resolve, 400));
      assert.deepEqual(changes, []);
      await engine.sync();
      const garden = world.devices.list(engine, 'garden');
      world.folder.put('garden/rose.ics', todoText('rose'));
      await heard(garden.id);
    } finally {
      watching.dispose();
    }
  });

  it('forgets the files of a removed account, and keeps them in place', async () => {
    errands({ 'bread.ics': todoText('bread') });
    const { engine } = await device();
    const { id } = engine.accounts()[0]!;
    await engine.removeAccount(id);
    assert.deepEqual(files(), ['bread.ics', 'color', 'displayname']);
    assert.deepEqual((await world.devices.storeOf(engine).sidecar()).entries(`files:${id}`), []);
  });
});
