import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DuelineEngine } from '../../src/api';
import { ProxyProcess } from '../sync/support/proxyProcess';
import { AServer } from '../sync/support/server';
import { todoText } from '../sync/support/texts';
import { duelineApi, eventually, isOffline } from './support/api';

describe('the proxy of the editor', () => {
  let engine: DuelineEngine;
  let server: AServer;
  let proxy: ProxyProcess;
  let url: string;
  const http = () => vscode.workspace.getConfiguration('http');
  const set = async (name: string, value: unknown) => {
    await http().update(name, value, vscode.ConfigurationTarget.Global);
    await eventually(
      `http.${name}`,
      () => JSON.stringify(http().get(name)) === JSON.stringify(value) || value === undefined,
    );
  };

  before(async function () {
    if (isOffline) this.skip();
    engine = (await duelineApi()) as DuelineEngine;
    await vscode.workspace.getConfiguration().update('dueline.sync.enabled', false, true);
    server = await AServer.start();
    server.addList('proxied').put('t.ics', todoText('t', 'SUMMARY:Found the way'));
    proxy = await ProxyProcess.start({ login: 'me:s3cret' });
    // A name that the proxy alone knows the way to.
    url = server.url.replace('127.0.0.1', 'tasks.example');
  });
  afterEach(async () => {
    await set('proxy', undefined);
    for (const { id, homeSetUrl } of engine?.accounts() ?? [])
      if (homeSetUrl?.includes('tasks.example')) {
        const lists = engine.lists().filter(({ accountId }) => accountId === id);
        await engine.removeAccount(id);
        for (const list of lists) await engine.deleteList(list.id);
      }
  });
  after(async () => {
    await proxy?.stop();
    await server?.stop();
    await vscode.workspace.getConfiguration().update('dueline.sync.enabled', undefined, true);
  });

  const login = () => ({ serverUrl: url, username: server.username, password: server.password });

  it('reaches a server that only it can reach', async () => {
    await set('proxy', proxy.withLogin('me:s3cret'));
    const account = await engine.addAccount(login());
    const { accounts } = await engine.sync({ accountId: account });
    assert.equal(accounts[0]!.error, null);
    assert.equal(engine.query('"Found the way"').length, 1);
    assert.ok(proxy.requests.length > 0);
    assert.ok(server.requests.every(({ headers }) => headers['proxy-authorization'] === undefined));
  });

  it('is named in the error if it requires a login', async () => {
    await set('proxy', proxy.url);
    const failure = await engine.addAccount(login()).catch((error: Error) => error);
    assert.ok(failure instanceof Error);
    assert.match(failure.message, /proxy .* requires a username and password \(407\)/);
  });
});
