import { reportFailuresAtOnce } from './support/failures';
import { newRandom, seedsOr } from './support/random';
import { howToInstall, isInstalled, startRadicale } from './support/servers';
import { runModel } from './support/settleDevices';
import { TwoDeviceModel } from './support/wideModel';

describe('two devices with families, series and two lists', function () {
  // Seconds on a machine at rest, minutes on one that much other work shares.
  this.timeout(600_000);
  reportFailuresAtOnce();
  before(() => {
    if (!isInstalled('radicale')) throw new Error(howToInstall('radicale'));
  });

  for (const seed of seedsOr([1, 2, 3, 4, 5, 6]))
    it(`lose and double nothing through use, faults and restarts at random (seed ${seed})`, async () =>
      runModel([await startRadicale()], async ({ devices, proxies }) => {
        const model = new TwoDeviceModel(devices, newRandom(seed), proxies);
        await model.run(90);
        return model;
      }));
});
