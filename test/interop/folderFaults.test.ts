import { AFolder } from '../sync/support/folders';
import { newRandom, seedsOr } from './support/random';
import { runModel } from './support/settleDevices';
import { TwoDeviceModel } from './support/wideModel';

describe('two devices with folders on a disk that fails', function () {
  // Seconds on a machine at rest, minutes on one that much other work shares.
  this.timeout(600_000);

  for (const seed of seedsOr([1, 2, 3, 14]))
    it(`use, faults and restarts at random lose and double nothing (seed ${seed})`, async () =>
      runModel([new AFolder(), new AFolder()], async ({ devices, proxies }) => {
        const model = new TwoDeviceModel(devices, newRandom(seed), proxies);
        await model.run(90);
        return model;
      }));
});
