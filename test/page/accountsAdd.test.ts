import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { Peer } from '../interop/support/peer';
import { type Server, startRadicale } from '../interop/support/servers';
import { Editor } from '../support/vscode/editor';
import { LoginFlow, TlsFront } from './support/edges';
import { connect, empty, finds, isFine, redStatus } from './support/home';

/** A fingerprint as it is shown: too long for one line. */
const halves = (fingerprint: string) => [fingerprint.slice(0, 47), fingerprint.slice(48)];

describe('adding an account', () => {
  let server: Server;
  let editor: Editor;
  before(async () => {
    server = await startRadicale();
    const peer = new Peer(server, '/anna/errands/');
    await peer.makeList('Errands');
    await peer.put('bread', 'SUMMARY:Buy bread');
    editor = await Editor.open();
  });
  after(async () => {
    await editor?.close();
    await server?.stop();
  });
  beforeEach(() => empty(editor));
  afterEach(function () {
    return editor.tidy(this.currentTest);
  });

  const accounts = () => editor.engine.accounts();
  const command = () => editor.palette('Dueline: Add CalDAV Account or Folder…');
  const start = async () => {
    command();
    await editor.questions.pick('Other CalDAV Server');
  };
  const answer = (words: RegExp, text: string) => editor.questions.answer(words, text);
  const goBack = () => editor.questions.press('Back');
  const asks = (words: RegExp) => editor.questions.asked(words);
  const signIn = async () => {
    await answer(/Username/, server.username);
    await answer(/Enter your password/, server.password);
  };
  const connected = async () => {
    await editor.changes.until('the account', () => accounts().length === 1);
    await finds(editor, '"Buy bread"');
    return accounts()[0]!;
  };
  const failureText = /could not be synced/;

  it('accepts a URL, with every step back and forth again', async () => {
    await start();
    await asks(/Enter the server address/);
    await goBack();
    await editor.questions.row('Other CalDAV Server');
    assert.deepEqual(editor.questions.current!.buttons, []);
    await editor.questions.pick('Other CalDAV Server');
    await answer(/Enter the server address/, server.url);
    await asks(/Username/);
    await goBack();
    const address = await asks(/Enter the server address/);
    assert.equal(address.value, server.url);
    editor.questions.accept();
    await answer(/Username/, 'anne');
    await asks(/Enter your password/);
    await goBack();
    const name = await asks(/Username/);
    assert.equal(name.value, 'anne');
    await signIn();
    const account = await connected();
    assert.equal(account.username, server.username);
    await editor.notices.notification(/Account connected\. Found 1 task list/);
    await editor.tree().row('Errands');
  });

  it('offers to create a list, with the account as the first choice, if it has none', async () => {
    const bare = await startRadicale();
    try {
      await start();
      await answer(/Enter the server address/, bare.url);
      await answer(/Username/, bare.username);
      await answer(/Enter your password/, bare.password);
      await editor.notices.press(/Account connected\. It has no task lists yet/, 'New List…');
      await answer(/List name/, 'Home');
      await editor.questions.row('On this computer only');
      assert.match(editor.questions.picks().at(-1)!.label, /On this computer only/);
      editor.questions.accept();
      await editor.changes.until('the list', () =>
        editor.engine.lists().some(({ name, accountId }) => name === 'Home' && accountId !== null),
      );
    } finally {
      await bare.stop();
    }
  });

  it('knows providers: their addresses, hints, and which one has no tasks to sync', async () => {
    command();
    await editor.questions.pick('iCloud');
    await asks(/iCloud: Not supported/);
    await editor.questions.pick('Fastmail');
    await answer(/Enter your email address/, 'anna@fastmail.example');
    await asks(/Enter an app password/);
    await goBack();
    await asks(/Enter your email address/);
    await goBack();
    await editor.questions.pick('Nextcloud');
    const address = await asks(/Nextcloud, as shown in the browser/);
    assert.equal(address.value, '');
    await goBack();
    await editor.questions.pick('Radicale');
    await answer(/Enter the address of your Radicale/, server.url);
    await signIn();
    await connected();
  });

  it('accepts an email address, which is also offered as the name', async () => {
    await start();
    const email = `anna@${new URL(server.url).host}`;
    await answer(/Enter the server address/, email);
    const name = await asks(/Username/);
    assert.equal(name.value, email);
    await signIn();
    await connected();
  });

  it('shows what is wrong with a password in place, and accepts the right one there', async () => {
    await start();
    await answer(/Enter the server address/, server.url);
    await answer(/Username/, server.username);
    await answer(/Enter your password/, 'wrong');
    await asks(/rejected the username or password/);
    assert.deepEqual(accounts(), []);
    editor.questions.type(server.password);
    editor.questions.accept();
    await connected();
  });

  it('shows an untrusted certificate before it asks for a password, and again when it has changed', async () => {
    const { questions, notices } = editor;
    const front = await TlsFront.start(server.url);
    try {
      await start();
      await answer(/Enter the server address/, front.url);
      await asks(/is not trusted/);
      for (const half of halves(front.fingerprint)) await questions.row(half);
      await questions.row('home.example');
      await questions.pick('Do not trust this certificate');
      const address = await asks(/The certificate was not trusted/);
      assert.equal(address.value, front.url);
      questions.accept();
      await asks(/is not trusted/);
      await goBack();
      await asks(/Enter the server address/);
      questions.accept();
      await questions.pick('Trust this certificate for this account');
      await signIn();
      const { displayName } = await connected();
      // A sync that still runs would fail by its connection, which is cut.
      await editor.changes.until('the end of the first sync', () => accounts()[0]!.lastSyncAt !== null);

      front.renew();
      await editor.palette('Dueline: Sync Now');
      await notices.notification(failureText);
      await editor.tree().row('certificate not trusted');
      const label = await editor.changes.until('a red status', () => redStatus(editor));
      await notices.press(failureText, 'Review Certificate…');
      for (const half of halves(front.fingerprint)) await questions.row(half);
      await questions.pick('Trust this certificate for this account');
      await isFine(editor);
      await editor.changes.until('no red status', () => redStatus(editor) === undefined);
      assert.ok(label.includes(displayName), label);
    } finally {
      front.stop();
    }
  });

  describe('in the browser (login flow v2)', () => {
    let flow: LoginFlow;
    let page: Page | undefined;
    beforeEach(async () => {
      editor.opened.length = 0;
      flow = await LoginFlow.start(server);
      flow.onPoll = editor.changes.notify;
    });
    afterEach(async () => {
      await page?.close();
      page = undefined;
      flow.stop();
    });

    const polls = (count: number) => editor.changes.until(`${count} polls`, () => flow.polls >= count);
    const openBrowser = async () => {
      const before = editor.opened.length;
      await editor.questions.pick('Sign in with your browser');
      const url = await editor.changes.until('the browser', () => editor.opened[before]);
      assert.equal(url, `${flow.url}login/v2/flow/one`);
      page = await editor.page.context().newPage();
      await page.goto(url);
      return page;
    };

    it('opens the server’s page, waits until the user has agreed, and stores the app password', async () => {
      await start();
      await answer(/Enter the server address/, flow.url);
      await editor.questions.row('Sign in with your browser');
      await goBack();
      await answer(/Enter the server address/, flow.url);
      const browser = await openBrowser();
      await editor.notices.notification(/Approve the sign-in in your browser/);
      await polls(2);
      await browser.getByRole('button', { name: 'Grant access' }).click();
      const account = await connected();
      assert.equal(account.username, server.username);
    });

    it('can be canceled, and continues with name and password', async () => {
      await start();
      await answer(/Enter the server address/, flow.url);
      await openBrowser();
      await polls(1);
      await editor.notices.press(/Approve the sign-in in your browser/, 'Cancel');
      await editor.questions.row('Enter username and password');
      await asks(/Sign-in was canceled/);
      assert.ok(!editor.notices.open.some(({ message }) => message.includes('cancelled')));
      await editor.questions.pick('Enter username and password');
      await signIn();
      await connected();
    });

    it('reports that nobody has agreed for too long, and can be restarted', async () => {
      const { now } = performance;
      await start();
      await answer(/Enter the server address/, flow.url);
      await openBrowser();
      await polls(1);
      try {
        performance.now = () => now.call(performance) + 21 * 60_000;
        await asks(/sign-in was not approved/);
      } finally {
        performance.now = now;
      }
      const again = await openBrowser();
      await again.getByRole('button', { name: 'Grant access' }).click();
      await connected();
    });
  });

  it('leaves nothing behind if the user cancels', async () => {
    await connect(editor, server, 'Kept');
    const before = structuredClone(editor.engine.lists());
    await start();
    await answer(/Enter the server address/, server.url);
    await asks(/Username/);
    editor.questions.escape();
    await editor.changes.until('no question', () => editor.questions.current === undefined);
    assert.equal(accounts().length, 1);
    assert.deepEqual(editor.engine.lists(), before);
  });
});
