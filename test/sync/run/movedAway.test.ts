import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { todoText } from '../support/texts';
import { aFolderWorld, aWorld } from '../support/world';

const uids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'];

describe('a list whose tasks another program moves to another list', () => {
  describe('in a folder', () => {
    const world = aFolderWorld();

    for (const [from, to] of [
      ['errands', 'garden'],
      ['garden', 'errands'],
    ] as const)
      for (const moved of [uids.slice(0, 1), uids])
        it(`is not asked about: ${moved.length} from ${from} to ${to}`, async () => {
          for (const name of [from, to]) world.folder.addList(name);
          for (const uid of moved) world.folder.put(`${from}/${uid}.ics`, todoText(uid));
          world.folder.put(`${to}/z.ics`, todoText('z'));
          const engine = await world.devices.open(world.folder);
          await engine.sync();
          for (const uid of moved)
            renameSync(join(world.folder.path, from, `${uid}.ics`), join(world.folder.path, to, `${uid}.ics`));
          const [report] = (await engine.sync()).accounts;
          assert.equal(report!.error, null);
          assert.deepEqual(engine.syncing!.emptiedLists(), []);
          const uidsIn = (name: string) =>
            world.devices
              .list(engine, name)
              .rows()
              .map(({ uid }) => uid)
              .toSorted();
          assert.deepEqual([uidsIn(from), uidsIn(to)], [[], [...moved, 'z']]);
        });

    it('is asked about until the other list has them', async () => {
      for (const name of ['errands', 'garden']) world.folder.addList(name);
      world.folder.put('errands/a.ics', todoText('a'));
      world.folder.put('garden/z.ics', todoText('z'));
      const engine = await world.devices.open(world.folder);
      await engine.sync();
      renameSync(join(world.folder.path, 'errands', 'a.ics'), join(world.folder.path, 'a.away'));
      await engine.sync();
      const errands = world.devices.list(engine, 'errands');
      assert.deepEqual(engine.syncing!.emptiedLists(), [errands.id]);
      assert.equal(errands.rows().length, 1);
      renameSync(join(world.folder.path, 'a.away'), join(world.folder.path, 'garden', 'a.ics'));
      await engine.sync();
      assert.deepEqual(engine.syncing!.emptiedLists(), []);
      assert.deepEqual(errands.rows(), []);
      assert.equal(world.devices.list(engine, 'garden').rows().length, 2);
    });
  });

  describe('on a server', () => {
    const world = aWorld();

    for (const count of [12, 3])
      it(`${count === 12 ? 'is not asked about' : 'is asked about if most of them are nowhere'}`, async () => {
        const other = world.server.addList('other');
        for (const uid of uids) world.list.put(`${uid}.ics`, todoText(uid));
        const device = await world.device();
        await device.engine.sync();
        for (const [at, uid] of uids.entries()) {
          if (at < count) other.put(`${uid}.ics`, todoText(uid));
          world.list.remove(`${uid}.ics`);
        }
        await device.engine.sync();
        assert.deepEqual(device.engine.syncing!.emptiedLists(), count === 12 ? [] : [device.id]);
        assert.equal(device.rows().length, count === 12 ? 0 : 12);
        assert.equal(world.devices.list(device.engine, 'other').rows().length, count);
      });
  });
});
