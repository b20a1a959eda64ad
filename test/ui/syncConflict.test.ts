import { type Server, startRadicale } from '../interop/support/servers';
import { Session } from './support/driver';
import { connect, empty, titles } from './support/engine';
import { Peer } from './support/peer';
import { until } from './support/wait';
import type { Window } from './support/window';

const timeoutMs = 60_000;

describe('a conflict that a person wants to be asked about', () => {
  let server: Server;
  let session: Session;
  let window: Window;
  before(async () => {
    session = await Session.open({
      size: { width: 1200, height: 760 },
      settings: { 'dueline.sync.enabled': false, 'dueline.sync.conflictPolicy': 'ask' },
    });
    window = session.window;
    await window.view();
  });
  beforeEach(async () => {
    server = await startRadicale();
  });
  afterEach(async function () {
    await window.tidy(this.currentTest);
    await empty(window);
    await server.stop();
  });
  after(() => session?.close());

  /** Edits these tasks on both sides, and syncs. */
  const collide = async (peer: Peer, ...uids: string[]) => {
    for (const uid of uids) await peer.put(uid, `SUMMARY:${uid} there`);
    await window.run(async (vscode, uids) => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      for (const { task } of api.query('list:Errands'))
        if (uids.includes(task.uid)) await api.updateTask(task.id, { title: `${task.uid} here` });
    }, uids);
    await window.palette('Dueline: Sync Now');
  };

  for (const theme of ['light', 'dark', 'hc'] as const)
    it(`asks in a notification, and does what is answered (${theme})`, async () => {
      await window.theme(theme);
      const peer = new Peer(server, '/anna/errands/');
      await peer.makeList('Errands');
      for (const uid of ['bread', 'milk', 'salt']) await peer.put(uid, `SUMMARY:${uid}`);
      await connect(window, server, 'Home server');
      await collide(peer, 'bread');
      await window.notification(/bread there.*Edited here and on the server: title.*Which version do you want/);
      await window.shot(`sync-ask-${theme}`);
      await window.press(/Which version do you want/, 'Use My Version');
      await until('my title', timeoutMs, async () => (await titles(window, '"bread here"')).length === 1);
      await collide(peer, 'milk', 'salt');
      await window.notification(/2 tasks were changed here and on the server/);
      await window.shot(`sync-ask-several-${theme}`);
      await window.press(/2 tasks were changed/, 'Review…');
      await window.picks('milk there').first().waitFor({ timeout: timeoutMs });
      await window.page.keyboard.press('Escape');
      const conflicts = window.pane('Filters').locator('.monaco-list-row').filter({ hasText: 'Conflicts' });
      await conflicts.click();
      for (const title of ['milk there', 'salt there'])
        await window
          .pane('Filters')
          .locator('.monaco-list-row')
          .filter({ hasText: title })
          .waitFor({ timeout: timeoutMs });
      await conflicts.click();
    });
});
