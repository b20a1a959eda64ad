import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { DuelineEngine } from '../../src/api';
import type { SettingId } from '../../src/contributions/definitions';
import { anchorsOf } from '../../src/core/code/anchors';
import { isHashedPath } from '../../src/core/code/repository';
import { taskMime } from '../../src/ui/draggedTasks';
import { TreeDrag } from '../../src/views/tree/dragAndDrop';
import { ListsTree } from '../../src/views/tree/listsTree';
import type { GroupNode, TaskNode, TreeNode } from '../../src/views/tree/nodes';
import { duelineApi, eventually, run } from './support/api';

const day = 86_400_000;
const monday = Date.UTC(2031, 0, 6);

async function withSetting(id: SettingId, value: unknown, work: () => Promise<void>): Promise<void> {
  const set = (to: unknown) => vscode.workspace.getConfiguration().update(id, to, vscode.ConfigurationTarget.Global);
  await set(value);
  try {
    await work();
  } finally {
    await set(undefined);
  }
}

describe('the Lists tree', () => {
  let engine: DuelineEngine;
  let listId: number;
  let tree: ListsTree;
  let drag: TreeDrag;
  let messages: string[] = [];
  before(async () => {
    engine = (await duelineApi()) as DuelineEngine;
    tree = new ListsTree(engine, 'dueline.lists');
    drag = new TreeDrag(engine, ({ text }) => messages.push(text.replace(/[\u2068\u2069]/g, '')));
  });
  beforeEach(async () => {
    listId = await engine.createList({ name: `Tree ${Math.random()}` });
  });
  afterEach(() => engine.deleteList(listId));
  after(() => tree.dispose());

  const add = (title: string, more = {}) => engine.createTask(listId, { title, ...more });
  const branch = () => tree.branchOfList(engine.lists().find(({ id }) => id === listId)!);
  const childrenOf = async (node: TreeNode) => await tree.getChildren(node);
  const rows = async (node: TreeNode) => (await childrenOf(node)) as TaskNode[];
  const groups = async () => (await childrenOf(branch())) as GroupNode[];
  const titles = (nodes: readonly TaskNode[]) => nodes.map(({ taskId }) => engine.task(taskId)?.title);
  const nodeOf = (id: number) => tree.nodeOf(id)!;
  const dropped = (drop: Record<string, string>) => {
    const data = new vscode.DataTransfer();
    for (const [mime, value] of Object.entries(drop)) data.set(mime, new vscode.DataTransferItem(value));
    return data;
  };
  const drop = async (ids: readonly number[], onto: TreeNode) => {
    const data = new vscode.DataTransfer();
    drag.handleDrag(ids.map(nodeOf), data);
    assert.deepEqual(JSON.parse(await data.get(taskMime)!.asString()), ids);
    await drag.handleDrop(onto, data);
  };

  it('has groups if that is set, and subtasks below their parents', () =>
    withSetting('dueline.group.default', 'due', async () => {
      const parent = await add('Monday', { due: monday, isAllDay: true });
      await add('Step', { parentId: parent });
      await add('Tuesday', { due: monday + day, isAllDay: true });
      await add('Some day');
      const found = await groups();
      assert.deepEqual(
        found.map(({ key }) => key),
        ['2031-01-06', '2031-01-07', 'none'],
      );
      assert.deepEqual(titles(await rows(found[0]!)), ['Monday']);
      assert.deepEqual(titles(await rows((await rows(found[0]!))[0]!)), ['Step']);
      const item = tree.getTreeItem(found[2]!);
      assert.match(String(item.label), /No date/);
      assert.equal(item.description, '1');
      assert.match(item.accessibilityInformation?.label ?? '', /No date/);
      const ids = new Set((await Promise.all(found.map(rows))).flat().map(({ id }) => id));
      assert.equal(ids.size, 3);
    }));

  it('shows that an expanded list has no tasks, until it has one', async () => {
    const [nothing] = await childrenOf(branch());
    assert.equal(nothing?.kind, 'note');
    assert.notEqual(tree.getTreeItem(nothing!).label, '');
    const id = await add('First');
    await eventually('the task in its place', async () => titles(await rows(branch())).join() === 'First');
    assert.equal(tree.getParent(nodeOf(id)), branch());
  });

  it('reports no change below a row that it has redrawn until the editor has asked for its children', async () => {
    const parent = await add('Parent');
    const step = await add('Step', { parentId: parent });
    const open = async () => {
      await tree.getChildren();
      await childrenOf(branch());
      await childrenOf(nodeOf(parent));
    };
    const refreshed = new Set<TreeNode>();
    const listening = tree.onDidChangeTreeData(nodes => {
      for (const node of [nodes].flat()) if (node) refreshed.add(node);
    });
    const isRefreshed = (subject: string, id: number) =>
      eventually(subject, async () => {
        // The change that made the list itself may be reported only now, and then everything is asked for again.
        await open();
        await engine.updateTask(id, { title: `${subject} ${Math.random()}` });
        await pause(60);
        return refreshed.has(nodeOf(id));
      });
    try {
      await isRefreshed('Step', step);
      await isRefreshed('Parent', parent);
      refreshed.clear();
      await engine.updateTask(step, { title: 'Below' });
      await eventually('another row', async () => {
        await add('Other');
        return refreshed.has(branch());
      });
      assert.ok(!refreshed.has(nodeOf(step)));
      await isRefreshed('Step', step);
    } finally {
      listening.dispose();
    }
  });

  it('keeps the id of a row that disappears before the editor has asked for it', async () => {
    const id = await add('Short');
    const node = nodeOf(id);
    await engine.deleteTask(id);
    await eventually('a list without it', async () => (await childrenOf(branch()))[0]?.kind === 'note');
    assert.equal(tree.getTreeItem(node).id, node.id);
  });

  it('finds a task in its group to reveal it', () =>
    withSetting('dueline.group.default', 'priority', async () => {
      const id = await add('Urgent', { priority: 1 });
      const node = nodeOf(id);
      assert.equal((tree.getParent(node) as GroupNode).key, 'high');
      assert.equal(tree.getParent(tree.getParent(node)!), branch());
      assert.equal((await rows((await groups())[0]!))[0], node, 'the same node as when the group is opened');
    }));

  it('reschedules, prioritizes and tags what is dropped on a group', async () => {
    const id = await add('Moving', { due: monday + 9 * 3_600_000, timezone: null });
    await add('There', { due: monday + day, isAllDay: true, priority: 5, tags: ['Home'] });
    const onGroup = async (by: string, key: string) =>
      withSetting('dueline.group.default', by, async () => {
        await drop([id], (await groups()).find(group => group.key === key)!);
      });
    await onGroup('due', '2031-01-07');
    assert.equal(engine.task(id)?.due, monday + day + 9 * 3_600_000, 'the time of day stays');
    await onGroup('priority', 'medium');
    assert.equal(engine.task(id)?.priority, 5);
    await onGroup('tag', 'home');
    assert.deepEqual(engine.task(id)?.tags, ['Home']);
  });

  it('applies the value of its group to what is dropped between its rows', async () => {
    const [first, second] = [await add('First', { due: monday, isAllDay: true }), await add('Second')];
    const there = await add('There', { due: monday + day, isAllDay: true });
    const step = await add('Step', { parentId: there });
    messages = [];
    await withSetting('dueline.group.default', 'due', async () => {
      await groups();
      await drop([first], nodeOf(there));
      assert.equal(engine.task(first)?.due, monday + day);
      assert.deepEqual(titles(await rows((await groups())[0]!)), ['First', 'There']);
      await engine.undo();
      assert.equal(engine.task(first)?.due, monday, 'as one step');
      await drop([there], nodeOf(second));
      assert.equal(engine.task(there)?.due, null);
      await engine.undo();
      // A drop takes the group that the tree has shown last, which may still be the one before the undo.
      await groups();
      // If it is in that group already, only the order changes.
      await drop([second], nodeOf(first));
      await eventually('the row in its group', async () => {
        await groups();
        return nodeOf(second).group?.key === '2031-01-06';
      });
      await drop([first], nodeOf(second));
      assert.equal(engine.task(first)?.due, monday);
      await drop([second], nodeOf(step));
      const { parentId, due } = engine.task(second)!;
      assert.deepEqual({ parentId, due }, { parentId: there, due: monday });
    });
    assert.deepEqual(messages, [
      'Moved First above There. Rescheduled First',
      'Moved There above Second. Rescheduled There',
      'Moved Second above First. Rescheduled Second',
      'Moved First above Second',
      'Made Second a subtask of There, above Step',
    ]);
  });

  it('moves one occurrence of a repeating task, not the series', () =>
    withSetting('dueline.group.default', 'due', async () => {
      const id = await add('Weekly', { due: monday, isAllDay: true, rrule: 'FREQ=WEEKLY' });
      await add('There', { due: monday + day, isAllDay: true });
      await drop([id], (await groups()).find(({ key }) => key === '2031-01-07')!);
      assert.equal(engine.task(id)?.due, monday);
      assert.equal(engine.query('"Weekly"', { lists: [listId] })[0]?.due, monday + day);
      await engine.undo();
      assert.equal(engine.query('"Weekly"', { lists: [listId] })[0]?.due, monday);
      // One that has a date of its own already, between the rows of another day.
      await drop([id], (await groups()).find(({ key }) => key === '2031-01-07')!);
      const after = await add('After', { due: monday + 2 * day, isAllDay: true });
      await eventually('the groups', async () => (await groups()).some(({ key }) => key === '2031-01-08'));
      await drop([engine.rows(listId).find(({ masterId }) => masterId === id)!.id], nodeOf(after));
      assert.equal(engine.query('"Weekly"', { lists: [listId] })[0]?.due, monday + 2 * day);
    }));

  it('makes a dragged task a subtask, with its own subtasks once', async () => {
    const [parent, child, other] = [await add('Parent'), await add('Child'), await add('Other')];
    messages = [];
    await withSetting('dueline.tree.dropOnTask', 'subtask', async () => {
      await drop([child], nodeOf(parent));
      await drop([parent, child], nodeOf(other));
    });
    assert.equal(engine.task(parent)?.parentId, other);
    assert.equal(engine.task(child)?.parentId, parent);
    assert.deepEqual(messages, ['Made Child a subtask of Parent', 'Made Parent a subtask of Other']);
    await engine.undo();
    assert.equal(engine.task(parent)?.parentId, null);
  });

  it('reorders by drag in lists sorted manually, and makes subtasks in others', async () => {
    const [first, second, third] = [await add('First'), await add('Second'), await add('Third')];
    await drop([third], nodeOf(first));
    assert.deepEqual(titles(await rows(branch())), ['Third', 'First', 'Second']);
    await withSetting('dueline.tree.sort', 'title', () => drop([second], nodeOf(first)));
    assert.equal(engine.task(second)?.parentId, first);
  });

  it('reorders by drag if that is set, and in lists without nesting', async () => {
    const [first, second, third] = [await add('First'), await add('Second'), await add('Third')];
    await withSetting('dueline.tree.dropOnTask', 'reorder', () => drop([third], nodeOf(first)));
    assert.deepEqual(titles(await rows(branch())), ['Third', 'First', 'Second']);
    await withSetting('dueline.tree.nestSubtasks', false, () => drop([second, first], nodeOf(third)));
    assert.deepEqual(titles(await rows(branch())), ['Second', 'First', 'Third']);
  });

  it('moves dragged tasks into another list, to the top of it', async () => {
    const [parent, child] = [await add('Parent'), await add('Child')];
    await engine.moveTask(child, { parentId: parent });
    const other = await engine.createList({ name: `Other ${Math.random()}` });
    const node = tree.branchOfList(engine.lists().find(({ id }) => id === other)!);
    await drop([child], node);
    assert.equal(engine.task(child)?.listId, other);
    assert.equal(engine.task(child)?.parentId, null);
    await engine.deleteList(other);
  });

  it('treats a drop on the message of an empty list as a drop on the list', async () => {
    const from = await engine.createList({ name: 'Where it was' });
    try {
      const id = await engine.createTask(from, { title: 'Moving' });
      const [nothing] = await childrenOf(branch());
      await drop([id], nothing!);
      assert.equal(engine.task(id)?.listId, listId);
    } finally {
      await engine.deleteList(from);
    }
  });

  it('moves what is dropped before the editor has received the drag data', async () => {
    const [first, second] = [await add('First'), await add('Second')];
    const begin = (node: TreeNode) => drag.handleDrag([node], new vscode.DataTransfer());
    const end = (node: TreeNode) => {
      const rows = JSON.stringify({ id: 'dueline.lists', itemHandles: [`1/${node.id}`] });
      return drag.handleDrop(nodeOf(first), dropped({ [taskMime]: rows, 'text/plain': '' }));
    };
    const areNow = async (...order: string[]) => assert.deepEqual(titles(await rows(branch())), order);
    begin(nodeOf(second));
    // The row of another window, and one that is no task.
    await end(nodeOf(first));
    begin(branch());
    await end(branch());
    await areNow('First', 'Second');
    begin(nodeOf(second));
    await end(nodeOf(second));
    await areNow('Second', 'First');
  });

  it('creates tasks from dropped text, one per line, in one step', async () => {
    const parent = await add('Parent');
    await drag.handleDrop(branch(), dropped({ 'text/plain': 'One\r\n\n  Two  \n' }));
    await drag.handleDrop(nodeOf(parent), dropped({ 'text/plain': 'Below' }));
    assert.deepEqual(titles(await rows(branch())), ['Parent', 'One', 'Two']);
    assert.deepEqual(titles(await rows(nodeOf(parent))), ['Below']);
    await engine.undo();
    await engine.undo();
    assert.deepEqual(titles(await rows(branch())), ['Parent']);
  });

  it('links a task to files dropped on it: the first as its URL, the others in its notes', async () => {
    const id = await add('Read these');
    await drag.handleDrop(nodeOf(id), dropped({ 'text/uri-list': 'file:///tmp/a.md\r\nfile:///tmp/b%20c.md' }));
    assert.equal(engine.task(id)?.url, 'file:///tmp/a.md');
    assert.equal(engine.task(id)?.description, '[b c.md](file:///tmp/b%20c.md)');
    await drag.handleDrop(nodeOf(id), dropped({ 'text/uri-list': 'file:///tmp/a.md' }));
    assert.equal(engine.task(id)?.description, '[b c.md](file:///tmp/b%20c.md)', 'once is enough');
    await drag.handleDrop(nodeOf(id), dropped({ 'text/uri-list': 'https://shop.example/100%' }));
    assert.match(engine.task(id)?.description ?? '', /\n\[100%]\(https:\/\/shop\.example\/100%(25)?\)$/);
    await eventually('the row to say so', () => /\.linked/.test(tree.getTreeItem(nodeOf(id)).contextValue ?? ''));
  });

  it('creates a task from a file dropped on a list', async () => {
    await drag.handleDrop(branch(), dropped({ 'text/uri-list': 'file:///tmp/plan.md' }));
    const [made] = await rows(branch());
    assert.equal(engine.task(made!.taskId)?.title, 'plan.md');
    assert.equal(engine.task(made!.taskId)?.url, 'file:///tmp/plan.md');
  });
});

