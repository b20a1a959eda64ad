import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { BranchTasks } from '../../src/code/branchTasks';
import { MergedBranches } from '../../src/code/mergedBranches';
import { repositoryOf } from '../../src/core/code/repository';
import type { GitRepository } from '../../src/ui/taskLinks';
import { engines } from '../engine/support/engine';

/** What the git extension says of a repository with two branches. */
function repositoryAt(address: string, branch: string) {
  let tip = 'b1';
  const listeners: (() => void)[] = [];
  const repository: GitRepository = {
    rootUri: { toString: () => address } as vscode.Uri,
    inputBox: { value: '' },
    createBranch: async () => undefined,
    checkout: async () => undefined,
    state: {
      get HEAD() {
        return { name: 'main', commit: tip };
      },
      onDidChange: listener => {
        listeners.push(listener as () => void);
        return { dispose: () => undefined } as vscode.Disposable;
      },
    },
    getBranches: async () => [
      { name: 'main', commit: tip },
      { name: branch, commit: 'b1' },
    ],
    getBranchBase: async () => ({ name: 'main' }),
    getMergeBase: async () => (tip === 'merged' ? 'b1' : 'a0'),
  };
  const merge = () => {
    tip = 'merged';
    for (const listener of listeners) listener();
  };
  return { repository, merge };
}

describe('branches that were merged', () => {
  const own = engines();

  it('of several repositories are known side by side', async () => {
    const engine = await own.open();
    const [first, second] = [
      await engine.createTask(engine.defaultListId(), { title: 'First' }),
      await engine.createTask(engine.defaultListId(), { title: 'Second' }),
    ];
    const memory = new Map<string, unknown>();
    const state = {
      get: (key: string, otherwise: unknown) => memory.get(key) ?? otherwise,
      update: async (key: string, value: unknown) => void memory.set(key, value),
    } as unknown as vscode.Memento;
    const merged = new MergedBranches(engine, new BranchTasks(engine), state);
    const repositories = [first, second].map((id, at) => {
      const found = repositoryAt(`file:///${at}`, `fix-${engine.shortIdOf(id)}`);
      merged.watch(found.repository, [repositoryOf([], `folder${at}`)]);
      return found;
    });
    const said = () => [first, second].map(id => merged.of(id));
    await pause(0);
    assert.deepEqual(said(), [undefined, undefined]);
    for (const { merge } of repositories) {
      merge();
      await pause(0);
    }
    assert.deepEqual(said(), ['merged', 'merged']);
    merged.dispose();
  });
});
