import assert from 'node:assert/strict';
import { gateway, sogo } from '../support/serverQuirks';
import { aWorld } from '../support/world';

for (const [server, hookOf] of [
  ['a gateway', gateway],
  ['SOGo', sogo],
] as const)
  describe(`a server that returns no ETag for a PUT and rewrites the text, as ${server} does`, () => {
    const world = aWorld();
    beforeEach(() => {
      world.server.hook = hookOf(world.server);
    });

    it('deletes a task that was deleted here before the next read', async () => {
      const device = await world.device();
      const id = await device.engine.createTask(device.id, {
        title: 'Made here',
        priority: 1,
        due: Date.UTC(2026, 11, 1),
      });
      await device.sync();
      await device.engine.deleteTask(id);
      for (let run = 0; run < 3; run++) await device.sync();
      assert.deepEqual({ rows: device.rows(), items: world.list.items.size }, { rows: [], items: 0 });
      assert.deepEqual(await world.devices.conflictsOf(device.engine), []);
    });

    it('returns in one request what was sent together', async () => {
      const device = await world.device();
      for (let at = 0; at < 20; at++) await device.engine.createTask(device.id, { title: `Task ${at}` });
      await device.sync();
      assert.equal(world.server.sent('PUT').length, 20);
      assert.equal(world.server.sent('REPORT', 'calendar-multiget').length, 1);
      assert.ok(device.rows().every(({ etag, isDirty }) => etag !== null && !isDirty));
      world.server.forget();
      await device.sync();
      await device.sync();
      assert.deepEqual(
        { puts: world.server.sent('PUT'), multigets: world.server.sent('REPORT', 'calendar-multiget') },
        { puts: [], multigets: [] },
      );
    });

    /** Has something happen once the server has the next PUT, before its answer comes. */
    const onceSent = (act: () => Promise<unknown>) => {
      const rewrite = hookOf(world.server);
      let isDone = false;
      world.server.hook = async (request, next) => {
        const answer = await rewrite(request, next);
        if (request.method === 'PUT' && !isDone) {
          isDone = true;
          await act();
        }
        return answer;
      };
    };

    for (const isNew of [true, false]) {
      const which = isNew ? 'a new task' : 'a task';

      it(`deletes ${which} that was deleted here while it was being sent`, async () => {
        const device = await world.device();
        const id = await device.engine.createTask(device.id, { title: 'Made here', priority: 1 });
        if (!isNew) await device.sync();
        if (!isNew) await device.engine.updateTask(id, { title: 'Edited here' });
        onceSent(() => device.engine.deleteTask(id));
        for (let run = 0; run < 3; run++) await device.sync();
        assert.deepEqual({ rows: device.rows(), items: world.list.items.size }, { rows: [], items: 0 });
      });

      it(`completes ${which} that was completed here while it was being sent`, async () => {
        const device = await world.device();
        const id = await device.engine.createTask(device.id, {
          title: 'Made here',
          color: 0xff112233 | 0,
          priority: 1,
        });
        if (!isNew) await device.sync();
        if (!isNew) await device.engine.updateTask(id, { title: 'Edited here' });
        onceSent(() => device.engine.completeTask(id));
        for (let run = 0; run < 3; run++) await device.sync();
        assert.equal(device.engine.task(id)?.status, 2);
        assert.match([...world.list.items.values()][0]!.text, /STATUS:COMPLETED/);
        assert.deepEqual(await world.devices.conflictsOf(device.engine), []);
      });

      for (const act of ['deletes', 'completes'])
        it(`${act} ${which} that could not be read back`, async () => {
          const device = await world.device();
          const id = await device.engine.createTask(device.id, {
            title: 'Made here',
            color: 0xff112233 | 0,
            priority: 1,
          });
          if (!isNew) await device.sync();
          if (!isNew) await device.engine.updateTask(id, { title: 'Edited here' });
          const rewrite = hookOf(world.server);
          world.server.hook = (request, next) =>
            request.body.includes('multiget') || request.method === 'GET' ? { status: 503 } : rewrite(request, next);
          await world.report(device.engine);
          world.server.hook = rewrite;
          world.devices.clock.time += 7_200_000;
          if (act === 'deletes') await device.engine.deleteTask(id);
          else await device.engine.completeTask(id);
          for (let run = 0; run < 3; run++) await device.sync();
          if (act === 'deletes')
            assert.deepEqual({ rows: device.rows(), items: world.list.items.size }, { rows: [], items: 0 });
          else {
            assert.equal(device.engine.task(id)?.status, 2);
            assert.match([...world.list.items.values()][0]!.text, /STATUS:COMPLETED/);
          }
          assert.deepEqual(await world.devices.conflictsOf(device.engine), []);
        });
    }

    it('keeps a task completed that was completed here before the next read', async () => {
      const device = await world.device();
      const id = await device.engine.createTask(device.id, { title: 'Made here', color: 0xff112233 | 0, priority: 1 });
      await device.sync();
      await device.engine.completeTask(id);
      for (let run = 0; run < 3; run++) await device.sync();
      assert.equal(device.engine.task(id)?.status, 2);
      assert.match([...world.list.items.values()][0]!.text, /STATUS:COMPLETED/);
      assert.deepEqual(await world.devices.conflictsOf(device.engine), []);
    });
  });
