import { AFolder } from '../support/folders';
import { remoteContract } from '../support/remoteContract';

describe('a folder as a remote', () => {
  const folder = new AFolder();
  after(() => folder.stop());
  remoteContract(async () => folder.connect());
});
