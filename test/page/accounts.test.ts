import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Peer } from '../interop/support/peer';
import { howToInstall, isInstalled, startRadicale, startXandikos } from '../interop/support/servers';
import { Editor } from '../support/vscode/editor';
import { accountState, empty, finds, titles } from './support/home';

const servers = [
  { program: 'radicale', start: startRadicale, list: '/anna/errands/' },
  { program: 'xandikos', start: startXandikos, list: '/anna/calendars/errands/' },
];

describe('an account in the window', () => {
  let editor: Editor;
  before(async () => {
    editor = await Editor.open();
  });
  after(() => editor?.close());
  beforeEach(() => empty(editor));
  afterEach(function () {
    return editor.tidy(this.currentTest);
  });

  const open = (query: string) => titles(editor, query);
  const addAccount = async (url: string, username: string, password: string) => {
    const { questions } = editor;
    editor.palette('Dueline: Add CalDAV Account or Folder…');
    await questions.pick('Other CalDAV Server');
    await questions.answer(/Enter the server address/, url);
    await questions.answer(/Username/, username);
    await questions.answer(/Enter your password/, password);
  };

  for (const { program, start, list } of servers)
    it(`syncs both ways with ${program}`, async () => {
      if (!isInstalled(program)) throw new Error(howToInstall(program));
      const server = await start();
      try {
        const peer = new Peer(server, list);
        await peer.makeList(`Errands ${program}`);
        await peer.put(`bread-${program}`, `SUMMARY:Buy bread ${program}`, 'X-SHELF:left');
        await addAccount(server.url, server.username, server.password);
        await finds(editor, `"Buy bread ${program}"`);
        await editor.tree().expand(`Errands ${program}`);
        await editor.tree().tick(`Buy bread ${program}`);
        await finds(editor, `is:done "Buy bread ${program}"`);
        editor.palette('Dueline: Quick Add Task…');
        await editor.questions.asked();
        editor.questions.type(`Post letter ${program} @"Errands ${program}"`);
        editor.questions.accept();
        await finds(editor, `"Post letter ${program}"`);
        await editor.palette('Dueline: Sync Now');
        const bread = await peer.get(`bread-${program}`);
        assert.ok(bread.includes('STATUS:COMPLETED'), bread);
        assert.ok(bread.includes('X-SHELF:left'), bread);
        assert.ok(await peer.find(`SUMMARY:Post letter ${program}`));
        await peer.put(`milk-${program}`, `SUMMARY:Buy milk ${program}`);
        await editor.palette('Dueline: Sync Now');
        assert.equal(open(`"Buy milk ${program}"`).length, 1);
        assert.match(editor.notices.statusWords.at(-1) ?? '', /Synced: 1 received/);
      } finally {
        await server.stop();
      }
      const before = open('show:done');
      await editor.palette('Dueline: Sync Now');
      await editor.notices.notification(/could not be synced/);
      assert.notEqual(accountState(editor).error, null);
      assert.ok(editor.engine.accounts().every(({ lastSyncError }) => lastSyncError !== null));
      assert.deepEqual(open('show:done'), before);
    });

  it('shows what to do about a wrong password, an unreachable server and a server without CalDAV', async () => {
    const { questions } = editor;
    const before = open('show:done');
    const radicale = await startRadicale();
    const web = createServer((_, response) => response.writeHead(404).end('nothing here')).listen(0, '127.0.0.1');
    try {
      await addAccount(radicale.url, 'anna', 'wrong');
      const { words } = await questions.asked(/rejected the username or password/);
      assert.match(words, /password/i);
      questions.escape();
      await addAccount('http://127.0.0.1:9/', 'anna', 'x');
      await questions.asked(/127\.0\.0\.1:9/);
      questions.escape();
      await addAccount(`http://127.0.0.1:${(web.address() as AddressInfo).port}/`, 'anna', 'x');
      await questions.asked(/CalDAV.*CalDAV/s);
      questions.escape();
    } finally {
      await radicale.stop();
      web.close();
    }
    assert.deepEqual(open('show:done'), before);
  });
});
