import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DuelineEngine } from '../../src/api';
import { fileAt } from '../../src/code/findFile';
import { openFile } from '../../src/ui/taskLinks';
import { ListsTree } from '../../src/views/tree/listsTree';
import { duelineApi } from './support/api';

const hostile = '![](https://tracker.example/a.png) [x](command:y) <command:z> <https://a.example> &lt; **b** $(zap)';

describe('the tooltip of a task', () => {
  it('shows text of other programs as plain text: no picture, link, icon or entity', async () => {
    const engine = (await duelineApi()) as DuelineEngine;
    const tree = new ListsTree(engine, 'dueline.lists');
    const listId = await engine.createList({ name: hostile });
    try {
      const blocker = await engine.createTask(listId, { title: hostile });
      const id = await engine.createTask(listId, { title: hostile, description: hostile, tags: [hostile] });
      await engine.apply([{ type: 'blockers', id, add: [blocker], remove: [] }]);
      await tree.getChildren(tree.branchOfList(engine.lists().find(list => list.id === listId)!));
      const node = tree.nodeOf(id)!;
      const { tooltip } = tree.resolveTreeItem(tree.getTreeItem(node), node);
      assert.ok(tooltip instanceof vscode.MarkdownString);
      assert.ok(!tooltip.isTrusted);
      const { value } = tooltip;
      assert.equal(value.split('tracker.example').length - 1, 4, 'title, notes, tag and blocker');
      assert.doesNotMatch(value, /(?<!\\)\[|<|(?<!\\)\$\(zap\)/);
      assert.match(value, /&amp;lt;/);
    } finally {
      tree.dispose();
      await engine.deleteList(listId);
    }
  });
});

describe('a path written by another program', () => {
  it('stays in the folder, on Windows, too, where backslashes also separate folders', async () => {
    const [{ uri: root }] = vscode.workspace.workspaceFolders as [vscode.WorkspaceFolder];
    const path = '..\\..\\foreign.txt';
    const file = vscode.Uri.joinPath(root, path);
    await vscode.workspace.fs.writeFile(file, new Uint8Array());
    try {
      const names = [{ name: 'folder:x', id: '0123456789ab' }] as const;
      const copy = { root, names, branch: undefined };
      assert.equal(await fileAt(copy, path), undefined);
      await assert.rejects(openFile(path), { kind: 'notFound' });
    } finally {
      await vscode.workspace.fs.delete(file);
    }
  });
});
