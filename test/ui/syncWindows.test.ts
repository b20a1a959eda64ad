import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Peer } from '../interop/support/peer';
import { PasswordFront } from '../page/support/edges';
import { accounts, titles } from './support/engine';
import { type Home, openHome } from './support/home';
import { until } from './support/wait';
import type { Window } from './support/window';

const timeoutMs = 60_000;

/** The shortest interval, its jitter, and a minute of silence, if one of them began before its window was hurried. */
const aPlannedRun = 150_000;

/** The minute between two runs, and what is random of it, pass in a tenth of the time. */
const shortenWaits = (window: Window) =>
  window.run(() => {
    const { setTimeout: after } = globalThis;
    const sooner = (work: () => void, ms = 0, ...args: []) =>
      after(work, ms >= 54_000 && ms <= 66_000 ? ms / 10 : ms, ...args);
    globalThis.setTimeout = Object.assign(sooner, after);
  });

describe('two windows of one user', () => {
  let home: Home<PasswordFront>;
  let front: PasswordFront;
  let peer: Peer;
  let first: Window;
  let second: Window;
  before(async () => {
    home = await openHome({
      front: server => PasswordFront.start(server, 'first'),
      fill: async peer => {
        await peer.makeList('Errands');
        await peer.put('bread', 'SUMMARY:Buy bread');
      },
      settings: { 'dueline.sync.intervalMinutes': 1, 'dueline.sync.onFocus': false },
    });
    ({ front, peer, window: first } = home);
    await first.view();
    await first.rows('Errands').first().waitFor({ timeout: timeoutMs });
    await shortenWaits(first);
    await until('the first window to lead', timeoutMs, () => leader() === first.host.pid);
    second = await home.session.openWindow(first.page.context());
    await shortenWaits(second);
    await second.view();
    await second.rows('Errands').first().waitFor({ timeout: timeoutMs });
  });
  after(() => home?.close());
  afterEach(function () {
    return second.tidy(this.currentTest);
  });

  /** The process that syncs by itself, by the lease in the store's folder. */
  const leader = (): number => {
    const folder = join(home.session.server.user, 'globalStorage/dueline.dueline/store');
    return JSON.parse(readFileSync(join(folder, 'sync.lease'), 'utf8')).pid;
  };
  const count = (window: Window) =>
    window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      const counted = globalThis as unknown as { runs: number };
      counted.runs = 0;
      api.syncing.onDidLog(({ text }: { text: string }) => {
        if (/^Account \d+: \d+ requests/.test(text)) counted.runs += 1;
      });
    });
  const runs = (window: Window) => window.run(() => (globalThis as unknown as { runs: number }).runs);

  it('share a new password: entered in one, it works in the other', async () => {
    front.password = 'second';
    await first.palette('Dueline: Sync Now');
    await first.rows('sign in again').first().waitFor({ timeout: timeoutMs });
    await second.rows('sign in again').first().waitFor({ timeout: timeoutMs });
    await first.palette('Dueline: Enter Password');
    await first.answer(/Enter your password/, 'second');
    await until('the account to be fine', timeoutMs, async () => (await accounts(first))[0]!.problem === 'none');
    await second.rows('sign in again').first().waitFor({ state: 'detached', timeout: timeoutMs });
    // The editor in a browser reads its secrets when a window loads; on a desktop they cross at once.
    await second.reload();
    await shortenWaits(second);
    await second.view();
    await peer.put('milk', 'SUMMARY:Buy milk');
    await count(second);
    await second.palette('Dueline: Sync Now');
    await until('the new task', timeoutMs, async () => (await titles(second, '"Buy milk"')).length === 1);
    assert.equal((await accounts(second))[0]!.error, null);
    // The run goes on for a moment after its last task; the next test counts runs.
    await until('the end of the run', timeoutMs, async () => (await runs(second)) > 0);
    await until('the new task next door', timeoutMs, async () => (await titles(first, '"Buy milk"')).length === 1);
  });

  it('sync automatically in only one of them, which hands over when it closes', async () => {
    await until('a leader', timeoutMs, () => leader() === first.host.pid);
    await count(first);
    await count(second);
    await peer.put('eggs', 'SUMMARY:Buy eggs');
    await until('a run that nobody asked for', aPlannedRun, async () => (await runs(first)) > 0);
    await until('the new task in both', timeoutMs, async () => (await titles(second, '"Buy eggs"')).length === 1);
    assert.equal(await runs(second), 0);

    await first.page.close();
    await until('the other window to lead', aPlannedRun, () => leader() === second.host.pid);
    await peer.put('salt', 'SUMMARY:Buy salt');
    await until('its first run', aPlannedRun, async () => (await runs(second)) > 0);
    await until('what it brought', timeoutMs, async () => (await titles(second, '"Buy salt"')).length === 1);
    await second.pictures('second-window');
  });
});
