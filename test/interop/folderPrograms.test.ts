import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Status } from '../../src/core/kernel/model';
import type { SyncedList } from '../sync/support/devices';
import { linesOf, todoText } from '../sync/support/texts';
import { aFolderWorld } from '../sync/support/world';
import { howToInstall, isInstalled, type Server, startRadicale } from './support/servers';
import { Todoman } from './support/todoman';
import { Vdirsyncer } from './support/vdirsyncer';

describe('a folder that other programs write to', () => {
  const world = aFolderWorld();
  let server: Server | undefined;
  beforeEach(() => {
    world.folder.addList('errands');
  });
  afterEach(async () => {
    await server?.stop();
    server = undefined;
  });
  const files = () => readdirSync(join(world.folder.path, 'errands')).filter(name => name.endsWith('.ics'));

  it('exchanges tasks with todoman: new ones, edits, completions and deletions', async () => {
    if (!isInstalled('todoman')) throw new Error(howToInstall('todoman'));
    const todoman = new Todoman(world.folder.path, world.devices.folder());
    world.folder.put('errands/kept.ics', todoText('kept', 'SUMMARY:Keep it all', 'X-OWN;X-P=1:kept'));
    todoman.run('new', '--list', 'errands', '--due', '2026-12-24', 'Buy bread');
    const engine = await world.devices.open(world.folder);
    const list = world.devices.list(engine, 'errands');
    await list.sync();
    assert.deepEqual(list.titles(), ['Buy bread', 'Keep it all']);
    const bread = () => list.rows().find(({ title }) => /Buy/.test(title ?? ''))!;
    assert.equal(new Date(bread().due!).toISOString().slice(0, 10), '2026-12-24');

    await engine.updateTask(bread().id, { title: 'Buy two loaves', priority: 1 });
    await engine.createTask(list.id, { title: 'Made in Dueline', due: Date.UTC(2026, 11, 1), isAllDay: true });
    await list.sync();
    assert.deepEqual(
      todoman
        .list()
        .map(({ summary }) => summary)
        .toSorted(),
      ['Buy two loaves', 'Keep it all', 'Made in Dueline'],
    );

    todoman.run('done', todoman.idOf('Buy two loaves'));
    todoman.run('edit', '--priority', 'high', todoman.idOf('Keep it all'));
    todoman.run('delete', '--yes', todoman.idOf('Made in Dueline'));
    await list.sync();
    assert.equal(bread().status, Status.completed);
    assert.deepEqual(list.titles(), ['Buy two loaves', 'Keep it all']);

    const kept = list.byUid('kept')!;
    assert.ok(kept.priority > 0);
    await engine.updateTask(kept.id, { title: 'Kept it all' });
    await list.sync();
    const text = readFileSync(join(world.folder.path, 'errands', 'kept.ics'), 'utf8');
    assert.ok(linesOf(text).includes('X-OWN;X-P=1:kept'));
    assert.equal(files().length, 2);
    assert.equal(todoman.list().length, 2);
  });

  it('exchanges tasks with a server and its devices through vdirsyncer, and none loses anything', async () => {
    for (const program of ['vdirsyncer', 'radicale']) if (!isInstalled(program)) throw new Error(howToInstall(program));
    server = await startRadicale({ password: 'secret' });
    const authorization = `Basic ${Buffer.from(`${server.username}:${server.password}`).toString('base64')}`;
    // Radicale creates a user's collection at their first visit.
    for (const [method, path] of [
      ['PROPFIND', 'anna/'],
      ['MKCALENDAR', 'anna/errands/'],
    ] as const)
      assert.ok((await fetch(server.url + path, { method, headers: { authorization } })).ok);
    const syncer = new Vdirsyncer(server, world.devices.folder(), world.folder.path);
    await syncer.discover(['errands']);

    const here = world.devices.list(await world.devices.open(world.folder), 'errands');
    const other = await world.devices.open(server);
    const there = world.devices.list(other, other.lists().find(({ accountId }) => accountId !== null)!.name);
    const exchange = async (...way: (SyncedList | Vdirsyncer)[]) => {
      for (const one of way) await one.sync();
    };
    const id = await here.engine.createTask(here.id, {
      title: 'Series',
      due: Date.UTC(2026, 11, 7, 8),
      timezone: 'UTC',
      rrule: 'FREQ=DAILY;COUNT=5',
    });
    const { uid } = here.engine.task(id)!;
    await here.engine.createTask(here.id, { title: 'Child', parentId: id });
    await exchange(here, syncer, there);
    assert.deepEqual(there.titles(), ['Child', 'Series']);

    // An exception goes into the file of its series.
    await there.engine.completeTask(there.byUid(uid)!.id);
    await there.engine.createTask(there.id, { title: 'From the server' });
    await exchange(there, syncer, here);
    assert.equal(here.rows().filter(row => row.uid === uid).length, 2);
    assert.equal(files().length, 3);
    assert.deepEqual([...new Set(here.titles())].toSorted(), ['Child', 'From the server', 'Series']);

    const child = (list: SyncedList) => list.rows().find(({ title }) => title?.startsWith('Child'))!;
    assert.equal(child(there).parentId, there.byUid(uid)!.id);
    await here.engine.updateTask(child(here).id, { title: 'Child, renamed' });
    const theirs = there.rows().find(({ title }) => title === 'From the server')!;
    await there.engine.deleteTask(theirs.id);
    await exchange(here, there, syncer, here, there);
    for (const list of [here, there])
      assert.deepEqual([...new Set(list.titles())].toSorted(), ['Child, renamed', 'Series']);
  });
});
