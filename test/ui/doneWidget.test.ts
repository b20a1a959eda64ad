import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { axe } from './support/axe';
import { Session } from './support/driver';
import { until } from './support/wait';
import { clear, fill, openWidget, rowsOf, taskNamed } from './support/widgetPages';
import type { Window } from './support/window';

const timeoutMs = 20_000;
const dayMs = 86_400_000;

/** What was done: the widget of a year, the text for a standup, and the walk through what is left. */
describe('looking back', () => {
  let session: Session;
  let window: Window;
  before(async () => {
    const settings = { 'dueline.recurrence.onComplete': 'advance', 'dueline.week.firstDay': 'monday' };
    session = await Session.open({ theme: 'dark', size: { width: 1100, height: 800 }, settings });
    window = session.window;
    await window.command('workbench.action.closeSidebar');
  });
  after(() => session?.close());
  beforeEach(async () => {
    await window.resize(1100, 800);
    await clear(window);
    await fill(
      window,
      ['Work'],
      [
        { list: 'Work', title: 'Just done', day: 0 },
        { list: 'Work', title: 'Water plants', day: 0, rrule: 'FREQ=DAILY' },
        { list: 'Work', title: 'Still open', day: 0 },
      ],
    );
    await doneBefore('Some weeks ago', 10);
    await doneBefore('Last winter', 200);
    for (const title of ['Just done', 'Water plants'])
      await window.command('dueline.complete', (await taskNamed(window, title))!.id);
  });
  afterEach(function () {
    return window.tidy(this.currentTest);
  });

  const doneBefore = (title: string, days: number) => {
    const stamp = new Date(Date.now() - days * dayMs).toISOString().replace(/[-:]|\.\d+/g, '');
    const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', 'BEGIN:VTODO', `UID:${title}${Date.now()}`];
    const ics = [
      ...lines,
      `SUMMARY:${title}`,
      'STATUS:COMPLETED',
      `COMPLETED:${stamp}`,
      'END:VTODO',
      'END:VCALENDAR',
      '',
    ];
    return window.run(async (vscode, ics) => {
      const api = await vscode.extensions.getExtension('dueline.dueline')?.activate();
      const work = api.lists().find((list: { name: string }) => list.name === 'Work');
      await api.importTasks('ics', ics, work.id);
    }, ics.join('\r\n'));
  };
  const marks = (page: Frame) => page.locator('.done-map .mark:not([data-level="0"])');

  it('Done has a mark for each day of 53 weeks, the same as a table, and the tasks of the last four weeks', async () => {
    const page = await openWidget(window, 'done', 'Just done');
    await rowsOf(page, 'Water plants').first().waitFor();
    await rowsOf(page, 'Some weeks ago').waitFor();
    assert.equal(await rowsOf(page, 'Last winter').count(), 0);
    assert.equal(await rowsOf(page, 'Still open').count(), 0);
    const days = await page.locator('.done-map .mark').count();
    assert.ok(days > 52 * 7 && days <= 53 * 7, `${days} days`);
    assert.equal(await marks(page).count(), 3);
    assert.equal(await page.locator('.done-map tbody tr').count(), 53);
    assert.equal(await page.locator('.done-map thead th').count(), 7);
    const counts = (await page.locator('.done-map tbody td').allTextContents()).map(Number);
    assert.equal(counts.length, days);
    assert.deepEqual(
      counts.filter(count => count > 0),
      [1, 1, 2],
    );
    await page.getByRole('region', { name: '4 tasks completed in the last year' }).waitFor();
    assert.deepEqual(await axe(page), []);
    await window.pictures('done-widget');
  });

  it('Done follows: a task is reopened from it, and what a series has moved on from is taken back by Undo', async () => {
    const page = await openWidget(window, 'done', 'Just done');
    await rowsOf(page, 'Water plants').first().waitFor();
    await rowsOf(page, 'Just done').locator('.check').click();
    await rowsOf(page, 'Just done').waitFor({ state: 'detached' });
    await page.getByRole('region', { name: '3 tasks completed in the last year' }).waitFor();
    assert.equal((await taskNamed(window, 'Just done'))?.status, 0);
    await window.command('dueline.undo');
    await window.command('dueline.undo');
    await rowsOf(page, 'Water plants').waitFor({ state: 'detached' });
    await page.getByRole('region', { name: '3 tasks completed in the last year' }).waitFor();
  });

  it('Done has room for the last weeks where it is narrow, in high contrast and from right to left', async () => {
    await window.resize(420, 700);
    const page = await openWidget(window, 'done', 'Just done');
    assert.equal(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'), 0);
    const last = await marks(page).last().boundingBox();
    assert.ok(last && last.x > 0 && last.x < 420);
    await window.theme('hc');
    assert.deepEqual(await axe(page), []);
    await window.picture('done-widget-narrow-hc');
    await window.theme('dark');
  });

  it('Copy Standup copies what is done, for today and blocked', async () => {
    await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')?.activate();
      const [a, b] = ['Still open', 'Blocked one'];
      const work = api.lists().find((list: { name: string }) => list.name === 'Work');
      const id = await api.createTask(work.id, { title: b });
      const on = api
        .rows(work.id)
        .find((row: { title: string; isDeleted: boolean }) => row.title === a && !row.isDeleted);
      await api.apply([{ type: 'blockers', id, add: [on.id] }]);
    });
    await window.palette('Copy Standup');
    const copied = () => window.run(vscode => vscode.env.clipboard.readText()) as Promise<string>;
    await until('the standup', timeoutMs, async () => (await copied()).includes('**Today**'));
    const [, today, blocked] = (await copied()).split(/\*\*(?:Today|Blocked)\*\*/);
    assert.match(today!, /- \[x\] Just done/);
    assert.match(today!, /- \[x\] Water plants/);
    assert.match(today!, /- \[ \] Still open/);
    assert.match(blocked!, /- \[ \] Blocked one, after Still open/);
  });

  it('Weekly Review goes from step to step, into the actions of a task, and back', async () => {
    const title = window.quickInput.locator('.quick-input-title');
    const at = (words: RegExp) =>
      until(`the step ${words}`, timeoutMs, async () => words.test((await title.textContent()) ?? ''));
    await window.palette('Weekly Review');
    await at(/Weekly Review: .*Inbox.*0 tasks/);
    await window.page.keyboard.press('Enter');
    await at(/Not changed for 30 days/);
    await window.page.keyboard.press('Enter');
    await at(/Waiting/);
    await window.page.keyboard.press('Enter');
    await at(/No Date/);
    await window.quickInput.getByRole('button', { name: 'Back' }).click();
    await at(/Waiting/);
    await window.page.keyboard.press('Escape');
    await window.quickInput.waitFor({ state: 'hidden' });
    await window.palette('Weekly Review');
    await at(/Waiting/);
    for (const words of [/No Date/, /Overdue/]) {
      await window.page.keyboard.press('Enter');
      await at(words);
    }
    await window.picture('weekly-review');
    await window.page.keyboard.press('Enter');
    await window.quickInput.waitFor({ state: 'hidden' });
  });
});
