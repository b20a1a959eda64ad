import assert from 'node:assert/strict';
import { type Fault, FaultProxy } from '../interop/support/faultProxy';
import type { Editor } from '../support/vscode/editor';
import { accountState, connect, finds, Home, redStatus, titles } from './support/home';

describe('a running sync', () => {
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

  /** A gate that a request waits for, and whose passing the test can await. */
  function gate() {
    let open = () => {};
    const opened = new Promise<void>(resolve => {
      open = resolve;
    });
    let reached = 0;
    const pass = async () => {
      reached += 1;
      editor.changes.notify();
      await opened;
    };
    return { pass, open, isReached: () => reached > 0 };
  }

  const syncNow = () => editor.palette('Dueline: Sync Now');
  /** A sync that gets no answer before `way.open()`. */
  const heldSync = async () => {
    await home.connect();
    const way = gate();
    proxy.next = () => async exchange => {
      await way.pass();
      exchange.reply(await exchange.forward());
    };
    const ended = syncNow();
    await editor.changes.until('the request', way.isReached);
    return { way, ended };
  };

  it('is canceled from the view’s title, too', async () => {
    const { way, ended } = await heldSync();
    await editor.viewButton('Cancel Sync');
    await ended;
    await editor.changes.until('the other button', () => editor.viewButtons().includes('Sync Now'));
    way.open();
    assert.equal(accountState(editor).error, null);
  });

  it('holds up the removal of the account, which shows that and can be canceled', async () => {
    const { way, ended } = await heldSync();
    await editor.context('Home server', 'Remove Account…');
    (await editor.notices.dialog()).close('Remove Account');
    const shown = await editor.notices.notification(/Removing the account .Home server/);
    assert.deepEqual(shown.buttons, ['Cancel']);
    shown.close('Cancel');
    way.open();
    await ended;
    await editor.changes.until('no progress', () => editor.notices.open.length === 0);
    assert.equal(editor.engine.accounts().length, 1);
  });

  it('stays quiet without a connection: nothing red, no message; edits wait and are sent later', async () => {
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

  it('names the list that it waits for on a slow server, without an invented number', async () => {
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

  describe('that is long', () => {
    const many = 1_200;
    beforeEach(() =>
      home.empty(peer =>
        peer.putAll(
          'Errands',
          Array.from({ length: many }, (_, at) => [`UID:${at}`, `SUMMARY:Errand ${at}`]),
        ),
      ),
    );

    /** Lets three batches of tasks come; each of the others waits until the test opens the gate. */
    function threeBatches() {
      let open = () => {};
      const opened = new Promise<void>(resolve => {
        open = resolve;
      });
      let reached = 0;
      const fault: Fault = async ({ body, forward, reply }) => {
        if (body.includes('calendar-query') && body.includes('calendar-data')) return reply({ status: 413 });
        if (!body.includes('calendar-multiget')) return reply(await forward());
        reached += 1;
        editor.changes.notify();
        if (reached > 3) await opened;
        reply(await forward());
      };
      proxy.next = method => (method === 'REPORT' ? fault : undefined);
      return { open, come: () => editor.changes.until('batches to come', () => reached > 3) };
    }

    const count = () => titles(editor, 'Errand limit:5000').length;
    const ends = () =>
      editor.changes.until('the end', () => !editor.notices.open.some(({ severity }) => severity === 'progress'));

    it('shows the progress of a first one, in the status bar with a way to cancel, and ends at once on request', async () => {
      const way = threeBatches();
      editor.palette('Dueline: Add CalDAV Account or Folder…');
      await editor.questions.pick('Other CalDAV Server');
      await editor.questions.answer(/Enter the server address/, proxy.url);
      await editor.questions.answer(/Username/, home.server.username);
      await editor.questions.answer(/Enter your password/, home.server.password);
      await way.come();
      await editor.notices.progress(/Syncing: .*Errands.*: [0-9,]+ of 1,200/);
      const shown = await editor.notices.notification(/Syncing.*Errands.*[1-9][0-9,]* of 1,200/);
      shown.close('Cancel');
      await ends();
      const kept = count();
      assert.ok(kept > 0 && kept < many, `${kept} tasks`);
      const messages = editor.notices.open.map(({ message }) => message);
      assert.deepEqual(
        messages.filter(message => /cancelled|could not be synced/.test(message)),
        [],
      );
      way.open();
    });

    it('continues where it was interrupted', async () => {
      const way = threeBatches();
      await connect(editor, { ...home.server, url: proxy.url }, 'Home server', false);
      const ended = syncNow();
      await way.come();
      await editor.viewButton('Cancel Sync');
      await ended;
      way.open();
      const before = count();
      assert.ok(before > 0 && before < many, `${before} tasks`);
      let fetched = 0;
      const counting: Fault = async ({ body, forward, reply }) => {
        if (body.includes('calendar-multiget')) fetched += body.match(/<[^>]*href>/g)!.length / 2;
        reply(await forward());
      };
      proxy.next = method => (method === 'REPORT' ? counting : undefined);
      await syncNow();
      assert.equal(count(), many);
      assert.ok(fetched <= many - before + 1, `${fetched} fetched, ${before} were there`);
      assert.equal(accountState(editor).error, null);
    });
  });
});
