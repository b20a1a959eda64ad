import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workTimeOf } from '../../src/core/code/workTime';
import { dataFolderOf } from '../../src/dataFolder';
import { openTaskStore } from '../../src/store/taskStore';
import { Editor } from '../support/vscode/editor';
import { titles } from './support/home';
import { openTask } from './support/task';
import { clear, fill, taskNamed } from './support/widgets';

const minuteMs = 60_000;

describe('the active task', () => {
  let editor: Editor;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dueline-working-'));
    editor = await Editor.open({ folder });
  });
  after(async () => {
    await editor?.close();
    rmSync(folder, { recursive: true });
  });
  beforeEach(async () => {
    await editor.engine.working.stop();
    await clear(editor);
    await fill(
      editor,
      [],
      [
        { list: 'Inbox', title: 'Fix race' },
        { list: 'Inbox', title: 'Write docs' },
      ],
    );
    await editor.tree().expand('Inbox');
  });
  afterEach(async function () {
    await editor.tidy(this.currentTest);
    await editor.command('workbench.action.closeAllEditors');
  });

  const shows = (text: RegExp) =>
    editor.changes.until(`${text} in the status bar`, () => text.test(editor.status('dueline.working') ?? ''));
  const lines = (title: string) => taskNamed(editor, title)?.unknownProperties ?? '';
  const active = () => editor.engine.query('is:active').map(({ task }) => task.title);
  const start = async (title: string) => {
    await editor.context(title, 'Status › Start Working on Task');
    await shows(new RegExp(`${title}.? 0:00`));
  };
  /** Longer than a click that is taken back. */
  const pass = (ms = 6_000) => {
    editor.clock.time += ms;
  };

  it('is started from the menu, and its time is in the status bar', async () => {
    await start('Fix race');
    await shows(/^.*Fix race.? 0:00/);
    assert.deepEqual(active(), ['Fix race']);
  });

  it('is only one: starting another task records the time of the first', async () => {
    await start('Fix race');
    pass();
    await editor.context('Write docs', 'Status › Start Working on Task');
    await shows(/Write docs.? 0:00 \+1/);
    assert.deepEqual(active(), ['Write docs']);
    await editor.changes.until('the time of the first', () => lines('Fix race').includes('X-DUELINE-TIME'));
    assert.match(lines('Fix race'), /X-DUELINE-TIME;V=1;REPO=[\da-f]{12}:\d{8}T\d{6}Z\/PT6S/);
    assert.equal(lines('Write docs'), '');
    await editor.command('dueline.undo');
    await editor.changes.until('no active task', () => active().length === 0);
    assert.equal(taskNamed(editor, 'Write docs')!.status, 0);
    assert.match(lines('Fix race'), /X-DUELINE-TIME/);
  });

  it('goes on if the start of another task is refused', async () => {
    const { engine, clock, storage } = editor;
    const theirs = await engine.createList({ name: 'Theirs' });
    const task = await engine.createTask(theirs, { title: 'Of others' });
    await start('Fix race');
    pass();
    const store = await openTaskStore({ folder: dataFolderOf(storage), clock });
    await store.edit({ origin: 'sync' }, tx => tx.updateList(theirs, { isReadOnly: true }));
    await engine.refresh();
    await editor.command('dueline.start', task);
    await editor.notices.notification(/permission to edit/);
    assert.deepEqual([active(), lines('Fix race')], [['Fix race'], '']);
    await store.edit({ origin: 'sync' }, tx => tx.deleteList(theirs));
    await store.close();
    await engine.refresh();
  });

  it('is started and stopped from its page', async () => {
    const page = await openTask(editor, taskNamed(editor, 'Fix race')!.id);
    const menu = page.locator('dueline-task .head button.menu');
    await menu.click();
    await editor.menus.choose('Status › Start Working on Task');
    await shows(/Fix race.? 0:00/);
    await menu.click();
    await editor.menus.choose('Status › Stop Working on Task');
    await editor.changes.until('no active task', () => active().length === 0);
  });

  it('ends with the editor, and is offered again', async () => {
    await start('Write docs');
    pass();
    await editor.reload(10 * minuteMs);
    await shows(/Resume .?Write docs.?\?/);
    await editor.changes.until('the time', () => lines('Write docs').includes('X-DUELINE-TIME'));
    assert.deepEqual(active(), []);
    await editor.press('dueline.working', /Resume/);
    await shows(/Write docs.? 0:00/);
  });

  it('is the same in another window, and is stopped there', async () => {
    const other = await Editor.open({ besides: editor });
    try {
      await editor.context('Write docs', 'Status › Start Working on Task');
      await shows(/Write docs.? 0:00/);
      await editor.context('Fix race', 'Status › Start Working on Task');
      await shows(/Fix race.? 0:00 \+1/);
      const statusHas = (text: RegExp) => text.test(other.status('dueline.working') ?? '');
      await other.changes.until('the task in the other window', () => statusHas(/Fix race.? 0:00/));
      assert.deepEqual(titles(other, 'is:active'), ['Fix race']);
      pass();
      void other.palette('Dueline: Stop Working on Task');
      await editor.changes.until('no active task', () => active().length === 0);
      await shows(/In progress: .?Write docs/);
      await editor.changes.until('its time', () => lines('Fix race').split('X-DUELINE-TIME').length === 2);
    } finally {
      await other.close();
    }
  });

  it('appears in a report with its time', async () => {
    await start('Fix race');
    pass();
    await editor.engine.working.stop();
    void editor.palette('Dueline: Time Report');
    await editor.questions.pick('All Time');
    await editor.changes.until('the report', () => editor.tabs.texts.some(text => text.startsWith('# ')));
    const text = editor.tabs.texts.find(one => one.startsWith('# '))!;
    assert.match(text, /^# .*All Time/);
    for (const heading of ['Tasks', 'Lists', 'Repositories', 'Weeks']) assert.match(text, new RegExp(`## ${heading}`));
    assert.match(text, /- 0:00 Fix race \(dl-[a-z0-9]+\)/);
    assert.doesNotMatch(text, /## Days/);
    await editor.engine.updateTask(taskNamed(editor, 'Fix race')!.id, { title: 'Fix the race' });
    await editor.changes.until('the new title', () => editor.tabs.texts.some(one => /- 0:00 Fix the race/.test(one)));
    void editor.palette('Dueline: Time Report');
    await editor.questions.pick('This Week');
    await editor.changes.until('the days', () => editor.tabs.texts.some(one => one.includes('## Days')));
  });

  it('is in a report as it is when the report appears, although it changed while that was read', async () => {
    const { engine } = editor;
    await start('Fix race');
    pass();
    await engine.working.stop();
    const { sidecar } = engine;
    let goOn = () => {};
    const held = new Promise<void>(resolve => {
      goOn = resolve;
    });
    let isAsked = false;
    engine.sidecar = async () => {
      isAsked = true;
      await held;
      return sidecar();
    };
    void editor.palette('Dueline: Time Report');
    await editor.questions.pick('All Time');
    await editor.changes.until('the question', () => isAsked);
    engine.sidecar = sidecar;
    await engine.updateTask(taskNamed(editor, 'Fix race')!.id, { title: 'Fix the race' });
    goOn();
    await editor.changes.until('the report', () => editor.tabs.texts.some(text => text.startsWith('# ')));
    const text = editor.tabs.texts.find(one => one.startsWith('# '))!;
    assert.match(text, /- 0:00 Fix the race/);
  });

  it('is in a report in Arabic without the marks of right-to-left text, which the editor would draw', async () => {
    editor.settings.update('dueline.display.language', 'ar');
    await start('Fix race');
    pass();
    await editor.engine.working.stop();
    void editor.palette('Dueline: Time Report');
    await editor.questions.pick('هذا الأسبوع');
    await editor.changes.until('the report', () => editor.tabs.texts.some(text => /^# .*هذا الأسبوع/.test(text)));
    const text = editor.tabs.texts.find(one => /هذا الأسبوع/.test(one))!;
    assert.doesNotMatch(text, /[\u2066-\u2069]/);
    editor.settings.update('dueline.display.language', undefined);
  });

  it('can be corrected, added to and removed in Quick Add’s words, each with undo', async () => {
    const { questions } = editor;
    const edit = async (row: string, text: string) => {
      await editor.context('Fix race', 'Status › Edit Time…');
      await questions.pick(row);
      await questions.answer('Start and end', text);
    };
    const total = () => workTimeOf(taskNamed(editor, 'Fix race')!).ms / minuteMs;
    await edit('Add Time…', '2026-11-20 9:00 to 10:30');
    await editor.changes.until('the time', () => total() === 90);
    await editor.context('Fix race', 'Status › Edit Time…');
    await questions.pick('2026-11-20 09:00 - 10:30');
    await questions.asked('Start and end');
    assert.equal(questions.current?.value, '2026-11-20 09:00 - 10:30');
    questions.type('2026-11-20 09:00 - 11:00');
    questions.accept();
    await editor.changes.until('the corrected time', () => total() === 120);
    await editor.command('dueline.undo');
    await editor.changes.until('the time before', () => total() === 90);
    await edit('2026-11-20 09:00 - 10:30', '');
    await editor.changes.until('no time', () => total() === 0);
    await editor.context('Fix race', 'Status › Edit Time…');
    await questions.pick('Add Time…');
    await questions.asked('Start and end');
    questions.type('2026-11-20 10:30 to 9:00');
    await questions.asked('2026-11-20 10:30 - 2026-11-21 09:00 · 22:30');
    questions.escape();
  });

  it('can have its time corrected after it is completed', async () => {
    editor.settings.update('dueline.tree.showCompleted', true);
    await editor.engine.completeTask(taskNamed(editor, 'Fix race')!.id);
    await editor.changes.until('its tick', () => editor.tree().find('Fix race')?.isChecked === true);
    await editor.context('Fix race', 'Edit Time…');
    await editor.questions.pick('Add Time…');
    await editor.questions.answer('Start and end', '2026-11-20 9:00 to 10:30');
    await editor.changes.until('the time', () => workTimeOf(taskNamed(editor, 'Fix race')!).ms === 90 * minuteMs);
    assert.equal(taskNamed(editor, 'Fix race')!.status, 2);
    editor.settings.reset();
  });

  it('is exported from the report, as a file of comma-separated values', async () => {
    await start('Fix race');
    pass();
    await editor.engine.working.stop();
    const folder = mkdtempSync(join(tmpdir(), 'dueline-time-'));
    const file = join(folder, 'time.csv');
    editor.notices.chosenFiles.push(editor.api.Uri.file(file));
    void editor.palette('Dueline: Time Report');
    await editor.questions.pick('Export Time as CSV…', 'Time Report');
    await editor.questions.pick('All Time', 'Export Time as CSV');
    await editor.notices.notification(/Exported to .time\.csv/);
    const [heads, ...entries] = readFileSync(file, 'utf8').trim().split('\r\n');
    assert.equal(heads, 'start,end,minutes,title,id,list,repository');
    assert.ok(
      entries.some(entry => /,Fix race,dl-/.test(entry)),
      entries.join('\n'),
    );
    rmSync(folder, { recursive: true });
  });

  it('asks about the time in which nobody was there, and subtracts it if the user chooses that', async () => {
    await start('Write docs');
    pass(5 * minuteMs);
    await editor.engine.working.reportPresence(true);
    pass(15 * minuteMs);
    editor.setFocused(true);
    await editor.notices.press(/You were away for 15 minutes\. Count this time toward .?Write docs.?\?/, 'Discard');
    await editor.changes.until('the time before', () => lines('Write docs').split('X-DUELINE-TIME').length === 2);
    assert.match(lines('Write docs'), /\/PT5M/);
    await shows(/Write docs.? 0:00/);
    assert.deepEqual(active(), ['Write docs']);
  });
});
