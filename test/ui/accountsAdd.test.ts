import { Peer } from '../interop/support/peer';
import { type Server, startRadicale } from '../interop/support/servers';
import type { Session } from './support/driver';
import { accounts, titles } from './support/engine';
import { sharedSession } from './support/shared';
import { until } from './support/wait';
import type { Window } from './support/window';

const timeoutMs = 60_000;

describe('adding an account', () => {
  let server: Server;
  let session: Session;
  let window: Window;
  before(async () => {
    server = await startRadicale();
    const peer = new Peer(server, '/anna/errands/');
    await peer.makeList('Errands');
    await peer.put('bread', 'SUMMARY:Buy bread');
    session = await sharedSession({ theme: 'dark', size: { width: 1100, height: 760 } });
    window = session.window;
    await window.view();
  });
  after(async () => {
    await server?.stop();
  });
  afterEach(function () {
    return window.tidy(this.currentTest);
  });

  const pickerHas = (words: RegExp) => window.quickInput.getByText(words).first().waitFor({ timeout: timeoutMs });
  const asks = (prompt: RegExp) => pickerHas(prompt);
  const connected = async () => {
    await until('the account', timeoutMs, async () => (await accounts(window)).length === 1);
    await until('its task', timeoutMs, async () => (await titles(window, '"Buy bread"')).length === 1);
  };

  it('works by keyboard alone, from the palette to the task’s row', async () => {
    const { keyboard } = window.page;
    await window.palette('Dueline: Add CalDAV Account or Folder');
    await window.picks('Nextcloud').first().waitFor({ timeout: timeoutMs });
    await keyboard.type('Other');
    await keyboard.press('Enter');
    await asks(/Enter the server address/);
    await keyboard.type(server.url);
    await keyboard.press('Enter');
    await asks(/Username/);
    await keyboard.type(server.username);
    await keyboard.press('Enter');
    await asks(/Enter your password/);
    await keyboard.type('nonsense');
    await keyboard.press('Enter');
    await pickerHas(/rejected the username or password/);
    // The wrong text is selected: typing replaces it.
    await keyboard.insertText(server.password);
    await keyboard.press('Enter');
    await connected();
    await window.rows('Errands').first().waitFor({ timeout: timeoutMs });
    await window.run(vscode => vscode.commands.executeCommand('dueline.lists.focus'));
    const list = window.page.locator('.pane-body .monaco-list:focus');
    await list.waitFor({ timeout: timeoutMs });
    await keyboard.press('End');
    await list.locator('.monaco-list-row.focused', { hasText: 'Errands' }).waitFor({ timeout: timeoutMs });
    // While it draws its rows again, as at the end of a sync, a tree may open none.
    await window
      .rows(/Errands\D*1/)
      .first()
      .waitFor({ timeout: timeoutMs });
    await window
      .rows(/last sync/)
      .first()
      .waitFor({ timeout: timeoutMs });
    await keyboard.press('ArrowRight');
    await window.rows('Buy bread').first().waitFor({ timeout: timeoutMs });
  });
});
