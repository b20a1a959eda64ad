import { AFolder } from '../sync/support/folders';
import { AServer } from '../sync/support/server';
import { FaultModel } from './support/deepModel';
import { reportFailuresAtOnce } from './support/failures';
import { OtherClient } from './support/neighbor';
import { isSeedGiven, newRandom, seedsOr } from './support/random';
import { runModel } from './support/settleDevices';

/** How the accounts are related. */
const accounts = [
  'of two servers',
  'that both have one list',
  'the first of them twice',
  'one of them a folder',
] as const;

describe('two devices with two windows each and several accounts, under faults', function () {
  // Seconds on a machine at rest, minutes on one that much other work shares.
  this.timeout(600_000);
  reportFailuresAtOnce();
  for (const seed of seedsOr([1, 2, 3, 4])) {
    const kind = accounts[seed % accounts.length]!;
    it(`edits while syncs run, restarts and power losses lose and double nothing (accounts ${kind}, seed ${seed})`, async () => {
      const [one, other] = [await AServer.start(), kind === accounts[3] ? new AFolder() : await AServer.start()];
      const servers = [one, other].filter(place => place instanceof AServer);
      const listsOn = ({ lists }: AServer) => [...lists.values()];
      await runModel(
        kind === accounts[2] ? [one, other, one] : [one, other],
        async ({ devices, proxies }) => {
          const model = new FaultModel(devices, newRandom(seed), proxies);
          model.servers = servers.map(server => ({
            forgetTokens: () => {
              for (const list of listsOn(server)) list.oldestToken = list.log.length + 1;
            },
          }));
          model.neighbor = new OtherClient([one, other], model.acts, model.random, line => model.note(line));
          // The outcome is a matter of timing here, not of the seed alone: long runs, by seed, are for someone who
          // looks for faults that short ones do not show.
          await model.run(isSeedGiven ? 90 : 30);
          for (const list of servers.flatMap(listsOn)) list.oldestToken = 0;
          return model;
        },
        () => {
          const [first] = listsOn(one);
          if (kind === accounts[1] && first && other instanceof AServer) other.lists.set(first.path, first);
        },
      );
    });
  }
});
