import assert from 'node:assert/strict';
import { todoText } from '../support/texts';
import { aWorld } from '../support/world';

describe('an edit sent without a response, with a copy of another program at its address', () => {
  const world = aWorld();

  /** The task `v` at `at`, renamed here, with the answer to that lost; and what the server has of it then. */
  const renamed = async (at: string) => {
    const { list, server } = world;
    list.put(at, todoText('v', 'SUMMARY:Task'));
    const device = await world.device();
    await device.engine.updateTask(device.byUid('v')!.id, { title: 'Renamed' });
    let isDown = false;
    server.hook = (request, next) => {
      if (request.method !== 'PUT' && !isDown) return next();
      if (!isDown) next();
      isDown = true;
      return 'cut';
    };
    await device.engine.sync();
    server.hook = undefined;
    server.forget();
    const text = list.get(at);
    assert.match(text, /SUMMARY:Renamed/);
    const sync = async () => {
      world.devices.clock.time += 3_600_000;
      await device.engine.sync();
    };
    return { device, text, sync };
  };

  for (const [at, next] of [
    ['1.ics', '2.ics'],
    ['2.ics', '1.ics'],
  ] as const)
    for (const [difference, extra] of [
      ['with the same content', []],
      ['with more content', ['ATTACH:https://example.org/contract.pdf', 'COMMENT:only here']],
    ] as const)
      it(`leaves the copy ${difference} on the server, and shows it, with the task gone from ${at} to ${next}`, async () => {
        const { device, text, sync } = await renamed(at);
        const copy = text.replace('UID:v', ['UID:u', ...extra].join('\r\n'));
        world.list.put(at, copy);
        world.list.put(next, text);
        for (let run = 0; run < 3; run++) await sync();
        assert.deepEqual(world.server.sent('DELETE'), []);
        assert.equal(world.list.get(at), copy);
        assert.equal(world.list.get(next), text);
        assert.deepEqual(
          device
            .rows()
            .map(({ uid, title }) => `${uid} ${title}`)
            .toSorted(),
          ['u Renamed', 'v Renamed'],
        );
      });
});
