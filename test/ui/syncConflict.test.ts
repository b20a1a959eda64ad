import assert from 'node:assert/strict';
import { type Server, startRadicale } from '../interop/support/servers';
import { axe } from './support/axe';
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
      size: { width: 1200, height: 1100 },
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
      await window.picture(`sync-ask-${theme}`);
      await window.press(/Which version do you want/, 'Use My Version');
      await until('my title', timeoutMs, async () => (await titles(window, '"bread here"')).length === 1);
      await collide(peer, 'milk', 'salt');
      await window.notification(/2 tasks were changed here and on the server/);
      await window.picture(`sync-ask-several-${theme}`);
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

  it('shows both versions field by field, and takes what is chosen of each as one edit', async () => {
    const peer = new Peer(server, '/anna/errands/');
    await peer.makeList('Errands');
    await peer.put('bread', 'SUMMARY:Bread', 'DESCRIPTION:Corner shop', 'PRIORITY:9');
    await connect(window, server, 'Home server');
    await peer.put('bread', 'SUMMARY:White bread', 'DESCRIPTION:Open until six', 'PRIORITY:5');
    const edited = () =>
      window.run(async vscode => {
        const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
        const [found] = api.query('list:Errands');
        const { id, title, description, priority } = found.task;
        return { id, title, description, priority };
      });
    await window.run(
      async (vscode, id) => {
        const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
        await api.updateTask(id, { title: 'Rye bread', description: 'Baker next door', priority: 1 });
      },
      (await edited()).id,
    );
    await window.palette('Dueline: Sync Now');
    await window.press(/Which version do you want/, 'Compare');
    const page = await window.frame('form', 'Your version was not sent');
    for (const value of ['White bread', 'Rye bread', 'medium priority', 'high priority', 'Baker next door'])
      await page.getByText(value).first().waitFor({ timeout: timeoutMs });
    const faults: string[] = [];
    for (const theme of ['light', 'dark', 'hc', 'hc-light'] as const) {
      await window.theme(theme);
      faults.push(...(await axe(page)).map(fault => `${theme}: ${fault}`));
    }
    assert.deepEqual(faults, []);
    const field = (name: string) => page.getByRole('group', { name, exact: true });
    assert.equal(await field('Title').getByLabel('Both').count(), 0);
    await window.pictures('conflict-page');
    await window.resize(560, 760);
    await window.pictures('conflict-page-narrow');
    await window.resize(1200, 760);
    // By keyboard from the first field on: up and down choose, Tab goes on.
    await field('Title').getByLabel('Mine').check();
    await field('Notes').getByLabel('Both').check();
    await page.getByRole('button', { name: 'Apply' }).click();
    await until('what was chosen', timeoutMs, async () => (await edited()).title === 'Rye bread');
    const { description, priority } = await edited();
    assert.deepEqual({ description, priority }, { description: 'Open until six\n\nBaker next door', priority: 5 });
    await window.page
      .locator('.tab')
      .filter({ hasText: 'Conflict: ' })
      .waitFor({ state: 'detached', timeout: timeoutMs });
    await window.command('dueline.undo');
    await until('the server’s version', timeoutMs, async () => (await edited()).description === 'Open until six');
    assert.equal((await edited()).title, 'White bread');
  });

  it('is decided by keyboard, from right to left too', async () => {
    const set = (direction: string | undefined) =>
      window.run(async (vscode, direction) => {
        await vscode.workspace.getConfiguration().update('dueline.display.direction', direction, true);
      }, direction ?? 'auto');
    await set('rtl');
    const peer = new Peer(server, '/anna/errands/');
    await peer.makeList('Errands');
    await peer.put('milk', 'SUMMARY:milk');
    await connect(window, server, 'Home server');
    await collide(peer, 'milk');
    await window.press(/Which version do you want/, 'Compare');
    const page = await window.frame('html[dir=rtl] form', 'Your version was not sent');
    await page.locator('#field0-server:focus').waitFor({ timeout: timeoutMs });
    await window.pictures('conflict-page-rtl');
    await window.page.keyboard.press('ArrowUp');
    await window.page.keyboard.press('Enter');
    await until('my title', timeoutMs, async () => (await titles(window, '"milk here"')).length === 1);
    await set(undefined);
  });
});
