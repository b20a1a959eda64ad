import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitIn, makeRepository } from '../support/repository';
import { Editor } from '../support/vscode/editor';
import { taskNamed } from './support/widgets';

describe('a list in a repository', () => {
  let home: string;
  const editors: Editor[] = [];
  const at = (name: string) => join(home, name);
  const open = async (name: string, options: Parameters<typeof Editor.open>[0] = {}) => {
    const editor = await Editor.open({ folder: at(name), ...options });
    editors.push(editor);
    return editor;
  };
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'dueline-repository-'));
    makeRepository(at('app'), { 'a.ts': 'let a;\n' });
  });
  afterEach(async () => {
    // The first one owns the storage.
    for (const editor of editors.splice(0).reverse()) await editor.close();
    rmSync(home, { recursive: true, force: true });
  });

  const make = async (editor: Editor, name: string) => {
    editor.palette('Dueline: New Repository List…');
    await editor.questions.answer('New Repository List', name);
    await editor.changes.until('the list', () => editor.engine.lists().some(list => list.name === name && list.href));
    return editor.engine.lists().find(list => list.name === name)!.id;
  };
  const filesOf = (root: string, list: string) => readdirSync(join(at(root), '.tasks', list));
  const hasTask = (root: string, list: string) => filesOf(root, list).some(name => name.endsWith('.ics'));

  it('only creates a folder of files, and is offered to every clone', async () => {
    const editor = await open('app');
    const list = await make(editor, 'Release');
    await editor.engine.createTask(list, { title: 'Tag it' });
    await editor.engine.sync();
    assert.ok(hasTask('app', 'Release'));
    const accountNames = (one: Editor) => one.engine.accounts().map(({ displayName }) => displayName);
    assert.deepEqual(accountNames(editor), ['app'], 'each repository has a folder of that name');
    assert.equal(gitIn(at('app'), 'status', '--porcelain'), '?? .tasks/\n');
    gitIn(at('app'), 'add', '.');
    gitIn(at('app'), 'commit', '-qm', 'tasks');
    gitIn(home, 'clone', '-q', 'app', 'clone');

    const other = await open('clone');
    await other.notices.notification(/clone.* has a list of tasks in .tasks/);
    assert.equal(other.engine.accounts().length, 0, 'nothing is read before the answer');
    await other.notices.press(/clone.* has a list/, 'Add List');
    await other.changes.until('its task', () => taskNamed(other, 'Tag it') !== undefined);
    assert.deepEqual(accountNames(other), ['clone']);
    await other.engine.completeTask(taskNamed(other, 'Tag it')!.id);
    await other.engine.sync();
    assert.match(gitIn(at('clone'), 'status', '--porcelain'), /^ M \.tasks\/Release\/\S+\.ics\n$/);
    const [file] = filesOf('clone', 'Release').filter(name => name.endsWith('.ics'));
    assert.match(readFileSync(join(at('clone'), '.tasks/Release', file!), 'utf8'), /STATUS:COMPLETED/);
  });

  it('is deleted after a question that names its files and no server, and comes back by undo', async () => {
    const editor = await open('app');
    const list = await make(editor, 'Release');
    await editor.engine.createTask(list, { title: 'Tag it' });
    await editor.engine.sync();
    await editor.context('Release', 'Delete List…');
    const { detail, close } = await editor.notices.dialog();
    assert.match(
      detail!,
      /It contains 1 task. Its task files in the folder .app. are also deleted. You can undo this./,
    );
    close('Delete List');
    await editor.changes.until('the list to be gone', () => taskNamed(editor, 'Tag it') === undefined);
    assert.ok(!existsSync(join(at('app'), '.tasks/Release')));
    await editor.command('dueline.undo');
    await editor.engine.sync();
    assert.ok(hasTask('app', 'Release'));
  });

  it('is the same for all working trees of the repository: that of the first one', async () => {
    gitIn(at('app'), 'worktree', 'add', '-q', at('tree'));
    const editor = await open('tree');
    await make(editor, 'Release');
    assert.ok(existsSync(join(at('app'), '.tasks/Release')));
    assert.ok(!existsSync(join(at('tree'), '.tasks')));
    await make(editor, 'Later');
    assert.equal(editor.engine.accounts().length, 1);
  });

  const offered = /has a list of tasks in .tasks/;
  /** A sync reads more files than an offer does. */
  const isNotOffered = async (editor: Editor) => {
    await editor.engine.sync();
    assert.ok(!editor.notices.open.some(({ message }) => offered.test(message)));
  };
  /** Commits a list, and clones the repository. */
  const share = async () => {
    const origin = 'https://example.org/o/app.git';
    gitIn(at('app'), 'remote', 'add', 'origin', origin);
    const editor = await open('app');
    const list = await make(editor, 'Release');
    await editor.engine.createTask(list, { title: 'Tag it' });
    await editor.engine.sync();
    gitIn(at('app'), 'add', '.');
    gitIn(at('app'), 'commit', '-qm', 'tasks');
    gitIn(home, 'clone', '-q', 'app', 'clone');
    gitIn(at('clone'), 'remote', 'set-url', 'origin', origin);
    return editor;
  };

  it('is not offered to a clone on a computer that has it from another clone', async () => {
    const editor = await share();
    await isNotOffered(await open('clone', { besides: editor }));
    // Without the other clone it is a list like any other.
    rmSync(at('app'), { recursive: true });
    await (await open('clone', { besides: editor })).notices.notification(offered);
  });

  it('is offered in another repository whose folder has the same name, unless both have one remote', async () => {
    const other = join('besides', 'app');
    makeRepository(at(other), { 'b.ts': 'let b;\n' });
    mkdirSync(at(join(other, '.tasks/Later')), { recursive: true });
    writeFileSync(at(join(other, '.tasks/Later/.dueline')), '');
    const editor = await open('app');
    await make(editor, 'Release');
    await (await open(other, { besides: editor })).notices.notification(offered);
  });

  for (const answer of ['Not for This Repository', undefined])
    it(`is offered once for all windows and working trees if ${answer ? 'declined' : 'dismissed'}`, async () => {
      await share();
      const editor = await open('clone');
      (await editor.notices.notification(offered)).close(answer);
      await editor.reload();
      await isNotOffered(editor);
      gitIn(at('clone'), 'worktree', 'add', '-q', at('tree'));
      await isNotOffered(await open('tree', { besides: editor }));
    });

  it('is offered in Restricted Mode once the folder is trusted, and asked about once', async () => {
    await share();
    const editor = await open('clone', { restricted: true });
    await isNotOffered(editor);
    editor.trust();
    await editor.notices.notification(offered);
    editor.trust();
    await editor.engine.sync();
    assert.equal(editor.notices.open.filter(({ message }) => offered.test(message)).length, 1);
  });

  it('shows the conflict that a merge leaves in one of its tasks', async () => {
    const editor = await share();
    const [name] = filesOf('app', 'Release').filter(file => file.endsWith('.ics'));
    const file = join(at('app'), '.tasks/Release', name!);
    const rename = (title: string) => {
      writeFileSync(file, readFileSync(file, 'utf8').replace(/^SUMMARY:.*$/m, `SUMMARY:${title}`));
      gitIn(at('app'), 'commit', '-qam', title);
    };
    gitIn(at('app'), 'checkout', '-qb', 'other');
    rename('Sign it');
    gitIn(at('app'), 'checkout', '-q', 'main');
    rename('Push it');
    assert.throws(() => gitIn(at('app'), 'merge', '-q', 'other'));
    await editor.engine.sync();
    assert.equal(editor.engine.syncing!.conflicts().length, 1);
    assert.ok(taskNamed(editor, 'Push it'));
    assert.doesNotMatch(readFileSync(file, 'utf8'), /<<<<<<</);
  });

  it('is recognized by its path without links, whatever characters it contains', async () => {
    makeRepository(at('my äpp #1'), { 'a.ts': 'let a;\n' });
    symlinkSync(at('my äpp #1'), at('linked'));
    const editor = await open('linked');
    await make(editor, 'Release');
    await make(editor, 'Later');
    assert.equal(editor.engine.accounts().length, 1);
    await editor.reload();
    assert.deepEqual(
      editor.notices.open.map(({ message }) => message).filter(text => /has a list/.test(text)),
      [],
    );
  });

  it('does not follow a link, and is refused outside of a repository', async () => {
    symlinkSync(home, at('app/.tasks'));
    const editor = await open('app');
    editor.palette('Dueline: New Repository List…');
    await editor.questions.answer('New Repository List', 'Release');
    await editor.notices.notification(/is not a folder/);
    assert.equal(editor.engine.accounts().length, 0);
  });
});
