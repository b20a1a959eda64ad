import assert from 'node:assert/strict';
import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { EngineOptions } from '../../../src/api';
import type { SyncedList } from '../support/devices';
import { diskWith, fault } from '../support/folders';
import { todoText } from '../support/texts';
import { aFolderWorld, aWorld } from '../support/world';

const textOf = (uid: string, title = `Task ${uid}`) => todoText(uid, `SUMMARY:${title}`);
const byUidOf = ({ rows }: SyncedList) =>
  Object.fromEntries(rows().map(({ uid, id, title }) => [uid, `${id} ${title}`]));

describe('files of a folder that exchange their names', () => {
  const world = aFolderWorld();
  const pathOf = (name: string) => join(world.folder.path, 'errands', name);
  const uidIn = (name: string) => /UID:(.*)\r\n/.exec(readFileSync(pathOf(name), 'utf8'))![1]!;
  const titleIn = (name: string) => /SUMMARY:(.*)\r\n/.exec(readFileSync(pathOf(name), 'utf8'))![1]!;
  /** A disk on which a file is read once, for the listing, and then fails, for its text; only while it is on. */
  const failsAtSecondRead = (name: string) => {
    let reads = Number.NEGATIVE_INFINITY;
    const disk = diskWith((operation, when, path) => {
      if (operation === 'readFile' && when === 'before' && basename(path) === name && reads++ > 0) throw fault('EIO');
    });
    const begin = () => {
      reads = 0;
    };
    const end = () => {
      assert.ok(reads > 1);
      reads = Number.NEGATIVE_INFINITY;
    };
    return { disk, begin, end };
  };
  const device = async (count: number, options: object = {}): Promise<SyncedList> => {
    world.folder.addList('errands');
    for (let at = 1; at <= count; at++) world.folder.put(`errands/${at}.ics`, textOf(`u${at}`));
    const engine = await world.devices.open(world.folder, options as Partial<EngineOptions>);
    const list = world.devices.list(engine, 'errands');
    await list.sync();
    return list;
  };
  /** Each file under the next one's name, and the last one under `last`. */
  const shift = (count: number, last: string) => {
    renameSync(pathOf(`${count}.ics`), pathOf('aside'));
    for (let at = count - 1; at > 0; at--) renameSync(pathOf(`${at}.ics`), pathOf(`${at + 1}.ics`));
    renameSync(pathOf('aside'), pathOf(last));
  };

  for (const [amount, count] of [
    ['two', 2],
    ['more than are stored at once', 450],
  ] as const)
    it(`${amount}: each task keeps its row, and edits are sent both ways`, async () => {
      const list = await device(count);
      const { engine, byUid, sync } = list;
      const before = byUidOf(list);
      shift(count, '1.ics');
      await sync();
      assert.deepEqual(byUidOf(list), before);
      await engine.updateTask(byUid('u1')!.id, { title: 'Ours' });
      world.folder.put('errands/1.ics', textOf(`u${count}`, 'Theirs'), 30_000);
      await sync();
      assert.deepEqual([uidIn('2.ics'), titleIn('2.ics')], ['u1', 'Ours']);
      assert.equal(byUid(`u${count}`)!.title, 'Theirs');
      assert.equal((await engine.trash()).length, 0);
    });

  it('with a pending edit: it is written to the task, not to the name', async () => {
    const { engine, byUid, sync } = await device(2);
    await engine.updateTask(byUid('u1')!.id, { title: 'Ours' });
    shift(2, '1.ics');
    await sync();
    assert.deepEqual(['1.ics', '2.ics'].map(titleIn), ['Task u2', 'Ours']);
  });

  for (const [exception, unread, names] of [
    ['one of which has the name of a task that has gone on to the place of one that cannot', '4.ics', '2>4 1>2 3>1'],
    ['one of which has a new name, and left its own to the task of one that cannot', '2.ics', '1>4 2>1 3>2'],
  ] as const)
    it(`of which one is unreadable, ${exception}: each task keeps its row`, async () => {
      const { disk, begin, end } = failsAtSecondRead(unread);
      const list = await device(3, { disk });
      const before = byUidOf(list);
      for (const [from, to] of names.split(' ').map(pair => pair.split('>')))
        renameSync(pathOf(`${from}.ics`), pathOf(`${to}.ics`));
      begin();
      await list.engine.sync();
      end();
      await list.sync();
      await list.sync();
      assert.deepEqual(byUidOf(list), before);
      const files = readdirSync(pathOf('')).filter(name => name.endsWith('.ics'));
      for (const name of files) world.folder.put(`errands/${name}`, textOf(uidIn(name), 'Theirs'), 30_000);
      await list.sync();
      assert.deepEqual(list.titles(), ['Theirs', 'Theirs', 'Theirs']);
      assert.deepEqual(await list.engine.trash(), []);
    });

  it('of which one cannot be read under its new name: no new task gets the name that it has here', async () => {
    const { disk, begin, end } = failsAtSecondRead('2.ics');
    const list = await device(1, { disk });
    const { id, listId } = list.byUid('u1')!;
    renameSync(pathOf('1.ics'), pathOf('2.ics'));
    await list.engine.importTasks('ics', textOf('1'), listId);
    begin();
    await list.engine.sync();
    end();
    await list.sync();
    assert.equal(list.byUid('u1')!.id, id);
    await list.engine.updateTask(id, { title: 'Ours' });
    await list.sync();
    assert.deepEqual([uidIn('2.ics'), titleIn('2.ics')], ['u1', 'Ours']);
    assert.equal(readdirSync(pathOf('')).filter(name => name.endsWith('.ics')).length, 2);
  });

  for (const [moment, last] of [
    ['looked at', 'readdir'],
    ['read', 'access'],
  ] as const)
    it(`of which one is renamed again before it is ${moment}: its task, which was moved out of the folder here, does not come back`, async () => {
      let isRenaming = false;
      let name = 2;
      const disk = diskWith((operation, when, path) => {
        if (isRenaming && operation === last && when === 'after' && basename(path) === 'errands')
          renameSync(pathOf(`${name++}.ics`), pathOf(`${name}.ics`));
      });
      const list = await device(1, { disk });
      const { engine } = list;
      const own = await engine.createList({ name: 'own' });
      await engine.moveTask(list.byUid('u1')!.id, { listId: own });
      renameSync(pathOf('1.ics'), pathOf('2.ics'));
      isRenaming = true;
      await engine.sync();
      assert.ok(name > 2);
      isRenaming = false;
      for (let run = 0; run < 2; run++) await engine.sync();
      assert.deepEqual([engine.rows(own).length, list.titles()], [1, []]);
      assert.deepEqual(
        readdirSync(pathOf('')).filter(name => name.endsWith('.ics')),
        [],
      );
    });

  it('and their lists while one file cannot be read: the edited task moves along, and is not recreated', async () => {
    const failing = { isOn: true };
    const disk = diskWith((operation, _when, path) => {
      if (failing.isOn && operation === 'readFile' && basename(path) === 'broken.ics') throw fault('EIO');
    });
    const there = world.folder.addList('garden');
    const list = await device(2, { disk });
    world.folder.put('errands/broken.ics', textOf('broken'));
    await list.engine.sync();
    renameSync(pathOf('1.ics'), join(there, '1.ics'));
    for (let run = 0; run < 2; run++) await list.engine.sync();
    await list.engine.updateTask(list.byUid('u1')!.id, { location: 'Town' });
    await list.engine.sync();
    failing.isOn = false;
    for (let run = 0; run < 3; run++) await list.engine.sync();
    assert.deepEqual(list.titles(), ['Task broken', 'Task u2']);
    assert.deepEqual(
      readdirSync(there).filter(name => name.endsWith('.ics')),
      ['1.ics'],
    );
    assert.match(readFileSync(join(there, '1.ics'), 'utf8'), /LOCATION:Town/);
  });

  for (const [obstacle, isFailing] of [
    ['cannot be read there', true],
    ['were taken from this computer there by a cloud drive', false],
  ] as const)
    it(`and their lists, and ${obstacle}: the edited task is not recreated for a day`, async () => {
      const there = world.folder.addList('garden');
      const away = (name: string) => join(there, isFailing ? name : `${name}.nextcloud`);
      let fails = false;
      const disk = diskWith((operation, _when, path) => {
        if (fails && operation === 'readFile' && path === join(there, '1.ics')) throw fault('EIO');
      });
      const { clock } = world.devices;
      const list = await device(2, { disk });
      await list.engine.updateTask(list.byUid('u1')!.id, { location: 'Town' });
      renameSync(pathOf('1.ics'), away('1.ics'));
      fails = isFailing;
      for (let run = 0; run < 2; run++) {
        await list.engine.sync();
        clock.time += 11 * 3_600_000;
      }
      assert.deepEqual(list.titles(), ['Task u1', 'Task u2']);
      assert.deepEqual(
        readdirSync(pathOf('')).filter(name => name.endsWith('.ics')),
        ['2.ics'],
      );
      fails = false;
      if (!isFailing) renameSync(away('1.ics'), join(there, '1.ics'));
      for (let run = 0; run < 3; run++) await list.engine.sync();
      assert.deepEqual(list.titles(), ['Task u2']);
      assert.deepEqual(
        readdirSync(pathOf('')).filter(name => name.endsWith('.ics')),
        ['2.ics'],
      );
      assert.match(readFileSync(join(there, '1.ics'), 'utf8'), /LOCATION:Town/);
    });

  it('and their lists while one can never be read: the edited task is recreated after a day', async () => {
    const there = world.folder.addList('garden');
    const disk = diskWith((operation, _when, path) => {
      if (operation === 'readFile' && path === join(there, 'broken.ics')) throw fault('EIO');
    });
    const { clock } = world.devices;
    const list = await device(2, { disk });
    await list.engine.updateTask(list.byUid('u1')!.id, { location: 'Town' });
    rmSync(pathOf('1.ics'));
    world.folder.put('garden/broken.ics', textOf('broken'));
    await list.engine.sync();
    clock.time += 23 * 3_600_000;
    await list.engine.sync();
    assert.deepEqual(
      readdirSync(pathOf('')).filter(name => name.endsWith('.ics')),
      ['2.ics'],
    );
    clock.time += 2 * 3_600_000;
    for (let run = 0; run < 2; run++) await list.engine.sync();
    assert.equal(readdirSync(pathOf('')).filter(name => name.endsWith('.ics')).length, 2);
    assert.deepEqual(list.titles(), ['Task u1', 'Task u2']);
  });

  it('after a new one: no task becomes another one', async () => {
    const list = await device(3);
    const before = byUidOf(list);
    await list.engine.updateTask(list.byUid('u1')!.id, { location: 'Town' });
    shift(3, '4.ics');
    world.folder.put('errands/1.ics', textOf('new'));
    await list.sync();
    const { new: fresh, ...others } = byUidOf(list);
    assert.match(fresh!, / Task new$/);
    assert.deepEqual(others, before);
    assert.match(readFileSync(pathOf('2.ics'), 'utf8'), /UID:u1\r\n[\s\S]*LOCATION:Town/);
  });

  it('one over another: the replaced task is in the trash', async () => {
    const list = await device(3);
    const before = byUidOf(list);
    renameSync(pathOf('2.ics'), pathOf('1.ics'));
    await list.sync();
    const { u1: _, ...others } = before;
    assert.deepEqual(byUidOf(list), others);
    assert.deepEqual(
      (await list.engine.trash()).map(({ task }) => task.title),
      ['Task u1'],
    );
  });

  it('one over another while a copy beside them cannot be read: the replaced task waits, then is in the trash', async () => {
    const { disk, begin, end } = failsAtSecondRead('3 copy.ics');
    const list = await device(3, { disk });
    const before = byUidOf(list);
    renameSync(pathOf('2.ics'), pathOf('1.ics'));
    world.folder.put('errands/3 copy.ics', textOf('u3', 'Other'));
    begin();
    await list.engine.sync();
    assert.deepEqual(byUidOf(list), before);
    end();
    await list.sync();
    const { u1: _, ...others } = before;
    assert.deepEqual(byUidOf(list), others);
    assert.deepEqual(
      (await list.engine.trash()).map(({ task }) => task.title),
      ['Task u1'],
    );
  });

  for (const [uid, isDeleted] of [
    ['u1', false],
    ['u3', false],
    ['u3', true],
  ] as const)
    it(`one over ${uid}, which is restored: it stays when the file is removed, ${isDeleted ? 'deleted here too' : 'by itself'}`, async () => {
      const [place, others] = [`${uid[1]}.ics`, ['u1', 'u3']];
      const { engine, byUid, rows, sync } = await device(3);
      rmSync(pathOf(place));
      await sync();
      renameSync(pathOf('2.ics'), pathOf(place));
      await sync();
      await engine.restore((await engine.trash()).map(({ key }) => key));
      if (isDeleted) await engine.deleteTask(byUid('u2')!.id);
      rmSync(pathOf(place));
      await sync();
      const here = rows().map(({ uid }) => uid);
      assert.deepEqual(here.sort(), others);
      const names = readdirSync(pathOf('')).filter(name => name.endsWith('.ics'));
      assert.deepEqual(names.map(uidIn).sort(), others);
      const trash = (await engine.trash()).map(({ task }) => task.uid);
      assert.deepEqual(trash, ['u2']);
    });

  for (const isDeleted of [false, true])
    it(`one over another that a backup has as deleted here: nothing is pending, and it ${isDeleted ? 'is removed if it is deleted, too' : 'stays'}`, async () => {
      const { engine, byUid, rows, sync } = await device(3);
      await engine.deleteTask(byUid('u1')!.id);
      await engine.data.backUpNow();
      await sync();
      renameSync(pathOf('2.ics'), pathOf('1.ics'));
      await sync();
      await engine.data.restoreBackup(engine.data.backups()[0]!.path);
      if (isDeleted) await engine.deleteTask(byUid('u2')!.id);
      await sync();
      await sync();
      const left = isDeleted ? ['u3'] : ['u2', 'u3'];
      assert.deepEqual(
        rows().map(({ uid, isDeleted, isDirty }) => [uid, isDeleted, isDirty]),
        left.map(uid => [uid, false, false]),
      );
      const names = readdirSync(pathOf('')).filter(name => name.endsWith('.ics'));
      assert.deepEqual(names.map(uidIn).sort(), left);
    });

  it('one in the place of another that a backup has as deleted here: edits of both sides are merged', async () => {
    const { engine, byUid, sync } = await device(2);
    await engine.deleteTask(byUid('u1')!.id);
    await engine.data.backUpNow();
    await sync();
    renameSync(pathOf('2.ics'), pathOf('1.ics'));
    await sync();
    await engine.data.restoreBackup(engine.data.backups()[0]!.path);
    await sync();
    await engine.updateTask(byUid('u2')!.id, { priority: 1 });
    world.folder.put('errands/1.ics', textOf('u2', 'Theirs'), 30_000);
    const { conflicts } = await sync();
    const { title, priority } = byUid('u2')!;
    assert.deepEqual([title, priority, conflicts], ['Theirs', 1, 0]);
  });

  it('one over another that was edited here: the replaced task is recreated under a name of its own', async () => {
    const list = await device(3);
    const { id } = list.byUid('u1')!;
    await list.engine.updateTask(id, { title: 'Ours' });
    renameSync(pathOf('2.ics'), pathOf('1.ics'));
    await list.engine.sync();
    await list.sync();
    assert.equal(list.byUid('u1')!.id, id);
    const names = readdirSync(join(world.folder.path, 'errands'));
    assert.deepEqual(Object.fromEntries(names.map(name => [uidIn(name), titleIn(name)])), {
      u1: 'Ours',
      u2: 'Task u2',
      u3: 'Task u3',
    });
  });

  for (const [replacement, title] of [
    ['a task', 'Task fresh'],
    ['a copy with a UID of its own', 'Task u1'],
  ] as const)
    for (const isEdited of [false, true])
      it(`one replaced by ${replacement} that was not there before, ${isEdited ? 'edited here: both are there' : 'unedited: it is in the trash'}`, async () => {
        const list = await device(2);
        const { engine, byUid } = list;
        const { id } = byUid('u1')!;
        if (isEdited) await engine.updateTask(id, { title: 'Ours' });
        world.folder.put('errands/1.ics', textOf('fresh', title), 30_000);
        await engine.sync();
        await list.sync();
        assert.notEqual(byUid('fresh')!.id, id);
        assert.equal(byUid('fresh')!.title, title);
        assert.equal(byUid('u1')?.title, isEdited ? 'Ours' : undefined);
        const trash = (await engine.trash()).map(({ task }) => task.title);
        assert.deepEqual(trash, isEdited ? [] : ['Task u1']);
        const names = readdirSync(join(world.folder.path, 'errands'));
        assert.deepEqual(Object.fromEntries(names.map(name => [uidIn(name), titleIn(name)])), {
          ...(isEdited && { u1: 'Ours' }),
          fresh: title,
          u2: 'Task u2',
        });
      });
});

