import type { Suite } from 'mocha';
import { remoteContract } from '../sync/support/remoteContract';
import { choices, connectTo } from './support/chosen';
import { roundTrips } from './support/roundTrips';
import type { Server } from './support/servers';

const lines: string[] = [];

for (const choice of choices) {
  describe(choice.name, function () {
    let server: Server;
    before(async () => {
      server = await choice.start();
    });
    after(async () => {
      await server?.stop();
      lines.push(`${choice.name}: ${summary(this)}`);
    });

    describe('fulfills the contract of a remote', () => remoteContract(() => connectTo(server)));
    describe('between two devices', () => roundTrips(() => server));
  });
}

after(() => console.log(`\n${lines.join('\n')}`));

function summary(suite: Suite): string {
  const counts = { passed: 0, failed: 0, pending: 0 };
  suite.eachTest(test => {
    if (test.state) counts[test.state]++;
  });
  return `${counts.passed} passed, ${counts.failed} failed, ${counts.pending} skipped`;
}
