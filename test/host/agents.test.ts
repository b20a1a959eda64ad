import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { DuelineEngine } from '../../src/api';
import { acceptAll, duelineApi, eventually, extensionId, isOffline, run } from './support/api';

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

  it('follows the settings of this editor', async () => {
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

  it('serves the tools to the agents of this editor through the command', async () => {
    await duelineApi();
    const { contributes } = vscode.extensions.getExtension(extensionId)!.packageJSON;
    assert.equal(contributes.mcpServerDefinitionProviders.length, 1);
    const asks = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const { stdout } = spawnSync(await copiedProgram(), ['mcp'], {
      encoding: 'utf8',
      input: `${JSON.stringify(asks)}\n`,
    });
    assert.equal(JSON.parse(stdout).result.tools.length, 7);
  });

  it('writes a task into the chat, without sending it, and copies it if there is no chat', async () => {
    const api = await duelineApi();
    const id = await api.createTask(api.lists()[0]!.id, { title: 'Fix the race', description: 'In the queue' });
    const prompt = /^Work on this task \(dl-\w+ in Dueline\)\.[\s\S]*^> Fix the race$[\s\S]*^> In the queue$/m;
    const hasChat = (await vscode.commands.getCommands(true)).includes('workbench.action.chat.open');
    if (!hasChat) {
      await vscode.env.clipboard.writeText('');
      await run('dueline.handToAgent', id);
      assert.match(await vscode.env.clipboard.readText(), prompt);
    }
    const drafts: { query: string; isPartialQuery: boolean }[] = [];
    const chat = vscode.commands.registerCommand('workbench.action.chat.open', draft => void drafts.push(draft));
    try {
      await run('dueline.handToAgent', id);
      assert.match(drafts[0]!.query, prompt);
      assert.equal(drafts.length, 1);
      assert.equal(drafts[0]!.isPartialQuery, true);
    } finally {
      chat.dispose();
      await api.deleteTask(id);
    }
  });

  it('finds the command in the terminals of the editor, unless a setting turns that off', async function () {
    // The server build of the oldest version starts no terminal.
    if (vscode.version.startsWith('1.90.')) this.skip();
    const settings = vscode.workspace.getConfiguration('dueline');
    const folder = mkdtempSync(join(tmpdir(), 'dueline-terminal-'));
    const found = async (name: string) => {
      const file = join(folder, name);
      const terminal = vscode.window.createTerminal({ name, shellPath: '/bin/sh' });
      terminal.sendText(`{ command -v dueline || echo none; } > '${file}.part'; mv '${file}.part' '${file}'`);
      const answer = await eventually(
        'an answer of the terminal',
        () => existsSync(file) && readFileSync(file, 'utf8'),
      );
      terminal.dispose();
      return answer.trim();
    };
    try {
      assert.equal(await found('on'), await copiedProgram());
      await settings.update('terminal.command', false, vscode.ConfigurationTarget.Global);
      assert.notEqual(await found('off'), await copiedProgram());
    } finally {
      await settings.update('terminal.command', undefined, vscode.ConfigurationTarget.Global);
      rmSync(folder, { recursive: true });
    }
  });

  it('undoes a chosen change of an agent, and keeps a later one of the user', async () => {
    const api = (await duelineApi()) as DuelineEngine;
    const [list] = api.lists();
    const id = await api.createTask(list!.id, { title: 'Shared' });
    api.workFor({ name: 'Helper', session: 'one' });
    await api.updateTask(id, { priority: 1 });
    api.workFor(undefined);
    await api.updateTask(id, { location: 'Home' });
    await acceptAll(run('dueline.agentChanges'));
    const { priority, location } = api.task(id)!;
    assert.deepEqual({ priority, location }, { priority: 0, location: 'Home' });
    assert.ok(!(await api.undoSteps()).some(({ label }) => label.client));
    await api.deleteTask(id);
  });
});
