import assert from 'node:assert/strict';
import type { Answer, Hook } from '../support/server';
import { problem, sizesOf, withProps } from '../support/serverLists';
import { todoText } from '../support/texts';
import { aWorld } from '../support/world';

/** A gateway that loses its server for moments: reports fail, and it answers 404 for tasks that exist. */
describe('a task that a server names and then calls gone', () => {
  const world = aWorld();
  const losing =
    (...methods: string[]): Hook =>
    ({ method, body }) =>
      body.includes('calendar-multiget') ? { status: 500 } : methods.includes(method) ? { status: 404 } : undefined;
  const titles = (device: Awaited<ReturnType<typeof world.device>>) => device.rows().map(({ title }) => title);

  it('arrives with the next sync if it was new', async () => {
    const device = await world.device();
    world.put('new', 'SUMMARY:New');
    world.server.hook = losing('GET');
    await device.engine.sync();
    world.server.hook = undefined;
    await device.sync();
    assert.deepEqual(titles(device), ['New']);
    world.server.forget();
    await device.sync();
    assert.equal(world.server.requests.length, 1);
  });

  it('arrives with the next sync if a login page was returned instead', async () => {
    const device = await world.device();
    world.put('new', 'SUMMARY:New');
    const page = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Log in' };
    world.server.hook = ({ method, body }) =>
      method === 'GET' || body.includes('calendar-multiget') ? page : undefined;
    await device.engine.sync();
    world.server.hook = undefined;
    await device.sync();
    assert.deepEqual(titles(device), ['New']);
  });

  it('arrives with the next sync if it was on an earlier page', async () => {
    const device = await world.device();
    world.list.pageSize = 1;
    for (const uid of ['first', 'second']) world.put(uid, `SUMMARY:${uid}`);
    let reports = 0;
    world.server.hook = (request, next) =>
      request.body.includes('sync-collection') && ++reports > 1 ? 'cut' : losing('GET')(request, next);
    await device.engine.sync();
    world.server.hook = undefined;
    world.devices.clock.time += 3_600_000;
    await device.sync();
    assert.deepEqual(titles(device).toSorted(), ['first', 'second']);
  });

  it('is restored by the next sync if it was edited there', async () => {
    world.put('t', 'SUMMARY:Before');
    const device = await world.device();
    world.put('t', 'SUMMARY:After');
    world.server.hook = losing('GET');
    await device.engine.sync();
    world.server.hook = undefined;
    await device.sync();
    assert.deepEqual(titles(device), ['After']);
  });

  it('is restored by the next sync if it was completed here', async () => {
    world.put('t', 'SUMMARY:Task');
    const device = await world.device();
    await device.engine.completeTask(device.byUid('t')!.id);
    world.server.hook = losing('PUT', 'GET');
    await device.engine.sync();
    world.server.hook = undefined;
    await device.sync();
    assert.deepEqual(titles(device), ['Task']);
  });

  it('does not stay on the server without a row here if it was deleted here', async () => {
    world.put('t', 'SUMMARY:Task');
    const device = await world.device();
    await device.engine.deleteTask(device.byUid('t')!.id);
    world.server.hook = losing('DELETE', 'GET');
    await device.engine.sync();
    world.server.hook = undefined;
    await device.sync();
    assert.equal(device.rows().filter(({ isDeleted }) => !isDeleted).length, world.list.items.size);
  });

  it('is not recreated while it may be in another list', async () => {
    const other = world.server.addList('other');
    world.put('t', 'SUMMARY:Task');
    const device = await world.device();
    await device.engine.sync();
    await device.engine.updateTask(device.byUid('t')!.id, { title: 'Edited here' });
    world.list.remove('t.ics');
    let isMoved = false;
    world.server.hook = ({ path, body }): Answer | undefined => {
      // It is moved to a list that this sync has read already.
      if (!isMoved && path === '/home/tasks/' && body.includes('sync-collection')) {
        isMoved = true;
        other.put('t.ics', todoText('t', 'SUMMARY:Task'));
      }
      return path === '/home/other/' && body.includes('text-match')
        ? { status: 207, body: refusing('/home/other/t.ics') }
        : undefined;
    };
    await device.engine.sync();
    world.server.hook = undefined;
    await device.engine.sync();
    await device.engine.sync();
    assert.deepEqual(sizesOf({ list: world.list, other }), { list: 0, other: 1 });
    assert.match(other.get('t.ics'), /SUMMARY:Edited here/);
  });

  it('is restored by the next sync if the list had just become read-only', async () => {
    world.put('t', 'SUMMARY:Theirs');
    const device = await world.device();
    await device.engine.updateTask(device.byUid('t')!.id, { title: 'Ours' });
    world.server.hook = ({ method }) => {
      if (method !== 'PUT') return undefined;
      world.list.privileges = ['read'];
      world.server.hook = losing('GET');
      return problem(403, 'd:need-privileges');
    };
    await device.engine.sync();
    assert.deepEqual(titles(device), []);
    world.server.hook = undefined;
    await device.sync();
    assert.deepEqual(titles(device), ['Theirs']);
    const [conflict] = await world.devices.conflictsOf(device.engine);
    assert.match(conflict!.mine, /SUMMARY:Ours/);
  });
});

const refusing = (href: string) =>
  `<D:multistatus xmlns:D="DAV:">${withProps(href, '<D:getetag>"1"</D:getetag>', 403)}</D:multistatus>`;
