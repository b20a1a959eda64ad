import assert from 'node:assert/strict';
import { type Fault, FaultProxy } from '../interop/support/faultProxy';
import type { Server } from '../interop/support/servers';
import { accounts, titles } from './support/engine';
import { type Home, openHome } from './support/home';
import { until } from './support/wait';
import type { Window } from './support/window';

const timeoutMs = 60_000;
const many = 1_200;

describe('a sync on its way', () => {
  let home: Home<FaultProxy>;
  let server: Server;
  let proxy: FaultProxy;
  let window: Window;
  before(async () => {
    home = await openHome({
      front: server => FaultProxy.start(server.url),
      fill: peer =>
        peer.putAll(
          'Errands',
          Array.from({ length: many }, (_, at) => [`UID:${at}`, `SUMMARY:Errand ${at}`]),
        ),
      account: null,
    });
    ({ server, front: proxy, window } = home);
  });
  after(() => home?.close());
  afterEach(function () {
    return window.tidy(this.currentTest);
  });

  /** Lets tasks come in batches, each of which waits until the test opens the gate. */
  function gate(): { fault: FaultProxy['next']; open: () => void; reached: () => number } {
    let open = () => {};
    const opened = new Promise<void>(resolve => {
      open = resolve;
    });
    let reached = 0;
    const fault: Fault = async ({ body, forward, reply }) => {
      if (body.includes('calendar-query') && body.includes('calendar-data')) return reply({ status: 413 });
      if (!body.includes('calendar-multiget')) return reply(await forward());
      reached += 1;
      if (reached > 3) await opened;
      reply(await forward());
    };
    return { fault: method => (method === 'REPORT' ? fault : undefined), open: () => open(), reached: () => reached };
  }

  const status = () => window.page.locator('.part.statusbar');
  const count = async () => (await titles(window, 'Errand limit:5000')).length;

  it('shows how far a long first one is, in the status bar and with a way out, and ends at once when asked', async () => {
    const way = gate();
    proxy.next = way.fault;
    await window.choose('Dueline: Add CalDAV Account', 'Other CalDAV Server');
    await window.answer(/Enter the server address/, proxy.url);
    await window.answer(/Username/, server.username);
    await window.answer(/Enter your password/, server.password);
    await until('batches to come', timeoutMs, () => way.reached() > 3);
    await status()
      .getByText(/Syncing: .*Errands.*: [0-9,]+ of 1,200/)
      .first()
      .waitFor({ timeout: timeoutMs });
    await window.pictures('first-sync-status');
    // The centre takes what the status bar shows as well; only the notification can be cancelled.
    await window.notification(/Syncing.*Errands.*[1-9][0-9,]* of 1,200/);
    await window.pictures('first-sync');
    const entries = window.page.locator('.notification-toast, .notifications-center .notification-list-item');
    await entries.getByRole('button', { name: 'Cancel', exact: true }).first().click({ timeout: timeoutMs });
    await status()
      .getByText(/Syncing: /)
      .first()
      .waitFor({ state: 'detached', timeout: timeoutMs });
    const kept = await count();
    assert.ok(kept > 0 && kept < many, `${kept} tasks`);
    const notes = window.page.locator('.notifications-center .notification-list-item');
    assert.equal(await notes.filter({ hasText: /cancelled|could not be synced/ }).count(), 0);
    way.open();
  });

  it('goes on where it was broken off', async () => {
    const before = await count();
    let fetched = 0;
    const counting: Fault = async ({ body, forward, reply }) => {
      if (body.includes('calendar-multiget')) fetched += body.match(/<[^>]*href>/g)!.length / 2;
      reply(await forward());
    };
    proxy.next = method => (method === 'REPORT' ? counting : undefined);
    await window.palette('Dueline: Sync Now');
    await until('everything', timeoutMs, async () => (await count()) === many);
    assert.ok(fetched <= many - before + 1, `${fetched} fetched, ${before} were there`);
    await until('the end of the run', timeoutMs, async () => (await accounts(window))[0]!.error === null);
  });
});
