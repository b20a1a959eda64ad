// The pictures of docs/code.md: tasks behind their lines, TODO comments of a branch, and the active task in Source Control,
// in a window with a real repository and the editor's own git extension.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { api, withSession } from './window.mjs';

const session = `import { Token } from './token';

class Session {
  #token: Token | undefined;

  async refresh(): Promise<void> {
    this.#token = await requestToken(this.user);
  }

  close(): void {
    this.#token?.revoke();
  }
}
`;
const changed = session
  .replace(
    '    this.#token = await',
    '    // TODO: retry when the token has expired tomorrow !high\n    this.#token = await',
  )
  .replace('  close(): void {', '  // FIXME(ana): close the socket too\n  close(): void {');
const added = `// TODO: read the key from the settings
const sign = (text: string) => text;
`;

/**
 * @param {{ theme: string, settings: object, scale: number, timezone: string }} look
 * @param {(window: any, part: any, name: string) => Promise<void>} draw
 */
export async function codePictures(look, draw) {
  const folder = join(mkdtempSync(join(tmpdir(), 'dueline-pictures-')), 'app');
  const git = (/** @type {string[]} */ ...args) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
  const write = (/** @type {string} */ name, /** @type {string} */ text) =>
    writeFileSync(join(folder, 'src', name), text);
  mkdirSync(join(folder, 'src'), { recursive: true });
  write('session.ts', session);
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Ana');
  git('config', 'user.email', 'ana@example.org');
  git('add', '.');
  git('commit', '-qm', 'Start');
  const settings = {
    ...look.settings,
    'workbench.statusBar.visible': true,
    'workbench.editor.showTabs': 'single',
    'editor.minimap.enabled': false,
    'git.openRepositoryInParentFolders': 'never',
    'scm.workingSets.enabled': false,
  };
  const more = { settings, folder, builtIn: ['git-base', 'git', 'typescript-basics'] };
  try {
    await withSession({ ...look, ...more }, async ({ window }) => {
      await window.theme(look.theme);
      await window.resize(1040, 520);
      await window.command('workbench.action.closeAllEditors');
      const [{ id }] = await api(window, 'lists');
      await api(window, 'createTask', id, { title: 'Retry expired tokens' });
      await startOnBranch(window, folder);
      write('session.ts', changed);
      write('sign.ts', added);
      await todos(window, folder);
      await draw(window, window.page.locator('body'), 'todos');
      await sourceControl(window);
      await draw(window, window.page.locator('body'), 'git');
    });
  } finally {
    rmSync(dirname(folder), { recursive: true, force: true });
  }
}

/** @param {any} window @param {string} folder */
async function show(window, folder) {
  await window.run(
    async (/** @type {any} */ vscode, /** @type {string} */ path) => {
      const editor = await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: false });
      editor.selection = new vscode.Selection(2, 0, 2, 0);
    },
    join(folder, 'src/session.ts'),
  );
}

/** A branch for the task, whose time runs then. @param {any} window @param {string} folder */
async function startOnBranch(window, folder) {
  await show(window, folder);
  await window.choose('Dueline: Start on a Branch', 'Retry expired tokens');
  await window.quickText.waitFor();
  await window.page.waitForTimeout(500);
  await window.page.keyboard.press('Enter');
  await window.page.locator('.statusbar-item[id*="dueline.working"]').filter({ hasText: '0:0' }).waitFor();
}

/** The comments that the branch adds, one of them with a task. @param {any} window @param {string} folder */
async function todos(window, folder) {
  await show(window, folder);
  await window.choose('Dueline: Choose TODO Comments to Show', 'This Branch');
  const rows = window.pane('TODO Comments').locator('.monaco-list-row');
  await rows.filter({ hasText: 'read the key' }).waitFor();
  const retry = rows.filter({ hasText: 'retry when' });
  await retry.hover();
  await retry.getByRole('button', { name: 'Create Task from TODO Comment' }).click();
  await window.picks('session.ts:7').first().waitFor();
  await window.page.keyboard.press('Enter');
  await rows.filter({ hasText: 'Tomorrow' }).waitFor();
  for (const pane of ['Lists', 'Filters'])
    if ((await window.pane(pane).locator('.pane-header').getAttribute('aria-expanded')) === 'true')
      await window.pane(pane).locator('.pane-header').click();
  await window.command('notifications.clearAll');
  await window.page.mouse.move(700, 480);
  await window.page.waitForTimeout(1500);
}

/** The commit message with the line of the task, and the menu of the button. @param {any} window */
async function sourceControl(window) {
  await window.run(async (/** @type {any} */ vscode) => {
    await vscode.extensions.getExtension('vscode.git').activate();
    const [repository] = vscode.extensions.getExtension('vscode.git').exports.getAPI(1).repositories;
    repository.inputBox.value = 'Retry expired tokens';
    await repository.status();
  });
  await window.command('dueline.insertTrailer');
  await window.command('workbench.view.scm');
  const more = window.page.locator('.scm-view .monaco-button-dropdown .monaco-dropdown-button').first();
  await more.waitFor();
  await more.click();
  await window.page.locator('.monaco-menu').first().waitFor();
  await window.page.waitForTimeout(1000);
}