describe('resources of a server that exchange their addresses', () => {
  const world = aWorld();

  it('move every row of a series to another UID', async () => {
    const lines = ['SUMMARY:Water', 'DTSTART:20261120T080000Z', 'DUE:20261120T090000Z', 'RRULE:FREQ=DAILY'];
    world.put('u1', ...lines);
    const device = await world.device();
    const { id } = device.byUid('u1')!;
    await device.engine.completeTask(id);
    world.list.put('u1.ics', todoText('u2', ...lines));
    await device.sync();
    await device.sync();
    assert.deepEqual(
      device.rows().map(({ uid, masterId }) => [uid, masterId]),
      [
        ['u2', null],
        ['u2', id],
      ],
    );
    assert.deepEqual(world.list.get('u1.ics').match(/(UID|RRULE|STATUS):.*/g), [
      'UID:u2',
      'RRULE:FREQ=DAILY',
      'UID:u2',
      'STATUS:COMPLETED',
    ]);
  });

  for (const edited of ['u1', 'u2'] as const)
    it(`keep their rows, and an edit of ${edited} is sent to where the task is`, async () => {
      for (const uid of ['u1', 'u2']) world.list.put(`${uid}.ics`, textOf(uid));
      const device = await world.device();
      const before = byUidOf(device);
      world.list.put('u1.ics', textOf('u2'));
      world.list.put('u2.ics', textOf('u1'));
      await device.sync();
      assert.deepEqual(byUidOf(device), before);
      await device.engine.updateTask(device.byUid(edited)!.id, { title: 'Ours' });
      await device.sync();
      assert.match(
        world.list.get(edited === 'u1' ? 'u2.ics' : 'u1.ics'),
        new RegExp(`UID:${edited}\r\n[^]*SUMMARY:Ours`),
      );
    });
});
