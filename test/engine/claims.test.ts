import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { openEngine } from '../../src/engine';
import { engines } from './support/engine';

const agent = { name: 'Claude Code', session: 'one', isProcess: true };

describe('claims in windows', () => {
  const started = engines();

  /** Resolves as soon as a change of the engine makes it true. */
  const becomes = (engine: Awaited<ReturnType<typeof started.open>>, isTrue: () => boolean) =>
    new Promise<void>(resolve => {
      if (isTrue()) return resolve();
      const listening = engine.onDidChange(() => {
        if (!isTrue()) return;
        listening.dispose();
        resolve();
      });
    });

  it('are seen in another window, and end there with the agent’s process, by its request, or by the user’s', async () => {
    const folder = started.folder();
    const window = await started.open({ folder });
    const id = await window.createTask(window.defaultListId(), { title: 'Write' });
    const { uid } = window.task(id)!;
    await window.claims!.open();
    const found = (query: string) => window.query(query).map(({ task }) => task.title);
    assert.deepEqual(found('is:claimed'), []);

    const other = await openEngine({ folder, clock: window.clock });
    assert.deepEqual(await other.claims!.take([uid], agent), [uid]);
    await becomes(window, () => window.claims!.of(uid) !== undefined);
    assert.equal(window.claims!.of(uid)!.name, 'Claude Code');
    assert.deepEqual([...window.claims!.held().keys()], [id]);
    assert.deepEqual(found('is:claimed claimed:claude*'), ['Write']);
    await other.claims!.release(agent);
    await becomes(window, () => window.claims!.of(uid) === undefined);
    assert.deepEqual(found('is:claimed'), []);

    await other.claims!.take([uid], agent);
    await becomes(window, () => found('is:claimed').length === 1);
    assert.equal(await window.claims!.end([uid]), true);
    assert.equal(await window.claims!.end([uid]), false);
    await other.refresh();
    await becomes(other, () => other.claims!.of(uid) === undefined);

    // An agent that is killed says nothing.
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const claim = { ...agent, pid: child.pid, host: hostname(), at: window.clock.now() };
    await (await other.sidecar()).put('claims', [[uid, claim]]);
    await becomes(window, () => found('is:claimed').length === 1);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await becomes(window, () => found('is:claimed').length === 0);
    await other.close();
  });
});
