import assert from 'node:assert/strict';
import fs, { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryOf } from '../../src/core/code/repository';
import { openEngine } from '../../src/engine';
import { encodeLine } from '../../src/store/journal/record';
import { clock } from './support/aStart';
import { aTerminal } from './support/terminal';

const idIn = (text: string) => /dl-\w+/.exec(text)![0];

describe('the command line', () => {
  const terminal = aTerminal();

  it('opens the data beside the store only for what is printed, and prints tasks without it', async () => {
    const { store, dueline, json } = terminal.on();
    await dueline('add', 'Pay rent', '#home');
    const engine = await openEngine({ folder: store, clock });
    await (await engine.sidecar()).put('agents', [['lists', []]]);
    await engine.close();
    const folder = join(store, 'sidecar');
    const journal = join(folder, readdirSync(folder).find(name => name.endsWith('.jsonl'))!);
    const [head, ...lines] = readFileSync(journal, 'utf8').trim().split(/\n+/);
    const newer = encodeLine({ ...JSON.parse(head!.slice(9)), minReader: 2, format: 2 });
    writeFileSync(journal, `${new TextDecoder().decode(newer)}${lines.join('\n')}\n`);
    for (const args of [['list'], ['show', '1'], ['today'], ['here'], ['edit', '1', '--due', 'today']]) {
      for (const { claimedBy } of (await json(...args)).tasks) assert.equal(claimedBy, null, args[0]);
    }
    const { code, err } = await dueline('list', 'is:claimed');
    assert.equal(code, 3);
    assert.match(err, /newer version/);
    const { readdirSync: list } = fs;
    let reads = 0;
    fs.readdirSync = ((...args: Parameters<typeof list>) => {
      reads += args[0] === folder ? 1 : 0;
      return list(...args);
    }) as typeof list;
    try {
      for (const args of [['lists'], ['tags'], ['open', '1'], ['query', '#home', '--explain']]) await json(...args);
      assert.equal(reads, 0);
      await json('list');
      assert.notEqual(reads, 0);
    } finally {
      fs.readdirSync = list;
    }
  });

  it('adds, lists, shows, changes, completes and undoes a task', async () => {
    const { dueline, json } = terminal.on();
    const added = await dueline('add', 'Pay rent tomorrow 9am', '#home', '!high');
    assert.deepEqual(added, { ...added, code: 0, err: '' });
    const id = idIn(added.out);
    assert.match(added.out, /^Added +dl-\w+ {2}Pay rent {2}tomorrow 9:00\sAM !!! #home @Inbox\n$/);
    assert.match((await dueline('list')).out, new RegExp(`^${id} {2}tomorrow 9:00\\sAM {2}!!! {2}Pay rent #home\n$`));
    const { version, tasks } = await json('list', 'pay');
    assert.equal(version, 1);
    const [{ createdAt, modifiedAt, uid, due, ...task }] = tasks;
    assert.deepEqual(task, {
      id: 1,
      shortId: id,
      title: 'Pay rent',
      status: 'needs-action',
      start: null,
      isOverdue: false,
      priority: 1,
      tags: ['home'],
      listId: 1,
      list: 'Inbox',
      parentId: null,
      notes: null,
      location: null,
      url: null,
      estimateMinutes: null,
      progress: null,
      repeat: null,
      blockedBy: [],
      completedAt: null,
      claimedBy: null,
      places: [],
    });
    assert.match(due, /^\d{4}-\d\d-\d\dT09:00:00Z$/);
    assert.match(uid, /^[0-9a-f-]{36}$/);
    assert.ok(createdAt <= modifiedAt);
    const changed = await dueline(
      'edit',
      id,
      'Pay the rent',
      '--due',
      '2030-05-06',
      '--priority',
      'low',
      '--tag',
      'money',
      '--untag',
      'home',
      '--notes',
      'By transfer',
    );
    assert.equal(changed.code, 0);
    const [after] = (await json('show', id)).tasks;
    assert.deepEqual(after, {
      ...after,
      title: 'Pay the rent',
      due: '2030-05-06',
      priority: 9,
      tags: ['money'],
      notes: 'By transfer',
    });
    assert.match((await dueline('show', id.slice(3).toUpperCase())).out, /Pay the rent[\s\S]*By transfer/);
    assert.equal((await json('start', id)).tasks[0].status, 'in-process');
    assert.equal((await json('done', '1')).tasks[0].status, 'completed');
    assert.equal((await dueline('list')).out, '');
    assert.equal((await dueline('undo')).out, 'Undone: Completed “Pay the rent”\n');
    assert.equal((await json('list')).tasks.length, 1);
  });

  it('adds a task for each line of standard input, indented lines as subtasks, in one step', async () => {
    const { piped, json, dueline } = terminal.on();
    const { code, out } = await piped(
      '- [ ] Move !high\n\t- Pack tomorrow\n\n  - Call the movers\n- [x] Keys\n',
      'add',
    );
    assert.equal(code, 0);
    assert.equal(out.trim().split('\n').length, 4);
    assert.equal((await json('list', 'is:done')).tasks[0].title, 'Keys');
    const tasks = (await json('list', 'sort:created,manual')).tasks;
    const byTitle = new Map<string, { id: number; parentId: number }>(
      tasks.map((task: { title: string }) => [task.title, task]),
    );
    assert.equal(byTitle.get('Pack')!.parentId, byTitle.get('Move')!.id);
    assert.equal(byTitle.get('Call the movers')!.parentId, byTitle.get('Move')!.id);
    await dueline('undo');
    assert.equal((await json('list')).tasks.length, 0);
    const nothing = await piped('\n \n', 'add');
    assert.deepEqual(nothing, { ...nothing, code: 2, out: '' });
    assert.match(nothing.err, /nothing to add/);
    // A variable that is empty leaves standard input to the loop around it.
    const empty = await piped('Not a task\n', 'add', '');
    assert.deepEqual(empty, { ...empty, code: 2, out: '' });
    assert.match(empty.err, /The text of the task is empty/);
    assert.equal((await piped('By a dash\n', 'add', '-')).code, 0);
    assert.equal((await json('list')).tasks.length, 1);
  });

  it('shows what is blocked and what is ready now, and refuses circles', async () => {
    const { dueline, json } = terminal.on();
    const first = idIn((await dueline('add', 'Fix race')).out);
    const second = idIn((await dueline('add', 'Ship', '--after', first)).out);
    assert.match((await dueline('list')).out, new RegExp(`Ship \\(after ${first}\\)`));
    assert.deepEqual(
      (await json('list', 'is:blocked')).tasks.map((task: { blockedBy: string[] }) => task.blockedBy),
      [[first]],
    );
    const circle = await dueline('edit', first, '--after', second);
    assert.equal(circle.code, 1);
    assert.match(circle.err, /circle: “Fix race” → “Ship” → “Fix race”/);
    const { tasks, ready } = await json('done', first);
    assert.equal(tasks[0].shortId, first);
    assert.equal(ready[0].shortId, second);
    assert.equal((await dueline('edit', second, '--not-after', first)).code, 0);
    const none = await dueline('edit', second, '--not-after', first, '--title', 'Not taken');
    assert.deepEqual(none, { code: 1, out: '', err: `dueline: ${second} does not depend on ${first}.\n` });
    assert.equal((await json('list')).tasks[0].title, 'Ship');
  });

  it('completes one date of a repeating task, even if the task is named twice', async () => {
    const { dueline, json } = terminal.on();
    const id = idIn((await dueline('add', 'Water 2030-05-06 every day')).out);
    assert.equal((await json('done', id, '1', id)).tasks.length, 1);
    assert.equal((await json('list')).tasks[0].due, '2030-05-07');
    assert.equal((await json('start', id, id)).tasks.length, 1);
  });

  it('refuses a number that is both the ID of one task and the short ID of another', async () => {
    const { dueline, piped, json } = terminal.on();
    const todo = (uid: string) => `BEGIN:VTODO\nUID:${uid}\nSUMMARY:${uid}\nEND:VTODO\n`;
    const calendar = (uids: readonly string[]) => `BEGIN:VCALENDAR\n${uids.map(todo).join('')}END:VCALENDAR\n`;
    // The hash of this UID begins with 1122.
    await piped(calendar(['task-9244']), 'import', '-', '-f', 'ics');
    assert.equal((await json('show', '1122')).tasks[0].title, 'task-9244');
    const others = Array.from({ length: 1_121 }, (_, at) => `other-${at}`);
    await piped(calendar(others), 'import', '-', '-f', 'ics');
    const { code, out, err } = await dueline('done', '1122');
    assert.deepEqual({ code, out }, { code: 1, out: '' });
    assert.match(err, /1122 is the number of dl-\w+ \(other-1120\), and the short ID of dl-1122 \(task-9244\)\. Use/);
    assert.equal((await json('done', 'dl-1122')).tasks[0].title, 'task-9244');
    assert.match((await dueline('done', 'd')).err, /No task has the ID “d”/);
  });

  it('reports that a task is already completed', async () => {
    const { dueline } = terminal.on();
    const first = idIn((await dueline('add', 'Call Ann')).out);
    const second = idIn((await dueline('add', 'Buy bread')).out);
    await dueline('done', first);
    const { code, out } = await dueline('done', first, second);
    const verbs = out.split('\n').map(line => line.split(' ')[0]);
    assert.deepEqual({ code, verbs }, { code: 0, verbs: ['Unchanged', 'Done', ''] });
    assert.equal((await dueline('undo')).out, 'Undone: Completed “Buy bread”\n');
  });

  it('reports that an edit changes nothing', async () => {
    const { dueline } = terminal.on();
    const id = idIn((await dueline('add', 'Call Ann #home !high')).out);
    await dueline('add', 'Buy bread');
    const printed = async (...args: string[]) => {
      const { code, out, err } = await dueline('edit', id, ...args);
      assert.deepEqual([code, err], [0, ''], args.join(' '));
      return out.split(' ')[0];
    };
    for (const same of [
      ['--untag', 'work'],
      ['--tag', 'home'],
      ['--priority', 'high'],
      ['--list', 'Inbox'],
      ['Call Ann'],
    ])
      assert.equal(await printed(...same), 'Unchanged', same.join(' '));
    assert.equal((await dueline('undo')).out, 'Undone: Added “Buy bread”\n');
    for (const change of [['--untag', 'home'], ['--tag', 'work'], ['--due', 'today'], ['Call Anna']])
      assert.equal(await printed(...change), 'Changed', change.join(' '));
  });

  it('exits with 0 only if it did what it was asked to do, and reports everything else on standard error', async () => {
    const { dueline, store } = terminal.on();
    const id = idIn((await dueline('add', 'Only')).out);
    const refusals: readonly (readonly [code: number, pattern: RegExp, ...args: string[]])[] = [
      [1, /No task has the ID “dl-0000”/, 'done', 'dl-0000'],
      [1, /No task has the ID “dl-0000”/, 'done', id, 'dl-0000'],
      [1, /There is no list Nowhere\. Lists: Inbox\./, 'add', 'Task', '--list', 'Nowhere'],
      [1, /“what” is not a date[\s\S]*\n {2}due:what\n {6}\^{4}\n/, 'list', 'due:what'],
      [1, /“whenever” is not a date for --due\. Use a date such as/, 'edit', id, '--due', 'whenever'],
      [2, /--priority takes high, medium, low, none or a number from 0 to 9, not wow/, 'edit', id, '--priority', 'wow'],
      [2, /The ID of a task is missing/, 'done'],
      [2, /nothing to change/, 'edit', id],
      [2, /Unknown command lsit/, 'lsit'],
      [2, /Unknown option '--colour'[\s\S]*dueline list --help/, 'list', '--colour'],
      [2, /'-#'\. Put a text that begins with - after --, as in dueline list -- -text\. See/, 'list', '-#home'],
      [1, /Could not write \S*missing\/x\.ics: ENOENT/, 'export', '--output', join('missing', 'x.ics')],
      [2, /--limit takes a number/, 'list', '--limit', 'many'],
      [2, /Usage: dueline COMMAND/],
      // Taken for nothing, the word would undo what was done last.
      [2, /Unexpected argument “dl-\w+”\. Usage: dueline undo$/m, 'undo', id],
      [2, /Unexpected argument “extra”\. Usage: dueline today/, 'today', 'extra'],
      [2, /Unexpected argument “extra”\. Usage: dueline mcp/, 'mcp', 'extra', 'words'],
      [2, /Unexpected argument “now”\. Usage: dueline standup/, 'standup', 'now'],
      [2, /Unexpected argument “zsh”\. Usage: dueline completion bash\|zsh\|fish/, 'completion', 'bash', 'zsh'],
      [2, /Unexpected argument “b\.ics”\. Usage: dueline import FILE/, 'import', 'a.ics', 'b.ics'],
    ];
    for (const [code, pattern, ...args] of refusals) {
      const answer = await dueline(...args);
      assert.deepEqual(answer, { ...answer, code, out: '' }, args.join(' '));
      assert.match(answer.err, pattern);
    }
    // All or none of several.
    assert.match((await dueline('list')).out, /Only/);
    for (const args of [
      ['--help'],
      ['help'],
      ['help', 'add'],
      ['help', '--store', 'x'],
      ['list', '--help'],
      ['--version'],
    ]) {
      const { code, out, err } = await terminal.run(args);
      assert.deepEqual({ code, err }, { code: 0, err: '' }, args.join(' '));
      assert.match(out, /Examples:\n {2}dueline|^\d+\.\d+\.\d+\n$/);
    }
    const general = (await terminal.run(['--help'])).out;
    const [usage] = general.split('Options of every command').slice(0, 1);
    const names = [...usage!.matchAll(/^ {2}([a-z]+) /gm)].map(match => match[1]!);
    assert.ok(names.length > 10);
    const each = await Promise.all(names.map(async name => (await terminal.run([name, '--help'])).out));
    for (const text of [general, ...each]) for (const line of text.split('\n')) assert.ok(line.length <= 80, line);
    assert.ok(existsSync(join(store, 'store')));
  });

  it('imports and exports the same formats as the editor', async () => {
    const { dueline, piped, json, store } = terminal.on();
    await dueline('add', 'Exported #x 2030-01-02');
    const file = join(store, 'tasks.ics');
    assert.equal((await dueline('export', '--output', file)).code, 0);
    assert.match(readFileSync(file, 'utf8'), /SUMMARY:Exported/);
    assert.equal((await dueline('export', '--output', file)).code, 1);
    assert.match((await dueline('export', '--format', 'markdown', '#x')).out, /- \[ \] Exported/);
    // By the names of the formats, too.
    for (const ending of ['todotxt', 'markdown']) {
      const named = join(store, `tasks.${ending}`);
      assert.equal((await dueline('export', '--output', named)).code, 0);
      assert.match((await dueline('import', named)).out, /^Added 0 and changed \d tasks\.$/m);
    }
    const other = terminal.on();
    assert.equal((await other.dueline('import', file)).out, 'Added 1 and changed 0 tasks.\n');
    assert.equal((await other.piped('- [ ] From Markdown\n', 'import', '-', '--format', 'markdown')).code, 0);
    assert.deepEqual((await other.json('list')).tasks.map((task: { title: string }) => task.title).sort(), [
      'Exported',
      'From Markdown',
    ]);
    writeFileSync(file, 'no calendar');
    assert.notEqual((await piped('', 'import', file)).code, 0);
    assert.equal((await json('list')).tasks.length, 1);
  });

  it('lists the active task, and tasks that agents have claimed', async () => {
    const { dueline, store } = terminal.on();
    const window = await openEngine({ folder: store, clock });
    const [active, claimed] = await window.quickAddLines([{ text: 'Active' }, { text: 'Claimed' }, { text: 'Other' }]);
    await window.working.start(active!);
    const agent = { name: 'Claude Code', session: 'one', isProcess: true };
    await window.claims!.take([window.task(claimed!)!.uid], agent);
    const title = async (query: string) => (await dueline('list', query)).out.replace(/^dl-\w+ +|\n/g, '');
    assert.deepEqual(
      [await title('is:active'), await title('is:claimed'), await title('claimed:claude*')],
      ['Active', 'Claimed (claimed by Claude Code)', 'Claimed (claimed by Claude Code)'],
    );
    assert.match((await dueline('export', '--format', 'text', 'is:active')).out, /^Active /);
    await window.close();
  });

  it('imports what other programs print, and changes nothing when it is imported again', async () => {
    const { piped, dueline } = terminal.on();
    const lines = (...all: readonly object[]) => all.map(one => JSON.stringify(one)).join('\n');
    for (const [name, text, added] of [
      [
        'task export',
        JSON.stringify([
          {
            id: 1,
            uuid: '0e0c2f3e-0001-4000-8000-000000000001',
            description: 'Report',
            status: 'pending',
            project: 'q4',
          },
          { id: 0, uuid: '0e0c2f3e-0002-4000-8000-000000000002', description: 'Gone', status: 'deleted' },
        ]),
        1,
      ],
      [
        '.beads/issues.jsonl',
        lines({ id: 'bd-1', title: 'Auth', status: 'open' }, { id: 'bd-2', title: 'Keys', status: 'closed' }),
        2,
      ],
      ['gh search issues', JSON.stringify([{ title: 'Crash', url: 'https://github.com/o/r/issues/12' }]), 1],
      [
        'glab issue list',
        JSON.stringify([{ id: 1, iid: 3, title: 'Pipe', web_url: 'https://gitlab.com/a/b/-/issues/3' }]),
        1,
      ],
      [
        'jira issue list',
        JSON.stringify([
          { key: 'APP-3', self: 'https://t.atlassian.net/rest/api/3/issue/1', fields: { summary: 'Sign in' } },
        ]),
        1,
      ],
    ] as const) {
      const first = await piped(text, 'import', '-', '--format', 'json');
      assert.deepEqual([first.code, first.out, first.err], [0, `Added ${added} and changed 0 tasks.\n`, ''], name);
      assert.equal((await piped(text, 'import', '-', '--format', 'json')).out, 'Added 0 and changed 0 tasks.\n', name);
    }
    assert.match((await dueline('list', 'has:url', 'sort:title')).out, /APP-3 Sign in[\s\S]*Crash[\s\S]*Pipe/);
  });

  it('exports and imports tasks as text, by their IDs', async () => {
    const { dueline, json, store } = terminal.on();
    await dueline('add', 'First 2030-01-02 !high');
    await dueline('add', 'Second');
    const { out } = await dueline('export', '--format', 'text');
    assert.match(out, /^Inbox\n {2}First 2030-01-02 !high {2}dl-\w+\n {2}Second {2}dl-\w+\n$/);
    const file = join(store, 'tasks.dueline');
    writeFileSync(file, `${out.replace('First', '[x] First').replace(/.*Second.*/, '  Third @Nowhere\n  Fourth')}`);
    const imported = await dueline('import', file);
    assert.equal(imported.out, 'Added 1 and changed 1 tasks.\n');
    assert.deepEqual([imported.code, imported.err], [1, 'Line 3: There is no list named “Nowhere”.\n']);
    const titles = async () => (await json('list')).tasks.map(({ title }: { title: string }) => title).sort();
    assert.deepEqual(await titles(), ['Fourth', 'Second']);
    const found = await dueline('export', '--format', 'text', 'fourth');
    assert.match(found.out, /^Fourth @Inbox {2}dl-\w+\n$/);
    writeFileSync(file, found.out.replace('Fourth', 'Fifth'));
    assert.equal((await dueline('import', file)).out, 'Added 0 and changed 1 tasks.\n');
    assert.deepEqual(await titles(), ['Fifth', 'Second']);
    writeFileSync(file, 'New\n  Below\n');
    assert.equal((await dueline('import', file, '--list', 'Inbox')).out, 'Added 2 and changed 0 tasks.\n');
  });

  it('adds nothing when a text is imported again, also for ticked lines and IDs of another computer', async () => {
    const { dueline, store } = terminal.on();
    await dueline('add', 'First');
    const { out } = await dueline('export', '--format', 'text');
    const file = join(store, 'tasks.dueline');
    writeFileSync(file, `${out.replace('First', '[x] First')}  Second\n  Third  dl-0000\n`);
    assert.equal((await dueline('import', file)).out, 'Added 2 and changed 1 tasks.\n');
    assert.equal((await dueline('import', file)).out, 'Added 0 and changed 0 tasks.\n');
  });

  it('adds nothing when lines without IDs are imported again, however they are written', async () => {
    const { dueline, store } = terminal.on();
    const file = join(store, 'tasks.dueline');
    writeFileSync(file, 'First 1.12.2030 #a\n  [x] Second !high\n[-] Third\n[x] Third\n- [ ] Fourth\n');
    assert.equal((await dueline('import', file)).out, 'Added 5 and changed 3 tasks.\n');
    assert.equal((await dueline('import', file)).out, 'Added 0 and changed 0 tasks.\n');
    assert.equal((await dueline('import', file, '--list', 'Inbox')).out, 'Added 0 and changed 0 tasks.\n');
  });

  it('leaves a subtask below its parent when the text of a filter is imported', async () => {
    const { dueline, store } = terminal.on();
    const file = join(store, 'tasks.dueline');
    writeFileSync(file, 'Trip\n  Pack #x\n');
    await dueline('import', file);
    writeFileSync(file, (await dueline('export', '--format', 'text', 'tag:x')).out);
    assert.equal((await dueline('import', file)).out, 'Added 0 and changed 0 tasks.\n');
    assert.match((await dueline('export', '--format', 'text')).out, /^Inbox\n {2}Trip {2}.*\n {4}Pack/);
  });

  it('reports which task of a calendar is cut off, and imports the others', async () => {
    const { piped, json } = terminal.on();
    const whole = 'BEGIN:VTODO\nUID:whole\nSUMMARY:Whole\nEND:VTODO\n';
    const cut = await piped(
      `BEGIN:VCALENDAR\n${whole}BEGIN:VTODO\nUID:cut\nSUMMARY:cut of`,
      'import',
      '-',
      '-f',
      'ics',
    );
    assert.deepEqual(cut, { ...cut, code: 1, out: 'Added 2 and changed 0 tasks.\n' });
    assert.equal(cut.err, 'Line 6: the end of the task “cut of” is missing; the part before was imported\n');
    const between = await piped(`BEGIN:VCALENDAR\n${whole}`, 'import', '-', '-f', 'ics');
    assert.equal(between.code, 1);
    assert.match(between.err, /^Line 5: the end of the file is missing/);
    assert.equal((await json('list')).tasks.length, 2);
    assert.equal((await piped(`BEGIN:VCALENDAR\n${whole}END:VCALENDAR\n`, 'import', '-', '-f', 'ics')).code, 0);
  });

  it('prints in a standup what was done, what is for today and what is blocked', async () => {
    const { dueline, json } = terminal.on();
    const id = idIn((await dueline('add', 'Write *docs* today')).out);
    await dueline('add', 'Ship', '--after', id);
    await dueline('add', 'Later');
    const text = (await dueline('standup')).out;
    assert.match(
      text,
      /^\*\*(Yesterday|Since Friday)\*\*\n\n- nothing\n\n\*\*Today\*\*\n\n- \[ \] Write \\\*docs\\\*\n\n\*\*Blocked\*\*\n\n- \[ \] Ship, after Write \\\*docs\\\*\n$/,
    );
    await dueline('done', id);
    const { version, today, blocked } = await json('standup');
    assert.equal(version, 1);
    assert.equal(today.length, 1);
    assert.equal(today[0].status, 'completed');
    assert.deepEqual(blocked, []);
  });

  it('leaves private tasks out of a standup, because others will read it, and prints how many', async () => {
    const { store, dueline } = terminal.on();
    const engine = await openEngine({ folder: store, clock });
    const listId = engine.defaultListId();
    const due = engine.clock.now() - 60_000;
    const base = { due, timezone: 'UTC' };
    const seen = await engine.createTask(listId, { ...base, title: 'Seen' });
    const hidden = await engine.createTask(listId, { ...base, title: 'Secret layoffs', classification: 1 });
    await engine.createTask(listId, { ...base, title: 'Secret below', parentId: hidden });
    const done = await engine.createTask(listId, { ...base, title: 'Secret done', classification: 2 });
    const waiting = await engine.createTask(listId, { title: 'Waiting' });
    await engine.apply([{ type: 'blockers', id: waiting, add: [seen, hidden] }]);
    await engine.completeTask(done);
    await engine.close();
    const { code, out, err } = await dueline('standup');
    assert.equal(code, 0);
    assert.match(out, /\*\*Today\*\*\n\n- \[ \] Seen\n\n\*\*Blocked\*\*\n\n- \[ \] Waiting, after Seen\n$/);
    assert.equal(err, 'Left out 3 private tasks, because a standup is for others to read.\n');
    const listed = await dueline('standup', '--json');
    assert.doesNotMatch(out + listed.out, /secret/i);
    assert.equal(listed.err, err);
    // Your own list has them.
    assert.match((await dueline('today')).out, /Secret layoffs/);
  });

  it('groups a standup by repository if the tasks have code locations in several repositories', async () => {
    const { store } = terminal.on();
    const code = terminal.folder();
    const remote = 'git@github.com:owner/site.git';
    mkdirSync(join(code, 'site/.git'), { recursive: true });
    writeFileSync(join(code, 'site/.git/config'), `[remote "origin"]\n\turl = ${remote}\n`);
    mkdirSync(join(code, 'tools/.git'), { recursive: true });
    const [site, tools] = [repositoryOf([remote], 'site'), repositoryOf([], 'tools')];
    const engine = await openEngine({ folder: store, clock });
    const listId = engine.lists()[0]!.id;
    const tasks = [
      { title: 'Header', repo: site.id },
      { title: 'Script', repo: tools.id },
      { title: 'Elsewhere', repo: repositoryOf([], 'other').id },
      { title: 'Footer', repo: site.id },
    ];
    const started = (title: string) => ({ title, status: 1 }) as const;
    await engine.apply(
      tasks.map(({ title, repo }) => ({
        type: 'create',
        listId,
        input: started(title),
        anchors: [{ repo, path: 'src/a.ts' }],
      })),
    );
    await engine.close();
    const today = async (cwd: string) => {
      const { out } = await terminal.run(['--store', store, 'standup'], { cwd });
      return out
        .split(/\*\*(?:Today|Blocked)\*\*\n\n/)[1]!
        .trim()
        .split('\n');
    };
    const lines = (...titles: string[]) => titles.map(title => `- [ ] in progress: ${title}`);
    const below = (...titles: string[]) => lines(...titles).map(line => `  ${line}`);
    assert.deepEqual(await today(code), [
      '- owner/site',
      ...below('Header', 'Footer'),
      '- tools',
      ...below('Script'),
      '- Inbox',
      ...below('Elsewhere'),
    ]);
    assert.deepEqual(await today(join(code, 'site')), lines('Header', 'Script', 'Elsewhere', 'Footer'));
  });

  it('explains a query and prints scripts for shells', async () => {
    const { dueline } = terminal.on();
    await dueline('add', 'One');
    assert.match((await dueline('query', '--explain', 'is:ready #work')).out, /Open, and not blocked[\s\S]*0 tasks/);
    await dueline('add', 'Two #work');
    assert.match((await dueline('query', '--explain', 'is:ready #work')).out, /\n1 task\n/);
    assert.equal((await dueline('query')).code, 2);
    for (const [shell, part] of [
      ['bash', 'complete -o default -F _dueline dueline'],
      ['zsh', '#compdef dueline'],
      ['fish', '-a standup'],
    ] as const) {
      const { code, out } = await terminal.run(['completion', shell]);
      assert.equal(code, 0);
      assert.ok(out.includes(part) && out.includes('limit'), shell);
    }
    assert.equal((await terminal.run(['completion', 'tcsh'])).code, 2);
  });
});
