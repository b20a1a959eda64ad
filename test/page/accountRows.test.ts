import assert from 'node:assert/strict';
import { type Server, startRadicale, startXandikos } from '../interop/support/servers';
import { Editor } from '../support/vscode/editor';
import { connect, empty } from './support/home';

describe('the row of an account in the Lists view', () => {
  let server: Server;
  let other: Server;
  let editor: Editor;
  before(async () => {
    editor = await Editor.open({ settings: { 'dueline.sync.enabled': false } });
    other = await startXandikos();
  });
  beforeEach(async () => {
    server = await startRadicale();
    await empty(editor);
    await connect(editor, server, 'Home');
  });
  afterEach(async function () {
    await editor.tidy(this.currentTest);
    await server.stop();
  });
  after(async () => {
    await editor?.close();
    await other?.stop();
  });

  const row = (words: RegExp) => editor.tree().row(words);

  it('shows when it was synced, and the user if two have one name', async () => {
    await row(/Home.*last synced now/);
    await connect(editor, { ...other, username: 'ben' }, 'Home', false);
    for (const name of ['Home (anna)', 'Home (ben)']) await editor.tree().row(name);
    assert.deepEqual(
      editor.engine.accounts().map(({ displayName }) => displayName),
      ['Home', 'Home'],
    );
  });

  it('shows that sync is paused, and resumes it', async () => {
    await editor.palette('Dueline: Pause Sync');
    await row(/Home.*paused · last synced/);
    await editor.inline('Home', 'Resume Sync');
    await editor.tree().gone('paused');
  });

  it('tries again after a failure, from the row and from the message', async () => {
    await server.stop();
    await editor.inline('Home', 'Sync Now');
    await row(/Home.*waiting for the server/);
    const message = /could not be synced/;
    (await editor.notices.notification(message)).close();
    await editor.inline('Home', 'Try Sync Again');
    await editor.notices.press(message, 'Try Again');
    await editor.notices.notification(message);
    assert.notEqual(editor.engine.accounts()[0]!.lastSyncError, null);
  });
});
