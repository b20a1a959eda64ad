import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Lease, leaseBeatMs } from '../../src/process/lease';
import { TestClock } from '../store/support/store';

describe('the lease', () => {
  let folder: string;
  let clock: TestClock;
  const lease = (name = 'reminders') => new Lease(folder, name, clock);
  const file = () => join(folder, 'reminders.lease');
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dueline-'));
    clock = new TestClock();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('belongs to one window while that window renews it', () => {
    const [one, two] = [lease(), lease()];
    assert.deepEqual(
      { one: one.keep(), two: two.keep(), oneIsHeld: one.isHeld, twoIsHeld: two.isHeld },
      { one: true, two: false, oneIsHeld: true, twoIsHeld: false },
    );
    for (let beats = 0; beats < 20; beats++) {
      clock.time += leaseBeatMs;
      assert.deepEqual({ one: one.keep(), two: two.keep() }, { one: true, two: false });
    }
    assert.deepEqual(readdirSync(folder), ['reminders.lease']);
  });

  it('passes to another window after a minute of silence, which the first one notices', () => {
    const [one, two] = [lease(), lease()];
    one.keep();
    clock.time += 59_000;
    assert.equal(two.keep(), false);
    clock.time += 2_000;
    assert.equal(two.keep(), true);
    assert.deepEqual({ isHeld: one.isHeld, isKept: one.keep() }, { isHeld: false, isKept: false });
  });

  it('passes at once to a window that requests it eagerly, and to the next one when it is released', () => {
    const [one, two] = [lease(), lease()];
    one.keep();
    assert.deepEqual({ two: two.keep(true), one: one.keep() }, { two: true, one: false });
    one.release();
    assert.equal(two.isHeld, true);
    two.release();
    assert.equal(one.keep(), true);
  });

  it('passes at once if the holder’s process is gone, on this machine only', () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const gone = { pid, host: hostname(), token: 'gone', beat: clock.time };
    writeFileSync(file(), JSON.stringify({ ...gone, host: 'elsewhere' }));
    assert.equal(lease().keep(), false);
    writeFileSync(file(), JSON.stringify(gone));
    assert.equal(lease().keep(), true);
  });

  it('survives a clock set back, a corrupt file and a missing folder', () => {
    const [one, two] = [lease(), lease()];
    one.keep();
    clock.time -= 3_600_000;
    assert.equal(two.keep(), true);
    for (const rubbish of ['', 'null', '{"token":7}', '\u0000']) {
      writeFileSync(file(), rubbish);
      assert.equal(one.keep(), true, rubbish);
    }
    assert.equal(JSON.parse(readFileSync(file(), 'utf8')).pid, process.pid);
    rmSync(folder, { recursive: true });
    assert.deepEqual(
      { one: one.keep(), two: two.keep(true), oneIsHeld: one.isHeld },
      { one: false, two: false, oneIsHeld: false },
    );
    one.release();
  });

  it('is independent of a lease with another name', () => {
    assert.deepEqual({ one: lease().keep(), other: lease('sync').keep() }, { one: true, other: true });
  });
});
