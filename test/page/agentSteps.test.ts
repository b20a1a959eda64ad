import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { DuelineEngine } from '../../src/api';
import { openEngine } from '../../src/engine';
import { Editor } from '../support/vscode/editor';
import { becomes, clear, fill, openWidget, rowsOf, taskNamed } from './support/widgets';

describe('what an agent does in another process', () => {
  let editor: Editor;
  let agent: DuelineEngine;
  before(async () => {
    editor = await Editor.open({ settings: { 'dueline.completion.undoSeconds': 120 } });
    agent = await openEngine({ folder: join(editor.storage, 'store'), clock: editor.clock });
    agent.workFor({ name: 'Claude Code', session: 'one' });
  });
  after(async () => {
    await agent?.close();
    await editor?.close();
  });
  beforeEach(async () => {
    await clear(editor);
    await fill(
      editor,
      ['Home'],
      [
        { list: 'Home', title: 'Fix race', day: 0 },
        { list: 'Home', title: 'Later', day: 90 },
      ],
    );
    await agent.refresh();
  });
  afterEach(async function () {
    await editor.tidy(this.currentTest);
    await editor.command('workbench.action.closeAllEditors');
  });

  const id = (title: string) => taskNamed(editor, title)!.id;
  const offers = (item: string, text: RegExp) =>
    editor.changes.until(`${item} with ${text}`, () => text.test(editor.status(item) ?? ''));

  it('is announced below the tasks concerned and in the status bar, with its name and Undo', async () => {
    const page = await openWidget(editor, 'today', 'Fix race');
    await agent.updateTask(id('Fix race'), { priority: 1 });
    const line = page.locator('.bottom', { hasText: /Claude Code.*: change .*Fix race/ });
    await line.waitFor();
    await offers('dueline.agentStep', /Claude Code.*: change .*Fix race.* · Undo/);
    await line.getByRole('button', { name: 'Undo' }).click();
    await becomes(editor, 'Fix race', { priority: 0 });
    await agent.refresh();
    // A task that goes out of sight was in sight, and one that comes is.
    await agent.completeTask(id('Fix race'));
    await page.locator('.bottom', { hasText: /Claude Code.*: complete .*Fix race/ }).waitFor();
    await editor.press('dueline.agentStep', /complete .*Fix race/);
    await rowsOf(page, 'Fix race').waitFor();
    await agent.refresh();
    await agent.updateTask(id('Later'), { due: taskNamed(editor, 'Fix race')!.due, isAllDay: true });
    await page.locator('.bottom', { hasText: /Claude Code.*: change .*Later/ }).waitFor();
  });

  it('never replaces a message about the user’s own action, and is not shown in a widget without its tasks', async () => {
    const page = await openWidget(editor, 'today', 'Fix race');
    await agent.updateTask(id('Later'), { priority: 5 });
    await offers('dueline.agentStep', /change .*Later/);
    await rowsOf(page, 'Fix race').click();
    assert.equal(await page.locator('.bottom.on').count(), 0);
    await editor.page.keyboard.press('1');
    const own = page.locator('.bottom', { hasText: /Priority set: .*Fix race/ });
    await own.waitFor();
    await agent.refresh();
    await agent.updateTask(id('Fix race'), { location: 'Office' });
    await offers('dueline.agentStep', /change .*Fix race/);
    await offers('dueline.undo', /Priority set: .*Fix race/);
    await becomes(editor, 'Fix race', { location: 'Office' });
    assert.equal(await own.count(), 1);
  });

  it('is listed under Agent Changes with what was changed', async () => {
    await agent.updateTask(id('Fix race'), { priority: 1, tags: ['urgent'], description: 'In the queue' });
    await agent.quickAddLines([{ text: 'Plan' }, { text: 'Step', parent: 0 }]);
    const detail = async (name: RegExp) => (await editor.questions.row(name)).detail!.replace(/[\u2068\u2069]/g, '');
    editor.palette('Dueline: Agent Changes…');
    const changed = await detail(/^change .*Fix race/);
    assert.match(changed, /notes: None → In the queue/);
    assert.match(changed, /tags: None → #urgent/);
    assert.match(changed, /priority: no priority → high priority/);
    assert.match(await detail(/^add .*2 tasks/), /Plan.* Step/);
    editor.questions.escape();
  });

  it('undoes all changes of a session in one step, below the single ones, and keeps what was changed later', async () => {
    const { engine, questions } = editor;
    const listId = engine.lists()[0]!.id;
    const own = await engine.createTask(listId, { title: 'Own' });
    engine.workFor({ name: 'Other', session: 'other' });
    const other = await engine.createTask(listId, { title: 'Of another' });
    engine.workFor({ name: 'Helper', session: 'helper' });
    const [gone, kept] = [
      await engine.createTask(listId, { title: 'Gone' }),
      await engine.createTask(listId, { title: 'Kept' }),
    ];
    await engine.updateTask(gone, { priority: 1 });
    await engine.updateTask(own, { priority: 1, tags: ['agent'] });
    engine.workFor(undefined);
    await engine.updateTask(kept, { location: 'Home' });
    await engine.updateTask(own, { priority: 5 });
    editor.palette('Dueline: Agent Changes…');
    await questions.row(/^change .*Own/);
    assert.match(questions.picks()[0]!.label, /^change .*Own/, 'Enter undoes one step');
    await questions.pick(/Undo All Changes in This Session/);
    await editor.changes.until('no task of the session', () => engine.task(gone) === undefined);
    await editor.changes.until('the tags of before', () => engine.task(own)!.tags.length === 0);
    await editor.changes.until('the words', () =>
      /^Undone: changes by .?Helper.? to 2 tasks$/.test(editor.notices.statusWords.at(-1) ?? ''),
    );
    assert.equal(engine.task(own)!.priority, 5);
    assert.equal(engine.task(kept)!.title, 'Kept');
    assert.equal(engine.task(other)!.title, 'Of another');
    const left = (await engine.undoSteps()).flatMap(({ label }) => label.client?.session ?? []);
    assert.deepEqual(left.slice(0, 2), ['helper', 'other']);
  });
});
