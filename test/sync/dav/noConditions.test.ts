import assert from 'node:assert/strict';
import type { Hook } from '../support/server';
import { todoText } from '../support/texts';
import { aWorld } from '../support/world';

describe('a server that ignores conditions on new and deleted resources, and has ETags of one second', () => {
  const world = aWorld();
  /** SOGo ignores conditions like this: the request is carried out whatever they say. */
  const heedless: Hook = ({ method, headers, path, body }) => {
    if (method === 'PUT' && headers['if-none-match'] === '*')
      return { status: 204, headers: { etag: world.list.put(path, body) } };
    if (method !== 'DELETE') return undefined;
    world.list.remove(path);
    return { status: 204 };
  };
  beforeEach(() => {
    world.server.hook = heedless;
    world.list.ctag = '1700000000';
  });
  /** Another device is faster, once this one has read the lists. */
  const meanwhile = (act: () => void) => {
    let isDone = false;
    world.server.hook = (request, next) => {
      if (isDone || request.path !== '/home/') return heedless(request, next);
      isDone = true;
      const answer = next();
      act();
      return answer;
    };
  };

  it('does not get a new task over what someone else has put there', async () => {
    const device = await world.device();
    const id = await device.engine.createTask(device.id, { title: 'Ours' });
    const { uid } = device.rows().find(row => row.id === id)!;
    meanwhile(() => world.list.put(`${uid}.ics`, todoText(uid, 'SUMMARY:Ours', 'DESCRIPTION:Theirs')));
    await device.sync();
    world.list.ctag = '1700000001';
    await device.sync();
    assert.match(world.list.get(`${uid}.ics`), /DESCRIPTION:Theirs/);
  });

  it('does not get a deletion of what someone else has edited', async () => {
    world.put('t', 'SUMMARY:Task');
    const device = await world.device();
    await device.engine.deleteTask(device.byUid('t')!.id);
    meanwhile(() => world.put('t', 'SUMMARY:Edited there'));
    await device.sync();
    assert.match(world.list.get('t.ics'), /SUMMARY:Edited there/);
    assert.equal(device.byUid('t')?.title, 'Edited there');
    await device.engine.deleteTask(device.byUid('t')!.id);
    await device.sync();
    assert.equal(world.list.items.size, 0);
  });
});
