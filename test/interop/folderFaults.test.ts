import { AFolder } from '../sync/support/folders';
import { reportFailuresAtOnce } from './support/failures';
import { FolderModel } from './support/folderModel';
import { FolderNeighbor } from './support/folderNeighbor';
import { newRandom, seedsOr } from './support/random';
import { runModel } from './support/settleDevices';
import { withUidsFrom } from './support/steadyDisk';

describe('two devices with folders on a failing disk, with other programs in them', function () {
  // Seconds on a machine at rest, minutes on one that much other work shares.
  this.timeout(600_000);
  reportFailuresAtOnce();

  for (const seed of seedsOr([1, 2, 3, 4, 5, 6, 14]))
    it(`lose and double nothing through use, faults, restarts and other programs at random (seed ${seed})`, async () => {
      const folders = ['file:///one/', 'file:///two/'].map(url => new AFolder(url));
      await withUidsFrom(newRandom(seed), () =>
        runModel(folders, async ({ devices, proxies, disk }) => {
          const model = new FolderModel(devices, newRandom(seed), proxies);
          model.neighbor = new FolderNeighbor(folders, model.acts, model.random, model.note);
          disk.meanwhile = path => model.meanwhile(path);
          await model.run(120);
          return model;
        }),
      );
    });
});
