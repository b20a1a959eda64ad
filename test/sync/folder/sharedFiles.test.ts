import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { calendar, todo, todoText } from '../support/texts';
import { aFolderWorld } from '../support/world';

describe('a file that contains more than the shown task', () => {
  const world = aFolderWorld();

  const others = {
    'another task': todo('milk', 'SUMMARY:Buy milk'),
    'an event': ['BEGIN:VEVENT', 'UID:party', 'DTSTART:20260101T000000Z', 'SUMMARY:Party', 'END:VEVENT'],
    'a journal entry': ['BEGIN:VJOURNAL', 'UID:diary', 'SUMMARY:Dear diary', 'END:VJOURNAL'],
    'a second version of the task': todo('bread', 'SUMMARY:Buy rolls'),
  };

  const withFile = async (other: string[]) => {
    const text = calendar(todo('bread', 'SUMMARY:Buy bread'), other);
    for (const name of ['errands', 'garden']) world.folder.addList(name);
    world.folder.put('errands/both.ics', text);
    world.folder.put('errands/salt.ics', todoText('salt', 'SUMMARY:Salt'));
    world.folder.put('garden/rose.ics', todoText('rose', 'SUMMARY:Rose'));
    const engine = await world.devices.open(world.folder);
    const [report] = (await engine.sync()).accounts;
    const [errands, garden] = [world.devices.list(engine, 'errands'), world.devices.list(engine, 'garden')];
    return { engine, report: report!, text, errands, garden, task: errands.byUid('bread')! };
  };
  const file = () => readFileSync(join(world.folder.path, 'errands', 'both.ics'), 'utf8');
  const titlesElsewhere = async () => {
    const other = await world.devices.open(world.folder);
    await other.sync();
    const lists = other.lists().filter(({ accountId }) => accountId !== null);
    return lists.flatMap(({ id }) => other.rows(id).map(({ title }) => title)).toSorted();
  };

  for (const [companion, other] of Object.entries(others)) {
    it(`with ${companion}, is reported at the task until that is alone in it`, async () => {
      const { engine, report, task } = await withFile(other);
      const { syncing } = engine;
      assert.deepEqual(
        report.rowErrors.map(({ taskId, reason }) => [taskId, reason.code]),
        [[task.id, 'fileHasOthers']],
      );
      await engine.sync();
      assert.equal(syncing!.rowErrors().get(task.id)?.code, 'fileHasOthers');
      world.folder.put('errands/both.ics', todoText('bread', 'SUMMARY:Buy bread'), 30_000);
      await engine.sync();
      assert.equal(syncing!.rowErrors().has(task.id), false);
    });

    it(`with ${companion}, stays when the task is deleted, and is removed once the task is alone in it`, async () => {
      const { engine, text, task, errands } = await withFile(other);
      await engine.deleteTask(task.id);
      const [report] = (await engine.sync()).accounts;
      assert.equal(file(), text);
      assert.deepEqual(
        report!.rowErrors.map(({ reason }) => reason.code),
        ['fileHasOthers'],
      );
      assert.deepEqual(
        (await engine.trash()).map(entry => entry.task.title),
        ['Buy bread'],
      );
      await engine.undo();
      await engine.sync();
      assert.equal(file(), text);
      assert.equal(engine.task(task.id)?.isDeleted, false);
      await engine.deleteTask(task.id);
      world.folder.put('errands/both.ics', todoText('bread', 'SUMMARY:Buy bread'), 30_000);
      await errands.sync();
      assert.deepEqual(readdirSync(join(world.folder.path, 'errands')), ['salt.ics']);
    });

    it(`with ${companion}, keeps a moved task in its list for everyone else until it is alone in it`, async () => {
      const { engine, text, task, garden } = await withFile(other);
      await engine.moveTask(task.id, { listId: garden.id });
      const [report] = (await engine.sync()).accounts;
      assert.equal(file(), text);
      assert.deepEqual(
        report!.rowErrors.map(({ taskId, reason }) => [taskId, reason.code]),
        [[task.id, 'fileHasOthers']],
      );
      assert.deepEqual(await titlesElsewhere(), ['Buy bread', 'Rose', 'Salt']);
      world.folder.put('errands/both.ics', todoText('bread', 'SUMMARY:Buy bread'), 30_000);
      await engine.sync();
      assert.deepEqual(await titlesElsewhere(), ['Buy bread', 'Rose', 'Salt']);
      assert.deepEqual(readdirSync(join(world.folder.path, 'errands')), ['salt.ics']);
    });

    it(`with ${companion}, stays when the list is moved to this computer or deleted`, async () => {
      const { engine, text, errands } = await withFile(other);
      await engine.moveListToAccount(errands.id, null);
      await engine.sync();
      assert.equal(file(), text);
      await engine.undo();
      await engine.sync();
      assert.equal(file(), text);
      await engine.deleteList(errands.id).catch(() => undefined);
      await engine.sync();
      assert.equal(file(), text);
    });
  }

  it('accepts the edit that it refused once the task is alone in it', async () => {
    const { engine, task } = await withFile(others['another task']);
    await engine.updateTask(task.id, { location: 'Market' });
    const [report] = (await engine.sync()).accounts;
    assert.deepEqual(
      report!.rowErrors.map(({ taskId, reason }) => [taskId, reason.code]),
      [[task.id, 'severalTasksInFile']],
    );
    world.folder.put('errands/both.ics', todoText('bread', 'SUMMARY:Buy bread'), 30_000);
    await engine.sync();
    assert.match(file(), /LOCATION:Market/);
    assert.equal(engine.syncing!.rowErrors().has(task.id), false);
  });
});
