import assert from 'node:assert/strict';
import { FaultProxy } from '../interop/support/faultProxy';
import type { Editor } from '../support/vscode/editor';
import { accountState, connect, finds, Home, redStatus } from './support/home';

describe('a sync on its way', () => {
  let home: Home<FaultProxy>;
  let editor: Editor;
  let proxy: FaultProxy;
  before(async () => {
    home = await Home.open({ front: server => FaultProxy.start(server.url) });
    ({ editor, front: proxy } = home);
  });
  after(() => home?.close());
  beforeEach(async () => {
    proxy.next = () => undefined;
    await home.empty(peer =>
      peer.putAll(
        'Errands',
        Array.from({ length: 20 }, (_, at) => [`UID:${at}`, `SUMMARY:Errand ${at}`]),
      ),
    );
  });
  afterEach(function () {
    return editor.tidy(this.currentTest);
  });

  /** Something that a request waits for, and whose coming is told. */
  function gate() {
    let open = () => {};
    const opened = new Promise<void>(resolve => {
      open = resolve;
    });
    let reached = 0;
    const pass = async () => {
      reached += 1;
      editor.changes.tell();
      await opened;
    };
    return { pass, open, isReached: () => reached > 0 };
  }

  const syncNow = () => editor.palette('Dueline: Sync Now');
  it('is cancelled from the view’s title as well', async () => {
    await home.connect();
    const way = gate();
    proxy.next = () => async exchange => {
      await way.pass();
      exchange.reply(await exchange.forward());
    };
    const ended = syncNow();
    await editor.changes.until('the request', way.isReached);
    await editor.viewButton('Cancel Sync');
    await ended;
    await editor.changes.until('the other button', () => editor.viewButtons().includes('Sync Now'));
    way.open();
    assert.equal(accountState(editor).error, null);
  });

  it('stays quiet without a connection: nothing red, no message; edits wait and go out later', async () => {
    await home.connect();
    proxy.next = () => async exchange => exchange.cut();
    const { engine } = editor;
    await engine.updateTask(engine.query('"Errand 7"')[0]!.task.id, { title: 'Errand seven' });
    await editor.tree().row('waiting for the server');
    assert.equal(redStatus(editor), undefined);
    assert.deepEqual(
      editor.notices.open.filter(({ isInStatusBar }) => !isInStatusBar),
      [],
    );
    proxy.next = () => undefined;
    await syncNow();
    assert.ok(await home.peer.find('SUMMARY:Errand seven'));
    await editor.tree().gone('waiting for the server');
  });

  it('says which list it waits for on a slow server, without a number that nobody knows', async () => {
    const way = gate();
    proxy.next = method =>
      method === 'REPORT'
        ? async ({ forward, reply }) => {
            await way.pass();
            reply(await forward());
          }
        : undefined;
    await connect(editor, { ...home.server, url: proxy.url }, 'Slow', false);
    syncNow();
    const { message, steps } = await editor.notices.notification(/Syncing: .*Errands/);
    assert.doesNotMatch([message, ...steps].join(), /\d of|of \d/);
    way.open();
    await finds(editor, 'Errand limit:5000', 20);
  });
});
