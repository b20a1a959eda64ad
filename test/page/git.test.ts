import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { GitRepository } from '../../src/ui/text/codeLinks';
import { gitIn, makeRepository } from '../support/repository';
import { repositoryDouble } from '../support/repositoryDouble';
import { Editor } from '../support/vscode/editor';
import { EventEmitter } from '../support/vscode/values';
import { finds, showFile } from './support/code';
import { clear, taskNamed } from './support/widgets';

/** A git extension whose answers the test decides; the branch that is checked out is the real one. */
describe('git and the active task', () => {
  let editor: Editor;
  let folder: string;
  let shortId: string;
  let hasGit = true;
  const git = (...args: string[]) => gitIn(folder, ...args);
  const repositories: GitRepository[] = [];
  const opened = new EventEmitter<GitRepository>();
  const task = (title = 'Fix race') => taskNamed(editor, title)!;
  /** The user comes back from git in a terminal. */
  const checkout = (...args: string[]) => {
    git('checkout', '-q', ...args);
    editor.setFocused(true);
  };
  const open = (branch: string, acts?: Partial<GitRepository>) => {
    const git = repositoryDouble(editor.api.Uri.file(folder), branch, acts);
    repositories.splice(0, 1, git.repository);
    opened.fire(git.repository);
    return git;
  };

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dueline-git-'));
    makeRepository(folder, { 'src/session.ts': 'export const session = 1;\n' }, 'git@example.org:team/app.git');
    const api = { repositories, onDidOpenRepository: opened.event };
    editor = await Editor.open({ folder, extensions: { 'vscode.git': { getAPI: () => (hasGit ? api : undefined) } } });
  });
  after(async () => {
    await editor?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    await editor.engine.working.stop();
    await clear(editor);
    for (const title of ['Fix race', 'Write docs'])
      await editor.engine.createTask(editor.engine.defaultListId(), { title });
    shortId = editor.engine.shortIdOf(task());
    await editor.tree().expand('Inbox');
  });
  afterEach(async function () {
    await editor.tidy(this.currentTest);
    checkout('main');
    await finds(editor, 'in:branch');
  });

  /** Until Dueline has seen that the branch has commits of its own. */
  const isAhead = (branch: string) =>
    editor.changes.until(`${branch} to be ahead`, () =>
      JSON.stringify(editor.memory.workspace.get('dueline.branches') ?? {}).includes(`${branch}":{"isAhead":true}`),
    );

  it('lists the TODO comments of a file that git finds while the branch is compared', async () => {
    for (const name of ['session', 'sign'])
      writeFileSync(join(folder, `src/${name}.ts`), `// TODO: read the key of ${name}\n`);
    const [session, sign] = ['session', 'sign'].map(name => editor.api.Uri.file(join(folder, `src/${name}.ts`)));
    const changed = new EventEmitter<void>();
    const untracked: { uri?: unknown; status: number }[] = [];
    const compares = {
      state: { HEAD: { name: 'fix', commit: 'b1' }, workingTreeChanges: untracked, onDidChange: changed.event },
      diffWith: async (_: string, path?: string) => {
        if (path === undefined) return [{ uri: session, status: 5 }];
        if (untracked.length === 0) {
          untracked.push({ uri: sign, status: 7 });
          changed.fire();
        }
        return '@@ -1 +1 @@\n+// TODO: read the key of session\n';
      },
    };
    open('fix', compares as unknown as Partial<GitRepository>);
    await editor.command('workbench.action.closeSidebar');
    void editor.command('dueline.showTodosOf');
    await editor.questions.pick('This Branch');
    await editor.tree('dueline.todos').row('read the key of sign');
    editor.settings.update('dueline.todos.scope', undefined);
    rmSync(join(folder, 'src/sign.ts'));
    git('checkout', '-q', '--', '.');
  });

  it('offers the task of a branch after a switch to it', async () => {
    checkout('-b', `fix-race-${shortId}`);
    await finds(editor, 'in:branch', 'Fix race');
    await editor.press('dueline.branch', 'Fix race');
    await finds(editor, 'is:active', 'Fix race');
    await editor.changes.until('no offer', () => editor.status('dueline.branch') === undefined);
  });

  it('offers to resume the task of the branch, and not to start it as well, after the editor was closed', async () => {
    checkout('-b', `fix-race-${shortId}`);
    await finds(editor, 'in:branch', 'Fix race');
    await editor.press('dueline.branch', 'Fix race');
    await finds(editor, 'is:active', 'Fix race');
    await editor.reload(600_000);
    await editor.changes.until('the offer to resume', () => /Resume/.test(editor.status('dueline.working') ?? ''));
    checkout('main');
    await finds(editor, 'in:branch');
    checkout(`fix-race-${shortId}`);
    await finds(editor, 'in:branch', 'Fix race');
    assert.equal(editor.status('dueline.branch'), undefined);
  });

  it('shows in the row that its branch is merged, and completes nothing', async () => {
    const branch = `fix-race-${shortId}`;
    const { merge } = open(branch);
    await isAhead(branch);
    await editor.tree().row('Fix race');
    assert.equal(editor.tree().find('merged branch'), undefined);
    merge();
    await editor.tree().row(/Fix race.*merged branch/);
    assert.equal(task().status, 0);
  });

  it('shows in the row that its branch was deleted, before its code', async () => {
    const branch = `fix-race-${shortId}`;
    const { remove } = open(branch);
    await isAhead(branch);
    await showFile(editor, join(folder, 'src/session.ts'));
    await editor.command('dueline.linkHere', task().id);
    remove();
    await editor.tree().row(/Fix race.*deleted branch · .?session\.ts:1/);
    assert.equal(task().status, 0);
    await editor.command('workbench.action.closeAllEditors');
  });

  it('shows why git refuses a branch, and takes changes along in a stash', async () => {
    const { questions, notices } = editor;
    const acts: string[] = [];
    const startOn = async (stderr: string, gitErrorCode: string) => {
      git('branch', '-f', 'stashed');
      open('stashed', {
        checkout: async name => {
          acts.push(`checkout ${name}`);
          if (!acts.includes('stash'))
            throw Object.assign(new Error('Failed to execute git'), { stderr, gitErrorCode });
        },
        createStash: async () => void acts.push('stash'),
        popStash: async () => void acts.push('pop'),
      });
      void editor.palette('Dueline: Start on a Branch…');
      await questions.pick('Write docs');
      await editor.changes.until('the name', () => questions.current?.value.startsWith('write-docs-') === true);
      questions.type('stashed');
      questions.accept();
    };
    await startOn('hint: x\nerror: you need to resolve your current index first\n', 'Conflict');
    const refused = /Git cannot switch to .stashed.: .you need to resolve your current index first/;
    (await notices.notification(refused)).close();
    assert.deepEqual(acts, ['checkout stashed']);
    assert.equal(editor.engine.working.active(), undefined);
    await startOn('error: Your local changes …', 'LocalChangesOverwritten');
    await notices.press(/would be overwritten by the branch .stashed/, 'Stash & Checkout');
    await finds(editor, 'is:active', 'Write docs');
    assert.deepEqual(acts.slice(1), ['checkout stashed', 'stash', 'checkout stashed', 'pop']);
  });

  it('says what to do if changes that come along in a stash conflict with the branch', async () => {
    const { questions, notices } = editor;
    const failed = (gitErrorCode: string) => Object.assign(new Error('Failed to execute git'), { gitErrorCode });
    git('branch', '-f', 'stashed');
    let isStashed = false;
    open('stashed', {
      checkout: async () => {
        if (!isStashed) throw failed('LocalChangesOverwritten');
      },
      createStash: async () => {
        isStashed = true;
      },
      popStash: async () => {
        throw failed('StashConflict');
      },
    });
    void editor.palette('Dueline: Start on a Branch…');
    await questions.pick('Write docs');
    await editor.changes.until('the name', () => questions.current?.value.startsWith('write-docs-') === true);
    questions.type('stashed');
    questions.accept();
    await notices.press(/would be overwritten by the branch .stashed/, 'Stash & Checkout');
    const shown = await notices.notification(
      /conflict with the branch .stashed.\. Resolve the conflicts, then drop the stash/,
    );
    assert.match(shown.message, /To go back, discard all changes, check out .main. and pop the stash\.$/);
    assert.deepEqual(shown.buttons, ['Show Changes']);
    shown.close();
    await finds(editor, 'is:active', 'Write docs');
  });

  it('suggests a name with the issue that the task links to, behind the prefix for branches', async () => {
    const { questions, settings } = editor;
    await editor.engine.updateTask(task('Write docs').id, { url: 'https://shop.example.org/browse/SHOP-7' });
    settings.update('dueline.git.branchName', ['$', '{issue}-$', '{slug}'].join(''));
    settings.update('git.branchPrefix', 'ann/');
    try {
      void editor.palette('Dueline: Start on a Branch…');
      await questions.pick('Write docs');
      await editor.changes.until('the name', () => /^ann\/SHOP-7-write-docs-dl-/.test(questions.current?.value ?? ''));
      questions.escape();
    } finally {
      settings.reset();
    }
  });

  it('recognizes a branch with another name by a line of the task, which does not reveal the name', async () => {
    const { questions } = editor;
    git('branch', 'spike');
    open('spike', { checkout: async name => checkout(name) });
    void editor.palette('Dueline: Start on a Branch…');
    await questions.pick('Write docs');
    await editor.changes.until('the name', () => questions.current?.value.startsWith('write-docs-') === true);
    assert.equal(questions.current!.title?.replace(/[\u2068\u2069]/g, ''), `Start on a Branch in ${basename(folder)}`);
    questions.type('spike');
    questions.accept();
    await finds(editor, 'in:branch', 'Write docs');
    assert.equal(git('branch', '--show-current').trim(), 'spike');
    const { unknownProperties } = task('Write docs');
    assert.match(unknownProperties!, /X-DUELINE-BRANCH;V=1;REPO=[\da-f]{12}:#[\da-f]{24}/);
    assert.doesNotMatch(unknownProperties!, /spike/);
    await finds(editor, 'is:active', 'Write docs');
  });

  it('writes the line into the message of the repository whose menu was used', async () => {
    const { repository: front } = open('front');
    const other = repositoryDouble(editor.api.Uri.file(join(folder, 'other')), 'other').repository;
    repositories.push(other);
    await editor.engine.working.start(task().id);
    await editor.command('dueline.insertTrailer', { rootUri: other.rootUri });
    assert.equal(other.inputBox.value.trim(), `Task: ${shortId}`);
    assert.equal(front.inputBox.value, '');
    await editor.command('dueline.insertTrailer', { rootUri: front.rootUri });
    assert.equal(front.inputBox.value.trim(), `Task: ${shortId}`);
    repositories.pop();
  });

  /** Writes the line for the active task in a window of two folders. */
  async function insertInOneOfTwo(): Promise<void> {
    const { workspace, Uri } = editor.api;
    const { workspaceFolders } = workspace;
    const other = { uri: Uri.file(tmpdir()), name: 'other', index: 1 };
    Object.assign(workspace, { workspaceFolders: [...workspaceFolders!, other] });
    try {
      await editor.engine.working.start(task().id);
      await editor.command('dueline.insertTrailer');
    } finally {
      Object.assign(workspace, { workspaceFolders });
    }
  }

  it('asks for a file of one of several folders before it takes a repository', async () => {
    await insertInOneOfTwo();
    await editor.notices.notification('This window has several folders. Open a file of the repository first.');
  });

  it('copies the line in a window of several folders without the git extension, too', async () => {
    hasGit = false;
    try {
      await insertInOneOfTwo();
      await editor.notices.notification(/^Git is not available in this window. The line .* was copied/);
    } finally {
      hasGit = true;
    }
  });
});
