import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publishedIn } from '../../src/core/kernel/settings';
import { openEngine } from '../../src/engine';
import { clock } from './support/aStart';
import { aTerminal } from './support/terminal';

describe('the command line and the settings of the editor', () => {
  const terminal = aTerminal();

  /** The folder of an extension, with a store that has the list Work, and the settings as the extension writes them. */
  async function aStore(settings: unknown) {
    const folder = terminal.folder();
    const store = join(folder, 'store');
    mkdirSync(store);
    const window = await openEngine({ folder: store, clock });
    await window.createList({ name: 'Work' });
    await window.close();
    writeFileSync(join(store, publishedIn), typeof settings === 'string' ? settings : JSON.stringify(settings));
    return { ...terminal.on(store), folder };
  }

  it('adds to the default list, reads and writes as the editor does, and completes series in the same way', async () => {
    const { dueline, json } = await aStore({
      defaultList: 'Work',
      quickAddSyntax: 'todoist',
      dateFormat: 'iso',
      timeFormat: '24h',
      onCompleteRecurring: 'advance',
      templates: [{ name: 'Trip', title: 'Trip', subtasks: [{ title: 'Pack' }] }],
    });
    const { out } = await dueline('add', 'Pay rent 2030-05-06 3pm @home p1 every day');
    assert.match(out, /Pay rent {2}2030-05-06 15:00 !!! #home @Work\n$/);
    const [task] = (await json('list')).tasks;
    assert.deepEqual(task, { ...task, tags: ['home'], priority: 1 });
    await dueline('done', task.shortId);
    assert.equal((await json('list', 'show:done')).tasks.length, 1);
    await dueline('add', ':trip');
    assert.equal((await json('list', 'title:Pack')).tasks.length, 1);
  });

  for (const completeSubtasks of ['always', 'never', 'ask', undefined] as const)
    it(`completes the open subtasks of a task by the setting ${completeSubtasks}, for the user and for an agent`, async () => {
      const { piped, dueline, json, store } = await aStore({ completeSubtasks });
      const titlesOf = (tasks: readonly { readonly title: string }[]) => tasks.map(({ title }) => title).toSorted();
      const open = async () => titlesOf((await json('list', 'is:open')).tasks);
      const plan = '- Trip\n  - Pack\n    - Socks\n  - [x] Book\n  - Feed 2030-05-06 every day\n    - Bowl\n- Other\n';
      await piped(plan, 'add');
      const { shortId } = (await json('list', 'Trip')).tasks[0];
      const isAlone = completeSubtasks === 'never' || completeSubtasks === 'ask';
      const ways = [
        ['done', shortId],
        ['edit', shortId, '--progress', '100'],
      ];
      for (const env of [{}, { CLAUDECODE: '1' }] as Record<string, string>[])
        for (const way of ways) {
          const { out } = await terminal.run([...way, '--json', '--store', store], { env });
          assert.deepEqual(titlesOf(JSON.parse(out).tasks), isAlone ? ['Trip'] : ['Pack', 'Socks', 'Trip']);
          assert.deepEqual(await open(), ['Bowl', 'Feed', 'Other', ...(isAlone ? ['Pack', 'Socks'] : [])]);
          await dueline('undo');
          assert.deepEqual(await open(), ['Bowl', 'Feed', 'Other', 'Pack', 'Socks', 'Trip']);
        }
    });

  it('completes the next date of a repeating task by its progress, as done does', async () => {
    const { dueline, json } = await aStore({});
    await dueline('add', 'Feed 2030-05-06 every day');
    const { shortId, due } = (await json('list', 'Feed')).tasks[0];
    assert.equal(due, '2030-05-06');
    await dueline('edit', shortId, '--progress', '100', '--priority', 'high');
    const [feed] = (await json('list', 'Feed is:open')).tasks;
    assert.deepEqual([feed.shortId, feed.due, feed.priority], [shortId, '2030-05-07', 1]);
    await dueline('undo');
    assert.equal((await json('list', 'Feed')).tasks[0].due, '2030-05-06');
  });

  it('links to the editor that wrote the settings', async () => {
    for (const [uriScheme, link] of [
      ['vscodium', 'vscodium'],
      ['x\u001b[2J', 'vscode'],
      [7, 'vscode'],
    ]) {
      const { dueline, store } = await aStore({ uriScheme });
      await dueline('add', 'Linked');
      const { out } = await terminal.run(['--store', store, 'list'], { columns: 80 });
      assert.ok(out.includes(`\u001b]8;;${link}://dueline.dueline/task?id=dl-`));
    }
  });

  for (const [flaw, settings] of [
    ['that cannot be read', '{"defaultList":'],
    ['of another kind', '[1]'],
    ['of other types', { defaultList: 7, timeFormat: null, templates: {}, dayStartHour: '3' }],
  ] as const)
    it(`does without settings ${flaw}`, async () => {
      const { dueline } = await aStore(settings);
      const { code, out, err } = await dueline('add', 'Here tomorrow 9am');
      assert.deepEqual({ code, err }, { code: 0, err: '' });
      assert.match(out, /Here {2}tomorrow 9:00\sAM @Inbox/);
    });

  it('takes no settings from the folder above the store: anyone may have left them there', async () => {
    const { folder, dueline } = await aStore({ defaultList: 'Work' });
    writeFileSync(join(folder, publishedIn), JSON.stringify({ defaultList: 'Inbox', trashDays: 1 }));
    assert.match((await dueline('add', 'Trusted')).out, /@Work/);
    const { store } = terminal.on(join(folder, 'other'));
    mkdirSync(store);
    writeFileSync(join(folder, publishedIn), JSON.stringify({ dateFormat: 'iso' }));
    assert.doesNotMatch((await terminal.on(store).dueline('add', 'Plain 2030-05-06')).out, /2030-05-06/);
  });

  it('finds the editor’s store in its folder, and takes no settings for another store', async () => {
    const { folder } = await aStore({ defaultList: 'Work' });
    assert.match((await terminal.on(folder).dueline('add', 'There')).out, /@Work/);
    assert.match((await terminal.on().dueline('add', 'Elsewhere')).out, /@Inbox/);
  });
});
