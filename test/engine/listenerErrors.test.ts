import assert from 'node:assert/strict';
import type { DuelineEngine } from '../../src/api';
import { Devices } from '../sync/support/devices';

describe('a listener that throws', () => {
  const devices = new Devices();
  afterEach(() => devices.close());

  it('is logged by the engine, and stops neither the edit nor the other listeners', async () => {
    const lines: string[] = [];
    const engine: DuelineEngine = await devices.start({ log: (level, text) => lines.push(`${level}: ${text}`) });
    let heard = 0;
    engine.onDidChange(() => {
      throw new Error('a view broke');
    });
    engine.onDidChange(() => heard++);
    const list = await engine.createList({ name: 'Mine' });
    await engine.createTask(list, { title: 'Task' });
    assert.equal(engine.rows(list).length, 1);
    assert.equal(heard, 2);
    const errors = lines.filter(line => line.startsWith('error'));
    assert.equal(errors.length, 2);
    for (const line of errors) assert.match(line, /^error: A listener failed: Error: a view broke\n/);
  });
});
