import assert from 'node:assert/strict';
import type { DuelineEngine } from '../../src/api';
import { taskLines } from '../../src/core/text/taskLines';
import { openTaskStore } from '../../src/store/taskStore';
import { engines } from './support/engine';

/** The output of `task export` of Taskwarrior 3; midnight here is 23:00 of the day before in UTC. */
const taskwarrior = [
  {
    id: 1,
    uuid: '0e0c2f3e-0001-4000-8000-000000000001',
    description: 'Write the report',
    status: 'pending',
    entry: '20261101T090000Z',
    modified: '20261102T090000Z',
    due: '20261126T230000Z',
    priority: 'H',
    project: 'work.q4',
    tags: ['writing'],
    annotations: [
      { entry: '20261101T100000Z', description: 'Ask Ann' },
      { entry: '20261101T100100Z', description: 'https://example.com/report' },
    ],
    depends: ['0e0c2f3e-0002-4000-8000-000000000002'],
    urgency: 12.5,
  },
  {
    id: 2,
    uuid: '0e0c2f3e-0002-4000-8000-000000000002',
    description: 'Collect numbers',
    status: 'pending',
    start: '20261102T080000Z',
    entry: '20261101T090000Z',
    scheduled: '20261120T073000Z',
    due: '20261121T160000Z',
  },
  {
    id: 0,
    uuid: '0e0c2f3e-0003-4000-8000-000000000003',
    description: 'Old',
    status: 'completed',
    entry: '20261001T090000Z',
    end: '20261005T090000Z',
  },
  { id: 0, uuid: '0e0c2f3e-0004-4000-8000-000000000004', description: 'Gone', status: 'deleted' },
  { id: 3, uuid: '0e0c2f3e-0005-4000-8000-000000000005', description: 'Weekly', status: 'recurring', recur: 'weekly' },
];

const dependency = (issue: string, other: string, type: string) => ({ issue_id: issue, depends_on_id: other, type });

/** The lines of `.beads/issues.jsonl`. */
const beads = [
  { id: 'bd-a1', title: 'Auth', description: 'Sign in', status: 'open', priority: 0, issue_type: 'epic' },
  {
    id: 'bd-a1.1',
    title: 'Tokens',
    status: 'in_progress',
    priority: 1,
    issue_type: 'task',
    labels: ['api'],
    design: 'Use JWT',
    acceptance_criteria: 'Tests pass',
    external_ref: 'https://github.com/o/r/issues/7',
    created_at: '2026-11-01T10:00:00.5+01:00',
    dependencies: [dependency('bd-a1.1', 'bd-a1', 'parent-child'), dependency('bd-a1.1', 'bd-b2', 'blocks')],
  },
  { id: 'bd-b2', title: 'Keys', status: 'closed', priority: 4, issue_type: 'bug', closed_at: '2026-11-03T10:00:00Z' },
  { id: 'bd-c3', title: 'Gone', status: 'tombstone', priority: 2, issue_type: 'task' },
];

