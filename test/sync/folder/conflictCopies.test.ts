import assert from 'node:assert/strict';
import { linkSync, readdirSync, readFileSync, renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { DuelineEngine, EngineOptions } from '../../../src/api';
import type { SyncedList } from '../support/devices';
import { diskWith, fault } from '../support/folders';
import { calendar, todo, todoText } from '../support/texts';
import { aFolderWorld } from '../support/world';

describe('a second file of a task', () => {
  const world = aFolderWorld();

  const errands = (tasks: Record<string, string>) => {
    world.folder.addList('errands');
    world.folder.addList('garden');
    for (const [name, text] of Object.entries({ 'salt.ics': todoText('salt', 'SUMMARY:Salt'), ...tasks }))
      world.folder.put(`errands/${name}`, text);
  };
  const device = async (options: object = {}): Promise<SyncedList> => {
    const list = world.devices.list(
      await world.devices.open(world.folder, options as Partial<EngineOptions>),
      'errands',
    );
    await list.sync();
    return list;
  };
  const pathOf = (name: string) => join(world.folder.path, 'errands', name);
  const file = (name: string) => readFileSync(pathOf(name), 'utf8');
  const files = () =>
    readdirSync(join(world.folder.path, 'errands'))
      .filter(name => name !== 'salt.ics')
      .toSorted();
  const conflictsOf = ({ syncing }: DuelineEngine) =>
    syncing!.conflicts().map(({ reason, lost }) => ({ reason, fields: lost.map(({ field }) => field).toSorted() }));

  for (const copy of [
    'bread.sync-conflict-20261120-101010-ABCDEFG.ics',
    'bread (Anna’s conflicted copy 2026-11-20).ics',
    'bread (In Konflikt stehende Kopie von Anna 2026-11-20).ics',
    'quite another name.ics',
  ])
    it(`is a conflict until the user decides: ${copy}`, async () => {
      errands({
        'bread.ics': todoText('bread', 'SUMMARY:Buy bread'),
        [copy]: todoText('bread', 'SUMMARY:Buy cake', 'LOCATION:Town'),
      });
      const [one, other] = [await device(), await device()];
      for (const { engine, titles, sync } of [one, other]) {
        await sync();
        assert.deepEqual(titles(), ['Buy bread', 'Salt']);
        assert.deepEqual(conflictsOf(engine), [{ reason: 'copy', fields: ['location', 'title'] }]);
        assert.deepEqual(engine.syncing!.conflicts()[0]!.files, { mine: copy, server: 'bread.ics' });
      }
      assert.deepEqual(files(), ['bread.ics', copy].toSorted());
      const { engine, id } = one;
      await engine.syncing!.resolveConflict(engine.syncing!.conflicts()[0]!.id, 'mine');
      await engine.sync({ listId: id });
      assert.deepEqual(files(), ['bread.ics']);
      assert.match(file('bread.ics'), /SUMMARY:Buy cake\r\n/);
      assert.match(file('bread.ics'), /LOCATION:Town\r\n/);
      for (const { engine, sync } of [one, other]) {
        await sync();
        assert.deepEqual(conflictsOf(engine), []);
      }
    });

  for (const conflictPolicy of ['serverWins', 'localWins', 'keepBoth'] as const)
    it(`waits for a decision even if all other conflicts are resolved together: ${conflictPolicy}`, async () => {
      errands({ 'bread.ics': todoText('bread', 'SUMMARY:Buy bread'), 'cake.ics': todoText('bread', 'SUMMARY:Cake') });
      const engine = await world.devices.open(world.folder);
      engine.configure({ conflictPolicy });
      for (let run = 0; run < 3; run++) await engine.sync();
      assert.deepEqual(files(), ['bread.ics', 'cake.ics']);
      assert.deepEqual(conflictsOf(engine), [{ reason: 'copy', fields: ['title'] }]);
    });

  for (const how of ['mine', 'server', 'both'] as const)
    it(`is in the trash once its file is gone, and can be restored: ${how}`, async () => {
      const notes = ['SUMMARY:Buy bread', 'DESCRIPTION:Three hours of notes', 'DTSTART:20261120T080000Z'];
      const copy = calendar(todo('bread', ...notes, 'RRULE:FREQ=DAILY'), exception);
      errands({ 'bread.ics': todoText('bread', 'SUMMARY:Buy bread'), 'bread 2.ics': copy });
      const { engine, sync, titles, rows } = await device();
      const { step } = await engine.stepOf(() =>
        engine.syncing!.resolveConflict(engine.syncing!.conflicts()[0]!.id, how),
      );
      if (how === 'both') {
        await sync();
        assert.deepEqual(titles(), ['Buy bread', 'Buy bread', 'Buy two', 'Salt']);
        assert.deepEqual(await engine.trash(), []);
      }
      if (step !== undefined) await engine.undoStep(step);
      await sync();
      await sync();
      assert.deepEqual(files(), ['bread.ics']);
      assert.deepEqual(titles(), ['Buy bread', 'Salt']);
      const [entry, ...more] = await engine.trash();
      assert.deepEqual(more, []);
      await engine.restore([entry!.key]);
      await sync();
      assert.deepEqual(titles(), ['Buy bread', 'Buy bread', 'Buy two', 'Salt']);
      assert.ok(rows().some(({ description }) => description === 'Three hours of notes'));
      assert.equal(files().length, 2);
      assert.deepEqual(await engine.trash(), []);
    });

  it('is offered as a possible duplicate if two people keep both, and another program has moved the one that came first', async () => {
    errands({ 'bread.ics': todoText('bread', 'SUMMARY:Buy bread'), 'bread 2.ics': todoText('bread', 'SUMMARY:Cake') });
    const [one, other] = [await device(), await device()];
    for (const { engine } of [one, other])
      await engine.syncing!.resolveConflict(engine.syncing!.conflicts()[0]!.id, 'both');
    await one.sync();
    const [kept] = files().filter(name => /SUMMARY:Cake/.test(file(name)));
    renameSync(pathOf(kept!), join(world.folder.path, 'garden', kept!));
    for (let round = 0; round < 3; round++)
      for (const { engine } of [one, other]) {
        world.devices.clock.time += 20 * 60_000;
        assert.equal((await engine.sync()).accounts[0]!.error, null);
      }
    for (const { engine, titles } of [one, other]) {
      assert.deepEqual(titles(), ['Buy bread', 'Cake', 'Salt']);
      assert.deepEqual(world.devices.list(engine, 'garden').titles(), ['Cake']);
      assert.deepEqual(conflictsOf(engine), [{ reason: 'duplicate', fields: [] }]);
    }
  });

  it('is a conflict even if it differs only in an occurrence, in a line that no column models, or in nothing', async () => {
    const series = todo('bread', 'SUMMARY:Buy bread', 'DTSTART:20261120T080000Z', 'RRULE:FREQ=DAILY');
    const occurrence = todo('bread', 'SUMMARY:Buy two', 'RECURRENCE-ID:20261122T080000Z', 'DTSTART:20261122T080000Z');
    errands({
      'bread.ics': calendar(series),
      'bread 2.ics': calendar(series, occurrence),
      'milk.ics': todoText('milk', 'X-OWN:a'),
      'milk 2.ics': todoText('milk', 'X-OWN:b'),
      'milk 3.ics': todoText('milk', 'X-OWN:c'),
      'tea.ics': todoText('tea', 'SUMMARY:Tea'),
      'tea 2.ics': todoText('tea', 'SUMMARY:Tea'),
    });
    const { engine, id } = await device();
    const conflicts = engine.syncing!.conflicts();
    assert.equal(conflicts.length, 4);
    for (const { id: conflict, mine } of conflicts)
      await engine.syncing!.resolveConflict(conflict, mine.includes('X-OWN:b') ? 'server' : 'mine');
    await engine.sync({ listId: id });
    assert.match(file('bread.ics'), /SUMMARY:Buy bread[\s\S]*SUMMARY:Buy two/);
    assert.match(file('milk.ics'), /X-OWN:a/);
    const [kept, ...more] = files().filter(name => !['bread.ics', 'milk.ics', 'tea.ics'].includes(name));
    assert.deepEqual(more, []);
    assert.match(file(kept!), /X-OWN:c/);
  });

  it('is no longer a conflict, and stays as it is, once its account is removed', async () => {
    errands({ 'bread.ics': todoText('bread', 'SUMMARY:Bread'), 'bread 2.ics': todoText('bread', 'SUMMARY:Cake') });
    const { engine } = await device();
    assert.equal(engine.syncing!.conflicts().length, 1);
    await engine.removeAccount(engine.accounts()[0]!.id);
    assert.deepEqual(engine.syncing!.conflicts(), []);
    assert.deepEqual(files(), ['bread 2.ics', 'bread.ics']);
  });

  it('shows its conflict once, with the task as it is now, however often the list is read', async () => {
    errands({ 'bread.ics': todoText('bread', 'SUMMARY:Buy bread'), 'bread 2.ics': todoText('bread', 'SUMMARY:Cake') });
    const { engine, byUid, sync } = await device();
    await engine.updateTask(byUid('bread')!.id, { title: 'Buy two', location: 'Town' });
    await sync();
    await sync();
    assert.deepEqual(conflictsOf(engine), [{ reason: 'copy', fields: ['location', 'title'] }]);
    world.folder.put(
      'errands/bread 2.ics',
      todoText('bread', 'SUMMARY:Buy two', 'LOCATION:Town', 'PRIORITY:1'),
      30_000,
    );
    await sync();
    assert.deepEqual(conflictsOf(engine), [{ reason: 'copy', fields: ['priority'] }]);
    unlinkSync(pathOf('bread 2.ics'));
    await sync();
    assert.deepEqual(conflictsOf(engine), []);
  });

  for (const name of ['Copy of t1.ics', '0.ics'])
    it(`is not the task’s own file, even if its name comes first: ${name}`, async () => {
      errands({ 't1.ics': todoText('bread', 'SUMMARY:Buy bread') });
      const { engine, byUid, sync } = await device();
      const { id } = byUid('bread')!;
      await engine.updateTask(id, { location: 'Town' });
      world.folder.put(`errands/${name}`, todoText('bread', 'SUMMARY:Buy cake'));
      for (let run = 0; run < 2; run++) await sync();
      assert.deepEqual(
        [byUid('bread')!.id, byUid('bread')!.title, byUid('bread')!.location],
        [id, 'Buy bread', 'Town'],
      );
      assert.match(file('t1.ics'), /LOCATION:Town\r\n/);
      assert.deepEqual(engine.syncing!.conflicts()[0]!.files, { mine: name, server: 't1.ics' });
      unlinkSync(pathOf('t1.ics'));
      await sync();
      assert.deepEqual([byUid('bread')!.id, byUid('bread')!.title], [id, 'Buy cake']);
      assert.deepEqual(conflictsOf(engine), []);
    });

  it('is not the file named after the UID if the task has none yet', async () => {
    errands({ 'bread.ics': todoText('bread', 'SUMMARY:Buy bread'), 'a.ics': todoText('bread', 'SUMMARY:Buy cake') });
    const { engine, titles } = await device();
    assert.deepEqual(titles(), ['Buy bread', 'Salt']);
    assert.deepEqual(engine.syncing!.conflicts()[0]!.files, { mine: 'a.ics', server: 'bread.ics' });
  });

  const series = todo('bread', 'SUMMARY:Buy bread', 'DTSTART:20261120T080000Z', 'RRULE:FREQ=DAILY');
  const exception = todo('bread', 'SUMMARY:Buy two', 'RECURRENCE-ID:20261122T080000Z', 'DTSTART:20261122T080000Z');
  for (const [content, text] of Object.entries({
    'only an exception': calendar(exception),
    'more than can be read': calendar(series, ...Array.from({ length: 10_000 }, (_, at) => todo(`more-${at}`))),
    'only an exception of which nothing can be read': calendar(todo('bread', 'RECURRENCE-ID:never')),
  }))
    for (const name of ['a.ics', 'z.ics'])
      it(`is not recognized, and hides none, if it has ${content}: ${name}`, async () => {
        errands({ 'bread.ics': calendar(series) });
        const { engine, byUid } = await device();
        const { id } = byUid('bread')!;
        await engine.updateTask(id, { location: 'Town' });
        world.folder.put(`errands/${name}`, text);
        for (let run = 0; run < 2; run++) await engine.sync();
        assert.deepEqual([engine.task(id)?.isDeleted, await engine.trash()], [false, []]);
        assert.deepEqual(conflictsOf(engine), []);
        assert.match(file('bread.ics'), /LOCATION:Town\r\n/);
        assert.equal(file(name), text);
        await engine.deleteTask(id);
        for (let run = 0; run < 2; run++) await engine.sync();
        assert.equal(files().includes('bread.ics'), false);
      });

  it('is recognized if its UID has escapes', async () => {
    errands({ 'bread.ics': todoText('bread\\,1', 'SUMMARY:Bread'), 'x.ics': todoText('bread\\,1', 'SUMMARY:Cake') });
    const { engine } = await device();
    assert.deepEqual(conflictsOf(engine), [{ reason: 'copy', fields: ['title'] }]);
  });

  it('is recognized for an exception that has a file of its own', async () => {
    const changed = exception.map(line => line.replace('Buy two', 'Buy three'));
    errands({ 'bread.ics': calendar(series), 'x.ics': calendar(exception), 'x 2.ics': calendar(changed) });
    const { engine } = await device();
    await engine.sync();
    assert.deepEqual(conflictsOf(engine), [{ reason: 'copy', fields: ['title'] }]);
    await engine.syncing!.resolveConflict(engine.syncing!.conflicts()[0]!.id, 'mine');
    for (let run = 0; run < 2; run++) await engine.sync();
    assert.deepEqual(files(), ['bread.ics', 'x.ics']);
    assert.match(file('x.ics'), /SUMMARY:Buy three\r\n/);
  });

  it('is recognized if its exceptions come before the rest', async () => {
    errands({ 'bread.ics': calendar(series), 'bread 2.ics': calendar(exception, series) });
    const { engine } = await device();
    assert.deepEqual(conflictsOf(engine), [{ reason: 'copy', fields: ['occurrence'] }]);
  });

  it('stays if it contains more than the task, even after the user has decided', async () => {
    const event = ['BEGIN:VEVENT', 'UID:party', 'DTSTART:20260101T000000Z', 'END:VEVENT'];
    const copies = {
      'bread 2.ics': calendar(todo('bread', 'SUMMARY:Buy bread'), todo('milk', 'SUMMARY:Buy milk')),
      'bread 3.ics': calendar(todo('bread', 'SUMMARY:Buy cake'), event),
    };
    errands({ 'bread.ics': todoText('bread', 'SUMMARY:Buy bread'), ...copies });
    const { engine, sync, byUid } = await device();
    assert.equal(conflictsOf(engine).length, 2);
    for (const { id } of engine.syncing!.conflicts()) await engine.syncing!.resolveConflict(id, 'server');
    await sync();
    await sync();
    assert.deepEqual(conflictsOf(engine), []);
    for (const [name, text] of Object.entries(copies)) assert.equal(file(name), text);
    // It would take the task's place.
    await engine.deleteTask(byUid('bread')!.id);
    const [report] = (await engine.sync()).accounts;
    assert.deepEqual(
      report!.rowErrors.map(({ reason }) => reason.code),
      ['copyHasOthers'],
    );
    for (const name of Object.keys(copies)) unlinkSync(pathOf(name));
    await sync();
    assert.deepEqual(files(), []);
  });

  it('is a task if the first file does not exist', async () => {
    errands({ 'milk.sync-conflict-20261120-101010-ABCDEFG.ics': todoText('milk', 'SUMMARY:Buy milk') });
    const { engine, titles } = await device();
    assert.deepEqual(titles(), ['Buy milk', 'Salt']);
    assert.deepEqual(conflictsOf(engine), []);
  });

  it('can be left by a git merge', async () => {
    const [before, after] = todoText('bread', 'X-HERE:x').split('X-HERE:x\r\n') as [string, string];
    const marks = ['<<<<<<< HEAD', 'SUMMARY:Buy bread', '=======', 'SUMMARY:Buy cake', '>>>>>>> other', ''];
    errands({ 'bread.ics': before + marks.join('\r\n') + after });
    const { engine, titles, sync } = await device();
    await sync();
    assert.deepEqual(titles(), ['Buy bread', 'Salt']);
    assert.doesNotMatch(file('bread.ics'), /[<=>]{7}/);
    const [conflict] = engine.syncing!.conflicts();
    assert.deepEqual(
      conflict?.lost.map(({ mine }) => mine),
      [{ title: 'Buy cake' }],
    );
    await engine.syncing!.resolveConflict(conflict!.id, 'server');
    await sync();
    assert.deepEqual(files(), ['bread.ics']);
  });

  for (const name of ['aaa.ics', 'bread.sync-conflict-20261120-101010-ABCDEFG.ics'])
    it(`does not replace a task that is deleted or moved: ${name}`, async () => {
      errands({ 'bread.ics': todoText('bread', 'SUMMARY:Buy bread') });
      const { engine, byUid } = await device();
      world.folder.put(`errands/${name}`, todoText('bread', 'SUMMARY:Buy cake'));
      await engine.sync();
      const { id, title } = byUid('bread')!;
      await engine.moveTask(id, { listId: world.devices.list(engine, 'garden').id });
      const [moved] = (await engine.sync()).accounts;
      assert.deepEqual(
        moved!.rowErrors.map(({ taskId, reason }) => [taskId, reason.code]),
        [[id, 'copyUndecided']],
      );
      assert.deepEqual(readdirSync(join(world.folder.path, 'garden')), []);
      await engine.undo();
      await engine.sync();
      await engine.deleteTask(id);
      const [deleted] = (await engine.sync()).accounts;
      assert.deepEqual(
        deleted!.rowErrors.map(({ reason }) => reason.code),
        ['copyUndecided'],
      );
      assert.deepEqual(files(), ['bread.ics', name].toSorted());
      assert.deepEqual(
        (await engine.trash()).map(entry => entry.task.title),
        [title],
      );
      await engine.undo();
      await engine.sync();
      assert.equal(byUid('bread')?.title, title);
      await engine.deleteTask(id);
      await engine.syncing!.resolveConflict(engine.syncing!.conflicts()[0]!.id, 'server');
      await engine.sync();
      await engine.sync();
      assert.deepEqual(files(), []);
      assert.equal(byUid('bread'), undefined);
    });

  it('becomes the task if another program removes the first file', async () => {
    errands({ 'bread.ics': todoText('bread', 'SUMMARY:Buy bread'), 'bread 2.ics': todoText('bread', 'SUMMARY:Cake') });
    const { engine, byUid, sync } = await device();
    const { id } = byUid('bread')!;
    renameSync(pathOf('bread 2.ics'), pathOf('bread.ics'));
    await sync();
    assert.deepEqual([byUid('bread')!.id, byUid('bread')!.title], [id, 'Cake']);
    assert.deepEqual(conflictsOf(engine), []);
  });

  for (const [obstacle, make, rename] of [
    ['it', () => world.folder.put('errands/a.ics', todoText('bread', 'SUMMARY:Buy cake')), false],
    ['it, which another program has renamed', () => world.folder.put('errands/a.ics', todoText('bread')), true],
    [
      'a link to the file, which another program has renamed',
      () => linkSync(pathOf('bread.ics'), pathOf('a.ics')),
      true,
    ],
  ] as const)
    it(`keeps its task from disappearing while the disk does not return ${obstacle}`, async () => {
      errands({ 'bread.ics': todoText('bread', 'SUMMARY:Buy bread') });
      let isFailing = false;
      const disk = diskWith((operation, _when, path) => {
        if (isFailing && operation === 'stat' && basename(path) === 'b.ics') throw fault('EIO');
      });
      const { engine, byUid, sync, titles } = await device({ disk });
      make();
      if (rename) {
        await sync();
        for (const { id } of engine.syncing!.conflicts()) await engine.syncing!.resolveConflict(id, 'server');
      }
      renameSync(pathOf('a.ics'), pathOf('b.ics'));
      isFailing = true;
      const own = await engine.createList({ name: 'own' });
      await engine.moveTask(byUid('bread')!.id, { listId: own });
      const [report] = (await engine.sync()).accounts;
      assert.match(report!.error!, /EIO/);
      assert.deepEqual(files(), ['b.ics', 'bread.ics']);
      isFailing = false;
      await engine.sync();
      for (const { id } of engine.syncing!.conflicts()) await engine.syncing!.resolveConflict(id, 'server');
      await sync();
      await sync();
      assert.deepEqual([files(), titles()], [[], ['Salt']]);
      assert.equal(engine.rows(own).length, 1);
    });

  for (const [obstacle, make] of [
    ['it', () => world.folder.put('errands/milk.ics', todoText('bread', 'SUMMARY:Buy cake'), 30_000)],
    ['a symbolic link', () => symlinkSync('bread.ics', pathOf('milk.ics'))],
    ['a hard link', () => linkSync(pathOf('bread.ics'), pathOf('milk.ics'))],
  ] as const)
    it(`does not block the upload of a restored task if ${obstacle} has the name of its file`, async () => {
      errands({
        'bread.ics': todoText('bread', 'SUMMARY:Buy bread'),
        'milk.ics': todoText('milk', 'SUMMARY:Buy milk'),
      });
      const { engine, sync, titles } = await device();
      unlinkSync(pathOf('milk.ics'));
      await sync();
      await engine.restore((await engine.trash()).map(({ key }) => key));
      make();
      await sync();
      assert.deepEqual(engine.syncing!.rowErrors(), new Map());
      assert.deepEqual(titles(), ['Buy bread', 'Buy milk', 'Salt']);
      const milk = files().filter(name => /SUMMARY:Buy milk/.test(file(name)));
      assert.equal(milk.length, 1);
      assert.notEqual(milk[0], 'milk.ics');
    });

  for (const [link, real] of [
    ['todo.ics', 'todo-2026.ics'],
    ['bread.ics', 'a.ics'],
  ] as const)
    for (const [kind, make] of [
      ['symbolic', () => symlinkSync(real, pathOf(link))],
      ['hard', () => linkSync(pathOf(real), pathOf(link))],
    ] as const)
      it(`is no conflict if it is the same file: a ${kind} link ${link} to ${real}`, async () => {
        errands({ [real]: todoText('bread', 'SUMMARY:Buy bread') });
        make();
        const { engine, sync, byUid, titles } = await device();
        await sync();
        assert.deepEqual(titles(), ['Buy bread', 'Salt']);
        assert.deepEqual(conflictsOf(engine), []);
        assert.deepEqual([file(link), file(real)], [file(real), todoText('bread', 'SUMMARY:Buy bread')]);
        await engine.updateTask(byUid('bread')!.id, { title: 'Buy two' });
        for (let run = 0; run < 2; run++) await sync();
        assert.deepEqual(conflictsOf(engine), []);
        assert.deepEqual(titles(), ['Buy two', 'Salt']);
        for (const name of files()) assert.match(file(name), /SUMMARY:Buy two\r\n/);
        await engine.deleteTask(byUid('bread')!.id);
        await sync();
        await sync();
        assert.deepEqual(titles(), ['Salt']);
        assert.equal(files().includes(real), false);
      });

  it('is not mistaken for a hard link, and stays, if the disk does not mark a symbolic link to the file as one', async () => {
    errands({ 'real.ics': todoText('bread', 'SUMMARY:Buy bread') });
    symlinkSync('real.ics', pathOf('a.ics'));
    const failing = { isOn: true };
    const disk = diskWith((operation, _when, path) => {
      if (failing.isOn && operation === 'lstat' && path.endsWith('a.ics')) throw fault('EIO');
    });
    const { engine, sync, byUid, titles } = await device({ disk });
    await engine.updateTask(byUid('bread')!.id, { title: 'Buy two' });
    await engine.sync();
    failing.isOn = false;
    await sync();
    assert.deepEqual(titles(), ['Buy two', 'Salt']);
    assert.deepEqual(files(), ['a.ics', 'real.ics']);
    assert.match(file('real.ics'), /SUMMARY:Buy two\r\n/);
  });
});
