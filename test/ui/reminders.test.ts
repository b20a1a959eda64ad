import assert from 'node:assert/strict';
import { packageOnce } from '../../scripts/package/once';
import type { Session } from './support/driver';
import { sharedSession } from './support/shared';
import { until } from './support/wait';
import type { Window } from './support/window';

const timeoutMs = 60_000;

/** The window that people have, with real toasts. */
describe('reminders in the window', () => {
  let session: Session;
  let window: Window;
  before(async () => {
    session = await sharedSession(
      {
        theme: 'dark',
        size: { width: 1100, height: 1000 },
      },
      await packageOnce('full'),
    );
    window = session.window;
    await window.view();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window.shot(`failed-${this.currentTest.title.slice(0, 40)}`);
  });

  /** Adds tasks with a reminder that are due in the given number of milliseconds. */
  const due = (ms: number, ...titles: string[]) =>
    window.run(
      async (vscode, ms, titles) => {
        const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
        const [list] = api.lists();
        const at = Date.now() + ms;
        const input = { due: at, timezone: 'UTC', alarms: [{ minutesBefore: 0 }] };
        return api.apply(
          titles.map(title => ({ type: 'create', listId: list.id, input: { ...input, title } })),
        ) as Promise<number[]>;
      },
      ms,
      titles,
    );
  const found = (query: string) =>
    window.run(async (vscode, query) => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      return api.query(query).map((found: { task: { title: string } }) => found.task.title) as string[];
    }, query);
  const complete = (...titles: string[]) =>
    window.run(async (vscode, titles) => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      for (const title of titles)
        for (const { task } of api.query(`is:open "${title}"`)) await api.completeTask(task.id);
    }, titles);
  const toasts = (text: string) => window.page.locator('.notification-toast').filter({ hasText: text });
  /** A link of a toast; they are in the place of buttons. */
  const link = (text: string, name: string) => toasts(text).locator('a').filter({ hasText: name });
  const bell = () => window.page.locator('.statusbar-item[id*="dueline.reminders"]');
  const waiting = () =>
    bell()
      .first()
      .textContent({ timeout: 1000 })
      .then(text => Number((text ?? '').trim() || 0))
      .catch(() => 0);
  const settles = (count: number) => until(`${count} waiting`, timeoutMs, async () => (await waiting()) === count);

  it('appear as a toast, from which the task is completed', async () => {
    await due(3000, 'Water the ferns');
    await toasts('Water the ferns').waitFor({ timeout: timeoutMs });
    await settles(1);
    const words = await toasts('Water the ferns').locator('.notification-list-item-message').textContent();
    assert.match(words ?? '', /^Reminder: .*Water the ferns/);
    assert.match((await bell().first().getAttribute('class')) ?? '', /warning-kind/);
    await window.pictures('reminder-one');
    await window.picture('reminder-one');
    await link('Water the ferns', 'Complete').click();
    await until('completion', timeoutMs, async () => (await found('is:done "Water the ferns"')).length === 1);
    await settles(0);
  });

  it('stay as a toast until they are answered, here or elsewhere', async () => {
    await due(1500, 'Feed the fish', 'Air the room');
    await toasts('2 reminders').waitFor({ timeout: timeoutMs });
    // VS Code hides a message with buttons after ten seconds.
    await window.page.waitForTimeout(14_000);
    assert.equal(await toasts('2 reminders').count(), 1);
    await complete('Feed the fish');
    await toasts('Reminder: ').filter({ hasText: 'Air the room' }).waitFor({ timeout: timeoutMs });
    await complete('Air the room');
    await until('no toast', timeoutMs, async () => (await toasts('').count()) === 0);
    await due(1500, 'Shut the window');
    await toasts('Shut the window').waitFor({ timeout: timeoutMs });
    // VS Code 1.90 has its own word for the button.
    await toasts('Shut the window')
      .getByRole('button', { name: /^(Dismiss|Cancel)$/ })
      .click();
    await settles(0);
    assert.equal(await toasts('').count(), 0);
    await complete('Shut the window');
  });

  it('wait silently during a debug session, and are shown once it has ended', async () => {
    const isOver = () => window.run(vscode => vscode.debug.activeDebugSession === undefined);
    await window.run(async vscode => {
      await vscode.debug.startDebugging(undefined, { type: 'bridge', request: 'launch', name: 'Idle' });
    });
    await until('the program to run', timeoutMs, async () => !(await isOver()));
    await due(1000, 'Not now');
    await settles(1);
    assert.equal(await toasts('Not now').count(), 0);
    await window.palette('Debug: Stop');
    await until('the program to end', timeoutMs, isOver);
    await toasts('Not now').waitFor({ timeout: timeoutMs });
    await link('Not now', 'Complete').click();
    await settles(0);
  });
});
