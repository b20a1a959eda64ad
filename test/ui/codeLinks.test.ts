import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { addTask, beginAnew, openCode, showFile, titlesOf } from './support/codeFiles';
import { until } from './support/wait';
import type { Window } from './support/window';

const timeoutMs = 60_000;

describe('links between tasks and code', () => {
  let work: Awaited<ReturnType<typeof openCode>>;
  let window: Window;
  let shortId: string;
  const file = (name: string) => work.file(name);

  before(async () => {
    const files = { 'src/other.ts': 'export const other = 1;\nexport const more = 2;\n' };
    work = await openCode('links', files, { 'terminal.integrated.gpuAcceleration': 'off' });
    ({ window } = work);
  });
  beforeEach(async () => {
    await beginAnew(work);
    ({ shortId } = await addTask(window, 'Fix race'));
    await addTask(window, 'Drop it');
    await window.expand('Inbox');
  });
  afterEach(async function () {
    await window.tidy(this.currentTest);
    await window.command('workbench.action.closeAllEditors');
  });

  const found = (query: string) => titlesOf(window, query);

  const show = (name: string, line: number) => showFile(window, file(name), line);

  it('are created by a task that is dropped on a line, which is not changed', async () => {
    await show('src/other.ts', 1);
    const before = readFileSync(file('src/other.ts'), 'utf8');
    const line = window.page.locator('.editor-instance .view-line').filter({ hasText: 'more' }).first();
    await window.rows('Drop it').first().dragTo(line);
    await until('the link', timeoutMs, async () => (await found('link:file:src/other.ts')).includes('Drop it'));
    await window.rows('Drop it').filter({ hasText: 'other.ts:2' }).first().waitFor({ timeout: timeoutMs });
    const text = await window.run(vscode => vscode.window.activeTextEditor!.document.getText());
    assert.equal(text, before);
    await window.command('dueline.undo');
    await until('no link', timeoutMs, async () => (await found('has:link')).length === 0);
  });

  it('are created by a file that is dropped on a task, without its URL', async () => {
    await show('src/other.ts', 1);
    const tab = window.page.locator('.tab').filter({ hasText: 'other.ts' }).first();
    await tab.dragTo(window.rows('Drop it').first());
    await until('the link', timeoutMs, async () => (await found('link:file:src/other.ts')).includes('Drop it'));
    const task = await window.run(async vscode => {
      const api = await vscode.extensions.getExtension('dueline.dueline')!.activate();
      return api.query('title:"Drop it"')[0].task as { url: string | null; unknownProperties: string };
    });
    assert.equal(task.url, null);
    assert.match(task.unknownProperties, /X-DUELINE-ANCHOR;V=1;REPO=[\da-f]{12};PATH=#[\da-f]{24}:0/);
    await window
      .rows('Drop it')
      .filter({ hasText: /other\.ts(?!:)/ })
      .first()
      .waitFor({ timeout: timeoutMs });
    await window.command('dueline.undo');
    await until('no link', timeoutMs, async () => (await found('has:link')).length === 0);
  });

  it('are short IDs in a terminal', async () => {
    await window.run(async (vscode, id) => {
      const written = new vscode.EventEmitter<string>();
      const pty = {
        onDidWrite: written.event,
        open: () => written.fire(`see ${id} and dl-zzzzzzzz\r\n`),
        close: () => undefined,
      };
      vscode.window.createTerminal({ name: 'ids', pty }).show();
    }, shortId);
    const text = window.page.locator('.terminal-wrapper.active .xterm-rows > div').filter({ hasText: shortId }).first();
    await text.waitFor({ timeout: timeoutMs });
    const box = (await text.locator('span').first().boundingBox())!;
    const letters = `see ${shortId} and dl-zzzzzzzz`.length;
    const at = [box.x + (box.width / letters) * 7, box.y + box.height / 2] as const;
    await window.page.mouse.move(at[0] - 2, at[1]);
    await window.page.mouse.move(...at);
    // The words of the link come once the editor knows that there is one.
    await window.page.locator('.monaco-hover').getByText('Fix race').first().waitFor({ timeout: timeoutMs });
    await window.page.keyboard.down('Control');
    await window.page.mouse.click(...at);
    await window.page.keyboard.up('Control');
    const tab = window.page.locator('.tab.active').filter({ hasText: 'Fix race' });
    await tab.first().waitFor({ timeout: timeoutMs });
    await window.command('workbench.action.terminal.killAll');
  });

  it('are short IDs in the preview of Markdown, but not in its code', async () => {
    writeFileSync(file('notes.md'), `See ${shortId}, \`${shortId}\` and dl-zzzzzzzz.\n`);
    await show('notes.md', 1);
    await window.command('markdown.showPreview');
    const preview = await window.frame('.markdown-body a', shortId);
    const links = await preview
      .locator('.markdown-body a')
      .evaluateAll(all => all.map(one => `${one.textContent} ${one.getAttribute('href')}`));
    const scheme = await window.run(vscode => vscode.env.uriScheme);
    assert.deepEqual(links, [`${shortId} ${scheme}://dueline.dueline/task?id=${shortId}`]);
  });
});
