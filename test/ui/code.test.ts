import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { repositoryOf } from '../../src/core/code/repository';
import { plain, source } from '../support/sampleCode';
import { addTask, beginAnew, openCode, showFile } from './support/codeFiles';
import { until } from './support/wait';
import type { Window } from './support/window';

const timeoutMs = 60_000;

interface Row {
  readonly id: number;
  readonly title: string;
  readonly status: number;
  readonly isDeleted: boolean;
  readonly unknownProperties: string | null;
}

describe('tasks in code', () => {
  let work: Awaited<ReturnType<typeof openCode>>;
  let window: Window;

  before(async () => {
    work = await openCode('code', { 'src/session.ts': source, 'src/plain.ts': plain });
    ({ window } = work);
  });
  beforeEach(() => beginAnew(work));
  afterEach(async function () {
    await window.tidy(this.currentTest);
  });

  const rows = (): Promise<Row[]> =>
    window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      return api.rows(api.lists()[0].id) as Row[];
    });
  const row = (title: string) =>
    until(`the task ${title}`, timeoutMs, async () =>
      (await rows()).find(one => one.title === title && !one.isDeleted),
    );

  const show = (name: string, line: number) => showFile(window, work.file(`src/${name}`), line);

  /** The text behind lines: what is drawn there is in no element. */
  const behind = () =>
    window.page.evaluate<string[]>(`[...document.querySelectorAll('.editor-instance .view-line')].flatMap(line => {
      const words = [...line.querySelectorAll('span')]
        .map(part => getComputedStyle(part, '::after').content).filter(text => text.includes('○'));
      return words.map(text => line.textContent.trim().replace(/\\u00a0/g, ' ') + ' ' + text.replace(/["\\u2068\\u2069]/g, ''));
    })`);
  /** A task for a line, which is counted from 1, and its words behind the line. */
  async function link(name: string, line: number, title: string): Promise<void> {
    await show(name, line);
    const { id } = await addTask(window, title);
    await window.command('dueline.linkHere', id);
    await until('the words behind the line', timeoutMs, async () => (await behind()).length === 1);
  }

  it('are added by one key and a title, shown behind their line, and follow edits without a change to the task', async () => {
    await show('session.ts', 8);
    await window.page.keyboard.press('Control+Alt+Shift+Enter');
    await window.picks('session.ts:8').first().waitFor({ timeout: timeoutMs });
    await window.quickText.fill('Fix race tomorrow');
    await window.picks('Add').first().waitFor();
    await window.page.keyboard.press('Enter');
    const { unknownProperties } = await row('Fix race');
    const { id } = repositoryOf(['https://example.org/team/code'], '');
    assert.match(
      unknownProperties!,
      new RegExp(`X-DUELINE-ANCHOR;V=1;REPO=${id};PATH=#[0-9a-f]{24};LINE=8:[0-9a-f]{77}`),
    );
    assert.doesNotMatch(unknownProperties!, /session|token/i);
    await until('the words behind the line', timeoutMs, async () => (await behind()).length > 0);
    assert.deepEqual(await behind(), ['this.#token = requestToken(this.user); ○ Fix race · Tomorrow']);
    await show('session.ts', 1);
    await window.page.keyboard.press('Control+Home');
    await window.page.keyboard.type('/* The session of a user */\n/* and its token */\n');
    await until('the words on the moved line', timeoutMs, async () => (await behind())[0]?.startsWith('this.#token'));
    await window.command('workbench.action.files.save');
    assert.equal((await row('Fix race')).unknownProperties, unknownProperties);
    await window.expand('Inbox');
    await window.rows('Fix race').filter({ hasText: 'session.ts:10' }).first().waitFor({ timeout: timeoutMs });
  });

  it('have actions on hover, which mentions that they are probably on a line recognized by its neighbors only', async () => {
    await link('session.ts', 8, 'Fix race');
    await window.command('editor.action.showHover');
    const hover = window.page.locator('.monaco-hover').filter({ hasText: 'Fix race' }).first();
    await hover.waitFor({ timeout: timeoutMs });
    await hover.getByText('Complete', { exact: true }).click();
    await until('the task to be done', timeoutMs, async () => (await row('Fix race')).status === 2);
    await until('the line to be bare', timeoutMs, async () => (await behind()).length === 0);
    await window.command('dueline.undo');
    await until('the task to be open', timeoutMs, async () => (await row('Fix race')).status === 0);
    await window.command('workbench.action.closeAllEditors');
    await link('plain.ts', 4, 'Prepare it');
    writeFileSync(work.file('src/plain.ts'), plain.replace('prepare(input)', 'prepare(input, options)'));
    // On a busy machine the editor hears late of what another program wrote, or never.
    await window.command('workbench.action.files.revert');
    const prepared = window.rows('Prepare it').filter({ hasText: 'plain.ts:4' });
    await window.expand('Inbox');
    await prepared.filter({ hasText: '(probably here)' }).first().waitFor({ timeout: timeoutMs });
    await show('plain.ts', 4);
    await window.command('editor.action.showHover');
    const probably = window.page.locator('.monaco-hover').filter({ hasText: 'Probably here' });
    await probably.first().waitFor({ timeout: timeoutMs });
    await window.page.keyboard.press('Escape');
  });

  it('is certain of a line that is typed over, from the first key on', async () => {
    await link('session.ts', 8, 'Fix race');
    await window.expand('Inbox');
    await show('session.ts', 8);
    await window.page.keyboard.press('End');
    await window.page.keyboard.press('ArrowLeft');
    await window.page.keyboard.press('ArrowLeft');
    await window.page.keyboard.type(', this.realm');
    await window.page.keyboard.press('Control+Home');
    await window.page.keyboard.type('// A head\n');
    const moved = window.rows('Fix race').filter({ hasText: 'session.ts:9' }).first();
    await moved.waitFor({ timeout: timeoutMs });
    assert.doesNotMatch((await moved.textContent())!, /probably/);
    await window.command('workbench.action.files.revert');
    await window.rows('Fix race').filter({ hasText: 'session.ts:8' }).first().waitFor({ timeout: timeoutMs });
  });

  it('are shown above their line, or not at all, as set', async () => {
    const set = (value?: string) =>
      window.run(async (vscode, value) => {
        await vscode.workspace.getConfiguration().update('dueline.links.show', value, true);
      }, value);
    await link('session.ts', 8, 'Fix race');
    await set('codeLens');
    await window.page.locator('.codelens-decoration').filter({ hasText: 'Fix race' }).waitFor({ timeout: timeoutMs });
    assert.deepEqual(await behind(), []);
    await set('off');
    await window.page.locator('.codelens-decoration').waitFor({ state: 'detached', timeout: timeoutMs });
    await set();
    await until('the words back', timeoutMs, async () => (await behind()).length === 1);
  });
});
