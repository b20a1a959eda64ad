import assert from 'node:assert/strict';
import { packageOnce } from '../../scripts/package/once';
import type { Session } from './support/driver';
import { sharedSession } from './support/shared';
import { until } from './support/wait';
import type { Window } from './support/window';

const timeoutMs = 30_000;

/** The editor's own part in getting tasks in and finding them again: its clipboard, its text, its keys and its focus. */
describe('capture and search', () => {
  let session: Session;
  let window: Window;
  before(async () => {
    // The installed package, as users have it: VS Code 1.90 refuses to ask in a window for development.
    const size = { width: 1100, height: 1200 };
    session = await sharedSession(
      {
        theme: 'light',
        size,
      },
      await packageOnce('full'),
    );
    window = session.window;
    await window.view();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window.shot(`failed-${this.currentTest.title.slice(0, 30)}`);
    await window.page.keyboard.press('Escape');
  });

  const tasks = () =>
    window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      return api.lists().flatMap((list: { id: number }) => api.rows(list.id)) as {
        title: string;
        due: number | null;
      }[];
    });
  const named = (title: string) =>
    until(`the task ${title}`, timeoutMs, async () => (await tasks()).find(task => task.title === title));
  const type = (text: string) => window.page.keyboard.type(text);
  const press = (key: string) => window.page.keyboard.press(key);

  /** Reveals and focuses a task's row. */
  async function goTo(title: string): Promise<void> {
    await window.palette('Dueline: Go to Task…');
    await window.quickInput.getByPlaceholder(/Select a task to go to/).waitFor({ timeout: timeoutMs });
    await type(title);
    await window.picks(title).first().waitFor();
    await press('Enter');
    const list = window.page.locator('.pane-body .monaco-list.element-focused');
    await list.locator('.monaco-list-row.focused', { hasText: title }).first().waitFor({ timeout: timeoutMs });
  }

  it('quick add asks what several pasted lines are: Add 3 Tasks', async () => {
    await window.run(vscode => vscode.env.clipboard.writeText('- [ ] Buy a rake\n  - Sharpen it\n- Buy seeds #home\n'));
    await window.palette('Dueline: Quick Add Task');
    await window.quickInput.getByPlaceholder(/Call the bank/).waitFor({ timeout: timeoutMs });
    await press('Control+v');
    await window.quickInput.getByText('Add 3 tasks?').waitFor({ timeout: timeoutMs });
    await window.picks('Add 3 Tasks').click();
    for (const title of ['Buy a rake', 'Sharpen it', 'Buy seeds']) await named(title);
  });

  it('opens by one key in code, which does nothing else there', async () => {
    const defaults = await window.run(async vscode => {
      const uri = vscode.Uri.parse('vscode://defaultsettings/keybindings.json');
      return (await vscode.workspace.openTextDocument(uri)).getText() as string;
    });
    const others = [...defaults.matchAll(/"key": "ctrl\+alt\+enter",[^}]*?"command": "([^"]*)"[^}]*/g)];
    const elsewhere =
      /findWidgetVisible|inSearchEditor|searchViewletVisible|[nN]otebook|[cC]hat|isInDiffEditor|[iI]nQuickInput|quickInput/;
    const ids = others.map(([, id]) => id);
    assert.ok(ids.includes('dueline.quickAdd'), String(ids));
    const inCode = others.filter(([text, id]) => id !== 'dueline.quickAdd' && !elsewhere.test(text));
    assert.deepEqual(
      inCode.map(([, id]) => id),
      [],
    );
    await window.command('workbench.action.files.newUntitledFile');
    await window.page.locator('.monaco-editor.focused').first().waitFor({ timeout: timeoutMs });
    await press('Control+Alt+Enter');
    await window.quickInput.getByPlaceholder(/./).first().waitFor({ timeout: timeoutMs });
    await press('Escape');
    await window.command('workbench.action.revertAndCloseActiveEditor');
  });

  it('search has an unused key, and leaves the focus in place', async () => {
    const defaults = await window.run(async vscode => {
      const uri = vscode.Uri.parse('vscode://defaultsettings/keybindings.json');
      return (await vscode.workspace.openTextDocument(uri)).getText() as string;
    });
    const others = [...defaults.matchAll(/"key": "ctrl\+k ctrl\+'",[^}]*?"command": "([^"]*)"/g)].map(([, id]) => id);
    assert.deepEqual(others, ['dueline.search']);
    await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      await api.createTask(api.lists()[0].id, { title: 'Somewhen' });
    });
    await window.command('dueline.lists.focus');
    await window.page.locator('.pane-body .monaco-list:focus').waitFor({ timeout: timeoutMs });
    await press('Control+k');
    await press("Control+'");
    await window.picks('Somewhen').waitFor({ timeout: timeoutMs });
    await press('Escape');
    await goTo('Somewhen');
    await press('/');
    await window.picks('Somewhen').waitFor({ timeout: timeoutMs });
    await press('Escape');
    await until('the row again', timeoutMs, () =>
      window.page.evaluate<boolean>(`document.activeElement?.closest('.pane-body') !== null`),
    );
  });
});
