import assert from 'node:assert/strict';
import { Session } from './support/driver';
import { until } from './support/wait';
import { clear, fill, openWidget, rowsOf, taskNamed } from './support/widgetPages';

/** Saved from a task, made again by a line, and managed: in a window as people have it. */
describe('templates', () => {
  let session: Session;
  before(async () => {
    session = await Session.open({ theme: 'dark', size: { width: 1200, height: 800 } });
    await session.window.command('workbench.action.closeSidebar');
    await clear(session.window);
    await fill(
      session.window,
      ['Work'],
      [
        { list: 'Work', title: 'Release', day: 12, tags: ['big'] },
        { list: 'Work', title: 'Freeze', day: 10, parent: 'Release' },
      ],
    );
  });
  after(() => session?.close());
  afterEach(function () {
    return session.window.tidy(this.currentTest);
  });

  const saved = () =>
    session.window.run(vscode => {
      const templates: readonly { name: string; due: string; subtasks: readonly { title: string; due: string }[] }[] =
        vscode.workspace.getConfiguration().get('dueline.templates') ?? [];
      return templates.map(({ name, due, subtasks }) => ({
        name,
        due,
        below: subtasks.map(one => [one.title, one.due]),
      }));
    });
  const names = async () => (await saved()).map(({ name }) => name);
  const have = (...wanted: string[]) =>
    until(`templates ${wanted}`, 20_000, async () => (await names()).join() === wanted.join());

  it('a task is saved from its menu, with what is below it', async () => {
    const { window } = session;
    const page = await openWidget(window, 'tasks', 'Release');
    await rowsOf(page, 'Release').click({ button: 'right' });
    await window.menu('Copy and Link › Save as Template…');
    await window.answer('Template Name', 'Big Release');
    await have('Big Release');
    assert.deepEqual(await saved(), [{ name: 'Big Release', due: '+2d', below: [['Freeze', '+0d']] }]);
  });

  it('the name after a colon is completed in the line of a widget, and makes the tasks from today on', async () => {
    const { window } = session;
    await clear(window);
    await fill(window, ['Work'], [{ list: 'Work', title: 'Other' }]);
    const page = await openWidget(window, 'tasks', 'Other');
    const field = page.locator('dueline-quick-add input');
    await field.pressSequentially(':big');
    await page.locator('dueline-quick-add [role=option].active', { hasText: ':Big Release' }).waitFor();
    await field.press('Enter');
    await page.locator('.chip', { hasText: ':Big Release' }).waitFor();
    await window.picture('templates-line');
    await field.press('Enter');
    await rowsOf(page, 'Freeze').waitFor();
    const [release, freeze] = [await taskNamed(window, 'Release'), await taskNamed(window, 'Freeze')];
    assert.deepEqual(
      { between: release!.due! - freeze!.due!, tags: release!.tags },
      { between: 2 * 86_400_000, tags: ['big'] },
    );
    await window.command('dueline.undo');
    await rowsOf(page, 'Freeze').waitFor({ state: 'detached' });
    assert.equal(await taskNamed(window, 'Release'), undefined);
  });

  it('New from Template opens Quick Add with it', async () => {
    const { window } = session;
    void window.command('dueline.template.use').catch(() => {});
    await window.pick('Big Release');
    await window.picks(/Add .Release/).waitFor();
    assert.equal(await window.quickText.inputValue(), ':Big Release ');
    await window.page.keyboard.press('Enter');
    await until('the task', 20_000, async () => (await taskNamed(window, 'Freeze')) !== undefined);
    await window.quickInput.waitFor({ state: 'hidden' });
  });

  it('they are renamed and deleted, with undo', async () => {
    const { window } = session;
    const button = async (name: string) => {
      void window.command('dueline.template.manage').catch(() => {});
      const row = window.picks('Big Release').first();
      await row.waitFor();
      await row.hover();
      await row.getByRole('button', { name }).click();
    };
    await button('Delete');
    await have();
    await window.press(/Deleted template .Big Release/, 'Undo');
    await have('Big Release');
    await button('Rename');
    await window.answer('Template Name', 'Small Release');
    await have('Small Release');
  });

  it('undo of one leaves the others as they are by now', async () => {
    const { window } = session;
    const save = async (name: string) => {
      await window.run(async (vscode, name) => {
        const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
        const [{ task }] = api.query('Release');
        void vscode.commands.executeCommand('dueline.template.save', task.id);
        return name;
      }, name);
      await window.answer('Template Name', name);
    };
    await save('First');
    await have('Small Release', 'First');
    await save('Second');
    await have('Small Release', 'First', 'Second');
    await window.press(/Saved template .First/, 'Undo');
    await have('Small Release', 'Second');
  });

  it('a name that is taken is said', async () => {
    const { window } = session;
    void window.command('dueline.template.manage').catch(() => {});
    const row = window.picks('Second').first();
    await row.waitFor();
    await row.hover();
    await row.getByRole('button', { name: 'Rename' }).click();
    await window.answer('Template Name', 'small release');
    await window.notification(/already a template named .small release/);
    await have('Small Release', 'Second');
  });
});
