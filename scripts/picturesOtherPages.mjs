// The pictures of the pages about the command line, agents, dependencies and the review. Each act is real: a shell in the
// editor's terminal, and an agent that is the official client of its protocol.
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** @typedef {(part: any, name: string) => Promise<void>} Save A picture of a part of the window. */

const line = 'Fix the login test tomorrow 9am #backend !high @Work';

/**
 * The tasks are the same afterwards.
 * @param {any} session @param {Save} save
 */
export async function otherPages({ window, server }, save) {
  await window.command('workbench.action.closeAllEditors');
  await window.command('workbench.action.closeSidebar');
  await terminal(window, save);
  await dependencies(window, save);
  await review(window, save);
  await agentChanges(window, join(server.user, 'globalStorage/dueline.dueline/bin/dueline'), save);
}

/** @param {any} window @param {Save} save */
async function terminal(window, save) {
  await window.resize(740, 450);
  const type = (/** @type {string} */ text) =>
    window.run((/** @type {any} */ vscode, /** @type {string} */ text) => {
      const env = { PS1: '$ ', LANG: 'en_GB.UTF-8', LC_ALL: 'en_GB.UTF-8' };
      const shell = { name: 'bash', shellPath: '/bin/bash', shellArgs: ['--norc', '--noprofile'], env };
      const shown = vscode.window.terminals.find((/** @type {any} */ { name }) => name === 'bash');
      const used = shown ?? vscode.window.createTerminal(shell);
      used.show();
      used.sendText(text);
    }, text);
  const rows = window.page.locator('.xterm-rows');
  const shows = (/** @type {RegExp} */ words) => rows.getByText(words).last().waitFor();
  await type('clear');
  await rows.waitFor();
  await window.command('workbench.action.toggleMaximizedPanel');
  await window.command('notifications.clearAll');
  await window.page.waitForTimeout(2000);
  await type('clear');
  await window.page.waitForTimeout(1000);
  await type('dueline today');
  await shows(/Dinner with Lena/);
  await type(`dueline add '${line}'`);
  await shows(/^Added/);
  await type("dueline list '@Work !high sort:due'");
  await shows(/Fix the login test #backend/);
  await type('dueline undo');
  await shows(/^Undone/);
  await window.page.waitForTimeout(1000);
  await save(window.page.locator('.terminal-wrapper.active'), 'terminal');
  await window.command('workbench.action.terminal.killAll');
  await window.command('workbench.action.closePanel');
}

/** Two tasks wait for others: in Today, and on the page of one of them. @param {any} window @param {Save} save */
async function dependencies(window, save) {
  const set = (/** @type {boolean} */ isOn) =>
    window.run(async (/** @type {any} */ vscode, /** @type {boolean} */ isOn) => {
      const api = vscode.extensions.getExtension('dueline.dueline').exports;
      const id = (/** @type {string} */ title) => {
        const all = api.lists().flatMap((/** @type {any} */ list) => api.rows(list.id));
        return all.find((/** @type {any} */ row) => row.title === title && !row.isDeleted).id;
      };
      const uid = (/** @type {string} */ title) => api.task(id(title)).uid;
      /** @type {[string, string][]} */
      const pairs = [
        ['Send the release candidate to testers', 'Review the storage design'],
        ['Send the release candidate to testers', 'Write the changelog'],
      ];
      await api.apply(
        pairs.map(([title, before]) => ({
          type: 'blockers',
          id: id(title),
          ...(isOn ? { add: [id(before)] } : { remove: [uid(before)] }),
        })),
      );
      return id('Send the release candidate to testers');
    }, isOn);
  const id = await set(true);
  await window.resize(520, 495);
  await window.command('dueline.openWidget', 'today');
  const widget = await window.frame(`body[data-boot*='"kind":"today"'] dueline-widget .bottom`);
  await widget.locator('.row.blocked').first().waitFor();
  await widget.evaluate('document.activeElement?.blur()');
  await save(await widget.frameElement(), 'dependencies-today');
  await window.command('workbench.action.closeAllEditors');
  await window.resize(760, 500);
  await window.command('dueline.open', id);
  const page = await window.frame('dueline-task #title');
  await page.locator('.blocker').first().waitFor();
  await page.evaluate('document.activeElement?.blur()');
  await save(await page.frameElement(), 'dependencies-page');
  await window.command('workbench.action.closeAllEditors');
  await set(false);
}

/** @param {any} window @param {Save} save */
async function review(window, save) {
  await window.resize(720, 480);
  const input = window.quickInput;
  const title = input.locator('.quick-input-title');
  void window.command('dueline.weeklyReview').catch(() => {});
  await input.waitFor();
  for (let step = 0; step < 5 && !/Overdue/.test((await title.textContent()) ?? ''); step++) {
    await window.page.keyboard.press('Enter');
    await window.page.waitForTimeout(1500);
  }
  await input.locator('.monaco-list-row', { hasText: 'Renew the library books' }).waitFor();
  await save(input, 'weekly-review');
  await window.page.keyboard.press('Escape');
  await input.waitFor({ state: 'hidden' });
}

/** @param {any} window @param {string} program @param {Save} save */
async function agentChanges(window, program, save) {
  const client = new Client({ name: 'Coding Agent', version: '1' });
  await client.connect(new StdioClientTransport({ command: program, args: ['mcp'] }));
  const call = async (/** @type {string} */ name, /** @type {object} */ args) => {
    const answer = /** @type {any} */ (await client.callTool({ name, arguments: { ...args } }));
    if (answer.isError) throw new Error(JSON.stringify(answer));
    return answer.structuredContent;
  };
  const plan = '- [ ] Sign in with a passkey\n  - [ ] Store the credential\n  - [ ] Offer it on the page';
  const [first, second] = (await call('add_tasks', { tasks: [{ text: plan, list: 'Work' }] })).tasks;
  await call('update_tasks', { updates: [{ id: first.id, status: 'started', claim: true }] });
  await call('complete_tasks', { ids: [second.id] });
  await window.resize(720, 480);
  await window.palette('Agent Changes');
  await window.picks('Coding Agent').first().waitFor();
  await window.page.waitForTimeout(1000);
  await save(window.quickInput, 'agent-changes');
  await window.page.keyboard.press('Escape');
  await window.quickInput.waitFor({ state: 'hidden' });
  for (let step = 0; step < 3; step++) await call('undo', {});
  await client.close();
}
