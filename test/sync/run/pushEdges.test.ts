import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pick } from '../../support/pick';
import type { Request } from '../support/server';
import { problem, sizesOf } from '../support/serverLists';
import { calendar, linesOf, todo } from '../support/texts';
import { aWorld } from '../support/world';

describe('pushing in difficult cases', () => {
  const world = aWorld();
  const puts = () => world.server.sent('PUT');
  const withTask = async (...lines: string[]) => {
    world.put('t', 'SUMMARY:Task', ...lines);
    const device = await world.device();
    return { device, engine: device.engine, id: device.byUid('t')!.id };
  };

  it('does not wait for a parent that a task has left', async () => {
    world.put('c', 'SUMMARY:Child', 'RELATED-TO:missing');
    const device = await world.device();
    const { engine } = device;
    const parent = await engine.createTask(device.id, { title: 'Here' });
    await engine.moveTask(device.byUid('c')!.id, { parentId: parent });
    await device.sync();
    world.put('missing', 'SUMMARY:Too late');
    await device.sync();
    assert.equal(device.byUid('c')!.parentId, parent);
  });

  /** From now on, the server names its tasks and returns none. */
  const withhold = () => {
    world.server.hook = ({ method, body }) =>
      method === 'GET' || body.includes('calendar-multiget') ? { status: 403 } : undefined;
  };

  it('does not send a task over a text that is not known here and cannot be had', async () => {
    const { device, engine, id } = await withTask('COMMENT:Kept', 'DESCRIPTION;LANGUAGE=en:Notes');
    const sidecar = await world.devices.storeOf(engine).sidecar();
    const bases = sidecar.entries('bases').map(([key]) => [key, undefined] as const);
    await sidecar.put('bases', bases);
    await engine.updateTask(id, { title: 'Mine' });
    withhold();
    assert.equal((await world.report(engine)).rowErrors.length, 1);
    assert.deepEqual(puts(), []);
    world.server.hook = undefined;
    await device.sync();
    assert.match(world.list.get('t.ics'), /DESCRIPTION;LANGUAGE=en:Notes/);
  });

  it('does not give a task another UID if it is there and cannot be had', async () => {
    const device = await world.device();
    await device.engine.importTasks('ics', calendar(todo('u', 'SUMMARY:Task')), device.id);
    world.list.put('x.ics', calendar(todo('u', 'SUMMARY:Task')));
    withhold();
    await world.report(device.engine);
    world.server.hook = undefined;
    await world.report(device.engine);
    assert.equal(world.list.items.size, 1);
    assert.deepEqual(device.titles(), ['Task']);
  });

  it('stops for this run if someone else is faster at every try, and reports it', async () => {
    const { device, engine, id } = await withTask();
    await engine.updateTask(id, { title: 'Mine' });
    world.server.hook = ({ method }) => (method === 'PUT' ? { status: 412 } : undefined);
    const { rowErrors } = await world.report(engine);
    assert.deepEqual(
      rowErrors.map(({ taskId }) => taskId),
      [id],
    );
    assert.equal(puts().length, 3);
    world.server.hook = undefined;
    await device.sync();
    assert.ok(linesOf(world.list.get('t.ics')).includes('SUMMARY:Mine'));
  });

  it('finds another address for a restored task whose own has just been taken', async () => {
    const { device, engine, id } = await withTask();
    await engine.deleteTask(id);
    await device.sync();
    await engine.undo();
    world.server.hook = ({ method }) => {
      if (method !== 'PUT') return undefined;
      world.server.hook = undefined;
      world.list.put('t.ics', calendar(todo('other', 'SUMMARY:Other')));
      return undefined;
    };
    assert.deepEqual((await world.report(engine)).rowErrors, []);
    assert.match(world.list.get('t.ics'), /UID:other/);
    assert.equal(world.list.items.size, 2);
    await device.sync();
    assert.deepEqual(
      device
        .rows()
        .map(({ uid }) => uid)
        .sort(),
      ['other', 't'],
    );
  });

  for (const returnsEtag of [true, false])
    it(`takes back what it created for a task that is gone by then, ${returnsEtag ? 'with' : 'without'} an ETag in the response`, async () => {
      const device = await world.device();
      const { engine } = device;
      const id = await engine.createTask(device.id, { title: 'Brief' });
      world.server.hook = async ({ method }, next) => {
        if (method === 'DELETE') return { status: 500 };
        if (method !== 'PUT') return undefined;
        const { status, headers = {} } = next();
        await engine.deleteTask(id);
        return { status, headers: returnsEtag ? headers : {} };
      };
      await engine.sync();
      assert.deepEqual({ rows: device.rows().length, items: world.list.items.size }, { rows: 0, items: 1 });
      world.server.hook = undefined;
      await engine.sync();
      await engine.sync();
      assert.deepEqual({ rows: device.rows().length, items: world.list.items.size }, { rows: 0, items: 0 });
    });

  it('reads what it must send if neither the text nor its ETag is known any more', async () => {
    world.put('t', 'SUMMARY:Task');
    const folder = world.devices.folder();
    const first = await world.devices.open(world.server, { folder });
    await first.sync();
    const { id } = world.devices.list(first, 'tasks').byUid('t')!;
    await first.updateTask(id, { priority: 1 });
    await first.close();
    rmSync(join(folder, 'sidecar'), { recursive: true, force: true });
    world.put('t', 'SUMMARY:Theirs', 'LOCATION:There');
    const engine = await world.devices.start({ folder });
    await world.devices.signIn(engine, world.server);
    assert.equal((await world.report(engine)).error, null);
    await engine.sync();
    const task = engine.task(id)!;
    assert.deepEqual(pick(task, 'title', 'location', 'isDirty'), {
      title: 'Theirs',
      location: 'There',
      isDirty: false,
    });
    // Nothing says which side changed what: what differs here gives way, and waits for a decision.
    const [conflict] = engine.syncing!.conflicts();
    assert.match(conflict?.mine ?? '', /PRIORITY:1/);
  });

  it('creates a file name if a UID is not usable as one', async () => {
    const device = await world.device();
    const { created } = await device.engine.importTasks(
      'ics',
      calendar(todo('../é t', 'SUMMARY:Strange UID')),
      device.id,
    );
    assert.equal(created, 1);
    await device.sync();
    const [path] = world.list.items.keys();
    assert.match(path ?? '', /^\/home\/tasks\/[0-9a-f-]{36}\.ics$/);
  });

  it('deletes a task with an unknown ETag once it has read it', async () => {
    const device = await world.device();
    const id = await device.engine.createTask(device.id, { title: 'New' });
    world.server.hook = ({ method, body }, next) => {
      if (method === 'PUT') return { status: next().status };
      return method === 'REPORT' && body.includes('calendar-multiget') ? 'cut' : undefined;
    };
    await world.report(device.engine);
    // Nothing proves yet that it arrived.
    assert.deepEqual(pick(device.engine.task(id), 'etag', 'isDirty'), { etag: null, isDirty: true });
    assert.equal(world.list.items.size, 1);
    world.server.hook = undefined;
    await device.engine.deleteTask(id);
    await device.sync();
    assert.equal(world.list.items.size, 0);
    assert.equal(device.engine.task(id), undefined);
    assert.ok(world.server.sent('DELETE').every(({ headers }) => headers['if-match'] !== undefined));
  });

  it('keeps a task that someone edits just before it is deleted', async () => {
    const { device, engine, id } = await withTask();
    await engine.deleteTask(id);
    let edits = 0;
    world.server.hook = ({ method }) => {
      if (method === 'DELETE' && edits++ === 0) world.put('t', 'SUMMARY:Task', 'LOCATION:Theirs');
      return undefined;
    };
    assert.equal((await device.sync()).conflicts, 1);
    assert.deepEqual(pick(engine.task(id), 'isDeleted', 'location'), { isDeleted: false, location: 'Theirs' });
    const [conflict] = await world.devices.conflictsOf(engine);
    assert.equal(conflict?.reason, 'keptDeleted');
  });

  it('accepts that someone else deletes a task just before it is deleted here', async () => {
    const { device, engine, id } = await withTask();
    await engine.deleteTask(id);
    world.server.hook = ({ method }) => {
      if (method === 'DELETE') world.list.remove('t.ics');
      return undefined;
    };
    await device.sync();
    assert.equal(engine.task(id), undefined);
  });

  it('keeps the tasks of a list that disappears during the push', async () => {
    const { device, engine, id } = await withTask();
    await engine.updateTask(id, { title: 'Ours' });
    world.server.hook = ({ method }) => {
      if (method !== 'PUT') return undefined;
      world.server.lists.clear();
      return { status: 409 };
    };
    await world.report(engine);
    assert.equal(engine.task(id)?.title, 'Ours');
    assert.equal(engine.lists().find(list => list.id === device.id)?.accountId, null);
  });

  const withShared = async (text: string) => {
    world.list.put('t.ics', text);
    const engine = await world.devices.open(world.server);
    await engine.sync();
    return { engine, task: world.devices.list(engine, 'tasks').rows()[0]! };
  };

  it('does not change a file that contains several tasks', async () => {
    const { engine, task } = await withShared(calendar(todo('t', 'SUMMARY:Task'), todo('u', 'SUMMARY:Other')));
    await engine.updateTask(task.id, { title: 'Ours' });
    const report = await world.report(engine);
    assert.equal(puts().length, 0);
    assert.match(JSON.stringify(report.rowErrors), /several tasks in one file/);
    assert.equal(engine.task(task.id)?.isDirty, true);
  });

  it('does not delete a file that contains more than the task', async () => {
    const event = ['BEGIN:VEVENT', 'UID:e', 'DTSTART:20260101T000000Z', 'END:VEVENT'];
    const { engine, task } = await withShared(calendar(todo('t', 'SUMMARY:Task'), event));
    await engine.deleteTask(task.id);
    const report = await world.report(engine);
    assert.equal(world.server.sent('DELETE').length, 0);
    assert.match(JSON.stringify(report.rowErrors), /also contains other tasks or entries/);
  });

  it('removes the old copy first if a server accepts its UID only once', async () => {
    const { device, engine, id } = await withTask('X-OWN:kept');
    const other = world.server.addList('other');
    await engine.sync();
    const target = world.devices.list(engine, 'other');
    await engine.moveTask(id, { listId: target.id });
    world.server.hook = ({ method, path }) =>
      method === 'PUT' && path.startsWith('/home/other/') && world.list.items.size > 0
        ? problem(409, 'c:no-uid-conflict')
        : undefined;
    await engine.sync();
    await engine.sync();
    assert.deepEqual(sizesOf({ list: world.list, other }), { list: 0, other: 1 });
    assert.ok(linesOf([...other.items.values()][0]!.text).includes('SUMMARY:Task'));
    assert.deepEqual(
      { left: device.rows().length, isDirty: target.rows().map(({ isDirty }) => isDirty) },
      { left: 0, isDirty: [false] },
    );
  });

  it('keeps a task in its old list if the old copy must be removed first and its text cannot be had', async () => {
    const { device, engine, id } = await withTask();
    const other = world.server.addList('other');
    await engine.sync();
    await engine.moveTask(id, { listId: world.devices.list(engine, 'other').id });
    const isTaken = (body: string) => /^UID:t\r/m.test(body) && world.list.items.size > 0;
    const refuse = ({ method, path, body }: Request) =>
      method === 'PUT' && path.startsWith(other.path) && isTaken(body) ? problem(409, 'c:no-uid-conflict') : undefined;
    world.server.hook = request =>
      request.method === 'GET' || request.body.includes('calendar-multiget') ? { status: 403 } : refuse(request);
    await engine.sync();
    assert.deepEqual(sizesOf({ list: world.list, other }), { list: 1, other: 0 });
    world.server.hook = refuse;
    await engine.sync();
    await engine.sync();
    assert.deepEqual(sizesOf({ list: world.list, other }), { list: 0, other: 1 });
    assert.equal(device.rows().length, 0);
  });

  it('takes along an occurrence that is completed while the series is being sent', async () => {
    const device = await world.device();
    const due = Date.UTC(2026, 10, 20);
    const id = await device.engine.createTask(device.id, { title: 'Daily', due, isAllDay: true, rrule: 'FREQ=DAILY' });
    let isFirst = true;
    world.server.hook = async ({ method }) => {
      if (method === 'PUT' && isFirst) {
        isFirst = false;
        await device.engine.completeTask(id, { occurrence: due });
      }
      return undefined;
    };
    await device.sync();
    await device.sync();
    const [item] = [...world.list.items.values()];
    assert.equal(world.list.items.size, 1);
    assert.match(item!.text, /RECURRENCE-ID/);
    assert.ok(device.rows().every(row => row.href !== null && !row.isDirty));
  });

  it('continues without its notes in the sidecar', async () => {
    const folder = world.devices.folder();
    world.put('t', 'SUMMARY:Task', 'X-OWN:kept');
    const first = await world.devices.open(world.server, { folder });
    await first.sync();
    await first.close();
    rmSync(join(folder, 'sidecar'), { recursive: true, force: true });
    const engine = await world.devices.start({ folder });
    await world.devices.signIn(engine, world.server);
    const device = world.devices.list(engine, 'tasks');
    await engine.updateTask(device.byUid('t')!.id, { title: 'Ours' });
    await device.sync();
    assert.ok(linesOf(world.list.get('t.ics')).includes('SUMMARY:Ours'));
    assert.ok(linesOf(world.list.get('t.ics')).includes('X-OWN:kept'));
    await engine.deleteTask(device.byUid('t')!.id);
    await device.sync();
    assert.equal(world.list.items.size, 0);
  });

  it('deletes a task that was deleted during its creation once the server has it', async () => {
    const device = await world.device();
    const id = await device.engine.createTask(device.id, { title: 'New' });
    let isFirst = true;
    world.server.hook = async ({ method }) => {
      if (method !== 'PUT' || !isFirst) return undefined;
      isFirst = false;
      await device.engine.deleteTask(id);
      return undefined;
    };
    await device.sync();
    await device.sync();
    assert.equal(world.list.items.size, 0);
    assert.deepEqual(device.rows(), []);
  });
});
