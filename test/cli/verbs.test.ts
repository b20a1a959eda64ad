import assert from 'node:assert/strict';
import { detailNames, textFacts } from '../../src/core/fields/table';
import { openEngine } from '../../src/engine';
import { openTaskStore } from '../../src/store/taskStore';
import { clock } from './support/aStart';
import { aTerminal } from './support/terminal';

const idIn = (text: string) => /dl-\w+/.exec(text)![0];

describe('commands and options of the command line', () => {
  const terminal = aTerminal();

  it('sets by options what a shell or Quick Add could misread', async () => {
    const { dueline, json } = terminal.on();
    const parent = idIn((await dueline('add', 'Release')).out);
    const title = 'Write !high #notes @Home tomorrow $(x)';
    const fields = [
      '--due',
      '2030-05-06 9am',
      '--priority',
      'high',
      '--tag',
      'rel',
      '--tag',
      '#doc',
      '--url',
      'https://a.org',
    ];
    const more = ['--note', 'All of it', '--parent', parent, '--after', parent, '--location', 'Rome'];
    const added = await dueline('add', '--title', title, ...fields, ...more);
    assert.equal(added.err, '');
    const [task] = (await json('show', idIn(added.out))).tasks;
    assert.deepEqual(
      [task.title, task.due, task.priority, task.tags, task.url, task.notes, task.location, task.blockedBy],
      [title, '2030-05-06T09:00:00Z', 1, ['rel', 'doc'], 'https://a.org', 'All of it', 'Rome', [parent]],
    );
    assert.equal(task.parentId, 1);
    assert.match(added.out, /!!! #rel #doc @Inbox/);
    const rent = await dueline(
      'add',
      'Pay rent #home',
      '--repeat',
      'every month',
      '--start',
      '2030-05-01',
      '--due',
      '2030-05-02',
    );
    const [monthly] = (await json('show', idIn(rent.out))).tasks;
    assert.deepEqual(
      [monthly.repeat, monthly.start, monthly.due, monthly.tags],
      ['FREQ=MONTHLY', '2030-05-01', '2030-05-02', ['home']],
    );
    assert.equal((await dueline('add', 'x', '--repeat', 'often')).code, 1);
    assert.equal((await dueline('add', 'x', '--title', 'y')).code, 2);
    assert.match((await dueline('edit', parent, '--progress', '150')).err, /--progress takes a number from 0 to 100/);
  });

  it('sets, shows and prints every detail that the table of fields has', async () => {
    const { dueline, json } = terminal.on();
    for (const name of detailNames) {
      const option = name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
      const { out, err } = await dueline('add', '--title', name, `--${option}`, 'https://here.example/');
      assert.equal(err, '');
      assert.equal((await json('show', idIn(out))).tasks[0][name], 'https://here.example/');
      const shown = (await dueline('show', idIn(out))).out;
      assert.match(shown, new RegExp(`^${textFacts[name].label} +https://here.example/$`, 'm'));
      await dueline('edit', idIn(out), `--${option}`, '');
      assert.equal((await json('show', idIn(out))).tasks[0][name], null);
    }
  });

  it('reports which task of after: does not exist', async () => {
    const { dueline } = terminal.on();
    const { err, out } = await dueline('add', 'Ship after:dl-nope');
    assert.match(err, /There is no task dl-nope: these words stay in the title/);
    assert.match(out, /Ship after:dl-nope/);
  });

  it('names the sign of a priority that another program writes in another way', async () => {
    const { dueline } = terminal.on();
    const { err, out } = await dueline('add', 'Pay rent p1');
    assert.match(err, /p1 stays in the title\. !high sets the priority\./);
    assert.match(out, /Pay rent p1/);
  });

  it('stops, cancels and reopens tasks, each in one step', async () => {
    const { dueline, json } = terminal.on();
    const ids: string[] = [];
    for (const title of ['One', 'Two']) ids.push(idIn((await dueline('add', title)).out));
    const status = async () => (await json('show', ...ids)).tasks.map((task: { status: string }) => task.status);
    await dueline('start', ids[0]!);
    assert.match((await dueline('stop', ...ids)).out, /^Stopped +dl-\w+ {2}One.*\nUnchanged dl-\w+ {2}Two/);
    assert.deepEqual(await status(), ['needs-action', 'needs-action']);
    await dueline('cancel', ...ids);
    assert.deepEqual(await status(), ['cancelled', 'cancelled']);
    assert.match((await dueline('reopen', ...ids)).out, /^Reopened/);
    assert.deepEqual(await status(), ['needs-action', 'needs-action']);
    await dueline('undo');
    assert.deepEqual(await status(), ['cancelled', 'cancelled']);
  });

  it('deletes tasks, their subtasks only if asked, and brings them back by undo', async () => {
    const { dueline, piped } = terminal.on();
    await piped('Move\n  Zip boxes\n', 'add');
    const titles = async () => [...(await dueline('list')).out.matchAll(/dl-\w+ +(.*)/g)].map(([, title]) => title);
    const id = idIn((await dueline('list', 'Move')).out);
    assert.match((await dueline('delete', id)).out, /^Deleted +dl-\w+ {2}Move.*\n$/);
    assert.deepEqual(await titles(), ['Zip boxes']);
    assert.equal((await dueline('undo')).out, 'Undone: Deleted “Move”\n');
    assert.match((await dueline('delete', id, '--subtasks')).out, /^Deleted .*Move.*\nDeleted .*Zip boxes/);
    assert.deepEqual(await titles(), []);
    await dueline('undo');
    assert.deepEqual(await titles(), ['Move', 'Zip boxes']);
  });

  it('reports the tracked time of a period, by day and by task', async () => {
    const { store, dueline, json } = terminal.on();
    const engine = await openEngine({ folder: store, clock });
    const id = await engine.createTask(1, { title: 'Run' });
    const minute = 60_000;
    const add = [2, 26, 30 * 24].map((hours, at) => ({
      start: clock.now() - hours * 60 * minute,
      ms: (60 - at * 15) * minute,
    }));
    await engine.working.edit(id, { add });
    const shortId = engine.shortIdOf(engine.task(id)!);
    await engine.close();
    assert.equal(
      (await dueline('time')).out,
      `Total  1:45\n\ntoday      1:00\nyesterday  0:45\n\n${shortId}  1:45  Run\n`,
    );
    assert.equal((await dueline('time', 'all')).out, `Total  2:15\n\n${shortId}  2:15  Run\n`);
    const { minutes, days, tasks } = await json('time');
    assert.deepEqual([minutes, days.length, tasks], [105, 2, [{ id, shortId, title: 'Run', minutes: 105 }]]);
    const wrong = await dueline('time', 'year');
    assert.equal(wrong.code, 2);
    assert.match(wrong.err, /“year” is not a period\. Use week, last-week/);
  });

  it('names several deleted occurrences that it restores as tasks, since they may be of one series', async () => {
    const { store, dueline } = terminal.on();
    const engine = await openEngine({ folder: store, clock });
    const day = 86_400_000;
    const due = Date.UTC(2030, 0, 7);
    const id = await engine.createTask(1, { title: 'Run', due, isAllDay: true, rrule: 'FREQ=DAILY' });
    const dates = [1, 2, 3].map(count => due + count * day);
    await engine.apply(dates.map(occurrence => ({ type: 'deleteOccurrence', id, occurrence })));
    await engine.deleteOccurrence(id, due);
    await engine.close();
    assert.equal((await dueline('undo')).out, 'Undone: Deleted one occurrence of “Run”\n');
    assert.equal((await dueline('undo')).out, 'Undone: Deleted 3 tasks\n');
  });

  it('undoes nothing of a change that a sync has replaced, and says so', async () => {
    const { store: folder, dueline } = terminal.on();
    const id = idIn((await dueline('add', 'Run')).out);
    await dueline('edit', id, 'Walk');
    const store = await openTaskStore({ folder, clock });
    await store.edit({ origin: 'sync' }, tx => tx.updateTask(1, { title: 'Swim' }));
    await store.close();
    const { code, out, err } = await dueline('undo');
    assert.deepEqual({ code, out }, { code: 1, out: '' });
    assert.match(err, /Later changes replaced the last one \(Changed “Run”\)/);
    assert.match((await dueline('list')).out, /Swim/);
    assert.equal((await dueline('undo')).out, 'Undone: Added “Run”\n');
  });

  it('names what it undoes of the time of a task', async () => {
    const { store, dueline } = terminal.on();
    const engine = await openEngine({ folder: store, clock });
    const id = await engine.createTask(1, { title: 'Run' });
    await engine.working.edit(id, { add: [{ start: clock.now(), ms: 60_000 }] });
    await engine.close();
    assert.equal((await dueline('undo')).out, 'Undone: Changed the time of “Run”\n');
  });

  it('asks for a window where only that knows the answer', async () => {
    const { dueline } = terminal.on();
    await dueline('add', 'Run');
    for (const words of ['is:conflicted', 'NOT is:conflicted', 'sync:error'])
      assert.match(
        (await dueline('list', words)).err,
        /“(is:conflicted|sync:error)” is available in editor windows only/,
      );
    for (const words of ['sync:pending', 'sync:clean', 'sync:local'])
      assert.equal((await dueline('list', words)).code, 0);
  });

  it('shows lists and tags, and links to a task', async () => {
    const { dueline, json } = terminal.on();
    const id = idIn((await dueline('add', 'One #home #work')).out);
    await dueline('add', 'Two #work');
    assert.equal((await dueline('lists')).out, 'Inbox  2\n');
    assert.equal((await dueline('tags')).out, '#work  2\n#home  1\n');
    assert.deepEqual((await json('tags')).tags, [
      { name: 'work', open: 2 },
      { name: 'home', open: 1 },
    ]);
    assert.equal((await dueline('open', id)).out, `vscode://dueline.dueline/task?id=${id}\n`);
    assert.match((await dueline('lst')).err, /Unknown command lst\. Did you mean list/);
  });

  it('shows subtasks below their parents in their order, unless the output is sorted', async () => {
    const { dueline, piped } = terminal.on();
    await piped('Move\n  Zip boxes\n    Buy tape\n  Ask movers\nAlign\n', 'add');
    const titles = async (...args: string[]) =>
      (await dueline('list', ...args)).out
        .trimEnd()
        .split('\n')
        .map(line => line.replace(/^dl-\w+ {2}/, ''));
    assert.deepEqual(await titles(), ['Align', 'Move', '  Zip boxes', '    Buy tape', '  Ask movers']);
    assert.deepEqual(await titles('sort:title'), ['Align', 'Ask movers', 'Buy tape', 'Move', 'Zip boxes']);
  });

  it('adds no link of which an open task has the address, and reports how many', async () => {
    const { dueline, piped } = terminal.on();
    const urls = [1, 2].map(number => `https://github.com/o/r/issues/${number}`);
    assert.equal((await piped([...urls, urls[0]].join('\n'), 'add')).err, '');
    const again = await piped([...urls, 'Call Bob'].join('\n'), 'add');
    assert.match(again.out, /^Added +dl-\w+ +Call Bob/);
    assert.equal(again.err, '2 links already have tasks.\n');
    const none = await piped(`${urls[0]}/`, 'add');
    assert.deepEqual([none.code, none.out, none.err], [0, '', '1 link already has a task.\n']);
    assert.equal((await dueline('list')).out.match(/dl-/g)!.length, 3);
  });

  it('prints details with labels', async () => {
    const { dueline } = terminal.on();
    const id = idIn((await dueline('add', 'Pay rent !high')).out);
    const { out } = await dueline('show', id);
    assert.match(out, /^Priority +high$/m);
    assert.match(out, /^Created +today/m);
    assert.doesNotMatch(out, /createdAt|shortId/);
  });
});
