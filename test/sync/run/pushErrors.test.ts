import assert from 'node:assert/strict';
import type { Message } from '../../../src/core/kernel/message';
import { pick } from '../../support/pick';
import { problem } from '../support/serverLists';
import { linesOf, todoText } from '../support/texts';
import { aWorld } from '../support/world';

describe('a server that refuses', () => {
  const world = aWorld();
  const edited = async (count = 3) => {
    for (let at = 0; at < count; at++) world.put(`t${at}`, `SUMMARY:Task ${at}`);
    const device = await world.device();
    for (let at = 0; at < count; at++)
      await device.engine.updateTask(device.byUid(`t${at}`)!.id, { title: `Edited ${at}` });
    return device;
  };
  const onServer = (at: number) => linesOf(world.list.get(`t${at}.ics`)).includes(`SUMMARY:Edited ${at}`);
  const puts = () => world.server.sent('PUT');

  it('A36 makes a list read-only if write access is gone, keeps the edit and syncs the others', async () => {
    const device = await edited(1);
    const other = world.server.addList('zzz');
    world.server.hook = request => {
      if (request.method !== 'PUT' || !request.path.startsWith(world.list.path)) return undefined;
      world.list.privileges = ['read'];
      return problem(403, 'd:need-privileges');
    };
    await device.engine.sync();
    const otherList = device.engine.lists().find(({ name }) => name === 'zzz')!;
    await device.engine.createTask(otherList.id, { title: 'Elsewhere' });
    await device.engine.sync();
    assert.equal(device.engine.lists().find(({ id }) => id === device.id)!.isReadOnly, true);
    assert.deepEqual(
      device.rows().map(({ title, isDirty }) => ({ title, isDirty })),
      [{ title: 'Task 0', isDirty: false }],
    );
    const [conflict] = await world.devices.conflictsOf(device.engine);
    assert.equal(conflict?.reason, 'readOnly');
    assert.match(conflict.mine, /SUMMARY:Edited 0/);
    assert.equal(other.items.size, 1);
    const task = device.rows()[0]!;
    await assert.rejects(device.engine.updateTask(task.id, { title: 'x' }), { kind: 'readOnly' });
  });

  it('is reported by the first failure, even if reading back fails as well', async () => {
    const device = await edited(2);
    let isTaken = false;
    world.server.hook = ({ method }, next) => {
      if (method === 'REPORT') return 'cut';
      if (method !== 'PUT') return undefined;
      if (isTaken) return { status: 401 };
      isTaken = true;
      next();
      // Without an ETag, sync must read the server's copy.
      return { status: 204 };
    };
    assert.match((await world.report(device.engine)).error ?? '', /rejected the username or password/);
  });

  it('A37 pauses the account for as long as the server asks', async () => {
    const device = await edited();
    world.server.hook = request =>
      request.method === 'PUT' ? { status: 429, headers: { 'retry-after': '120' } } : undefined;
    const { error } = await world.report(device.engine);
    assert.ok(error);
    assert.ok(puts().length <= 4, `${puts().length}`);
    assert.ok(device.rows().every(({ isDirty }) => isDirty));
    world.server.hook = undefined;
    world.server.forget();
    world.devices.clock.time += 119_000;
    for (const trigger of ['schedule', 'user'] as const)
      assert.deepEqual((await device.engine.sync({ trigger })).accounts, []);
    const again = await world.report(device.engine);
    assert.deepEqual(pick(again, 'error', 'requests'), { error, requests: 0 });
    assert.deepEqual(world.server.requests, []);
    world.devices.clock.time += 2_000;
    await device.engine.sync({ trigger: 'user' });
    assert.ok(onServer(0) && onServer(1) && onServer(2));
  });

  it('A37 reads a Retry-After with a date by the server’s clock', async () => {
    const device = await edited(1);
    const date = (seconds: number) => new Date(Date.UTC(2031, 0, 1, 0, 0, seconds)).toUTCString();
    world.server.hook = ({ method }) =>
      method === 'PUT' ? { status: 503, headers: { date: date(0), 'retry-after': date(90) } } : undefined;
    await world.report(device.engine);
    const { retryAt } = device.engine.syncing!.accountState(device.engine.accounts()[0]!.id);
    assert.equal(retryAt, world.devices.clock.time + 90_000);
    // A clock that was set back does not make the wait a day long.
    world.devices.clock.time -= 86_400_000;
    world.server.hook = undefined;
    await device.engine.sync({ trigger: 'schedule' });
    assert.ok(onServer(0));
  });

  for (const [failure, answer, isAsked] of [
    ['a failure', { status: 500 }, true],
    ['a refused password', { status: 401 }, true],
    ['a 503 without a time', { status: 503 }, true],
    ['a Retry-After', { status: 503, headers: { 'retry-after': '60' } }, false],
  ] as const)
    it(`is not retried automatically after ${failure}, and ${isAsked ? 'at once' : 'not even'} by the user`, async () => {
      const device = await edited(1);
      world.server.hook = () => answer;
      assert.ok((await world.report(device.engine)).error);
      world.server.hook = undefined;
      world.server.forget();
      await device.engine.sync({ trigger: 'schedule' });
      assert.deepEqual(world.server.requests, []);
      await device.engine.sync({ trigger: 'user' });
      await device.engine.sync();
      assert.equal(onServer(0), isAsked);
      assert.equal(world.server.requests.length > 0, isAsked);
    });

  it('A38 gets the others if one is refused, and that one again once it is edited', async () => {
    const device = await edited();
    world.server.hook = request =>
      request.method === 'PUT' && request.path.endsWith('t1.ics') && request.body.includes('Edited')
        ? problem(400, 's:none', 'DUE must not be before DTSTART')
        : undefined;
    const { id } = device.byUid('t1')!;
    for (let run = 0; run < 3; run++) {
      const { error, rowErrors } = await world.report(device.engine);
      assert.equal(error, null);
      assert.equal(rowErrors.length, 1);
      assert.equal(rowErrors[0]!.taskId, id);
      assert.match(rowErrors[0]!.message, /DUE must not be before DTSTART/);
      assert.equal(rowErrors[0]!.reason.text, rowErrors[0]!.message);
      assert.deepEqual(device.engine.syncing!.rowErrors().get(id), rowErrors[0]!.reason);
    }
    const [refusal, answer] = device.engine.syncing!.rowErrors().get(id)!.args as readonly Message[];
    assert.deepEqual(
      { refusal: refusal!.code, answer: answer!.code },
      { refusal: 'requestRejected', answer: 'serverMessage' },
    );
    assert.ok(onServer(0) && onServer(2) && !onServer(1));
    assert.equal(world.server.sent('PUT', 't1.ics').length, 1);
    assert.equal(device.engine.task(id)!.isDirty, true);
    await device.engine.updateTask(id, { title: 'Better' });
    await device.sync();
    assert.ok(world.list.get('t1.ics').includes('SUMMARY:Better'));
  });

  it('A39 reports a lock as an error after the third run, only at the task', async () => {
    const device = await edited();
    world.server.hook = request =>
      request.method === 'PUT' && request.path.endsWith('t1.ics') ? { status: 423 } : undefined;
    const counts: number[] = [];
    for (let run = 0; run < 3; run++) {
      const { error, rowErrors } = await world.report(device.engine);
      assert.equal(error, null);
      counts.push(rowErrors.length);
    }
    assert.deepEqual(counts, [0, 0, 1]);
    assert.ok(onServer(0) && onServer(2));
    world.server.hook = undefined;
    await device.sync();
    assert.ok(onServer(1));
  });

  for (const status of [413, 507, 403, 415, 422]) {
    it(`leaves a ${status} at its task and gets the others`, async () => {
      const device = await edited();
      world.server.hook = request =>
        request.method === 'PUT' && request.path.endsWith('t1.ics') ? { status } : undefined;
      const { error, rowErrors } = await world.report(device.engine);
      assert.equal(error, null);
      assert.deepEqual(
        rowErrors.map(({ taskId }) => taskId),
        [device.byUid('t1')!.id],
      );
      assert.ok(onServer(0) && onServer(2));
    });
  }

  for (const status of [502, 504]) {
    it(`does not make its own task look like someone else’s by a ${status} that came too late`, async () => {
      const device = await edited(1);
      let isFirst = true;
      world.server.hook = (request, next) => {
        if (request.method !== 'PUT' || !isFirst) return undefined;
        isFirst = false;
        next();
        return { status };
      };
      await device.engine.sync();
      assert.equal((await device.sync()).conflicts, 0);
      assert.ok(onServer(0));
      assert.equal(device.byUid('t0')!.isDirty, false);
    });
  }

  it('gets the changes of a list later if they fail again and again', async () => {
    const device = await edited(20);
    world.server.hook = request => (request.method === 'PUT' ? { status: 500 } : undefined);
    const { error } = await world.report(device.engine);
    assert.ok(error);
    assert.ok(puts().length < 20, `${puts().length}`);
    world.server.hook = undefined;
    await device.engine.sync();
    world.devices.clock.time += 3_600_000;
    await device.sync();
    assert.ok(onServer(0) && onServer(19));
  });

  it('stops the sync with a 401 midway, and nothing is lost', async () => {
    const device = await edited();
    world.server.hook = request => (request.method === 'PUT' ? { status: 401 } : undefined);
    const { error } = await world.report(device.engine);
    assert.match(error ?? '', /password/);
    world.server.hook = undefined;
    assert.ok(device.rows().every(({ isDirty }) => isDirty));
  });

  it('keeps a task whose deletion it refused as pending, with the reason', async () => {
    world.list.put('t.ics', todoText('t', 'SUMMARY:Task'));
    const device = await world.device();
    await device.engine.deleteTask(device.byUid('t')!.id);
    world.server.hook = request =>
      request.method === 'DELETE' ? problem(403, 's:none', 't-deleted.ics already exists') : undefined;
    const { error, rowErrors } = await world.report(device.engine);
    assert.equal(error, null);
    assert.match(rowErrors[0]!.message, /already exists/);
    world.server.hook = undefined;
    assert.deepEqual(
      device.rows().map(({ isDeleted }) => isDeleted),
      [true],
    );
    assert.equal(device.engine.query('').length, 0);
  });
});
