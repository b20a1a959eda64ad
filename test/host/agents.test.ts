import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as vscode from 'vscode';
import type { DuelineEngine } from '../../src/api';
import { acceptAll, duelineApi, eventually, isOffline, run } from './support/api';

/** The command in the configuration of the first agent. */
async function copiedProgram(): Promise<string> {
  await vscode.env.clipboard.writeText('');
  const asking = vscode.commands.executeCommand('dueline.connectAgent');
  const configuration = await eventually('a configuration', async () => {
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    return (await vscode.env.clipboard.readText()) || undefined;
  });
  await asking;
  return /^claude mcp add --scope user dueline -- (['"])(.*)\1 mcp$/.exec(configuration)![2]!;
}

describe('agents and the command line', () => {
  before(function () {
    if (isOffline) this.skip();
  });

  it('copies the configuration of an agent, whose command works on the tasks of this editor', async () => {
    const api = await duelineApi();
    const list = await api.createList({ name: 'For agents' });
    await api.createTask(list, { title: 'Seen in a terminal' });
    const { stdout, stderr } = spawnSync(await copiedProgram(), ['list', 'list:"For agents"', '--json'], {
      encoding: 'utf8',
    });
    assert.equal(stderr, '');
    assert.deepEqual(
      JSON.parse(stdout).tasks.map(({ title }: { title: string }) => title),
      ['Seen in a terminal'],
    );
    await api.deleteList(list);
  });

  it('works by the settings of this editor', async () => {
    const api = await duelineApi();
    const settings = vscode.workspace.getConfiguration('dueline');
    const list = await api.createList({ name: 'By default' });
    await settings.update('defaultList', 'By default', vscode.ConfigurationTarget.Global);
    try {
      const program = await copiedProgram();
      const { stdout } = spawnSync(program, ['add', 'From a terminal'], { encoding: 'utf8' });
      assert.match(stdout, /@By default\n$/);
    } finally {
      await settings.update('defaultList', undefined, vscode.ConfigurationTarget.Global);
      await api.deleteList(list);
    }
  });

  it('undoes the change of an agent that is chosen, and leaves a later one of a person', async () => {
    const api = (await duelineApi()) as DuelineEngine;
    const [list] = api.lists();
    const id = await api.createTask(list!.id, { title: 'Shared' });
    api.workFor({ name: 'Helper', session: 'one' });
    await api.updateTask(id, { priority: 1 });
    api.workFor(undefined);
    await api.updateTask(id, { location: 'Home' });
    await acceptAll(run('dueline.agentChanges'));
    assert.deepEqual([api.task(id)!.priority, api.task(id)!.location], [0, 'Home']);
    assert.ok(!(await api.undoSteps()).some(({ label }) => label.client));
    await api.deleteTask(id);
  });

  it('undoes all changes of a session at once, and keeps what was changed later', async () => {
    const api = (await duelineApi()) as DuelineEngine;
    const listId = api.lists()[0]!.id;
    const own = await api.createTask(listId, { title: 'Own' });
    api.workFor({ name: 'Other', session: 'other' });
    const other = await api.createTask(listId, { title: 'Of another' });
    api.workFor({ name: 'Helper', session: 'helper' });
    const [gone, kept] = [
      await api.createTask(listId, { title: 'Gone' }),
      await api.createTask(listId, { title: 'Kept' }),
    ];
    await api.updateTask(gone, { priority: 1 });
    await api.updateTask(own, { priority: 1, tags: ['agent'] });
    api.workFor(undefined);
    await api.updateTask(kept, { location: 'Home' });
    await api.updateTask(own, { priority: 5 });
    await acceptAll(run('dueline.agentChanges'));
    const { priority, tags } = api.task(own)!;
    assert.deepEqual({ priority, tags: [...tags] }, { priority: 5, tags: [] });
    assert.deepEqual(
      [api.task(gone), api.task(kept)!.title, api.task(other)!.title],
      [undefined, 'Kept', 'Of another'],
    );
    const left = (await api.undoSteps()).flatMap(({ label }) => label.client?.session ?? []);
    assert.deepEqual(left, ['helper', 'other']);
    for (const id of [own, other, kept]) await api.deleteTask(id);
  });
});
