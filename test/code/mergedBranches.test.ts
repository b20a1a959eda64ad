import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { BranchTasks } from '../../src/code/branchTasks';
import { MergedBranches } from '../../src/code/mergedBranches';
import { repositoryOf } from '../../src/core/code/repository';
import { engines } from '../engine/support/engine';
import { repositoryDouble } from '../support/repositoryDouble';

describe('merged branches', () => {
  const own = engines();

  it('are recognized in several repositories at once', async () => {
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
      const root = { toString: () => `file:///${at}` } as vscode.Uri;
      const found = repositoryDouble(root, `fix-${engine.shortIdOf(id)}`);
      merged.watch(found.repository, [repositoryOf([], `folder${at}`)]);
      return found;
    });
    const ends = () => [first, second].map(id => merged.of(id));
    await pause(0);
    assert.deepEqual(ends(), [undefined, undefined]);
    for (const { merge } of repositories) {
      merge();
      await pause(0);
    }
    assert.deepEqual(ends(), ['merged', 'merged']);
    merged.dispose();
  });
});
