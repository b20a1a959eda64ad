import assert from 'node:assert/strict';
import { type Server, startRadicale } from '../interop/support/servers';
import { Editor } from '../support/vscode/editor';
import { empty, finds, listNamed, redStatus, shownText, titles } from './support/home';

describe('sync in the window', () => {
  let server: Server;
  let editor: Editor;
  before(async () => {
    editor = await Editor.open();
  });
  after(() => editor?.close());
  beforeEach(async () => {
    server = await startRadicale();
    syncsAlone(false);
    await empty(editor);
    const { engine } = editor;
    const { url: serverUrl, username, password } = server;
    const accountId = await engine.addAccount({ serverUrl, username, password, displayName: 'Home server' });
    const list = await engine.createList({ name: 'Errands', accountId });
    await engine.createTask(list, { title: 'Buy bread', description: 'At the corner.' });
    await engine.sync();
  });
  afterEach(async function () {
    await editor.tidy(this.currentTest);
    await editor.command('workbench.action.closeAllEditors');
    await server.stop();
  });

  const syncsAlone = (value: boolean) => editor.settings.update('dueline.sync.enabled', value);
  const named = (title: string) => editor.engine.query(`"${title}"`)[0]!.task;
  const login = () => `Basic ${Buffer.from(`${server.username}:${server.password}`).toString('base64')}`;
  const onServer = async (href: string) =>
    (await fetch(new URL(href, server.url), { headers: { authorization: login() } })).text();
  const replace = async (href: string, from: string, to: string) => {
    const text = await onServer(href);
    assert.ok(text.includes(from), text);
    const answer = await fetch(new URL(href, server.url), {
      method: 'PUT',
      headers: { authorization: login(), 'content-type': 'text/calendar; charset=utf-8' },
      body: text.replace(from, to),
    });
    assert.ok(answer.ok, String(answer.status));
  };

  it('keeps the losing value, compares both versions, and uses mine', async () => {
    const { id, href } = named('Buy bread');
    await editor.engine.updateTask(id, { title: 'Buy rye bread', priority: 1 });
    await replace(href!, 'SUMMARY:Buy bread', 'SUMMARY:Buy white bread');
    await editor.palette('Dueline: Sync Now');
    await finds(editor, 'is:conflicted');
    await editor.tree().expand('Errands');
    await editor.tree().row('Buy white bread');
    editor.palette('Dueline: Show Conflicts');
    await editor.questions.row('Buy white bread');
    editor.questions.escape();
    editor.palette('Dueline: Show Conflicts');
    await editor.questions.pick('Buy white bread');
    const page = await editor.frame('form', 'Your version was not sent');
    await page.getByLabel('Mine', { exact: false }).first().waitFor();
    await page.getByRole('button', { name: 'Compare as Text' }).click();
    await editor.tabs.titled('Yours');
    await shownText(editor, 'SUMMARY:Buy rye bread');
    await editor.editorButton('Use My Version');
    await finds(editor, '"rye"');
    await editor.tabs.gone('Yours');
    assert.deepEqual(titles(editor, 'is:conflicted'), []);
  });

  it('shows pending changes, and how they will look', async () => {
    const { engine } = editor;
    const list = listNamed(editor, 'Errands')!.id;
    await engine.updateTask(named('Buy bread').id, { title: 'Buy rye bread', priority: 1 });
    await engine.createTask(list, { title: 'Post the letter' });
    await engine.updateList(list, { color: 0xffdb2777 | 0 });
    editor.palette('Dueline: Show Pending Changes');
    await editor.questions.row('Post the letter');
    editor.questions.escape();
    editor.palette('Dueline: Show Pending Changes');
    await editor.questions.pick('Buy rye bread');
    await editor.tabs.titled('Server ↔ Pending Change');
    await shownText(editor, 'SUMMARY:Buy rye bread');
  });

  it('sends an edit by itself', async () => {
    syncsAlone(true);
    await editor.engine.updateTask(named('Buy bread').id, { title: 'Buy both breads' });
    await finds(editor, 'is:dirty', 0);
    editor.palette('Dueline: Show Pending Changes');
    await editor.notices.notification(/No pending changes/);
  });

  it('is red only if the user must act, and quiet while the server is unavailable', async () => {
    await server.stop();
    await editor.palette('Dueline: Sync Now');
    await editor.notices.notification(/could not be synced/);
    await editor.tree().row(/Home server.*waiting for the server/);
    assert.match(editor.status('dueline.today')!, /\$\(checklist\)/);
    assert.equal(redStatus(editor), undefined);
  });
});
