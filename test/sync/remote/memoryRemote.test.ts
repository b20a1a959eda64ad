import { MemoryServer } from '../support/memoryRemote';
import { remoteContract } from '../support/remoteContract';

describe('the remote in memory', () => {
  const server = new MemoryServer();
  remoteContract(async () => server.connect());
});
