import assert from 'node:assert/strict';
import type { DuelineEngine } from '../../../src/api';
import { Status } from '../../../src/core/kernel/model';
import { pick } from '../../support/pick';
import type { Answer, Hook } from '../support/server';
import { problem } from '../support/serverLists';
import { linesOf, todoText } from '../support/texts';
import { aWorld } from '../support/world';

describe('pushing', () => {
  const world = aWorld();
  const puts = () => world.server.sent('PUT');
  /** Lets a test into the first request of a method. */
  const once = (method: string, act: (next: () => Answer) => ReturnType<Hook>): Hook => {
    let isDone = false;
    return (request, next) => {
      if (isDone || request.method !== method) return undefined;
      isDone = true;
      return act(next);
    };
  };
  const withTask = async (...lines: string[]) => {
    world.put('t', 'SUMMARY:Task', ...lines);
    const device = await world.device();
    return { device, engine: device.engine, id: device.byUid('t')!.id };
  };
  /** Edits the task, which the server has deleted meanwhile and whose UID it keeps. */
  const editInTrash = async (engine: DuelineEngine, id: number) => {
    await engine.updateTask(id, { description: 'Edited' });
    world.list.remove('t.ics');
    world.server.hook = request =>
      request.method === 'PUT' && request.body.includes('UID:t\r\n')
        ? problem(400, 's:none', 'Calendar object with uid already exists in this calendar collection.')
        : undefined;
  };
  const serverHas = (line: string, file = 't.ics') => linesOf(world.list.get(file)).includes(line);

  it('A23 creates only missing resources, and recognizes its own task after the response was lost', async () => {
    const device = await world.device();
    const id = await device.engine.createTask(device.id, { title: 'New' });
    world.server.hook = once('PUT', next => {
      next();
      return 'cut';
    });
    assert.ok((await world.report(device.engine)).error);
    assert.equal(puts()[0]!.headers['if-none-match'], '*');
    assert.equal(device.engine.task(id)!.isDirty, true);
    const report = await device.sync();
    assert.equal(report.conflicts, 0);
    assert.deepEqual(
      device.rows().map(row => ({ id: row.id, isDirty: row.isDirty })),
      [{ id, isDirty: false }],
    );
    assert.equal(world.list.items.size, 1);
    assert.equal(puts().length, 1);
  });

  it('A23 keeps an edit made after the lost response', async () => {
    const device = await world.device();
    const id = await device.engine.createTask(device.id, { title: 'New' });
    world.server.hook = once('PUT', next => {
      next();
      return 'cut';
    });
    await world.report(device.engine);
    await device.engine.updateTask(id, { title: 'Newer' });
    assert.equal((await device.sync()).conflicts, 0);
    assert.equal(world.list.items.size, 1);
    assert.match([...world.list.items.values()][0]!.text, /SUMMARY:Newer/);
  });

  it('A24 sends both edits in one PUT if the other one was made first', async () => {
    const { device, engine, id } = await withTask();
    await engine.updateTask(id, { title: 'Ours' });
    world.put('t', 'SUMMARY:Task', 'LOCATION:Theirs');
    assert.equal((await device.sync()).conflicts, 0);
    assert.ok(serverHas('SUMMARY:Ours') && serverHas('LOCATION:Theirs'));
    assert.equal(puts().length, 1);
  });

  it('A24 merges after a 412 if the other one was made in between', async () => {
    const { device, engine, id } = await withTask();
    await engine.updateTask(id, { title: 'Ours' });
    world.server.hook = once('PUT', () => {
      world.put('t', 'SUMMARY:Task', 'LOCATION:Theirs');
      return undefined;
    });
    await device.sync();
    assert.ok(serverHas('SUMMARY:Ours') && serverHas('LOCATION:Theirs'));
    assert.deepEqual(
      puts().map(({ status }) => status),
      [412, 204],
    );
    assert.deepEqual(pick(engine.task(id), 'location', 'isDirty'), { location: 'Theirs', isDirty: false });
  });

  it('keeps the fields of a new task whose UID someone else used first at its address', async () => {
    const device = await world.device();
    const id = await device.engine.createTask(device.id, { title: 'Ours' });
    const { uid } = device.engine.task(id)!;
    world.server.hook = once('PUT', () => {
      world.put(uid, 'SUMMARY:Theirs');
      return undefined;
    });
    await device.sync();
    assert.equal(device.engine.task(id)!.title, 'Theirs');
    const [conflict] = await world.devices.conflictsOf(device.engine);
    assert.match(conflict!.mine, /SUMMARY:Ours/);
    assert.deepEqual(
      puts().map(({ status }) => status),
      [412],
    );
  });

  it('A25 takes the server’s value of a field that both changed, and keeps the other one', async () => {
    const { device, engine, id } = await withTask();
    await engine.updateTask(id, { title: 'Ours' });
    world.put('t', 'SUMMARY:Theirs');
    assert.equal((await device.sync()).conflicts, 1);
    assert.equal(engine.task(id)!.title, 'Theirs');
    const [conflict] = await world.devices.conflictsOf(engine);
    assert.equal(conflict!.taskId, id);
    assert.match(conflict!.mine, /SUMMARY:Ours/);
    assert.match(conflict!.theirs, /SUMMARY:Theirs/);
    assert.deepEqual(puts(), []);
  });

  it('A25 shows both versions to compare, and restores the losing one', async () => {
    const { device, engine, id } = await withTask();
    await engine.updateTask(id, { title: 'Ours' });
    world.put('t', 'SUMMARY:Theirs');
    await device.sync();
    const [conflict] = engine.syncing!.conflicts();
    assert.deepEqual(
      { taskId: conflict?.taskId, lost: conflict?.lost.map(({ field }) => field) },
      { taskId: id, lost: ['title'] },
    );
    assert.match(conflict!.mine, /SUMMARY:Ours/);
    assert.match(conflict!.server, /SUMMARY:Theirs/);
    await engine.syncing!.resolveConflict(conflict!.id, 'mine');
    await device.sync();
    assert.ok(serverHas('SUMMARY:Ours'));
    assert.deepEqual(engine.syncing!.conflicts(), []);
  });

  it('A26 keeps a tag added here when another was removed there', async () => {
    const { device, engine, id } = await withTask('CATEGORIES:old,both');
    await engine.updateTask(id, { tags: ['old', 'both', 'new'] });
    world.put('t', 'SUMMARY:Task', 'CATEGORIES:both');
    assert.equal((await device.sync()).conflicts, 0);
    assert.deepEqual([...engine.task(id)!.tags].sort(), ['both', 'new']);
    const sent = linesOf(world.list.get('t.ics')).find(line => line.startsWith('CATEGORIES'));
    assert.deepEqual(sent?.slice('CATEGORIES:'.length).split(',').sort(), ['both', 'new']);
  });

  it('A27 completes a task under the title set elsewhere', async () => {
    const { device, engine, id } = await withTask();
    await engine.completeTask(id);
    world.put('t', 'SUMMARY:New title');
    assert.equal((await device.sync()).conflicts, 0);
    assert.deepEqual(pick(engine.task(id), 'title', 'status'), { title: 'New title', status: Status.completed });
    assert.ok(serverHas('SUMMARY:New title') && serverHas('STATUS:COMPLETED'));
  });

  it('A28 restores a deleted task that was edited elsewhere', async () => {
    const { device, engine, id } = await withTask();
    await engine.deleteTask(id);
    world.put('t', 'SUMMARY:Task', 'DESCRIPTION:Edited');
    const { conflicts, deletedRemotely } = await device.sync();
    assert.deepEqual({ conflicts, deletedRemotely }, { conflicts: 1, deletedRemotely: 0 });
    assert.deepEqual(pick(device.byUid('t'), 'description', 'isDirty'), { description: 'Edited', isDirty: false });
    assert.equal((await world.devices.conflictsOf(engine))[0]!.reason, 'keptDeleted');
  });

  it('A28 deletes a task that only a program has annotated', async () => {
    const { device, engine, id } = await withTask();
    await engine.deleteTask(id);
    world.put('t', 'SUMMARY:Task', 'X-MOZ-LASTACK:20261121T080000Z', 'LAST-MODIFIED:20261121T080000Z');
    await device.sync();
    assert.equal(world.list.items.size, 0);
    assert.deepEqual(device.rows(), []);
  });

  it('A29 recreates a task that was edited here and deleted there', async () => {
    const { device, engine, id } = await withTask('X-THEIRS:kept');
    await engine.updateTask(id, { description: 'Edited' });
    world.list.remove('t.ics');
    await device.sync();
    assert.ok(serverHas('DESCRIPTION:Edited') && serverHas('X-THEIRS:kept'));
    assert.deepEqual(pick(engine.task(id), 'isDirty', 'uid'), { isDirty: false, uid: 't' });
  });

  it('A29 accepts the deletion of a task that was only completed here', async () => {
    const { device, engine, id } = await withTask();
    await engine.completeTask(id);
    world.list.remove('t.ics');
    await device.sync();
    assert.deepEqual(device.rows(), []);
    assert.deepEqual(puts(), []);
  });

  it('A30 takes a new UID if the server keeps the old one in its trash', async () => {
    const { device, engine, id } = await withTask();
    await editInTrash(engine, id);
    await device.sync();
    assert.equal(world.list.items.size, 1);
    assert.equal(device.rows().length, 1);
    assert.notEqual(engine.task(id)!.uid, 't');
    assert.equal(engine.task(id)!.isDirty, false);
  });

  it('keeps the subtasks and the dependents of a task that takes a new UID', async () => {
    const { device, engine, id } = await withTask();
    const own = await engine.createList({ name: 'Own' });
    const here = await engine.createTask(device.id, { title: 'Waits here' });
    const there = await engine.createTask(own, { title: 'Waits there' });
    await engine.apply([here, there].map(one => ({ type: 'blockers', id: one, add: [id] }) as const));
    await engine.createTask(device.id, { title: 'Part', parentId: id });
    await device.sync();
    await editInTrash(engine, id);
    await device.sync();
    await device.sync();
    const { uid } = engine.task(id)!;
    assert.notEqual(uid, 't');
    for (const waiting of [here, there])
      assert.deepEqual(
        engine.blockersOf(waiting).map(blocker => [blocker.uid, blocker.task?.id]),
        [[uid, id]],
      );
    const texts = [...world.list.items.values()].map(({ text }) => text);
    assert.ok(texts.some(text => text.includes(`RELATED-TO;RELTYPE=DEPENDS-ON:${uid}`)));
    assert.ok(texts.some(text => linesOf(text).includes(`RELATED-TO;RELTYPE=PARENT:${uid}`)));
    assert.ok(!texts.some(text => /RELATED-TO[^:]*:t\r/.test(text)));
  });

  for (const [etagKind, change] of [
    ['none', () => undefined],
    ['a weak one', (etag: string) => `W/${etag}`],
    ['a compressed one', (etag: string) => `${etag.slice(0, -1)}-gzip"`],
  ] as const) {
    it(`A31 requests the ETag if PUT returned ${etagKind}`, async () => {
      world.server.hook = (request, next) => {
        if (request.method !== 'PUT') return undefined;
        const { status, headers } = next();
        const etag = headers?.etag && change(headers.etag);
        return { status, ...(etag && { headers: { etag } }) };
      };
      const { device, engine, id } = await withTask();
      for (const title of ['First', 'Second']) {
        await engine.updateTask(id, { title });
        await device.sync();
        assert.ok(serverHas(`SUMMARY:${title}`));
      }
      assert.deepEqual(
        puts().map(({ status }) => status),
        [204, 204],
      );
      await device.sync();
      assert.equal(engine.task(id)!.etag, world.list.items.get('/home/tasks/t.ics')!.etag);
    });
  }

  it('A32 reads first if it does not know the ETag', async () => {
    const { device, engine, id } = await withTask();
    await engine.updateTask(id, { title: 'Ours' });
    await world.devices.storeOf(engine).edit({ origin: 'sync' }, tx => tx.updateTask(id, { etag: null }));
    world.put('t', 'SUMMARY:Task', 'LOCATION:Theirs');
    await device.sync();
    assert.ok(puts().every(({ headers }) => headers['if-match'] !== undefined));
    assert.ok(serverHas('LOCATION:Theirs'));
  });

  it('A33 stops if the resource disappears again and again', async () => {
    const { device, engine, id } = await withTask();
    await engine.updateTask(id, { title: 'Ours' });
    world.server.hook = request => {
      if (request.method === 'PUT') world.list.items.clear();
      return undefined;
    };
    await device.sync();
    assert.ok(puts().length <= 3, `${puts().length}`);
    assert.ok(serverHas('SUMMARY:Ours'));
    assert.equal(engine.task(id)!.isDirty, false);
  });

  it('A34 sends an edit that was made while the previous one was being sent', async () => {
    const { device, engine, id } = await withTask();
    await engine.updateTask(id, { title: 'First' });
    world.server.hook = once('PUT', async () => {
      await engine.updateTask(id, { title: 'Second' });
      return undefined;
    });
    await device.sync();
    assert.ok(serverHas('SUMMARY:First'));
    assert.deepEqual(pick(engine.task(id), 'title', 'isDirty'), { title: 'Second', isDirty: true });
    assert.equal((await device.sync()).conflicts, 0);
    assert.ok(serverHas('SUMMARY:Second'));
    assert.equal(engine.task(id)!.isDirty, false);
    assert.deepEqual(
      puts().map(({ status }) => status),
      [204, 204],
    );
  });

  it('A35 adopts a task that has another name there', async () => {
    const device = await world.device();
    const id = await device.engine.createTask(device.id, { title: 'Ours', location: 'Here' });
    const { uid } = device.engine.task(id)!;
    world.server.hook = once('PUT', () => {
      world.list.put('other-name.ics', todoText(uid, 'SUMMARY:Theirs', 'PRIORITY:1'));
      return undefined;
    });
    await device.sync();
    assert.deepEqual(
      device.rows().map(row => ({ id: row.id, href: row.href })),
      [{ id, href: '/home/tasks/other-name.ics' }],
    );
    assert.equal(device.engine.task(id)!.priority, 1);
    assert.equal(world.list.items.size, 1);
  });

  it('A40 sends nothing if nothing was changed', async () => {
    const { device, engine, id } = await withTask('PRIORITY:1');
    await engine.updateTask(id, { title: 'Task', priority: 1 });
    await engine.updateTask(id, { title: 'Other' });
    await engine.updateTask(id, { title: 'Task' });
    await device.sync();
    assert.deepEqual(puts(), []);
    assert.deepEqual(pick(engine.task(id), 'isDirty', 'status'), { isDirty: false, status: Status.needsAction });
    await device.sync();
    assert.deepEqual(puts(), []);
  });
});
