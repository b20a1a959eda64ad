import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DuelineEngine } from '../../src/api';
import { isInstalled, type Server, startRadicale } from '../interop/support/servers';
import { dismiss, duelineApi, eventually, isOffline, run } from './support/api';

describe('sync commands', () => {
  let engine: DuelineEngine;
  let server: Server;
  let account: number;
  let list: number;
  before(async function () {
    if (isOffline || !isInstalled('radicale')) this.skip();
    engine = (await duelineApi()) as DuelineEngine;
    await vscode.workspace.getConfiguration().update('dueline.sync.enabled', false, true);
    server = await startRadicale();
    const { url, username, password } = server;
    account = await engine.addAccount({ serverUrl: url, username, password, displayName: 'Radicale' });
    list = await engine.createList({ name: 'Sync tests', accountId: account });
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    if (account) await engine.removeAccount(account);
    await server?.stop();
    await vscode.workspace.getConfiguration().update('dueline.sync.enabled', undefined, true);
  });

  const shownText = () => vscode.window.activeTextEditor?.document.getText() ?? '';

  it('sends pending changes, of all lists or of one', async () => {
    const id = await engine.createTask(list, { title: 'Water the palm' });
    await run('dueline.sync.now', account);
    assert.deepEqual(engine.syncing!.pendingChanges(), []);
    await engine.updateTask(id, { priority: 1 });
    assert.equal(engine.syncing!.pendingChanges()[0]?.taskId, id);
    await run('dueline.sync.list', { listId: list });
    assert.deepEqual(engine.syncing!.pendingChanges(), []);
  });

  it('shows the server’s copy', async () => {
    const id = await engine.createTask(list, { title: 'Read the meter' });
    await run('dueline.sync.now', account);
    await run('dueline.sync.viewRemote', id);
    await eventually('the text', () => /SUMMARY:Read the meter/.test(shownText()));
    assert.equal(vscode.window.activeTextEditor?.document.uri.scheme, 'dueline-server');
  });

  it('compares the versions of a conflict and keeps both', async () => {
    const id = await engine.createTask(list, { title: 'Call the plumber' });
    await run('dueline.sync.now', account);
    const { href } = engine.task(id)!;
    const url = new URL(href!, server.url);
    const headers = {
      authorization: `Basic ${Buffer.from(`${server.username}:${server.password}`).toString('base64')}`,
    };
    const there = await (await fetch(url, { headers })).text();
    const body = there.replace('SUMMARY:Call the plumber', 'SUMMARY:Call another plumber');
    await fetch(url, { method: 'PUT', headers: { ...headers, 'content-type': 'text/calendar' }, body });
    await engine.updateTask(id, { title: 'Write to the plumber' });
    await run('dueline.sync.now', account);
    await run('dueline.sync.resolve', id);
    // In German it begins with another word.
    const isPage = (tab: vscode.Tab) => tab.label.endsWith(': Call another plumber');
    const pages = () => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.filter(isPage)).length;
    await eventually('the page', () => pages() === 1);
    const [conflict] = engine.syncing!.conflicts();
    assert.match(conflict!.mine, /SUMMARY:Write to the plumber/);
    assert.match(conflict!.server, /SUMMARY:Call another plumber/);
    await run('dueline.sync.keepBoth', conflict!.id);
    await eventually('the page to close', () => pages() === 0);
    const titles = () => engine.rows(list).map(row => row.title);
    assert.ok(titles().includes('Call another plumber') && titles().includes('Write to the plumber'), String(titles()));
    assert.deepEqual(engine.syncing!.conflicts(), []);
  });

  it('opens lists of pending changes and of conflicts, even empty ones', async () => {
    await run('dueline.sync.showConflicts');
    await engine.createTask(list, { title: 'Waits' });
    const running = run('dueline.sync.showOutbox');
    await dismiss();
    await running;
    await run('dueline.sync.now', account);
    await run('dueline.sync.showOutbox');
    await run('dueline.sync.showLog');
  });

  it('pauses and resumes', async () => {
    // The command toggles, and the suite that runs every command may have left sync paused.
    const before = engine.syncing!.isPaused;
    await run('dueline.sync.pause');
    assert.equal(engine.syncing!.isPaused, !before);
    await run('dueline.sync.pause');
    assert.equal(engine.syncing!.isPaused, before);
  });
});
