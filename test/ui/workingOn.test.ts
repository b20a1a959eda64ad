import assert from 'node:assert/strict';
import type { Session } from './support/driver';
import { titles } from './support/engine';
import { sharedSession } from './support/shared';
import { until } from './support/wait';
import type { Window } from './support/window';

const timeoutMs = 60_000;

describe('the active task', () => {
  let work: Session;
  let window: Window;

  before(async () => {
    work = await sharedSession({ theme: 'dark', size: { width: 1100, height: 760 } });
    window = work.window;
    await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      for (const title of ['Fix race', 'Write docs']) await api.createTask(api.lists()[0].id, { title });
    });
    await window.view();
    await window.expand('Inbox');
  });
  afterEach(async function () {
    await window.tidy(this.currentTest);
  });

  const shows = (text: RegExp, { page }: Window) =>
    page.locator('.statusbar-item[id*="dueline.working"]').filter({ hasText: text }).waitFor({ timeout: timeoutMs });
  const active = (one: Window) => titles(one, 'is:active');
  const lines = () =>
    window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      const [row] = api.rows(api.lists()[0].id).filter((one: { title: string }) => one.title === 'Fix race');
      return (row.unknownProperties ?? '') as string;
    });
  /** Long enough to be no click that is taken back. */
  const beginEarlier = () =>
    window.run(async vscode => {
      const sidecar = await vscode.extensions.getExtension('dueline.dueline')!.exports.sidecar();
      const running = sidecar.get('work', 'running') as { start: number };
      await sidecar.put('work', [['running', { ...running, start: running.start - 6_000 }]]);
    });

  it('is the same in another window, and ends there', async () => {
    await window.context('Write docs', 'Status › Start Working on Task');
    await shows(/Write docs.? 0:00/, window);
    await window.context('Fix race', 'Status › Start Working on Task');
    await shows(/Fix race.? 0:00 \+1/, window);
    const other = await work.openWindow(window.page.context());
    await shows(/Fix race.? 0:00/, other);
    assert.deepEqual(await active(other), ['Fix race']);
    await beginEarlier();
    await other.palette('Dueline: Stop Working on Task');
    await until('no active task', timeoutMs, async () => (await active(window)).length === 0);
    await shows(/Working on .?Write docs/, window);
    await until('its time', timeoutMs, async () => (await lines()).split('X-DUELINE-TIME').length === 2);
    await other.page.close();
  });
});
