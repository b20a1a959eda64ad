import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseDataFolder } from '../../src/dataFolder';
import { openEngine } from '../../src/engine';
import { Editor } from '../support/vscode/editor';
import { taskNamed } from './support/widgets';

/** A window whose profile has no tasks, while another profile of the editor has some. */
describe('the data folder of a profile', () => {
  let user: string;
  const editors: Editor[] = [];
  const storage = (profile?: string) =>
    join(user, ...(profile ? ['profiles', profile] : []), 'globalStorage', 'dueline.dueline');
  const open = async (profile: string | undefined, answer?: keyof typeof answers) => {
    const editor = await Editor.open({
      storage: storage(profile),
      meanwhile: one => answer && void one.notices.notification(question).then(shown => shown.close(answers[answer])),
    });
    editors.push(editor);
    return editor;
  };
  const question = /tasks in another profile/;
  const answers = { use: 'Use These Tasks', empty: 'Start Without Tasks', none: undefined };
  const close = async () => {
    for (const editor of editors.splice(0)) await editor.close();
  };
  beforeEach(async () => {
    user = mkdtempSync(join(tmpdir(), 'dueline-user-'));
  });
  afterEach(async () => {
    await close();
    rmSync(user, { recursive: true, force: true });
  });
  const fillProfile = async (profile?: string) => {
    const engine = await openEngine({ folder: join(storage(profile), 'store') });
    await engine.createTask(engine.defaultListId(), { title: 'Was there' });
    await engine.close();
  };

  for (const [from, to] of [
    [undefined, 'abc'],
    ['abc', undefined],
    ['abc', 'def'],
  ] as const)
    it(`is that of ${from ?? 'the default profile'} in ${to ?? 'the default profile'} if the user chooses so`, async () => {
      await fillProfile(from);
      const editor = await open(to, 'use');
      assert.ok(taskNamed(editor, 'Was there'));
      assert.ok(!existsSync(join(storage(to), 'store')), 'nothing is copied');
      await close();
      // It is kept: nothing is asked again.
      assert.ok(taskNamed(await open(to), 'Was there'));
    });

  it('is asked about until the user answers, and no window is empty before', async () => {
    await fillProfile();
    assert.ok(taskNamed(await open('abc', 'none'), 'Was there'));
    await close();
    assert.ok(!existsSync(join(storage('abc'), 'data-folder')));
    const own = await open('abc', 'empty');
    assert.equal(taskNamed(own, 'Was there'), undefined);
    await close();
    // The new store is the answer: the home may be moved.
    assert.ok(!existsSync(join(storage('abc'), 'data-folder')));
    assert.equal(taskNamed(await open('abc'), 'Was there'), undefined);
  });

  for (const [first, second] of [
    ['use', 'empty'],
    ['empty', 'use'],
    ['use', 'none'],
  ] as const)
    it(`is the same in two windows that ask at once and get the answers ${first} and ${second}`, async () => {
      await fillProfile();
      let opening!: Promise<Editor>;
      const later = await new Promise<Editor>(resolve => {
        opening = Editor.open({ storage: storage('abc'), meanwhile: resolve });
      });
      const notice = await later.notices.notification(question);
      const one = await open('abc', first);
      notice.close(answers[second]);
      editors.push(await opening);
      const isThere = taskNamed(one, 'Was there') !== undefined;
      assert.equal(isThere, first === 'use');
      assert.equal(taskNamed(later, 'Was there') !== undefined, isThere);
    });

  it('is the profile’s own one without a pointer to it', async () => {
    await fillProfile('abc');
    await fillProfile();
    chooseDataFolder(storage(), join(storage('abc'), 'store'));
    const editor = await open(undefined);
    assert.ok(existsSync(join(storage(), 'data-folder')));
    editor.palette('Dueline: Choose Data Folder…');
    await editor.questions.pick(join(user, 'globalStorage'), 'Select where the tasks of this profile are');
    await editor.notices.notification(/Dueline uses .* after a reload/);
    assert.deepEqual(
      readdirSync(storage()).filter(name => name.startsWith('data-folder')),
      [],
    );
  });

  it('can be chosen with a command, for the next start', async () => {
    await fillProfile('abc');
    await fillProfile();
    const editor = await open('abc');
    await editor.engine.createTask(editor.engine.defaultListId(), { title: 'Of abc' });
    editor.palette('Dueline: Choose Data Folder…');
    await editor.questions.pick(join(user, 'globalStorage'), 'Select where the tasks of this profile are');
    await editor.notices.notification(/Dueline uses .* after a reload/);
    await close();
    assert.equal(taskNamed(await open('abc'), 'Of abc'), undefined);
  });
});
