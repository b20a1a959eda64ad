import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { TestAgent } from '../../test/mcp/support/agents';
import type { Window } from '../../test/ui/support/window';
import { boxOf, leaveQuestion, type Part, settled, typed, widget } from './window';

interface PictureTools {
  readonly window: Window;
  /** The list for work. */
  readonly work: number;
  /** Tomorrow at nine. */
  readonly due: number;
  /** The command line. */
  readonly program: string;
  readonly draw: (part: Part, name: string) => Promise<void>;
}

const line = 'Fix the login test tomorrow 9am #backend !high @Work';

/**
 * The pictures of the pages of docs. Each act is real: a shell in the editor's terminal, and an agent that is the official
 * client of its protocol. The tasks are the same afterwards.
 */
export async function otherPages(tools: PictureTools): Promise<void> {
  const { window, draw } = tools;
  await window.command('workbench.action.closeSidebar');
  await window.resize(860, 260);
  await window.command('dueline.editAsText', { listId: tools.work });
  await window.page.waitForTimeout(2000);
  await draw(window.page.locator('.editor-group-container'), 'text');
  await terminal(tools);
  await dependencies(tools);
  await agentChanges(tools);
  await sidebar(tools);
  await window.command('workbench.action.closeSidebar');
  await window.resize(720, 480);
  await draw(await typed(window, 'dueline.quickAdd', line, 'Fix the login test'), 'quick-add');
  await leaveQuestion(window);
  await taskPage(tools);
}

async function terminal({ window, draw }: PictureTools): Promise<void> {
  await window.resize(740, 450);
  const type = (text: string) =>
    window.run((vscode, text) => {
      const env = { PS1: '$ ', LANG: 'en_GB.UTF-8', LC_ALL: 'en_GB.UTF-8' };
      const shell = { name: 'bash', shellPath: '/bin/bash', shellArgs: ['--norc', '--noprofile'], env };
      const shown = vscode.window.terminals.find(({ name }) => name === 'bash') ?? vscode.window.createTerminal(shell);
      shown.show();
      shown.sendText(text);
    }, text);
  const rows = window.page.locator('.xterm-rows');
  await type('clear');
  await rows.waitFor();
  await window.command('workbench.action.toggleMaximizedPanel');
  await window.command('notifications.clearAll');
  await window.page.waitForTimeout(2000);
  await type('clear');
  await window.page.waitForTimeout(1000);
  for (const [command, answer] of [
    ['dueline today', /Dinner with Lena/],
    [`dueline add '${line}'`, /^Added/],
    ["dueline list '@Work !high sort:due'", /Fix the login test #backend/],
    ['dueline undo', /^Undone/],
  ] as const) {
    await type(command);
    await rows.getByText(answer).last().waitFor();
    await window.page.waitForTimeout(500); // until the prompt is there
  }
  await window.page.waitForTimeout(1000);
  await draw(window.page.locator('.terminal-wrapper.active'), 'terminal');
  await window.command('workbench.action.terminal.killAll');
  await window.command('workbench.action.closePanel');
}

/** Two tasks wait for others: in Today, and on the page of one of them. */
async function dependencies({ window, work, draw }: PictureTools): Promise<void> {
  const rows: { id: number; title: string }[] = await window.api('rows', work);
  const idOf = (begin: string) => rows.find(({ title }) => title.startsWith(begin))!.id;
  const [id, ...before] = ['Send the release', 'Review the storage', 'Write the changelog'].map(idOf);
  await window.api('apply', [{ type: 'blockers', id, add: before }]);
  await draw(await widget(window, 'today', 520, 460, '.row.blocked'), 'dependencies-today');
  await draw(await page(window, id!, '.blocker', 500), 'dependencies-page');
  await window.api('undo');
}

async function page(window: Window, id: number, shown: string, height: number): Promise<Part> {
  await window.command('workbench.action.closeAllEditors');
  await window.resize(760, height);
  await window.command('dueline.open', id);
  return settled(await window.frame('dueline-task #title'), shown);
}

async function agentChanges({ window, program, draw }: PictureTools): Promise<void> {
  const client = new Client({ name: 'Coding Agent', version: '1' });
  await client.connect(new StdioClientTransport({ command: program, args: ['mcp'] }));
  const agent = new TestAgent(client, 0, 'Coding Agent');
  const call = async (name: string, args = {}) => (await agent.done(name, args)).data.tasks;
  const plan = '- [ ] Sign in with a passkey today\n  - [ ] Store the credential\n  - [ ] Offer it on the page';
  const [first, second] = await call('add_tasks', { tasks: [{ text: plan, list: 'Work' }] });
  await call('update_tasks', { updates: [{ id: first!.id, status: 'started', claim: true }] });
  await call('complete_tasks', { ids: [second!.id] });
  await window.resize(720, 480);
  await window.palette('Agent Changes');
  await window.picks('Coding Agent').first().waitFor();
  await window.page.waitForTimeout(1000);
  await draw(window.quickInput, 'agent-changes');
  await leaveQuestion(window);
  await draw(await widget(window, 'today', 520, 460, '.fact.claimed'), 'claimed-today');
  for (let step = 0; step < 3; step++) await call('undo');
  await client.close();
}

/** The Dueline view with its activity bar, a list of it open. */
async function sidebar({ window, draw }: PictureTools): Promise<void> {
  const put = (vscode: typeof import('vscode'), at: string) =>
    vscode.workspace.getConfiguration('workbench').update('activityBar.location', at, 1);
  const moveBar = (at: string) => window.run(put, at);
  await moveBar('default');
  await window.resize(1000, 900);
  await window.view();
  await (await window.frame('dueline-widget .bottom')).locator('.row').first().waitFor();
  // Today gets the room that its tasks need.
  const { mouse } = window.page;
  const { x, y } = await boxOf(window.pane('Lists').locator('.pane-header'));
  await mouse.move(x + 100, y);
  await mouse.down();
  await mouse.move(x + 100, y + 130, { steps: 8 });
  await mouse.up();
  await window.rows('Work').first().click();
  await window.rows('Review').first().waitFor(); // a tree of this width shortens the title
  await mouse.move(700, 600);
  await window.page.waitForTimeout(1000);
  const bar = await boxOf(window.page.locator('.part.sidebar'));
  await draw({ ...bar, x: 0, width: bar.x + bar.width }, 'sidebar');
  await moveBar('hidden');
}

/** The task page with notes and subtasks. */
async function taskPage({ window, work, due, draw }: PictureTools): Promise<void> {
  const description =
    'May run twice when two tabs wake up. See `src/auth/session.ts:118`.\n\n- [x] reproduce\n- [ ] lock per store';
  const fields = { due, rrule: 'FREQ=MONTHLY;BYDAY=2TU', description, priority: 1, tags: ['auth'] };
  const title = 'Fix the token refresh race';
  const id = await window.api('createTask', work, { title, ...fields, alarms: [{ minutesBefore: 0 }] });
  const first = await window.api('createTask', work, { title: 'Write the failing test', parentId: id });
  await window.api('createTask', work, { title: 'Lock per store', parentId: id, due, tags: ['team'] });
  await window.api('completeTask', first);
  await draw(await page(window, id, '.markdown', 505), 'task-page');
  await window.command('workbench.action.closeAllEditors');
  await window.api('deleteTask', id, { children: 'delete' });
}
