import assert from 'node:assert/strict';
import type { Task } from '../../src/core/kernel/model';
import { hasWords } from '../support/vscode/changes';
import { Editor } from '../support/vscode/editor';
import { becomes, clear, taskNamed } from './support/widgets';

const dayMs = 86_400_000;

/** A day's work in the Lists tree, by mouse and by keyboard alone. */
describe('the Lists tree in the window', () => {
  let editor: Editor;
  before(async () => {
    editor = await Editor.open({ timeZone: 'Europe/Berlin' });
  });
  after(() => editor?.close());
  beforeEach(async () => {
    editor.settings.reset();
    const { engine } = editor;
    await clear(editor);
    for (const { id, name } of engine.lists()) if (name !== 'Inbox') await engine.deleteList(id);
    await tree().gone('Errands');
    await editor.changes.until('a tree without tasks', () => !titles.some(title => tree().find(title)));
    const inbox = engine.lists()[0]!.id;
    for (const title of ['Alpha', 'Bravo', 'Charlie', 'Delta']) await engine.createTask(inbox, { title });
    await engine.createList({ name: 'Errands' });
    const today = Math.floor(editor.clock.now() / dayMs) * dayMs;
    const days = await engine.createList({ name: 'Days' });
    await engine.createTask(days, { title: 'On this day', due: today, isAllDay: true });
    await engine.createTask(days, { title: 'On the next', due: today + dayMs, isAllDay: true });
    await tree().expand('Inbox');
    for (const title of ['Alpha', 'Bravo', 'Charlie', 'Delta', 'Days']) await tree().row(title);
  });
  afterEach(function () {
    return editor.tidy(this.currentTest);
  });

  const titles = ['Alpha', 'Bravo', 'Charlie', 'Delta', 'Foxtrot', 'Golf', 'Hotel', 'On this day', 'On the next'];
  const tree = () => editor.tree();
  const row = (title: string) => tree().row(title);
  const until = <T>(subject: string, check: () => T | undefined | false) => editor.changes.until(subject, check);
  /** The titles below a list, in the order of the screen. */
  const shown = (...rows: string[]) =>
    tree().rows.flatMap(({ label }) => rows.find(title => label.includes(title)) ?? []);
  const isShown = (...expected: string[]) =>
    until(`the order ${expected}`, () => shown(...expected).join() === expected.join());
  const task = (title: string) => taskNamed(editor, title);
  const is = (title: string, part: Partial<Task>) => becomes(editor, title, part);
  const isBelow = (title: string, parent: string | null) =>
    is(title, { parentId: parent === null ? null : task(parent)!.id });
  const listOf = (title: string) => editor.engine.lists().find(({ id }) => id === task(title)?.listId)?.name;
  const isIn = (title: string, list: string) => until(`${title} in ${list}`, () => listOf(title) === list);
  const goTo = (title: string) => tree().focusRow(title);
  const drag = (from: string, to: string | RegExp) => tree().drag([from], to);
  const statusHas = (words: RegExp) =>
    until(`the words ${words}`, () => hasWords(editor.status('dueline.undo'), words));
  const pressUndo = (words: RegExp) => editor.press('dueline.undo', words);
  const undo = () => editor.command('dueline.undo');
  const hasFocus = (title: string, level?: number) =>
    until(`the focus on ${title}`, () => {
      const { focused } = tree();
      return hasWords(focused?.label, title) && (level === undefined || focused?.level === level - 1);
    });

  it('reopens a task whose box is unticked while the tick is still being written', async () => {
    const changes: number[] = [];
    const listening = editor.engine.onDidChange(({ tasks }) => tasks.length > 0 && changes.push(tasks[0]!));
    try {
      await tree().tick('Alpha', true);
      await tree().tick('Alpha', false);
      await until('both changes', () => changes.length >= 2);
      await is('Alpha', { status: 0 });
    } finally {
      listening.dispose();
    }
  });

  it('moves a task above the one it is dropped on, announces it and offers to undo it', async () => {
    await isShown('Alpha', 'Bravo', 'Charlie');
    await drag('Charlie', 'Alpha');
    await until('the new order', () => shown('Alpha', 'Bravo', 'Charlie').join() === 'Charlie,Alpha,Bravo');
    await isBelow('Charlie', null);
    await pressUndo(/Moved .Charlie. above .Alpha. · Undo/);
    await until('the old order', () => shown('Alpha', 'Bravo', 'Charlie').join() === 'Alpha,Bravo,Charlie');
  });

  it('makes a dropped task a subtask if that is set, and undo restores it', async () => {
    editor.settings.update('dueline.tree.dropOnTask', 'subtask');
    await drag('Bravo', 'Alpha');
    await isBelow('Bravo', 'Alpha');
    await pressUndo(/Made .Bravo. a subtask of .Alpha. · Undo/);
    await isBelow('Bravo', null);
  });

  it('announces that a task dropped next to a subtask becomes one', async () => {
    await goTo('Bravo');
    editor.key('ctrl+]');
    await isBelow('Bravo', 'Alpha');
    await hasFocus('Bravo', 3);
    await drag('Charlie', 'Bravo');
    await isBelow('Charlie', 'Alpha');
    await statusHas(/Made .Charlie. a subtask of .Alpha., above .Bravo. · Undo/);
    for (const _ of ['the drop', 'the key']) await undo();
    await isBelow('Bravo', null);
    await isBelow('Charlie', null);
  });

  it('moves a task into another list by drag', async () => {
    await drag('Delta', 'Errands');
    await isIn('Delta', 'Errands');
    await tree().gone('Delta');
  });

  it('moves by keyboard alone: up, down, below, out', async () => {
    await goTo('Charlie');
    editor.key('alt+up');
    await until('one up', () => shown('Alpha', 'Bravo', 'Charlie').join() === 'Alpha,Charlie,Bravo');
    await hasFocus('Charlie');
    await statusHas(/Moved .Charlie. above .Bravo. · Undo/);
    editor.key('alt+down');
    await until('one down', () => shown('Alpha', 'Bravo', 'Charlie').join() === 'Alpha,Bravo,Charlie');
    editor.key('ctrl+]');
    await isBelow('Charlie', 'Bravo');
    await undo();
    await isBelow('Charlie', null);
  });

  it('shows what is moved below or out of a collapsed task, with the focus on it', async () => {
    await goTo('Charlie');
    editor.key('ctrl+]');
    await isBelow('Charlie', 'Bravo');
    await hasFocus('Charlie', 3);
    await tree().collapse('Bravo');
    await tree().gone('Charlie');
    // Into a parent that is folded again.
    await goTo('Bravo');
    editor.key('ctrl+]');
    await isBelow('Bravo', 'Alpha');
    await hasFocus('Bravo', 3);
    editor.key('ctrl+[');
    await isBelow('Bravo', null);
    await hasFocus('Bravo', 2);
    await tree().expand('Bravo');
    await row('Charlie');
    await goTo('Charlie');
    editor.key('ctrl+[');
    await isBelow('Charlie', null);
    await hasFocus('Charlie', 2);
  });

  it('shows what is dropped on a collapsed task and what is added below it', async () => {
    editor.settings.update('dueline.tree.dropOnTask', 'subtask');
    await drag('Charlie', 'Bravo');
    await isBelow('Charlie', 'Bravo');
    await until('it below', () => tree().find('Charlie')?.level === 2);
    await tree().collapse('Bravo');
    await tree().gone('Charlie');
    await editor.context('Bravo', 'Add Subtask…');
    await editor.questions.asked();
    editor.questions.type('Second step');
    await editor.questions.row('Second step');
    editor.questions.accept();
    await row('Second step');
    await row('Charlie');
    for (const _ of ['the step', 'the drop']) await undo();
    await isBelow('Charlie', null);
    await tree().gone('Second step');
  });

  it('continues with the next row when a task moves to another list', async () => {
    await goTo('Bravo');
    editor.key('m');
    await editor.questions.pick('Errands', 'Select a list to move to');
    await isIn('Bravo', 'Errands');
    await tree().gone('Bravo');
    await hasFocus('Charlie');
    editor.key('ctrl+z');
    await isIn('Bravo', 'Inbox');
    await row('Bravo');
  });

  it('follows the row with the focus when undo and redo take it to another group', async () => {
    editor.settings.update('dueline.group.default', 'priority');
    const isUnder = (group: RegExp) =>
      until(`Bravo under ${group}`, () => {
        const { rows } = tree();
        const at = rows.findIndex(({ label }) => hasWords(label, 'Bravo'));
        const heads = rows.slice(0, at).filter(({ item }) => item.accessibilityInformation?.label.startsWith('group'));
        return at >= 0 && group.test(heads.at(-1)?.label ?? '');
      });
    await isUnder(/No priority/);
    await goTo('Bravo');
    editor.key('1');
    await isUnder(/high/i);
    await hasFocus('Bravo');
    editor.key('ctrl+z');
    await isUnder(/No priority/);
    await hasFocus('Bravo');
    editor.key('ctrl+shift+z');
    await isUnder(/high/i);
    await hasFocus('Bravo');
  });

  it('takes back two edits by two quick presses, and keeps what was selected', async () => {
    await tree().select('Alpha');
    await goTo('Bravo');
    for (const key of ['1', '2']) {
      editor.key(key);
      await until(
        `the priority of ${key}`,
        () => editor.engine.query('Bravo')[0]!.task.priority === (key === '1' ? 1 : 5),
      );
    }
    await tree().select('Alpha');
    await goTo('Bravo');
    await Promise.all([editor.key('ctrl+z'), editor.key('ctrl+z')]);
    assert.equal(editor.engine.query('Bravo')[0]!.task.priority, 0);
    assert.deepEqual(
      tree().selection.map(node => (node as { taskId: number }).taskId),
      [editor.engine.query('Alpha')[0]!.task.id],
    );
  });

  it('renames and deletes the row that has the focus, not one that was selected before', async () => {
    await tree().select('Alpha');
    await goTo('Bravo');
    editor.key('f2');
    await editor.questions.answer('Rename Task', 'X-ray');
    await is('X-ray', {});
    await tree().select('Alpha');
    await goTo('Charlie');
    editor.key('delete');
    await until('Charlie to be gone', () => task('Charlie') === undefined);
    assert.ok(task('Alpha'));
    // The tree hands the focus on a moment later.
    await hasFocus('Delta');
    await tree().select('Alpha');
    await goTo('X-ray');
    editor.key('delete');
    await until('X-ray to be gone', () => task('X-ray') === undefined);
    assert.ok(task('Alpha'));
  });

  it('shows in quick add when a repeating task is first due', async () => {
    editor.palette('Dueline: Quick Add Task…');
    await editor.questions.asked();
    editor.questions.type('Standup every monday 9:00');
    await editor.questions.row(/Every week on Monday · .*9:00/);
  });

  it('keeps its focus during a change from elsewhere', async () => {
    await goTo('Bravo');
    await editor.engine.createTask(editor.engine.lists()[0]!.id, { title: 'Echo' });
    await row('Echo');
    await hasFocus('Bravo');
  });

  it('completes, tags and deletes several selected rows, each as one step', async () => {
    await tree().select('Alpha', 'Bravo');
    await editor.context('Bravo', 'Edit Tasks…');
    await editor.questions.pick('Edit tags…', /2 tasks/);
    await editor.questions.asked(/tag/i);
    editor.questions.type('both');
    await editor.questions.pickMany('both');
    await is('Alpha', { tags: ['both'] });
    await is('Bravo', { tags: ['both'] });
    await undo();
    await is('Alpha', { tags: [] });
    assert.deepEqual(task('Bravo')?.tags, []);
  });

  it('edits the selected row from the palette, or instead the tasks of a query', async () => {
    await tree().select('Alpha');
    void editor.palette('Dueline: Edit Tasks…');
    await editor.questions.pick('Tasks matching a query…', 'Edit 1 task');
    await editor.questions.asked('Edit Tasks Matching Query');
    editor.questions.type('Bravo');
    await editor.questions.row('1 task matches');
    editor.questions.accept();
    await editor.questions.pick('Set priority…', 'Edit 1 task');
    await editor.questions.pick('High');
    await is('Bravo', { priority: 1 });
    assert.equal(task('Alpha')?.priority, 0);
  });

  it('is grouped by days, onto which tasks are dropped', async () => {
    editor.palette('Dueline: Group Tasks By…');
    await editor.questions.pick('By due date');
    await row('No date');
    await tree().expand('Days');
    const { due } = task('On this day')!;
    await tree().row(/^.?Tomorrow/);
    await drag('On this day', /^.?Tomorrow/);
    await is('On this day', { due: due! + dayMs });
    // Between the rows of a day a task is due on that day, and above the row it was dropped on.
    await undo();
    await is('On this day', { due });
    await tree().row(/^.?Today/);
    await drag('On this day', 'On the next');
    await statusHas(/Moved .On this day. above .On the next.\. Rescheduled .On this day./);
    assert.equal(task('On this day')?.due, due! + dayMs);
    await isShown('On this day', 'On the next');
    editor.palette('Dueline: Group Tasks By…');
    await editor.questions.pick('No grouping');
    await tree().gone(/^.?Tomorrow/);
    await row('Alpha');
  });

  it('asks before moving up in another order, and sorts manually if the user confirms', async () => {
    editor.palette('Dueline: Sort Tasks By…');
    await editor.questions.pick('By title');
    await goTo('Delta');
    editor.key('alt+up');
    await editor.notices.press(/not sorted manually/, 'Sort Manually');
    await isShown('Delta', 'Charlie');
  });

  it('has a short menu, with submenus for related commands', async () => {
    const { node, item } = await row('Alpha');
    editor.menus.show('view/item/context', { view: 'dueline.lists', viewItem: item.contextValue }, node);
    assert.ok((await editor.menus.titles()).length <= 12, String(await editor.menus.titles()));
    assert.ok((await editor.menus.titles('Due')).includes('Postpone…'));
    await editor.menus.choose('Priority › Set Low Priority');
    await is('Alpha', { priority: 9 });
  });

  it('postpones by days or to a typed date, and announces the date', async () => {
    await editor.engine.updateTask(task('Alpha')!.id, { due: Date.UTC(2031, 4, 5), isAllDay: true });
    await editor.context('Alpha', 'Due › Postpone…');
    await editor.questions.row(/By (1 week|7 days).*May 12, 2031/s);
    editor.questions.type('5');
    await editor.questions.row(/By 5 days.*May 10, 2031/s);
    editor.questions.type('2031-06-01');
    await editor.questions.row('Jun 1, 2031');
    editor.questions.accept();
    await is('Alpha', { due: Date.UTC(2031, 5, 1) });
  });

  it('shows which tags some of the selected tasks have, and keeps or removes them', async () => {
    await editor.engine.updateTask(task('Alpha')!.id, { tags: ['all', 'some', 'other'] });
    await editor.engine.updateTask(task('Bravo')!.id, { tags: ['all'] });
    await tree().select('Alpha', 'Bravo');
    await editor.context('Bravo', 'Edit Tags…');
    await editor.questions.row(/some.*1 of 2 selected/s);
    await editor.questions.press('Remove from All', 'some');
    await editor.questions.row(/some.*Removed from all/s);
    editor.questions.accept();
    await is('Alpha', { tags: ['all', 'other'] });
    await is('Bravo', { tags: ['all'] });
  });

  it('completes open subtasks when their parent is ticked or gets 100 %, in one step that says so', async () => {
    const list = editor.engine.lists()[0]!.id;
    const parentId = await editor.engine.createTask(list, { title: 'Foxtrot' });
    for (const title of ['Golf', 'Hotel']) await editor.engine.createTask(list, { title, parentId });
    await tree().row(/Foxtrot.*0\/2/);
    await tree().tick('Foxtrot');
    await is('Foxtrot', { status: 2 });
    assert.deepEqual([task('Golf')?.status, task('Hotel')?.status], [2, 2]);
    await statusHas(/Completed 3 tasks/);
    const { undo: step } = await editor.engine.history();
    assert.deepEqual([step?.key, step?.count], ['complete', 3]);
    await editor.command('dueline.undo');
    await is('Foxtrot', { status: 0 });
    assert.deepEqual([task('Golf')?.status, task('Hotel')?.status], [0, 0]);
    void editor.command('dueline.setProgress', parentId);
    await editor.questions.pick('100%');
    await is('Foxtrot', { status: 2 });
    assert.deepEqual([task('Golf')?.status, task('Hotel')?.status], [2, 2]);
  });

  it('leaves a subtask that repeats as it is when its parent is ticked, and does not count it', async () => {
    const list = editor.engine.lists()[0]!.id;
    const due = Math.floor(editor.clock.now() / 86_400_000) * 86_400_000;
    const parentId = await editor.engine.createTask(list, { title: 'Foxtrot' });
    const daily = { title: 'Golf', parentId, due, isAllDay: true, rrule: 'FREQ=DAILY' };
    const series = await editor.engine.createTask(list, daily);
    await editor.engine.createTask(list, { title: 'Hotel', parentId: series });
    await tree().row(/Foxtrot.*0\/1/);
    await tree().tick('Foxtrot');
    await is('Foxtrot', { status: 2 });
    await statusHas(/Completed .?Foxtrot/);
    await is('Golf', { status: 0, due });
    await is('Hotel', { status: 0 });
  });

  it('asks about open subtasks if set, and shows their parent open if the user cancels', async () => {
    editor.settings.update('dueline.completion.completeSubtasks', 'ask');
    const list = editor.engine.lists()[0]!.id;
    const parentId = await editor.engine.createTask(list, { title: 'Foxtrot' });
    await editor.engine.createTask(list, { title: 'Golf', parentId });
    await tree().row(/Foxtrot.*0\/1/);
    await tree().tick('Foxtrot');
    const dialog = await editor.notices.dialog();
    assert.match([dialog.message, dialog.detail].join('\n'), /1 subtask is still open/);
    dialog.close();
    await until('an empty box', () => tree().find('Foxtrot')?.isChecked === false);
    assert.equal(task('Foxtrot')?.status, 0);
    await tree().tick('Foxtrot');
    (await editor.notices.dialog()).close('Complete Subtask Too');
    await is('Foxtrot', { status: 2 });
    assert.equal(task('Golf')?.status, 2);
  });
});