describe('tasks of other programs', () => {
  const started = engines();
  const jsonLines = (issues: readonly object[]) => issues.map(issue => `${JSON.stringify(issue)}\n`).join('');
  const byTitle = (engine: DuelineEngine, title: string) =>
    engine.query(`title:="${title}" show:done`).map(({ task }) => task)[0]!;

  async function imported(text: string) {
    const engine = await started.open();
    const report = await engine.importReported('json', text, engine.defaultListId());
    return { engine, report };
  }

  it('are read from Taskwarrior, with dates, notes and dependencies', async () => {
    const { engine, report } = await imported(JSON.stringify(taskwarrior));
    assert.deepEqual([report.created, report.updated, report.skipped], [3, 0, []]);
    const { due, isAllDay, tags, priority, description, url, status } = byTitle(engine, 'Write the report');
    assert.deepEqual(
      { due, isAllDay, tags, priority, description, url, status },
      {
        due: Date.UTC(2026, 10, 27),
        isAllDay: true,
        tags: ['work.q4', 'writing'],
        priority: 1,
        description: 'Ask Ann',
        url: 'https://example.com/report',
        status: 0,
      },
    );
    const numbers = byTitle(engine, 'Collect numbers');
    assert.deepEqual(
      [numbers.status, numbers.isAllDay, numbers.dtstart, numbers.due],
      [1, false, Date.UTC(2026, 10, 20, 7, 30), Date.UTC(2026, 10, 21, 16)],
    );
    const blockers = engine.blockersOf(byTitle(engine, 'Write the report').id).map(({ task }) => task?.title);
    assert.deepEqual(blockers, ['Collect numbers']);
    const old = byTitle(engine, 'Old');
    assert.deepEqual([old.status, old.completedAt], [2, Date.UTC(2026, 9, 5, 9)]);
  });

  it('are read from beads, with parents and dependencies', async () => {
    const { engine, report } = await imported(jsonLines(beads));
    assert.deepEqual([report.created, report.updated, report.skipped], [3, 0, []]);
    const tokens = byTitle(engine, 'Tokens');
    assert.equal(engine.task(tokens.parentId!)!.title, 'Auth');
    assert.deepEqual(
      [tokens.status, tokens.priority, tokens.tags, tokens.description, tokens.url, tokens.createdAt],
      [1, 3, ['api'], 'Use JWT\n\nTests pass', 'https://github.com/o/r/issues/7', Date.UTC(2026, 10, 1, 9, 0, 0, 500)],
    );
    assert.deepEqual(byTitle(engine, 'Auth').tags, ['epic']);
    assert.equal(byTitle(engine, 'Keys').status, 2);
    assert.deepEqual(
      engine.blockersOf(tokens.id).map(({ task }) => task?.title),
      ['Keys'],
    );
  });

  for (const [name, text] of [
    ['Taskwarrior', JSON.stringify(taskwarrior)],
    ['beads', jsonLines(beads)],
  ] as const)
    it(`change nothing when they are imported again from ${name}, and keep what was added here`, async () => {
      const { engine } = await imported(text);
      const rows = () => JSON.stringify(engine.lists().flatMap(({ id }) => engine.rows(id)));
      const again = () => engine.importReported('json', text, engine.defaultListId());
      const before = rows();
      const { created, updated } = await again();
      assert.deepEqual([created, updated, rows()], [0, 0, before]);
      const [waiting] = engine.query('has:after').map(({ task }) => task);
      const own = await engine.createTask(engine.defaultListId(), { title: 'Own' });
      await engine.apply([{ type: 'blockers', id: waiting!.id, add: [own] }]);
      if (waiting!.due === null) await engine.updateTask(waiting!.id, { due: Date.UTC(2026, 11, 1), isAllDay: true });
      const changed = rows();
      await again();
      assert.equal(rows(), changed);
    });

  it('are read although Taskwarrior writes control characters as they are', async () => {
    const { engine, report } = await imported(
      JSON.stringify(taskwarrior).replace('Collect numbers', 'Collect \u001b\u0007numbers'),
    );
    assert.deepEqual([report.created, report.skipped], [3, []]);
    assert.ok(byTitle(engine, 'Collect numbers'));
  });

  it('are read from beads but for the lines that a merge left', async () => {
    const [first, ...rest] = jsonLines(beads).trimEnd().split('\n');
    const { engine, report } = await imported(['<<<<<<< HEAD', first, '=======', ...rest].join('\r\n'));
    assert.deepEqual([report.created, report.left], [3, 2]);
    assert.equal(report.skipped.length, 2);
    assert.equal(byTitle(engine, 'Keys').status, 2);
    const broken = await engine.importReported(
      'json',
      JSON.stringify(beads, null, 1).slice(0, -9),
      engine.defaultListId(),
    );
    assert.deepEqual([broken.created, broken.left], [0, 1]);
  });

  it('have no progress once they are open there again', async () => {
    const open = { ...taskwarrior[2], status: 'pending', end: undefined };
    const { engine } = await imported(JSON.stringify([open]));
    const { id } = byTitle(engine, 'Old');
    await engine.updateTask(id, { percentComplete: 30 });
    const again = () => engine.importReported('json', JSON.stringify([open]), engine.defaultListId());
    await again();
    assert.equal(engine.task(id)!.percentComplete, 30);
    const closed = { ...open, status: 'completed', end: '20261005T090000Z' };
    await engine.importReported('json', JSON.stringify([closed]), engine.defaultListId());
    assert.deepEqual([engine.task(id)!.status, engine.task(id)!.percentComplete], [2, 100]);
    await again();
    const { status, percentComplete, completedAt } = engine.task(id)!;
    assert.deepEqual([status, percentComplete, completedAt], [0, null, null]);
  });

  describe('that were changed here since the last import', () => {
    const start = async () => {
      const { engine } = await imported(jsonLines(beads));
      const again = (changes: Readonly<Record<string, object>> = {}) =>
        engine.importReported(
          'json',
          jsonLines(beads.map(issue => ({ ...issue, ...changes[issue.title] }))),
          engine.defaultListId(),
        );
      return { engine, again, tokens: byTitle(engine, 'Tokens').id };
    };

    it('keep every value of the user, while those that changed in the tracker follow it', async () => {
      const { engine, again, tokens } = await start();
      const due = Date.UTC(2026, 11, 1);
      await engine.updateTask(tokens, { title: 'JWT', due, isAllDay: true, priority: 9, tags: ['mine'] });
      await engine.completeTask(byTitle(engine, 'Auth').id);
      await engine.moveTask(tokens, { parentId: null });
      const step = (await engine.undoSteps()).length;
      assert.equal((await again()).updated, 0);
      assert.equal((await engine.undoSteps()).length, step, 'what changes nothing is no step');
      const changes = {
        status: 'open',
        priority: 0,
        labels: ['other'],
        design: 'Use PASETO',
        due_at: '2027-01-01T00:00:00Z',
      };
      assert.equal((await again({ Tokens: changes, Auth: { description: 'Sign in once' } })).updated, 2);
      const { title, due: kept, priority, tags, parentId, description, status } = engine.task(tokens)!;
      assert.deepEqual(
        { title, kept, priority, tags, parentId, description, status },
        {
          title: 'JWT',
          kept: due,
          priority: 9,
          tags: ['mine'],
          parentId: null,
          description: 'Use PASETO\n\nTests pass',
          status: 0,
        },
      );
      const auth = byTitle(engine, 'Auth');
      assert.deepEqual([auth.status, auth.description], [2, 'Sign in once']);
    });

    it('are completed once the tracker completes them, and opened once it opens them again', async () => {
      const { engine, again, tokens } = await start();
      await engine.updateTask(tokens, { status: 0, percentComplete: 30 });
      await again({ Tokens: { status: 'closed', closed_at: '2026-11-03T10:00:00Z' } });
      assert.equal(engine.task(tokens)!.status, 2);
      await again();
      assert.deepEqual([engine.task(tokens)!.status, engine.task(tokens)!.percentComplete], [1, null]);
    });

    it('follow a date that has parts of a second', async () => {
      const { engine, again, tokens } = await start();
      await again({ Tokens: { due_at: '2027-01-01T10:00:00.123456Z' } });
      await again({ Tokens: { due_at: '2027-01-02T10:00:00.654321+01:00' } });
      assert.equal(engine.task(tokens)!.due, Date.UTC(2027, 0, 2, 9));
    });

    it('stay in their list, and are neither doubled nor added again while they are in the trash', async () => {
      const { engine, again, tokens } = await start();
      const elsewhere = await engine.createList({ name: 'Elsewhere' });
      await engine.moveTask(tokens, { listId: elsewhere, parentId: null });
      await engine.deleteTask(byTitle(engine, 'Keys').id);
      const rows = () => JSON.stringify(engine.lists().flatMap(({ id }) => engine.rows(id)));
      const before = rows();
      const { created, updated } = await again();
      assert.deepEqual([created, updated, rows()], [0, 0, before]);
      assert.equal((await again({ Tokens: { description: 'New' } })).updated, 1);
      assert.match(byTitle(engine, 'Tokens').description!, /^New/);
      const [step] = await engine.undoSteps();
      await engine.undoStep(step!.id);
      assert.equal(rows(), before);
    });

    it('keep the dependencies that the user has removed until the tracker has others', async () => {
      const { engine, again, tokens } = await start();
      const blockers = () => engine.blockersOf(tokens).map(({ task }) => task?.title);
      await engine.apply([{ type: 'blockers', id: tokens, add: [], remove: [byTitle(engine, 'Keys').uid] }]);
      await again();
      assert.deepEqual(blockers(), []);
      await again({ Tokens: { dependencies: [dependency('bd-a1.1', 'bd-a1', 'blocks')] } });
      assert.deepEqual(blockers(), ['Auth']);
    });
  });

  it('have no priority if theirs is a word that every object has', async () => {
    const { engine, report } = await imported(
      JSON.stringify([
        { uuid: 'u1', description: 'One', status: 'pending', priority: 'constructor' },
        { id: 'bd-1', title: 'Two', status: 'open', priority: 'constructor' },
        { id: 'bd-2', title: 'Three', status: 'open', priority: 'length' },
        { title: 'Four', priority: 3 },
      ]),
    );
    assert.deepEqual([report.created, report.skipped], [4, []]);
    const priorities = ['One', 'Two', 'Three', 'Four'].map(title => byTitle(engine, title).priority);
    assert.deepEqual(priorities, [0, 0, 0, 3]);
  });

  it('leave other JSON alone', async () => {
    const { report } = await imported('{}');
    assert.match(report.skipped[0]!.text, /does not contain a list of tasks/);
  });

  it('are issues as gh, glab and jira list them, recognized by address; the user’s values are kept', async () => {
    const outputs = {
      // gh search issues --assignee @me --state open --json title,url
      gh: [
        { title: 'Crash at start', url: 'https://github.com/o/r/issues/12' },
        { title: 'Slow list', url: 'https://github.com/o/r/issues/13' },
      ],
      // glab issue list --assignee=@me --output json
      glab: [
        {
          id: 1001,
          iid: 3,
          title: 'Broken pipe',
          description: 'x',
          state: 'opened',
          due_date: '2026-12-24',
          labels: ['bug'],
          web_url: 'https://gitlab.com/a/b/-/issues/3',
        },
      ],
      // jira issue list --assignee me --raw
      jira: [
        {
          key: 'APP-31',
          self: 'https://team.atlassian.net/rest/api/3/issue/10031',
          fields: { summary: 'Sign in twice', status: { name: 'To Do' } },
        },
      ],
    };
    const engine = await started.open();
    const list = engine.defaultListId();
    const read = (name: keyof typeof outputs) => engine.importReported('json', JSON.stringify(outputs[name]), list);
    for (const name of ['gh', 'glab', 'jira'] as const) {
      const { created, skipped } = await read(name);
      assert.deepEqual([created, skipped], [outputs[name].length, []], name);
    }
    const shown = () => engine.query('sort:title').map(({ task: { title, url, due } }) => [title, url, due]);
    assert.deepEqual(shown(), [
      ['APP-31 Sign in twice', 'https://team.atlassian.net/browse/APP-31', null],
      ['Broken pipe', 'https://gitlab.com/a/b/-/issues/3', null],
      ['Crash at start', 'https://github.com/o/r/issues/12', null],
      ['Slow list', 'https://github.com/o/r/issues/13', null],
    ]);
    const crash = engine.query('title:crash')[0]!.task.id;
    const due = Date.UTC(2026, 11, 1);
    await engine.updateTask(crash, { due, isAllDay: true, tags: ['mine'], priority: 1 });
    for (const name of ['gh', 'glab', 'jira'] as const) {
      const { created, updated } = await read(name);
      assert.deepEqual([created, updated], [0, 0], name);
    }
    outputs.gh[0]!.title = 'Crash at each start';
    assert.equal((await read('gh')).updated, 1);
    const { title, tags, priority, due: kept } = engine.task(crash)!;
    assert.deepEqual([title, tags, priority, kept], ['Crash at each start', ['mine'], 1, due]);
  });

  it('keep all their fields if they have an address, also among issues', async () => {
    const engine = await started.open();
    const list = engine.defaultListId();
    const due = Date.UTC(2026, 11, 1);
    const entries = [
      { title: 'Crash', url: 'https://github.com/o/r/issues/12', number: 12, createdAt: '2026-11-01T00:00:00Z' },
      {
        title: 'Read',
        url: 'https://example.com/a',
        due,
        isAllDay: true,
        description: 'All',
        tags: ['x'],
        priority: 1,
      },
      { title: 'Review', url: 'https://github.com/o/r/pull/13', priority: 5 },
      { title: 'Plain' },
      { url: 'https://github.com/o/r/issues/14' },
    ];
    const { created, skipped } = await engine.importReported('json', JSON.stringify(entries), list);
    assert.deepEqual([created, skipped.map(({ text }) => text)], [4, ['Task 5: it has neither a UID nor a title']]);
    const shown = engine.query('sort:title').map(({ task }) => task);
    assert.deepEqual(
      shown.map(({ title, url, due, description, tags, priority }) => [title, url, due, description, tags, priority]),
      [
        ['Crash', 'https://github.com/o/r/issues/12', null, null, [], 0],
        ['Plain', null, null, null, [], 0],
        ['Read', 'https://example.com/a', due, 'All', ['x'], 1],
        ['Review', 'https://github.com/o/r/pull/13', null, null, [], 5],
      ],
    );
  });

  it('that are issues are recognized by address in any list, and not added again once deleted', async () => {
    const engine = await started.open();
    const list = engine.defaultListId();
    const urls = [1, 2, 3].map(number => `https://github.com/o/r/issues/${number}`);
    const read = (title: string) => {
      const issues = urls.map((url, at) => ({ title: `${title} ${at + 1}`, url }));
      return engine.importReported('json', JSON.stringify(issues), list);
    };
    const [pasted] = await engine.quickAddLines([{ text: `${urls[2]}/` }], { listId: list });
    assert.equal((await read('Issue')).created, 2);
    assert.equal(engine.task(pasted!)!.title, 'Issue 3');
    const [moved, deleted] = [1, 2].map(number => engine.query(`title:"Issue ${number}"`)[0]!.task.id);
    await engine.moveTask(moved!, { listId: await engine.createList({ name: 'Elsewhere' }), parentId: null });
    await engine.completeTask(moved!);
    await engine.deleteTask(deleted!);
    const { created, updated } = await read('New');
    assert.deepEqual([created, updated], [0, 2]);
    const shown = engine.query('show:done sort:title').map(({ task }) => [task.title, task.status]);
    assert.deepEqual(shown.sort(), [
      ['New 1', 2],
      ['New 3', 0],
    ]);
  });

  it('are created with their addresses from pasted links', async () => {
    const engine = await started.open();
    const urls = Array.from({ length: 20 }, (_, at) => `https://github.com/o/r/issues/${at + 1}`);
    await engine.quickAddLines(
      urls.map(text => ({ text })),
      { listId: engine.defaultListId() },
    );
    const tasks = engine.query('has:url').map(({ task }) => task);
    assert.deepEqual(tasks.map(({ url }) => url).sort(), [...urls].sort());
    assert.ok(tasks.every(({ title }) => /^o\/r#\d+$/.test(title!)));
  });

  it('get no subtasks if their list is read-only: the lines below become tasks of their own', async () => {
    const folder = started.folder();
    const engine = await started.open({ folder });
    const theirs = await engine.createList({ name: 'Theirs' });
    const url = 'https://github.com/o/r/issues/1';
    await engine.createTask(theirs, { title: 'Crash', url });
    const store = await openTaskStore({ folder, clock: started.clock });
    await store.edit({ origin: 'sync' }, tx => tx.updateList(theirs, { isReadOnly: true }));
    await store.close();
    await engine.refresh();
    const listId = engine.lists().find(({ id }) => id !== theirs)!.id;
    const added = await engine.quickAddLines(taskLines(`- ${url}\n  - Measure\n- Other`), { listId });
    const shown = added.map(id => engine.task(id)!).map(({ title, listId: list, parentId }) => [title, list, parentId]);
    assert.deepEqual(shown, [
      ['Measure', listId, null],
      ['Other', listId, null],
    ]);
  });

  it('are added once if two processes add the same link at once', async () => {
    const folder = started.folder();
    const both = [await started.open({ folder }), await started.open({ folder })] as const;
    const text = '- https://github.com/o/r/issues/1\n  - Measure\n- https://github.com/o/r/issues/2';
    const added = await Promise.all(
      both.map(engine => engine.quickAddLines(taskLines(text), { listId: engine.defaultListId() })),
    );
    await both[0].refresh();
    const shown = both[0].query('sort:title').map(({ task: { title, parentId } }) => [title, parentId]);
    const [first] = both[0].query('has:url sort:title').map(({ task }) => task.id);
    assert.deepEqual(shown, [
      ['Measure', first],
      ['Measure', first],
      ['o/r#1', null],
      ['o/r#2', null],
    ]);
    assert.deepEqual(added.map(({ length }) => length).sort(), [1, 3]);
  });

  it('are added below a link that another process has just added to another list', async () => {
    const folder = started.folder();
    const first = await started.open({ folder });
    const lists = [first.defaultListId(), await first.createList({ name: 'Other' })] as const;
    const both = [first, await started.open({ folder })] as const;
    const text = '- https://github.com/o/r/issues/1\n  - Measure';
    await Promise.all(both.map((engine, at) => engine.quickAddLines(taskLines(text), { listId: lists[at]! })));
    await first.refresh();
    const shown = first.query('sort:title').map(({ task }) => task.title);
    assert.deepEqual(shown, ['Measure', 'Measure', 'o/r#1']);
    assert.equal(new Set(first.query('').map(({ task }) => task.listId)).size, 1);
  });

  it('are added if only a series that shows nowhere has their address', async () => {
    const engine = await started.open();
    const listId = engine.defaultListId();
    const url = 'https://github.com/o/r/issues/1';
    const lines = ['UID:s', 'SUMMARY:Skipped', `URL:${url}`, 'DUE;VALUE=DATE:20260101', 'RRULE:FREQ=DAILY;COUNT=1'];
    const series = [...lines, 'EXDATE;VALUE=DATE:20260101'].join('\r\n');
    const calendar = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VTODO\r\n${series}\r\nEND:VTODO\r\nEND:VCALENDAR\r\n`;
    await engine.importTasks('ics', calendar, listId);
    assert.deepEqual(engine.query(''), []);
    assert.equal((await engine.quickAddLines(taskLines(url), { listId })).length, 1);
  });

  it('are left out of pasted links if an open task in any list has the address', async () => {
    const engine = await started.open();
    const listId = engine.defaultListId();
    const paste = (text: string) => engine.quickAddLines(taskLines(text), { listId });
    const url = (number: number) => `https://github.com/o/r/issues/${number}`;
    const [first] = await paste(`${url(1)}\n${url(2)}\n${url(1)}/`);
    assert.equal(engine.query('has:url').length, 2);
    const elsewhere = await engine.createList({ name: 'Elsewhere' });
    await engine.moveTask(first!, { listId: elsewhere, parentId: null });
    await engine.updateList(elsewhere, { isVisible: false });
    const steps = (await engine.undoSteps()).length;
    assert.deepEqual(await paste(`[Crash](${url(1)}/)\n${url(2)}`), []);
    assert.equal((await engine.undoSteps()).length, steps);
    // A line below a link becomes a subtask of the task that is there, once each.
    const below = await paste(`- ${url(1)}\n  - Measure\n- ${url(3)}\n  - Ask`);
    const shown = below.map(id => engine.task(id)!).map(({ title, listId: list, parentId }) => [title, list, parentId]);
    assert.deepEqual(shown, [
      ['Measure', elsewhere, first],
      ['o/r#3', listId, null],
      ['Ask', listId, below[1]],
    ]);
    // A task that is done is no open one; an import follows the open one.
    await engine.completeTask(first!);
    const [again] = await paste(url(1));
    const issues = JSON.stringify([{ title: 'Crash', url: url(1) }]);
    assert.deepEqual((await engine.importReported('json', issues, listId)).created, 0);
    assert.deepEqual(
      [first, again].map(id => engine.task(id!)!.title),
      ['o/r#1', 'Crash'],
    );
  });
});
