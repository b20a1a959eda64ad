import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { TaskSelection } from '../../src/ui/selection';

/**
 * The editor's answers when it is asked for the selection of a tree, in order; the last one is repeated. No real tree
 * can be made to forget its rows at a certain question: test/ui/trees.test.ts shows the keys in real ones.
 */
function treeAnswering(...answers: readonly number[][]) {
  const { event } = new vscode.EventEmitter<vscode.TreeViewSelectionChangeEvent<unknown>>();
  let at = 0;
  return {
    visible: true,
    onDidChangeSelection: event,
    get selection() {
      return answers[Math.min(at++, answers.length - 1)]!;
    },
  };
}

/** Rows stand for their tasks' ids. The selection is read before the focused row is toggled, after it, and once it is back. */
describe('the target of a key in a tree', () => {
  const selected = async (...answers: readonly number[][]) => {
    const selection = new TaskSelection();
    selection.track(treeAnswering(...answers));
    return selection.current(true);
  };

  it('is the focused row, with the whole selection if it is part of that', async () => {
    assert.deepEqual(await selected([1], [1, 2], [1]), [2]);
    assert.deepEqual(await selected([1, 2], [1], [1, 2]), [1, 2]);
    assert.deepEqual(await selected([], [2], []), [2]);
  });

  it('is never a previously selected row, while the tree is being redrawn and briefly forgets it', async () => {
    assert.deepEqual(await selected([], [1, 2], [1], [1], [1, 2], [1]), [2]);
    assert.deepEqual(await selected([1], [2], [1], [1], [1, 2], [1]), [2]);
    assert.deepEqual(await selected([], [], [], [1], [1, 2], [1]), [2]);
  });
});
