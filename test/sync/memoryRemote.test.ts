import { MemoryServer } from './memoryRemote';
import { remoteContract } from './remoteContract';

describe('the remote in memory', () => {
  const server = new MemoryServer();
  remoteContract(async () => server.connect());
});
