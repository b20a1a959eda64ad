import assert from 'node:assert/strict';
import { pick } from '../support/pick';
import { Session } from './support/driver';
import { until } from './support/wait';

const timeoutMs = 60_000;

/** What a person meets who has no account and only looks around. */
describe('the first steps', () => {
  let session: Session;
  before(async () => {
    session = await Session.open({ theme: 'light', size: { width: 1500, height: 900 } });
    await session.window.view();
    await session.window.rows('Inbox').first().waitFor({ timeout: timeoutMs });
  });
  after(() => session?.close());
  afterEach(function () {
    return session.window.tidy(this.currentTest);
  });

  const add = (title: string) =>
    session.window.run(async (vscode, title) => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      return api.createTask(api.lists()[0].id, { title }) as Promise<number>;
    }, title);

  it('check the Today step by its button, though the view is open already', async () => {
    const { window } = session;
    await window.palette('Dueline: Get Started');
    const step = window.page.locator('.getting-started-step').filter({ hasText: 'See what’s due today' });
    await step.click({ timeout: timeoutMs });
    await step.getByRole('button', { name: 'Show Today' }).click();
    await step.locator('.codicon-getting-started-step-checked').first().waitFor({ timeout: timeoutMs });
    await window.command('workbench.action.closeAllEditors');
  });

  const quickAdd = async (text: string) => {
    const { window } = session;
    await window.palette('Dueline: Quick Add Task…');
    await window.quickText.fill(text);
    await window.picks('Add').first().waitFor();
    await window.page.keyboard.press('Enter');
    await window.quickInput.waitFor({ state: 'hidden' });
  };

  it('show after quick add where the first task went, and what comes next, with a way back', async () => {
    const { window } = session;
    await window.command('workbench.view.explorer');
    await quickAdd('Order ink in 3 days 9:00');
    const undo = window.page.locator('.statusbar-item[id*="dueline.undo"]');
    await until('the words of Undo', timeoutMs, async () =>
      /Added .Order ink. to .Inbox. · \S+ 9:00/.test((await undo.locator('a').getAttribute('aria-label')) ?? ''),
    );
    assert.match((await undo.textContent()) ?? '', /Added .Order ink. to .Inbox. · .*Undo/s);
    await window.page
      .locator('.pane-body .monaco-list-row.selected', { hasText: 'Order ink' })
      .waitFor({ timeout: timeoutMs });
    const today = await window.frame('.empty', 'Next: ');
    assert.match((await today.locator('.empty').last().textContent()) ?? '', /Next: .Order ink. · \S+ 9:00/);
    await window.pictures('first-task');
    await undo.click();
    await window.rows('Order ink').waitFor({ state: 'detached', timeout: timeoutMs });
  });

  it('leave the view alone for the second task', async () => {
    const { window } = session;
    await window.command('workbench.view.explorer');
    await quickAdd('Order paper');
    await window.page
      .locator('.statusbar-item[id*="dueline.undo"]', { hasText: 'Order paper' })
      .waitFor({ timeout: timeoutMs });
    await window.page.waitForTimeout(500);
    assert.equal(await window.rows('Order paper').count(), 0, 'the explorer stays');
    await window.command('dueline.undo');
    await window.view();
  });

  it('count in the status bar what is for today, and in words what of it is overdue', async () => {
    const { window } = session;
    const ids = await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      const day = 86_400_000;
      const today = Math.floor(Date.now() / day) * day;
      const list = api.lists()[0].id;
      const late = await api.createTask(list, { title: 'Return the books', due: today - 3 * day, isAllDay: true });
      return [late, await api.createTask(list, { title: 'Water the plants', due: today - 2 * day, isAllDay: true })];
    });
    const item = window.page.locator('.statusbar-item[id*="dueline.today"]');
    await item.filter({ hasText: '2 · 2 overdue' }).waitFor({ timeout: timeoutMs });
    await window.pictures('status-overdue', window.page.locator('.statusbar'));
    await window.run(async (vscode, ids) => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      for (const id of ids) await api.completeTask(id);
    }, ids);
    await item.filter({ hasText: 'overdue' }).waitFor({ state: 'detached', timeout: timeoutMs });
  });

  it('explain a filter in a document that nobody is asked to save', async () => {
    const { window } = session;
    await window.palette('Dueline: Explain Filter');
    await window.answer('Type text or a query', 'due:week');
    await window.page.getByRole('tab', { name: 'What this filter means.md' }).waitFor({ timeout: timeoutMs });
    const shown = await window.run(async vscode => {
      const { document } = vscode.window.activeTextEditor!;
      return {
        text: document.getText() as string,
        isDirty: document.isDirty as boolean,
        language: document.languageId,
      };
    });
    assert.match(shown.text, /^# What this filter means\n\n`due:week`/);
    assert.deepEqual(pick(shown, 'isDirty', 'language'), { isDirty: false, language: 'markdown' });
    await window.command('workbench.action.closeAllEditors');
  });

  it('restore a deleted task from its tab, whatever was done since', async () => {
    const { window } = session;
    const id = await add('Fix the bike');
    await window.command('dueline.open', id);
    await window.frame('#title');
    await window.command('dueline.delete', id);
    const later = await add('Something else');
    const page = await window.frame('.empty', 'This task has been deleted.');
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.locator('#title').waitFor({ timeout: timeoutMs });
    const titles = await window.run(async vscode => {
      const api = vscode.extensions.getExtension('dueline.dueline')!.exports;
      return api
        .query('title:bike OR title:else')
        .map((row: { task: { title: string } }) => row.task.title) as string[];
    });
    assert.deepEqual(titles.sort(), ['Fix the bike', 'Something else']);
    await window.command('dueline.delete', later);
    await window.command('workbench.action.closeAllEditors');
  });

  it('show what is new under an icon that follows the theme', async () => {
    const { window } = session;
    await window.command('dueline.whatsNew');
    await window.page.locator('.tab.active', { hasText: 'What’s New' }).waitFor();
    const pictures = () =>
      window.page.evaluate<string>(`[...document.querySelectorAll('.tab.active *')].map(one =>
        getComputedStyle(one).backgroundImage + getComputedStyle(one, '::before').backgroundImage).join()`);
    for (const theme of ['dark', 'light'] as const) {
      await window.theme(theme);
      await until(`the icon for ${theme}`, timeoutMs, async () => (await pictures()).includes(`dueline-${theme}.svg`));
    }
    await window.command('workbench.action.closeAllEditors');
  });

  it('empty the trash from its row', async () => {
    const { window } = session;
    await window.context('Trash', 'Delete Permanently');
    const dialog = window.page.locator('.monaco-dialog-box');
    await dialog.getByText('Permanently delete 1 task?').waitFor({ timeout: timeoutMs });
    await dialog.getByRole('button', { name: 'Delete Permanently' }).click();
    await until('an empty trash', timeoutMs, () =>
      window.run(async vscode => {
        const api = vscode.extensions.getExtension('dueline.dueline')!.exports;
        return (await api.trash()).length === 0;
      }),
    );
  });
});
