import assert from 'node:assert/strict';
import { Peer } from '../interop/support/peer';
import { pick } from '../support/pick';
import type { Editor } from '../support/vscode/editor';
import { PasswordFront } from './support/edges';
import { accountState, finds, Home, isFine, listNamed, redStatus, titles } from './support/home';

describe('an existing account', () => {
  let home: Home<PasswordFront>;
  let front: PasswordFront;
  let peer: Peer;
  let editor: Editor;
  before(async () => {
    home = await Home.open({ front: server => PasswordFront.start(server, 'first') });
    ({ editor, front, peer } = home);
  });
  after(() => home?.close());
  beforeEach(async () => {
    front.password = 'first';
    front.movedTo = undefined;
    await home.empty(async () => {
      await peer.makeList('Errands');
      await peer.put('bread', 'SUMMARY:Buy bread');
      await peer.put('milk', 'SUMMARY:Buy milk');
      await new Peer(home.server, '/anna/garden/').makeList('Garden');
    });
    await home.connect();
  });
  afterEach(function () {
    return editor.tidy(this.currentTest);
  });

  const syncNow = () => editor.palette('Dueline: Sync Now');
  const pauseOrResume = () =>
    editor.palette(`Dueline: ${editor.commands.context('dueline.syncPaused') === true ? 'Resume' : 'Pause'} Sync`);
  const isRed = () => editor.changes.until('a red status', () => redStatus(editor));
  const isRedNoMore = () => editor.changes.until('no red status', () => redStatus(editor) === undefined);
  const edit = (from: string, to: string) => {
    const { engine } = editor;
    return engine.updateTask(engine.query(`"${from}"`)[0]!.task.id, { title: to });
  };

  it('gets another name from its menu', async () => {
    const { questions } = editor;
    await editor.context('Home server', 'Rename Account…');
    await questions.asked('Rename Account');
    assert.equal(questions.current!.value, 'Home server');
    await questions.answer('Rename Account', '');
    await questions.asked('An account name is required.');
    await questions.answer('Rename Account', 'Office');
    await editor.tree().row('Office');
  });

  it('shows that its password is no longer accepted, asks for it there, and continues', async () => {
    const { questions } = editor;
    front.password = 'second';
    await syncNow();
    await editor.notices.notification(/could not be synced/);
    await editor.tree().row('sign in again');
    assert.match(redStatus(editor) ?? '', /Home server.* needs attention/);
    await editor.notices.press(/could not be synced/, 'Enter Password…');
    await questions.answer(/Enter your password/, 'third');
    await questions.asked(/rejected the username or password/);
    questions.type('second');
    questions.accept();
    await isFine(editor);
    await isRedNoMore();
  });

  it('gets another password from its menu while all is well, and by a click on the red status', async () => {
    const { questions } = editor;
    await editor.context('Home server', 'Enter Password…');
    await questions.answer(/Enter your password/, 'first');
    await editor.changes.until('the question to end', () => questions.current === undefined);
    assert.equal(accountState(editor).problem, 'none');
    front.password = 'fourth';
    await editor.command('notifications.clearAll');
    await syncNow();
    await isRed();
    await editor.press('dueline', '$(warning)');
    await questions.answer(/Enter your password/, 'fourth');
    await isRedNoMore();
  });

  it('says what to do about a redirect by a click on the red status, instead of asking for the password', async () => {
    const { notices, questions } = editor;
    front.movedTo = 'https://other.example/';
    await syncNow();
    await isRed();
    await editor.command('notifications.clearAll');
    await editor.press('dueline', '$(warning)');
    await notices.notification(/redirects to https:\/\/other\.example/);
    assert.equal(questions.current, undefined);
    front.movedTo = undefined;
    await notices.press(/redirects to/, 'Try Again');
    await isRedNoMore();
  });

  it('pauses and resumes; what was edited meanwhile waits', async () => {
    await pauseOrResume();
    await editor.tree().row('paused');
    await edit('Buy bread', 'Buy rye bread');
    editor.palette('Dueline: Show Pending Changes');
    await editor.questions.row('Buy rye bread');
    editor.questions.escape();
    assert.match(await peer.get('bread'), /SUMMARY:Buy bread/);
    await pauseOrResume();
    await editor.tree().gone('paused');
    await syncNow();
    assert.match(await peer.get('bread'), /Buy rye bread/);
  });

  it('syncs the chosen lists; the others stay as they are and show that', async () => {
    await editor.context('Home server', 'Choose Lists…');
    await editor.questions.pickMany('Errands');
    const { item } = await editor.tree().row(/Errands.*not synced/);
    assert.match(item.accessibilityInformation!.label, /not synced/);
    await peer.put('oats', 'SUMMARY:Buy oats');
    await syncNow();
    assert.equal(accountState(editor).error, null);
    assert.deepEqual(titles(editor, '"Buy oats"'), []);
    await editor.context('Errands', 'Resume Syncing This List');
    await finds(editor, '"Buy oats"');
    await editor.tree().gone(/Errands.*not synced/);
  });

  it('is removed after a question that names what stays and what never reaches the server', async () => {
    await pauseOrResume();
    await edit('Buy milk', 'Buy oat milk');
    await editor.context('Home server', 'Remove Account…');
    const { message, detail = '', close } = await editor.notices.dialog();
    assert.match(message, /Remove the account .Home server.\?/);
    assert.match(detail, /2 tasks are kept on this computer/);
    assert.match(detail, /Nothing is deleted on the server/);
    assert.match(detail, /1 unsynced change will be lost/);
    close('Sync First');
    const again = await editor.notices.notification(/kept on this computer/);
    assert.match(await peer.get('milk'), /Buy oat milk/);
    assert.doesNotMatch(again.detail!, /will be lost/);
    again.close('Remove Account');
    await editor.tree().gone('Home server');
    assert.deepEqual(editor.engine.accounts(), []);
    assert.deepEqual(titles(editor, 'is:open').sort(), ['Buy bread', 'Buy oat milk']);
    assert.deepEqual(pick(listNamed(editor, 'Errands')!, 'accountId', 'href'), { accountId: null, href: null });
    assert.match(await peer.get('bread'), /Buy bread/);
  });
});
