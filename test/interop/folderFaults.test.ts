import { AFolder } from '../sync/support/folders';
import { FolderModel } from './support/folderModel';
import { FolderNeighbour } from './support/folderNeighbour';
import { newRandom, seedsOr } from './support/random';
import { runModel } from './support/settleDevices';
import type { Device } from './support/twoDevices';
import { fileOf } from './support/undoActs';

describe('two devices with folders on a disk that fails, and other programs on them', function () {
  // Seconds on a machine at rest, minutes on one that much other work shares.
  this.timeout(600_000);

  for (const seed of seedsOr([1, 2, 3, 4, 5, 6, 14]))
    it(`use, faults, restarts and other programs at random lose and double nothing (seed ${seed})`, async () => {
      const folders = [new AFolder(), new AFolder()];
      await runModel(folders, async ({ devices, proxies, disk }) => {
        const model = new FolderModel(devices, newRandom(seed), proxies);
        model.neighbour = new FolderNeighbour(folders, model.acts, model.random, model.note);
        disk.meanwhile = path => model.meanwhile(path);
        await model.run(120);
        return model;
      });
    });

  it('finds no fault in a task that two devices took from one file, and one of them moved away before the other sent it', async () => {
    const folders = [new AFolder(), new AFolder()];
    await runModel(folders, async ({ devices, proxies }) => {
      const model = new FolderModel(devices, newRandom(1), proxies);
      model.neighbour = new FolderNeighbour(folders, model.acts, model.random, model.note);
      const [a, b] = devices;
      const listOf = ({ engine }: Device) => engine.lists().find(({ name }) => name === 'β')!;
      for (const device of devices) await device.engine.importTasks('ics', fileOf(0), listOf(device).id);
      await b.sync();
      await model.movesList(b, listOf(b), null);
      await b.sync();
      await a.sync();
      return model;
    });
  });
});
