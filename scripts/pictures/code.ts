import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gitIn, makeRepository, writeIn } from '../../test/support/repository';
import { source } from '../../test/support/sampleCode';
import type { SessionOptions } from '../../test/ui/support/driver';
import { isWatched } from '../../test/ui/support/watched';
import type { Window } from '../../test/ui/support/window';
import { type Draw, withSession } from './window';

const session = source.replace(/^ *\/\/ TODO.*\n/m, '');
const changed = source
  .replace('expired', '$& tomorrow !high')
  .replace('  close(): void {', '  // FIXME(ana): close the socket too\n$&');
const added = '// TODO: read the key from the settings\nconst sign = (text: string) => text;\n';

/**
 * The pictures of docs/code.md: a link, TODO comments of a branch, and the active task in Source Control, in a window with
 * a real repository and the editor's own git extension.
 */
export async function codePictures(options: SessionOptions, draw: Draw): Promise<void> {
  const folder = join(mkdtempSync(join(tmpdir(), 'dueline-pictures-')), 'app');
  makeRepository(folder, { 'src/session.ts': session });
  gitIn(folder, 'commit', '-q', '--amend', '-m', 'Start', '--author', 'Ana <ana@example.org>');
  const settings = {
    ...options.settings,
    'workbench.statusBar.visible': true,
    'workbench.editor.showTabs': 'single',
    'editor.minimap.enabled': false,
    'git.openRepositoryInParentFolders': 'never',
    'scm.workingSets.enabled': false,
  };
  try {
    const builtIn = ['git-base', 'git', 'typescript-basics'];
    await withSession({ ...options, settings, folder, builtIn }, async ({ window }) => {
      await window.theme(options.theme!);
      await window.resize(1040, 520);
      await window.command('workbench.action.closeAllEditors');
      await isWatched(window, folder);
      await show(window, join(folder, 'src/session.ts'));
      await link(window);
      await draw(window, window.page.locator('body'), 'code');
      await window.command('dueline.undo');
      const [{ id }] = await window.api('lists');
      await window.api('createTask', id, { title: 'Retry expired tokens' });
      await startOnBranch(window);
      writeIn(folder, 'src/session.ts', changed);
      writeIn(folder, 'src/sign.ts', added);
      await show(window, join(folder, 'src/session.ts'));
      await todos(window);
      await draw(window, window.page.locator('body'), 'todos');
      await sourceControl(window);
      await draw(window, window.page.locator('body'), 'git');
    });
  } finally {
    rmSync(dirname(folder), { recursive: true, force: true });
  }
}

const show = (window: Window, file: string): Promise<void> =>
  window.run(async (vscode, file) => {
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false });
    editor.selection = new vscode.Selection(6, 0, 6, 0);
  }, file);

/** A task for the line of the cursor, with its hover. */
async function link(window: Window): Promise<void> {
  await window.command('workbench.view.extension.dueline');
  void window.command('dueline.addHere').catch(() => {}); // answered only once the line closes
  await window.quickText.fill('Fix race tomorrow');
  await window.pick('Fix race');
  await window.frame('body.as-sidebar .row', 'Fix race');
  await window.command('editor.action.showHover');
  await window.page.locator('.monaco-hover').filter({ hasText: 'Remove Link' }).waitFor();
  await window.page.waitForTimeout(1500);
}

/** A branch for the task, whose time runs then. */
async function startOnBranch(window: Window): Promise<void> {
  await window.choose('Dueline: Start on a Branch', 'Retry expired tokens');
  await window.quickText.waitFor();
  await window.page.waitForTimeout(500);
  await window.page.keyboard.press('Enter');
  await window.page.locator('.statusbar-item[id*="dueline.working"]').filter({ hasText: '0:0' }).waitFor();
}

/** The comments that the branch adds, one of them with a task. */
async function todos(window: Window): Promise<void> {
  await window.choose('Dueline: Choose TODO Comments to Show', 'This Branch');
  const rows = window.pane('TODO Comments').locator('.monaco-list-row');
  await rows.filter({ hasText: 'read the key' }).waitFor();
  const retry = rows.filter({ hasText: 'retry when' });
  await retry.hover();
  await retry.getByRole('button', { name: 'Create Task from TODO Comment' }).click();
  await window.picks('session.ts:7').first().waitFor();
  await window.page.keyboard.press('Enter');
  await rows.filter({ hasText: 'Tomorrow' }).waitFor();
  for (const pane of ['Lists', 'Filters']) {
    const header = window.pane(pane).locator('.pane-header');
    if ((await header.getAttribute('aria-expanded')) === 'true') await header.click();
  }
  await window.command('notifications.clearAll');
  await window.page.mouse.move(700, 480);
  await window.page.waitForTimeout(1500);
}

/** The commit message with the line of the task, and the menu of the button. */
async function sourceControl(window: Window): Promise<void> {
  await window.run(async vscode => {
    const git = await vscode.extensions.getExtension('vscode.git')!.activate();
    const [repository] = git.getAPI(1).repositories;
    repository.inputBox.value = 'Retry expired tokens';
    await repository.status();
  });
  await window.command('dueline.insertTrailer');
  await window.command('workbench.view.scm');
  await window.page.locator('.scm-view .monaco-button-dropdown .monaco-dropdown-button').first().click();
  await window.page.locator('.monaco-menu').first().waitFor();
  await window.page.waitForTimeout(1000);
}
