import assert from 'node:assert/strict';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DuelineEngine } from '../../../src/api';
import { AFolder, diskWith, fault } from '../support/folders';
import { todoText } from '../support/texts';
import { aFolderWorld } from '../support/world';

describe('a folder that contains links and files of others', () => {
  const world = aFolderWorld();
  let outside: AFolder;
  beforeEach(() => {
    outside = new AFolder();
    world.folder.addList('errands');
    world.folder.put('errands/bread.ics', todoText('bread', 'SUMMARY:Buy bread'));
    world.folder.addList('garden');
    world.folder.put('garden/rose.ics', todoText('rose', 'SUMMARY:Rose'));
  });
  afterEach(() => outside.stop());

  const path = (...names: string[]) => join(world.folder.path, ...names);
  const reportOf = async (engine: DuelineEngine) => (await engine.sync()).accounts[0]!;
  const open = async (disk?: object) => {
    const engine = await world.devices.open(world.folder, { disk } as object);
    const report = await reportOf(engine);
    return { engine, report, list: (name: string) => world.devices.list(engine, name) };
  };
  const namesOf = (engine: DuelineEngine) =>
    engine.lists().flatMap(({ name, accountId }) => (accountId === null ? [] : [name]));
  const theirs = () => {
    outside.addList('private');
    writeFileSync(join(outside.path, 'private', 'displayname'), 'Private');
    outside.put('private/secret.ics', todoText('secret', 'SUMMARY:Secret'));
    return join(outside.path, 'private');
  };

  it('does not read a link as a list, and reports it', async () => {
    symlinkSync(theirs(), path('linked'));
    symlinkSync('garden', path('sibling'));
    const { engine, report, list } = await open();
    assert.deepEqual(namesOf(engine), ['errands', 'garden']);
    assert.equal(report.reason?.code, 'folderIsLink');
    assert.match(report.error!, /linked|sibling/);
    await engine.createTask(list('garden').id, { title: 'Lily' });
    assert.equal((await reportOf(engine)).pushed, 1);
    assert.equal(engine.syncing!.accountState(engine.accounts()[0]!.id).nextTry, null);
    rmSync(path('linked'));
    rmSync(path('sibling'));
    assert.equal((await reportOf(engine)).error, null);
  });

  it('neither reads, writes nor empties a list that has become a link, and keeps its tasks', async () => {
    const { engine, list } = await open();
    const errands = list('errands');
    const folder = theirs();
    const before = readdirSync(folder);
    renameSync(path('errands'), path('.errands'));
    symlinkSync(folder, path('errands'));
    await engine.updateTask(errands.byUid('bread')!.id, { title: 'Buy two' });
    await engine.updateList(errands.id, { name: 'Renamed', color: 0xff123456 | 0 });
    assert.match((await reportOf(engine)).error ?? '', /^Renamed: .* is a link to another folder/);
    assert.deepEqual(errands.titles(), ['Buy two']);
    await assert.rejects(engine.deleteList(errands.id), /is a link to another folder/);
    assert.deepEqual(readdirSync(folder), before);
    assert.equal(readFileSync(join(folder, 'displayname'), 'utf8'), 'Private');
    rmSync(path('errands'));
    renameSync(path('.errands'), path('errands'));
    assert.equal((await reportOf(engine)).error, null);
    assert.match(readFileSync(path('errands', 'bread.ics'), 'utf8'), /SUMMARY:Buy two/);
  });

  it('neither reads nor writes an account’s folder that has become a link, and keeps its tasks', async () => {
    const { engine, list } = await open();
    outside.addList('garden');
    outside.put('garden/rose.ics', todoText('rose', 'SUMMARY:Rose'));
    const [root, aside] = [world.folder.path, `${world.folder.path}.aside`];
    renameSync(root, aside);
    symlinkSync(outside.path, root);
    await engine.createTask(list('garden').id, { title: 'Lily' });
    const report = await reportOf(engine);
    assert.deepEqual(readdirSync(join(outside.path, 'garden')), ['rose.ics']);
    assert.equal(report.reason?.code, 'folderIsLink');
    assert.deepEqual(list('garden').titles(), ['Lily', 'Rose']);
    rmSync(root);
    renameSync(aside, root);
    assert.equal((await reportOf(engine)).error, null);
    assert.equal(readdirSync(path('garden')).length, 2);
  });

  it('leaves git’s conflict markers in a file behind a link, and writes no file for the other side', async () => {
    const [before, after] = todoText('milk', 'X-HERE:x').split('X-HERE:x\r\n') as [string, string];
    const text = `${before}<<<<<<< HEAD\r\nSUMMARY:Ours\r\n=======\r\nSUMMARY:Theirs\r\n>>>>>>> other\r\n${after}`;
    const file = join(outside.path, 'milk.ics');
    writeFileSync(file, text);
    symlinkSync(file, path('errands', 'milk.ics'));
    const { engine, report } = await open();
    assert.equal(report.reason?.code, 'linkWithMarkers');
    await engine.sync();
    assert.equal(readFileSync(file, 'utf8'), text);
    assert.deepEqual(readdirSync(path('errands')).toSorted(), ['bread.ics', 'milk.ics']);
    assert.equal(lstatSync(path('errands', 'milk.ics')).isSymbolicLink(), true);
  });

  it('reads all other files if one links to itself, and names that one', async () => {
    const { engine, list } = await open();
    symlinkSync('loop.ics', path('errands', 'loop.ics'));
    world.folder.put('errands/milk.ics', todoText('milk', 'SUMMARY:Buy milk'));
    world.folder.put('garden/lily.ics', todoText('lily', 'SUMMARY:Lily'));
    await engine.createTask(list('errands').id, { title: 'Buy cake' });
    const report = await reportOf(engine);
    assert.match(report.error ?? '', /loop\.ics/);
    assert.deepEqual(list('errands').titles(), ['Buy bread', 'Buy cake', 'Buy milk']);
    assert.deepEqual(list('garden').titles(), ['Lily', 'Rose']);
    assert.equal(readdirSync(path('errands')).length, 4);
  });

  it('syncs all other lists if one cannot be read, and reports no folder that is none', async () => {
    mkdirSync(path('lost+found'));
    let forbidden = 'lost+found';
    const { engine, report, list } = await open(
      diskWith((operation, when, file) => {
        if (operation === 'readdir' && when === 'before' && file.includes(forbidden)) throw fault('EACCES');
      }),
    );
    assert.equal(report.error, null);
    assert.deepEqual(namesOf(engine), ['errands', 'garden']);
    forbidden = 'errands';
    const errands = list('errands');
    await engine.updateTask(errands.byUid('bread')!.id, { title: 'Buy two' });
    await engine.createTask(list('garden').id, { title: 'Lily' });
    assert.match((await reportOf(engine)).error ?? '', /^errands: /);
    assert.deepEqual(errands.titles(), ['Buy two']);
    assert.equal(readdirSync(path('garden')).length, 2);
    forbidden = 'nothing';
    assert.equal((await reportOf(engine)).error, null);
    assert.match(readFileSync(path('errands', 'bread.ics'), 'utf8'), /SUMMARY:Buy two/);
  });

  it('keeps a task whose file has become too large to be read, and reports it', async () => {
    const { engine, list } = await open();
    truncateSync(path('garden', 'rose.ics'), 17 * 2 ** 20);
    world.folder.put('garden/lily.ics', todoText('lily', 'SUMMARY:Lily'));
    for (let run = 0; run < 2; run++) assert.equal((await reportOf(engine)).reason?.code, 'taskFileTooLarge');
    assert.deepEqual(list('garden').titles(), ['Lily', 'Rose']);
    assert.deepEqual(await engine.trash(), []);
    rmSync(path('garden', 'lily.ics'));
    await engine.sync();
    assert.deepEqual(list('garden').titles(), ['Rose']);
  });

  it('shows a task whose file name contains a backslash, if that does not separate folders', async function () {
    if (process.platform === 'win32') this.skip();
    world.folder.put('garden/a\\b.ics', todoText('lily', 'SUMMARY:Lily'));
    const { engine, list } = await open();
    await engine.updateTask(list('garden').byUid('lily')!.id, { title: 'White lily' });
    await list('garden').sync();
    assert.match(readFileSync(path('garden', 'a\\b.ics'), 'utf8'), /SUMMARY:White lily/);
  });

  it('is one account, whatever paths lead to it', async () => {
    const { engine } = await open();
    const alias = join(outside.path, 'alias');
    symlinkSync(world.folder.path, alias);
    const add = (one: string) => engine.addAccount({ serverUrl: pathToFileURL(one).href, username: '', password: '' });
    await assert.rejects(add(alias), { kind: 'duplicate' });
    await assert.rejects(add(join(alias, 'errands')), { kind: 'duplicate' });
    await engine.removeAccount(engine.accounts()[0]!.id);
    await add(alias);
    assert.equal(engine.accounts()[0]?.homeSetUrl, world.folder.url);
    await assert.rejects(add(world.folder.path), { kind: 'duplicate' });
    assert.ok(existsSync(alias));
  });
});
