import assert from 'node:assert/strict';
import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { diskWith, fault, type Operation } from '../support/folders';
import { todoText } from '../support/texts';
import { aFolderWorld } from '../support/world';

describe('a task moved out of a folder while another program renames its file', () => {
  const world = aFolderWorld();
  let hook: (operation: Operation, when: 'before' | 'after', path: string) => void;
  const pathOf = (name: string) => join(world.folder.path, 'errands', name);
  const rename = () => renameSync(pathOf('bread.ics'), pathOf('other.ics'));

  const moved = async () => {
    hook = () => undefined;
    world.folder.addList('errands');
    for (const uid of ['bread', 'milk', 'salt']) world.folder.put(`errands/${uid}.ics`, todoText(uid));
    const disk = diskWith((...args) => hook(...args));
    const engine = await world.devices.open(world.folder, { disk } as object);
    await engine.sync();
    const errands = world.devices.list(engine, 'errands');
    const listId = await engine.createList({ name: 'Here' });
    await engine.moveTask(errands.byUid('bread')!.id, { listId });
    const isOnlyHere = async () => {
      for (let round = 0; round < 2; round++) {
        world.devices.clock.time += 3_600_000;
        await errands.sync();
      }
      assert.deepEqual(
        engine.rows(listId).map(({ uid, isDeleted }) => [uid, isDeleted]),
        [['bread', false]],
      );
      assert.deepEqual(
        errands.rows().map(({ uid }) => uid),
        ['milk', 'salt'],
      );
      assert.deepEqual(readdirSync(pathOf('')).toSorted(), ['milk.ics', 'salt.ics']);
    };
    return { engine, isOnlyHere };
  };

  for (const failing of [1, 2])
    it(`is only in its new list if the disk fails at read ${failing} of the renamed file`, async () => {
      const { engine, isOnlyHere } = await moved();
      rename();
      let reads = 0;
      hook = (operation, when, path) => {
        if (operation === 'readFile' && when === 'before' && path.endsWith('other.ics') && ++reads === failing)
          throw fault('EIO');
      };
      await engine.sync();
      assert.equal(reads >= failing, true);
      await isOnlyHere();
    });

  it('is only in its new list if the file is renamed just before it is removed', async () => {
    const { engine, isOnlyHere } = await moved();
    hook = (operation, when, path) => {
      if (operation !== 'unlink' || when !== 'before' || !path.endsWith('bread.ics')) return;
      hook = () => undefined;
      rename();
    };
    await engine.sync();
    await isOnlyHere();
  });
});
