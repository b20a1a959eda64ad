import assert from 'node:assert/strict';
import type { Session } from './support/driver';
import { sharedSession } from './support/shared';
import { until } from './support/wait';
import { fill, taskNamed } from './support/widgetPages';
import type { Window } from './support/window';

const timeoutMs = 60_000;

describe('a list as text in the window', () => {
  let session: Session;
  let window: Window;
  before(async () => {
    session = await sharedSession({ theme: 'light', size: { width: 1280, height: 900 } });
    window = session.window;
    await fill(
      window,
      ['Work'],
      ['Alpha', 'Bravo', 'Charlie'].map(title => ({ list: 'Work', title })),
    );
    await window.view();
    await window.command('dueline.lists.focus');
  });
  afterEach(async function () {
    await window.tidy(this.currentTest);
  });

  const press = (key: string) => window.page.keyboard.press(key);
  const text = () =>
    window.run(vscode => {
      const document = vscode.window.activeTextEditor?.document;
      return document?.uri.scheme === 'dueline' ? { text: document.getText(), isDirty: document.isDirty } : undefined;
    });
  const hasText = (subject: string, pattern: RegExp) =>
    until(subject, timeoutMs, async () => {
      const found = await text();
      return found && !found.isDirty && pattern.test(found.text);
    });
  const dialog = () => window.page.locator('.monaco-dialog-box');

  /** Takes the second line out, as a user does, and saves. */
  const cutBravo = async () => {
    await press('Control+Home');
    await press('ArrowDown');
    await press('Control+Shift+K');
    await press('Control+S');
    await dialog().waitFor({ timeout: timeoutMs });
  };
  const answer = async (button: string) => {
    await dialog().getByRole('button', { name: button, exact: true }).click({ timeout: timeoutMs });
    await dialog().waitFor({ state: 'hidden', timeout: timeoutMs });
  };

  it('opens on E in Lists, and a save asks what to do with the task whose line is gone', async () => {
    await window.rows('Work').first().click();
    await press('e');
    await hasText('the text', /^Alpha {2}dl-\w+\nBravo {2}dl-\w+\nCharlie {2}dl-\w+\n$/);
    await window.shot('text');

    await cutBravo();
    assert.match((await dialog().textContent()) ?? '', /1 task is no longer in the text.*Bravo/);
    await window.shot('text-ask');
    await answer('Keep');
    await hasText('the line that came back', /^Alpha.*\nBravo.*\nCharlie/);
    assert.equal((await taskNamed(window, 'Bravo'))?.status, 0);

    await cutBravo();
    await answer('Complete');
    await hasText('the text without the line', /^Alpha.*\nCharlie.*\n$/);
    assert.equal((await taskNamed(window, 'Bravo'))?.status, 2);
    await window.press('Completed: 1', 'Undo');
    await until('the task to be open', timeoutMs, async () => (await taskNamed(window, 'Bravo'))?.status === 0);
  });

  it('keeps unsaved changes over a reload, and merges them with what came meanwhile', async () => {
    await press('Control+Home');
    await window.page.keyboard.type('My ');
    await until('the change', timeoutMs, async () => (await text())?.text.startsWith('My Alpha'));
    await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      const [{ task }] = api.query('Charlie');
      await api.updateTask(task.id, { title: 'Charlie from elsewhere' });
    });
    await window.reload();
    await until('the restored text', timeoutMs, async () => {
      const found = await text();
      return found?.isDirty && /^My Alpha.*\n(.*\n)*Charlie {2}dl-/.test(found.text);
    });
    await window.command('workbench.action.focusActiveEditorGroup');
    await press('Control+S');
    await hasText('the merged text', /^My Alpha.*\n(.*\n)*Charlie from elsewhere {2}dl-\w+\n$/);
    assert.ok(await taskNamed(window, 'My Alpha'));
    assert.ok(await taskNamed(window, 'Charlie from elsewhere'));
  });
});
