import assert from 'node:assert/strict';
import { Session } from './support/driver';
import { until } from './support/wait';
import type { Window } from './support/window';

const timeoutMs = 60_000;

describe('the active task', () => {
  let work: Session;
  let window: Window;

  before(async () => {
    work = await Session.open({ theme: 'dark', size: { width: 1100, height: 760 } });
    window = work.window;
    await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      for (const title of ['Fix race', 'Write docs']) await api.createTask(api.lists()[0].id, { title });
    });
    await window.view();
    await window.expand('Inbox');
  });
  after(async () => {
    await work?.close();
  });
  afterEach(async function () {
    await window.tidy(this.currentTest);
  });

  const status = (one = window) => one.page.locator('.statusbar-item[id*="dueline.working"]');
  const shows = (text: RegExp, one = window) =>
    until(`${text} in the status bar`, timeoutMs, async () => text.test((await status(one).textContent()) ?? ''));
  const lines = (title: string): Promise<string> =>
    window.run(async (vscode, title) => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      const [row] = api.rows(api.lists()[0].id).filter((one: { title: string }) => one.title === title);
      return (row.unknownProperties ?? '') as string;
    }, title);
  const active = (one = window): Promise<string[]> =>
    one.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      return api.query('is:active').map(({ task }: { task: { title: string } }) => task.title);
    });
  /** Longer than a click that is taken back. */
  const work6s = () => window.page.waitForTimeout(6_000);

  it('is started from the menu, and its time is in the status bar', async () => {
    await window.context('Fix race', 'Status › Start Working on Task');
    await shows(/^.*Fix race.? 0:00/);
    assert.deepEqual(await active(), ['Fix race']);
    await window.pictures('working');
  });

  it('is one: starting another task writes the time of the first', async () => {
    await work6s();
    await window.context('Write docs', 'Status › Start Working on Task');
    await shows(/Write docs.? 0:00 \+1/);
    assert.deepEqual(await active(), ['Write docs']);
    await until('the time of the first', timeoutMs, async () => (await lines('Fix race')).includes('X-DUELINE-TIME'));
    assert.match(await lines('Fix race'), /X-DUELINE-TIME;V=1;REPO=[\da-f]{12}:\d{8}T\d{6}Z\/PT\d+S/);
    assert.equal(await lines('Write docs'), '');
  });

  it('is started and stopped from its page', async () => {
    const id = await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      return api.query('Fix race')[0].task.id as number;
    });
    await window.command('dueline.open', id);
    const page = await window.frame('dueline-task .head', '');
    await page.locator('button.menu').click();
    await window.menu('Status › Start Working on Task');
    await shows(/Fix race.? 0:00/);
    await window.command('workbench.action.closeAllEditors');
  });

  it('is the same in another window, and ends there', async () => {
    const other = await work.openWindow(window.page.context());
    await shows(/Fix race.? 0:00/, other);
    assert.deepEqual(await active(other), ['Fix race']);
    await work6s();
    await other.palette('Dueline: Stop Working on Task');
    await until('no active task', timeoutMs, async () => (await active()).length === 0);
    await shows(/Working on .?Write docs/);
    await until('two times', timeoutMs, async () => (await lines('Fix race')).split('X-DUELINE-TIME').length === 3);
    await other.page.close();
  });

  it('ends with the editor, and is offered again', async () => {
    await window.context('Write docs', 'Status › Start Working on Task');
    await shows(/Write docs.? 0:00/);
    await work6s();
    await window.reload();
    await shows(/Resume .?Write docs.?\?/);
    await window.pictures('working-offer');
    await until('the time', timeoutMs, async () => (await lines('Write docs')).includes('X-DUELINE-TIME'));
    assert.deepEqual(await active(), []);
    await status().locator('a').click();
    await shows(/Write docs.? 0:00/);
  });

  it('is in a report with its time', async () => {
    await window.choose('Dueline: Time Report', 'All Time');
    const text = await until('the report', timeoutMs, () =>
      window.run(vscode => vscode.window.activeTextEditor?.document.getText()),
    );
    assert.match(text, /^# .*All Time/);
    for (const heading of ['Tasks', 'Lists', 'Repositories', 'Weeks']) assert.match(text, new RegExp(`## ${heading}`));
    assert.match(text, /- 0:00 Fix race/);
    await window.pictures('working-report');
  });

  it('asks about the time in which nobody was there, and leaves it out where a person says so', async () => {
    const minute = 60_000;
    const before = (await lines('Write docs')).split('X-DUELINE-TIME').length;
    await window.run(async (vscode, minute) => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      const sidecar = await api.sidecar();
      const running = sidecar.get('work', 'running') as { start: number; seen: number };
      const now = Date.now();
      await sidecar.put('work', [['running', { ...running, start: now - 20 * minute, seen: now - 15 * minute }]]);
    }, minute);
    await window.page.mouse.click(600, 400);
    await window.press(/You were away for 15 minutes\. Count this time toward .?Write docs.?\?/, 'Discard');
    await until(
      'the time before',
      timeoutMs,
      async () => (await lines('Write docs')).split('X-DUELINE-TIME').length === before + 1,
    );
    assert.match(await lines('Write docs'), /\/PT5M/);
    await shows(/Write docs.? 0:00/);
    assert.deepEqual(await active(), ['Write docs']);
  });
});
