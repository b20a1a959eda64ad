import assert from 'node:assert/strict';
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { AdvisoryLock } from '../../src/process/lease';
import { diskFiles } from '../../src/store/journal/files';
import { Scratch } from '../store/support/store';

describe('advisory lock', () => {
  const scratch = new Scratch();
  afterEach(() => scratch.clean());

  const place = () => join(scratch.folder(), 'lock');
  const held = (path: string, holder: object, ageMs = 0) => {
    writeFileSync(path, JSON.stringify(holder));
    const at = (Date.now() - ageMs) / 1000;
    utimesSync(path, at, at);
  };

  it('belongs to one holder at a time', async () => {
    const path = place();
    const [one, two] = [new AdvisoryLock(diskFiles, path, 3_000), new AdvisoryLock(diskFiles, path, 3_000)];
    assert.equal(await one.take(0), true);
    assert.equal(await two.take(20), false);
    one.release();
    assert.equal(await two.take(0), true);
    two.release();
    assert.equal(existsSync(path), false);
  });

  it('is taken if its date is in the future, for example after a clock was corrected', async () => {
    const path = place();
    held(path, { pid: process.pid, host: 'elsewhere', token: 'x' }, -31_536_000_000);
    const lock = new AdvisoryLock(diskFiles, path, 3_000);
    assert.equal(await lock.take(0), true);
    assert.match(readFileSync(path, 'utf8'), new RegExp(hostname()));
    lock.release();
  });

  it('is taken from a dead process on this machine at once, from another machine only when stale', async () => {
    const path = place();
    const lock = new AdvisoryLock(diskFiles, path, 3_000);
    held(path, { pid: 2 ** 22 + 1, host: hostname(), token: 'x' });
    assert.equal(await lock.take(0), true);
    lock.release();
    held(path, { pid: 2 ** 22 + 1, host: 'elsewhere', token: 'x' });
    assert.equal(await lock.take(20), false);
    held(path, { pid: process.pid, host: hostname(), token: 'x' }, 4_000);
    assert.equal(await lock.take(0), true);
  });

  it('is not released by a holder that lost it meanwhile', async () => {
    const path = place();
    const lock = new AdvisoryLock(diskFiles, path, 3_000);
    await lock.take(0);
    held(path, { pid: process.pid, host: hostname(), token: 'thief' });
    lock.release();
    assert.match(readFileSync(path, 'utf8'), /thief/);
  });

  it('is given up if it cannot even be written', async () => {
    const files = {
      ...diskFiles,
      claim: () => {
        throw Object.assign(new Error('no'), { code: 'EROFS' });
      },
    };
    assert.equal(await new AdvisoryLock(files, place(), 3_000).take(10), false);
  });
});