describe('links of tasks', () => {
  let engine: DuelineEngine;
  let id: number;
  before(async () => {
    engine = (await duelineApi()) as DuelineEngine;
    id = await engine.createTask(engine.lists()[0]!.id, { title: 'Linked' });
  });
  after(() => engine.deleteTask(id));

  it('lead to the line on which they were made, and can be removed', async () => {
    const folder = vscode.workspace.workspaceFolders![0]!.uri;
    const file = vscode.Uri.joinPath(folder, 'a b.txt');
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode('one\ntwo\nthree\n'));
    const editor = await vscode.window.showTextDocument(file);
    editor.selection = new vscode.Selection(1, 0, 1, 0);
    await run('dueline.linkHere', id);
    const [anchor] = anchorsOf(engine.task(id)!);
    assert.equal(anchor?.line, 1);
    assert.ok(isHashedPath(anchor.path), 'the path stays on this computer');
    assert.equal(engine.task(id)?.url, null);
    editor.selection = new vscode.Selection(2, 0, 2, 0);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await run('dueline.openLink', id);
    assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, file.fsPath);
    assert.equal(vscode.window.activeTextEditor?.selection.active.line, 1);
    await run('dueline.removeLink', id);
    assert.deepEqual(anchorsOf(engine.task(id)!), []);
  });

  it('are not offered for a text that is in no saved file', async () => {
    const scheme = 'dueline-test';
    const old = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: () => 'one\n',
    });
    await vscode.window.showTextDocument(vscode.Uri.parse(`${scheme}:/old.txt`));
    const running = run('dueline.linkHere');
    const asks = new Promise(resolve => setTimeout(() => resolve('a question'), 1500));
    assert.equal(await Promise.race([running, asks]), undefined);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    old.dispose();
  });

  it('are not made for more lines than the user means', async () => {
    const content = 'one\n'.repeat(501);
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content }));
    editor.selection = new vscode.Selection(0, 0, 501, 0);
    const running = run('dueline.addFromSelection');
    const asks = new Promise(resolve => setTimeout(() => resolve('a question'), 1500));
    assert.equal(await Promise.race([running, asks]), undefined);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('lead to the line of a file: address of older tasks, and can be removed', async () => {
    const file = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'a b.txt');
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode('one\ntwo\nthree\n'));
    await engine.updateTask(id, { url: `${file}#L2` });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await run('dueline.openLink', id);
    assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, file.fsPath);
    assert.equal(vscode.window.activeTextEditor?.selection.active.line, 1);
    await run('dueline.removeLink', id);
    assert.equal(engine.task(id)?.url, null);
  });

  it('become code locations if the user edits them, and not before', async () => {
    const folder = vscode.workspace.workspaceFolders![0]!.uri;
    const file = vscode.Uri.joinPath(folder, 'a b.txt');
    const notes = `[one](${vscode.Uri.joinPath(folder, 'other.txt')}#L1)`;
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode('one\ntwo\nthree\n'));
    await engine.updateTask(id, { url: `${file}#L2`, description: notes });
    const before = engine.task(id);
    await vscode.window.showTextDocument(file);
    const found = (query: string) => engine.query(query).map(({ task }) => task.title);
    // The file may be known by the address that the task had before.
    const places = ['in:file', 'has:link link:file:other.txt'];
    await eventually('both places', () => places.every(query => found(query).includes('Linked')));
    assert.deepEqual(engine.task(id), before, 'looking writes nothing');
    // The file may have been opened a moment ago.
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.window.showTextDocument(file);
    await run('dueline.pinHere', id);
    const [anchor] = anchorsOf(engine.task(id)!);
    assert.deepEqual([anchor?.line, anchor?.fingerprint !== undefined], [1, true]);
    assert.deepEqual([engine.task(id)?.url, engine.task(id)?.description], [null, notes]);
    await run('dueline.undo');
    assert.deepEqual([engine.task(id)?.url, anchorsOf(engine.task(id)!)], [`${file}#L2`, []]);
    vscode.window.activeTextEditor!.selection = new vscode.Selection(2, 0, 2, 0);
    await run('dueline.linkHere', id);
    assert.deepEqual([engine.task(id)?.url, anchorsOf(engine.task(id)!).map(({ line }) => line)], [null, [2]]);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await engine.apply([
      { type: 'anchors', id, edit: { remove: anchorsOf(engine.task(id)!).map(({ source }) => source) } },
      { type: 'update', id, patch: { description: null } },
    ]);
  });

  it('run no command if another program wrote them', async () => {
    await engine.updateTask(id, { url: 'command:workbench.action.closeAllEditors' });
    const before = vscode.window.visibleTextEditors.length;
    await run('dueline.openLink', id);
    assert.equal(vscode.window.visibleTextEditors.length, before);
  });
});

describe('moving up and down', () => {
  it('asks before it changes an order that is not shown', async () => {
    const engine = (await duelineApi()) as DuelineEngine;
    const listId = await engine.createList({ name: 'Sorted' });
    const [first, second] = [
      await engine.createTask(listId, { title: 'First' }),
      await engine.createTask(listId, { title: 'Second' }),
    ];
    const order = () => engine.query('sort:manual', { lists: [listId] }).map(({ task }) => task.id);
    await run('dueline.moveUp', second);
    assert.deepEqual(order(), [second, first]);
    await withSetting('dueline.tree.sort', 'title', async () => {
      const running = run('dueline.moveUp', first);
      await new Promise(resolve => setTimeout(resolve, 300));
      await vscode.commands.executeCommand('notifications.clearAll');
      await running;
      assert.deepEqual(order(), [second, first]);
    });
    await engine.deleteList(listId);
  });
});
