import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineProcess } from '../sync/support/engineProcess';

const minute = 60_000;

describe('two processes on one folder', () => {
  let folder: string;
  let one: EngineProcess;
  let other: EngineProcess;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dueline-two-'));
    one = new EngineProcess();
    other = new EngineProcess();
    await one.call('open', folder);
    await other.call('open', folder);
  });
  afterEach(async () => {
    await one.end();
    await other.end();
    rmSync(folder, { recursive: true, force: true });
  });

  const advance = async (ms: number) => {
    for (const process of [one, other]) await process.call('advance', ms);
  };

  it('remind once, and one continues at once when the other is killed', async () => {
    const start = await one.call('now');
    const remindIn = (title: string, minutes: number) => {
      const due = start + minutes * minute;
      return one.call('createTask', 'Inbox', title, { due, timezone: 'UTC', alarms: [{ minutesBefore: 0 }] });
    };
    assert.equal(await one.call('lead'), true);
    assert.equal(await other.call('lead'), false);
    await remindIn('Water the ferns', 1);
    await remindIn('Feed the fish', 10);
    await other.call('refresh');
    await advance(2 * minute);
    assert.equal(await one.call('lead'), true);
    assert.equal(await other.call('lead'), false);
    assert.deepEqual(await other.call('remind'), []);
    assert.deepEqual(await one.call('remind'), ['Water the ferns']);
    await one.end();
    await other.call('advance', 10 * minute);
    assert.equal(await other.call('lead'), true);
    await other.call('refresh');
    assert.deepEqual(await other.call('remind'), ['Feed the fish'], 'the first one was shown');
  });

  it('record the time of a task once, and one continues when the other is killed', async () => {
    const id = await one.call('createTask', 'Inbox', 'Fix the race', { status: 1 });
    for (const process of [one, other]) await process.call('beat', false);
    await one.call('startWork', id);
    await other.call('refresh');
    for (let at = 0; at < 10; at++) {
      await advance(minute);
      for (const process of [one, other]) {
        await process.call('refresh');
        await process.call('beat', true);
      }
    }
    await one.end();
    for (let at = 0; at < 5; at++) {
      await other.call('advance', minute);
      await other.call('beat', true);
    }
    assert.deepEqual(await other.call('worked', id), []);
    await other.call('stopWork');
    assert.deepEqual(await other.call('worked', id), [15]);
  });
});
