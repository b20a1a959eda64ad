import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { Editor } from '../support/vscode/editor';
import { axe } from './support/axe';
import { clear, fill, openWidget, rowsOf, taskNamed } from './support/widgets';

const dayMs = 86_400_000;

/** Completed tasks: the widget of a year, the text for a standup, and the walk through the tasks that are left. */
describe('looking back', () => {
  let editor: Editor;
  /** UIDs are never used again. */
  let count = 0;
  before(async () => {
    const settings = { 'dueline.recurrence.onComplete': 'advance', 'dueline.week.firstDay': 'monday' };
    editor = await Editor.open({ size: { width: 1100, height: 800 }, settings });
  });
  after(() => editor?.close());
  beforeEach(async () => {
    await editor.resize(1100, 800);
    await clear(editor);
    await fill(
      editor,
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
      await editor.command('dueline.complete', taskNamed(editor, title)!.id);
  });
  afterEach(function () {
    return editor.tidy(this.currentTest);
  });

  const workId = () => editor.engine.lists().find(({ name }) => name === 'Work')!.id;
  const doneBefore = (title: string, days: number) => {
    const stamp = new Date(editor.clock.now() - days * dayMs).toISOString().replace(/[-:]|\.\d+/g, '');
    const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', 'BEGIN:VTODO', `UID:${title}${++count}`];
    const ics = [
      ...lines,
      `SUMMARY:${title}`,
      'STATUS:COMPLETED',
      `COMPLETED:${stamp}`,
      'END:VTODO',
      'END:VCALENDAR',
      '',
    ];
    return editor.engine.importTasks('ics', ics.join('\r\n'), workId());
  };
  const marks = (page: Frame) => page.locator('.done-map .mark:not([data-level="0"])');

  it('Done has a mark for each day of 53 weeks, the same as a table, and the tasks of the last four weeks', async () => {
    const page = await openWidget(editor, 'done', 'Just done');
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
  });

  it('Done is up to date: a task is reopened from it, and undo removes past dates of a series', async () => {
    const page = await openWidget(editor, 'done', 'Just done');
    await rowsOf(page, 'Water plants').first().waitFor();
    await rowsOf(page, 'Just done').locator('.check').click();
    await rowsOf(page, 'Just done').waitFor({ state: 'detached' });
    await page.getByRole('region', { name: '3 tasks completed in the last year' }).waitFor();
    assert.equal(taskNamed(editor, 'Just done')?.status, 0);
    await editor.command('dueline.undo');
    await editor.command('dueline.undo');
    await rowsOf(page, 'Water plants').waitFor({ state: 'detached' });
    await page.getByRole('region', { name: '3 tasks completed in the last year' }).waitFor();
  });

  it('Done shows fewer weeks if it is narrow, in high contrast and from right to left', async () => {
    await editor.resize(359, 700);
    const page = await openWidget(editor, 'done', 'Just done');
    assert.equal(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'), 0);
    const last = await marks(page).last().boundingBox();
    assert.ok(last && last.x > 0 && last.x < 359);
    await editor.theme('hc');
    assert.deepEqual(await axe(page), []);
    await editor.theme('dark');
  });

  it('Copy Standup copies what was done, what is for today and what is blocked', async () => {
    const id = await editor.engine.createTask(workId(), { title: 'Blocked one' });
    await editor.engine.apply([{ type: 'blockers', id, add: [taskNamed(editor, 'Still open')!.id] }]);
    editor.palette('Dueline: Copy Standup');
    await editor.changes.until('the standup', () => editor.clipboard.includes('**Today**'));
    const [, today, blocked] = editor.clipboard.split(/\*\*(?:Today|Blocked)\*\*/);
    assert.match(today!, /- \[x\] Just done/);
    assert.match(today!, /- \[x\] Water plants/);
    assert.match(today!, /- \[ \] Still open/);
    assert.match(blocked!, /- \[ \] Blocked one, after Still open/);
  });

  it('Weekly Review goes from step to step, into the actions of a task, and back', async () => {
    const { questions } = editor;
    const at = (words: RegExp) =>
      editor.changes.until(`the step ${words}`, () => words.test(questions.current?.title ?? ''));
    editor.palette('Dueline: Weekly Review');
    await at(/Weekly Review: .*Inbox.*0 tasks/);
    questions.accept();
    await at(/Not changed for 30 days/);
    questions.accept();
    await at(/Waiting/);
    questions.accept();
    await at(/No Date/);
    await questions.press('Back');
    await at(/Waiting/);
    questions.escape();
    assert.equal(questions.current, undefined);
    editor.palette('Dueline: Weekly Review');
    await at(/Waiting/);
    for (const words of [/No Date/, /Overdue/]) {
      questions.accept();
      await at(words);
    }
    questions.accept();
    await editor.changes.until('the end of the review', () => questions.current === undefined);
  });
});
