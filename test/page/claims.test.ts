import assert from 'node:assert/strict';
import { Editor } from '../support/vscode/editor';
import { openTask } from './support/task';
import { clear, fill, openWidget, rowsOf, taskNamed } from './support/widgets';

const minuteMs = 60_000;
const agent = { name: 'Claude Code', session: 'one', isProcess: true };

describe('a task that an agent has claimed', () => {
  let editor: Editor;
  before(async () => {
    editor = await Editor.open();
  });
  after(() => editor?.close());
  beforeEach(async () => {
    await clear(editor);
    await fill(editor, ['Home'], [{ list: 'Home', title: 'Fix race', day: 0 }]);
  });
  afterEach(async function () {
    await editor.tidy(this.currentTest);
    await editor.command('workbench.action.closeAllEditors');
  });

  const claim = () => editor.engine.claims!.take([taskNamed(editor, 'Fix race')!.uid], agent);
  /** Moves the clock, which the claims read every half second. */
  const pass = (ms: number) => {
    editor.clock.time += ms;
  };

  it('is marked in rows, in trees and on its page, with the time, until the user takes it back', async () => {
    const page = await openWidget(editor, 'today', 'Fix race');
    await editor.engine.claims!.open();
    await claim();
    const fact = rowsOf(page, 'Fix race').locator('.fact.claimed');
    await fact.filter({ hasText: 'Claude Code' }).waitFor();
    pass(12 * minuteMs);
    await fact.filter({ hasText: 'Claude Code · 12 min' }).waitFor();
    assert.match((await rowsOf(page, 'Fix race').textContent())!, /claimed by Claude Code · 12 min/);
    await editor.tree().expand('Home');
    assert.match((await editor.tree().row('Fix race')).description, /Claude Code · 12 min/);
    const form = await openTask(editor, taskNamed(editor, 'Fix race')!.id);
    await form.locator('.claimed').filter({ hasText: 'claimed by Claude Code · 12 min' }).waitFor();
    await editor.context('Fix race', 'Status › Take Back from Agent');
    await form.locator('.claimed').waitFor({ state: 'detached' });
    assert.doesNotMatch((await editor.tree().row('Fix race')).description, /Claude/);
    assert.deepEqual([...editor.engine.claims!.held()], []);
  });
});
