import assert from 'node:assert/strict';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeUserFile } from '../../../src/store/transfer/userFile';
import { Scratch } from '../support/store';

describe('a file chosen by the user', () => {
  const scratch = new Scratch();
  afterEach(() => scratch.clean());

  it('keeps its permissions when it is replaced', async function () {
    // Windows has no such rights.
    if (process.platform === 'win32') this.skip();
    const folder = scratch.folder();
    const path = join(folder, 'tasks.json');
    writeFileSync(path, 'before');
    // More than any umask in use leaves to a new file.
    chmodSync(path, 0o777);
    await writeUserFile(path, new TextEncoder().encode('after'), { storeFolder: join(folder, 'dueline'), mode: 0o600 });
    assert.equal(readFileSync(path, 'utf8'), 'after');
    assert.equal(statSync(path).mode & 0o777, 0o777);
  });
});
