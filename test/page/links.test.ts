import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Session } from './support/driver';
import { until } from './support/wait';
import type { Window } from './support/window';

const timeoutMs = 60_000;

describe('links from outside', () => {
  let session: Session;
  let window: Window;
  let uid: string;
  before(async () => {
    session = await Session.open({
      theme: 'light',
      settings: { 'dueline.filters': [{ id: 'high', name: 'Important', query: '!high' }] },
    });
    window = session.window;
    uid = await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      const list = api.lists()[0].id;
      await api.createTask(list, { title: 'Other' });
      return api.task(await api.createTask(list, { title: 'Linked', priority: 1 })).uid as string;
    });
  });
  after(() => session?.close());
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window.shot(`failed-${this.currentTest.title.slice(0, 40)}`);
    await window.page.keyboard.press('Escape');
  });

  /** As a click on the link in another program: the editor asks, and the person agrees. */
  async function follow(path: string): Promise<void> {
    const scheme = await window.run(vscode => vscode.env.uriScheme);
    await window.palette('Developer: Open URL');
    await window.answer(/URL/, `${scheme}://dueline.dueline${path}`);
    if (session.server.release === 'oldest') return; // trusts an extension under development without asking
    const agree = window.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Open' });
    await agree.click({ timeout: timeoutMs });
  }
  const count = () =>
    window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      return api.rows(api.lists()[0].id).length as number;
    });

  it('add: fills the line, and adds nothing before the person does', async () => {
    await follow('/add?title=Buy%20milk%20%23shop');
    await window.picks('#shop').first().waitFor({ timeout: timeoutMs });
    assert.equal(await window.quickText.inputValue(), 'Buy milk #shop');
    await window.picture('link-add');
    await window.page.keyboard.press('Escape');
    assert.equal(await count(), 2);
  });

  it('task: opens the task of that uid', async () => {
    await follow(`/task?uid=${encodeURIComponent(uid)}`);
    await window.page.locator('.tab').filter({ hasText: 'Linked' }).first().waitFor({ timeout: timeoutMs });
  });

  it('filter: narrows the Lists view', async () => {
    await window.command('workbench.view.explorer');
    await follow('/filter?id=high');
    await until('the filter', timeoutMs, async () => (await window.page.getByText(/Filtered: .?!high/).count()) > 0);
  });

  it('today: shows it', async () => {
    await window.command('workbench.view.explorer');
    await follow('/today');
    await window.pane('Today').waitFor({ timeout: timeoutMs });
    // What takes the focus later would close the palette of the next test.
    await until('the focus in it', timeoutMs, () =>
      window.page.evaluate<boolean>('document.activeElement?.tagName === "IFRAME"'),
    );
  });

  it('from a file: the task to link is asked for, whatever row is selected in a tree', async () => {
    const path = join(session.folder, 'source.txt');
    writeFileSync(path, 'source');
    const open = () =>
      window.run(async (vscode, path) => {
        await vscode.window.showTextDocument(vscode.Uri.file(path));
      }, path);
    await open();
    await window.view();
    await window.command('dueline.lists.focus');
    await window.command('dueline.filter.clear');
    await until('the row to be clicked', timeoutMs, async () => {
      // The tree without its filter may come, with the list closed, after the list was seen open.
      await window.expand('Inbox');
      await window.page.locator('.pane-body .monaco-list-row .label-name').getByText('Other').click({ timeout: 5000 });
      return true;
    });
    // The click opens the task in a tab of its own, which would come over the file where it is late.
    await window.page.locator('.tab.active').filter({ hasText: 'Other' }).first().waitFor({ timeout: timeoutMs });
    await open();
    await window.page.locator('.tab.active').filter({ hasText: 'source.txt' }).first().waitFor({ timeout: timeoutMs });
    await window.choose('Dueline: Link Task to This Line', 'Linked');
    const links = () =>
      window.run(async vscode => {
        const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
        const rows: { title: string; unknownProperties: string | null }[] = api.rows(api.lists()[0].id);
        const isLinked = (lines: string | null) => /X-DUELINE-ANCHOR.*LINE=1/.test(lines ?? '');
        return rows.filter(({ unknownProperties }) => isLinked(unknownProperties)).map(({ title }) => title);
      });
    await until('the link', timeoutMs, async () => (await links()).length > 0);
    assert.deepEqual(await links(), ['Linked']);
  });

  it('say so where their target does not exist, and change nothing', async () => {
    await follow('/task?uid=nowhere');
    await window.notification('The task in this link was not found.');
    await follow('/delete?uid=all');
    assert.equal(await count(), 2);
  });
});
