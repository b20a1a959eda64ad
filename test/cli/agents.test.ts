import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TaskList } from '../../src/core/kernel/model';
import { openEngine } from '../../src/engine';
import { openTaskStore } from '../../src/store/taskStore';
import { clock } from './support/aStart';
import { aTerminal } from './support/terminal';

/** The variables by which agents are known, and what the history calls them. */
const variables = {
  VSCODE_AGENT: ['1', 'VS Code'],
  CLAUDECODE: ['1', 'Claude Code'],
  CURSOR_AGENT: ['1', 'Cursor'],
  GEMINI_CLI: ['1', 'Gemini CLI'],
  CODEX_SANDBOX: ['seatbelt', 'Codex'],
  CODEX_THREAD_ID: ['0192', 'Codex'],
  COPILOT_CLI: ['1', 'Copilot CLI'],
  OPENCODE: ['1', 'opencode'],
  AI_AGENT: ['my-agent', 'my-agent'],
  AGENT: ['goose', 'goose'],
} as const;

const claude = { CLAUDECODE: '1' };
const secret = /secret/i;

describe('the command line and agents', () => {
  const terminal = aTerminal();

  /** Adds a visible task, a private one with a subtask, one in a shared list, and one that depends on the first. */
  async function aStore() {
    const store = terminal.folder();
    const window = await openEngine({ folder: store, clock });
    const rows = await openTaskStore({ folder: store, clock });
    const [own, club] = await rows.edit({ origin: 'sync' }, tx => {
      const principalUrl = 'https://cloud/dav/principals/me/';
      const accountId = tx.insertAccount({ displayName: 'Cloud', principalUrl });
      const list = { color: 0, accountId };
      return [
        tx.insertList({ ...list, name: 'Own', href: '/own/', owner: '/dav/principals/me/' }),
        tx.insertList({ ...list, name: 'Secret club', href: '/club/', owner: '/dav/principals/bob/' }),
      ] as const;
    });
    await rows.close();
    await window.refresh();
    const today = { due: clock.time, isAllDay: false, timezone: 'UTC', tags: ['secret'] };
    const seen = await window.createTask(own, { title: 'Open', due: clock.time, timezone: 'UTC' });
    const hidden = [
      await window.createTask(club, { ...today, title: 'Secret of the club' }),
      await window.createTask(own, { ...today, title: 'Secret', classification: 1, description: 'secret' }),
    ];
    hidden.push(await window.createTask(own, { ...today, title: 'Secret below', parentId: hidden[1]! }));
    const waiting = await window.createTask(own, { ...today, title: 'Secret that waits', classification: 2 });
    await window.apply([
      { type: 'blockers', id: seen, add: [hidden[1]!] },
      { type: 'blockers', id: waiting, add: [seen] },
    ]);
    hidden.push(waiting);
    const names = hidden.flatMap(id => [window.shortIdOf(id), String(id)]);
    const [uids, id] = [hidden.map(one => window.task(one)!.uid), window.shortIdOf(seen)];
    await window.close();
    return { store, id, names, uids };
  }

  type Case = (id: string, hidden: string) => readonly (readonly string[])[];
  /** For each command, an agent's attempts, with a task that it sees and the name of one that it does not. */
  const cases: Readonly<Record<string, Case>> = {
    list: (_, hidden) => [
      [],
      ['secret'],
      ['@"Secret club"'],
      [`id:${hidden}`],
      ['is:blocked OR is:ready'],
      ['has:child'],
    ],
    query: () => [['secret OR open'], ['--explain', 'secret']],
    today: () => [[], ['--limit', '9'], ['--events']],
    show: (id, hidden) => [[id], [hidden]],
    edit: (id, hidden) => [
      [hidden, 'x'],
      [hidden, '--unclaim'],
      [id, '--after', hidden],
      [id, '--not-after', hidden],
      [id, '--parent', hidden],
      [id, '--list', 'Secret club'],
      [id, '--priority', 'high'],
    ],
    start: (id, hidden) => [[hidden], [id]],
    done: (id, hidden) => [[hidden], [id]],
    stop: (id, hidden) => [[hidden], [id]],
    cancel: (id, hidden) => [[hidden], [id]],
    delete: (id, hidden) => [[hidden], [id, '--subtasks']],
    time: () => [[], ['all']],
    reopen: (id, hidden) => [[hidden], [id]],
    open: (id, hidden) => [[hidden], [id]],
    here: () => [[]],
    lists: () => [[]],
    tags: () => [[]],
    undo: () => [[]],
    add: (_, hidden) => [
      ['Buy @"Secret club"'],
      ['Buy', '--list', 'Secret club'],
      ['Buy', '--parent', hidden],
      ['Buy', '--after', hidden],
      [`Buy after:${hidden}`],
    ],
    import: () => [['tasks.md']],
    export: () => [
      ['--format', 'ics'],
      ['--format', 'json', 'secret'],
    ],
    standup: () => [[]],
    mcp: () => [],
    completion: () => [['bash'], ['ids'], ['closed'], ['lists'], ['tags']],
  };

  it('shows an agent nothing that is hidden from it, whatever the command and whichever variable names the agent', async function () {
    this.timeout(300_000);
    const help = (await terminal.run(['--help'])).out;
    const commands = [...help.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name!);
    assert.deepEqual(
      commands.filter(name => name !== 'dueline').filter(name => !(name in cases)),
      [],
      'each command has cases',
    );
    /** Tries each command with the name of one hidden task, in a new store: a start reads what those before it wrote. */
    const tryAll = async (variable: string, value: string, at: number): Promise<number> => {
      const { store, id, names, uids } = await aStore();
      writeFileSync(join(store, 'tasks.md'), '- [ ] x\n');
      const hidden = names[at]!;
      for (const [command, tries] of Object.entries(cases))
        for (const args of tries(id, hidden))
          for (const more of [[], ['--json']]) {
            const all = [command, '--store', store, ...args, ...more];
            const { code, out, err } = await terminal.run(all, { env: { [variable]: value }, cwd: store });
            if (code === 0 && command === 'add') await terminal.run(['undo', '--store', store]);
            // The agent may see a text that it has written itself.
            const output = (out + err)
              .replaceAll(hidden, '')
              .replaceAll(/@?"?Secret club"?/gi, word => (args.some(arg => /club/i.test(arg)) ? '' : word));
            assert.doesNotMatch(output, secret, `${variable} ${all.join(' ')}: ${output}`);
            for (const name of [...names.filter(each => each.startsWith('dl-')), ...uids])
              assert.ok(!output.includes(name), `${variable} ${all.join(' ')}: ${output}`);
          }
      // The user sees all of it.
      assert.match((await terminal.run(['list', '--store', store])).out, /Secret of the club/);
      return names.length;
    };
    for (const [variable, [value]] of Object.entries(variables)) {
      const count = await tryAll(variable, value, 2);
      if (variable === 'CLAUDECODE') for (let at = 0; at < count; at++) if (at !== 2) await tryAll(variable, value, at);
    }
  });

  it('changes no task that the agent cannot see', async () => {
    const { store, names } = await aStore();
    const before = (await terminal.run(['list', 'secret show:done', '--json', '--store', store])).out;
    for (const hidden of names)
      for (const args of [['done'], ['start'], ['edit', '--due', 'friday']]) {
        const { code, err } = await terminal.run([...args, hidden, '--store', store], { env: claude });
        assert.deepEqual([code, err], [1, `dueline: No task has the ID “${hidden}”.\n`]);
      }
    assert.equal((await terminal.run(['list', 'secret show:done', '--json', '--store', store])).out, before);
  });

  it('neither moves hidden tasks nor prints their titles', async () => {
    const { store, id } = await aStore();
    const window = await openEngine({ folder: store, clock });
    await (await window.sidecar()).put('agents', [['lists', ['Secret club']]]);
    const task = window.task(window.findByShortId(id))!;
    await window.createTask(task.listId, { title: 'Hidden below', classification: 1, parentId: task.id });
    await window.createTask(task.listId, { title: 'Payday', classification: 1 });
    await window.close();
    const as = (...args: string[]) => terminal.run([...args, '--store', store], { env: claude });
    const moved = await as('edit', id, '--list', 'Secret club');
    assert.deepEqual(
      [moved.code, moved.err],
      [1, 'dueline: This would change a task that is not for agents. Nothing was changed.\n'],
    );
    assert.doesNotMatch((await as('list')).out, /Hidden below/);
    await as('add', 'Payday', '--list', 'Own');
    const { out, err } = await as('add', 'Buy after:Payday', '--list', 'Own');
    assert.deepEqual([/after:/.test(out), err], [false, '']);
  });

  it('does not reopen hidden subtasks with their series, and completes no hidden occurrence', async () => {
    const store = terminal.folder();
    const window = await openEngine({ folder: store, clock });
    const list = window.defaultListId();
    const daily = { due: Date.UTC(2026, 2, 11), isAllDay: true, timezone: null, rrule: 'FREQ=DAILY' };
    const steps = await window.createTask(list, { ...daily, title: 'With steps' });
    const step = await window.createTask(list, { title: 'Hidden', classification: 1, parentId: steps });
    await window.completeTask(step);
    const dates = await window.createTask(list, { ...daily, title: 'With dates' });
    const first = window.task(dates)!.due!;
    await window.editOccurrence(dates, first, 'this', { title: 'Hidden', classification: 1 });
    const [one, other] = [window.shortIdOf(steps), window.shortIdOf(dates)];
    await window.close();
    const as = (...args: string[]) => terminal.run([...args, '--store', store], { env: claude });
    assert.deepEqual(await as('done', one), {
      code: 1,
      out: '',
      err: 'dueline: This would change a task that is not for agents. Nothing was changed.\n',
    });
    const shown = await as('show', other);
    assert.doesNotMatch(shown.out + (await as('list')).out, /hidden/i);
    const done = await as('done', other);
    assert.deepEqual([done.code, done.err, /hidden/i.test(done.out)], [0, '', false]);
    const after = await openEngine({ folder: store, clock });
    assert.equal(after.task(step)!.status, 2);
    const rows = after.rows(list).filter(({ masterId }) => masterId === dates);
    assert.deepEqual(rows.map(({ title, status, recurrenceId }) => [title, status, recurrenceId! - first]).sort(), [
      ['Hidden', 0, 0],
      ['With dates', 2, 86_400_000],
    ]);
    await after.close();
  });

  it('prints a watched list again only if its content has changed, by the current rules', async () => {
    const { store, dueline } = terminal.on();
    await dueline('add', 'Seen');
    const window = await openEngine({ folder: store, clock });
    const watching = terminal.start(['--store', store, 'list', '--watch', '--json'], claude);
    let output = '';
    watching.stdout.setEncoding('utf8').on('data', text => {
      output += text;
    });
    const titles = () =>
      output
        .trim()
        .split('\n')
        .map(line =>
          JSON.parse(line)
            .tasks.map(({ title }: { title: string }) => title)
            .sort(),
        );
    const until = async (count: number) => {
      while (titles().length < count) await once(watching.stdout, 'data');
    };
    await once(watching.stdout, 'data');
    const list = window.defaultListId();
    await window.createTask(list, { title: 'Hidden', classification: 1 });
    await window.createTask(list, { title: 'Seen too' });
    await until(2);
    await (await window.sidecar()).put('agents', [['lists', [window.lists()[0]!.name]]]);
    await until(3);
    assert.deepEqual(titles(), [['Seen'], ['Seen', 'Seen too'], ['Hidden', 'Seen', 'Seen too']]);
    watching.kill('SIGINT');
    await once(watching, 'exit');
    await window.close();
  });

  it('records the agent in the history, whichever variable names it, and lets it undo only its own changes', async () => {
    const store = terminal.folder();
    const named: string[] = [];
    for (const [variable, [value]] of Object.entries(variables))
      await terminal.run(['add', variable, '--store', store], { env: { [variable]: value } });
    await terminal.run(['add', 'Own', '--store', store]);
    const window = await openEngine({ folder: store, clock });
    for (const { label } of await window.undoSteps()) named.unshift(label.client?.name ?? 'user');
    await window.close();
    assert.deepEqual(named, [...Object.values(variables).map(([, name]) => name), 'user']);
    const undone = async (env: Record<string, string>) =>
      (await terminal.run(['undo', '--store', store], { env })).out || 'nothing';
    assert.equal(await undone(claude), 'Undone: Added “CLAUDECODE”\n');
    assert.equal(await undone(claude), 'nothing');
    assert.equal(await undone({}), 'Undone: Added “Own”\n');
  });

  it('lets an agent make at most ten changes at once, and neither delete nor import', async () => {
    const { store, piped, dueline } = terminal.on();
    await piped(Array.from({ length: 12 }, (_, at) => `Task ${at}`).join('\n'), 'add');
    const ids = (await dueline('list')).out.match(/dl-\w+/g)!;
    const asAgent = (args: readonly string[], input = '') =>
      terminal.run([...args, '--store', store], { env: claude, input });
    const refused = await asAgent(['done', ...ids.slice(0, 11)]);
    assert.deepEqual(refused, {
      code: 1,
      out: '',
      err: 'dueline: At most 10 tasks at once, subtasks included; these are 11. Nothing was changed.\n',
    });
    assert.equal((await asAgent(['done', ...ids.slice(0, 10)])).code, 0);
    assert.match((await asAgent(['add'], 'x\n'.repeat(51))).err, /At most 50 lines at once/);
    for (const args of [
      ['import', '-', '--format', 'markdown'],
      ['export', '--format', 'json'],
    ])
      assert.match((await asAgent(args, '- [ ] x\n')).err, /^dueline: Agents cannot (im|ex)port files/);
    assert.equal((await dueline('list')).out.match(/dl-/g)!.length, 2);
  });

  it('prints compact lines without colors and links for an agent, even in a terminal', async () => {
    const { store, piped } = terminal.on();
    await piped('A long title of a task tomorrow\nB !high', 'add');
    const shown = (env: Record<string, string>) => terminal.run(['list', '--store', store], { env, columns: 80 });
    assert.match((await shown({})).out, /\u001b\[/);
    const { out } = await shown(claude);
    assert.match(out, /^dl-\w+ {2}tomorrow {2}A long title of a task\ndl-\w+ {2}!!! {2}B\n$/);
  });

  it('applies no rules for agents if the user sets DUELINE_PERSON, and reports that once', async () => {
    const { store, id } = await aStore();
    const env = { ...claude, DUELINE_PERSON: '1' };
    const { out, err } = await terminal.run(['list', '--store', store], { env });
    assert.match(out, /Secret of the club/);
    assert.equal(err, 'dueline: DUELINE_PERSON is set, so the rules for agents do not apply.\n');
    assert.equal((await terminal.run(['show', id, '--store', store], { env: { DUELINE_PERSON: '1' } })).err, '');
    // A variable whose value means off names no agent.
    for (const off of ['', '0', 'false']) {
      const { out } = await terminal.run(['list', '--store', store], { env: { AGENT: off, CLAUDECODE: off } });
      assert.match(out, /Secret of the club/);
    }
  });

  it('lets an agent see the lists that the setting names', async () => {
    const { store } = await aStore();
    const window = await openEngine({ folder: store, clock });
    await (await window.sidecar()).put('agents', [['lists', ['Secret club']]]);
    assert.ok(window.lists().some(({ name }: TaskList) => name === 'Secret club'));
    await window.close();
    const { out } = await terminal.run(['list', '--store', store], { env: claude });
    assert.match(out, /Secret of the club/);
    assert.doesNotMatch(out, /Secret below|Secret that waits/);
  });

  describe('claims', () => {
    const other = { CODEX_THREAD_ID: 'one' };

    it('are named in what a terminal shows of a task, to the user and to other agents', async () => {
      const { store, dueline } = terminal.on();
      const [id] = (await dueline('add', 'Write')).out.match(/dl-\w+/)!;
      const out = async (env: Record<string, string>, ...args: string[]) =>
        (await terminal.run([...args, '--store', store], { env })).out;
      assert.doesNotMatch(await out({}, 'show', id), /Claimed/);
      await out({ AGENT: 'Evil\u001b[2J\u202e' }, 'start', id);
      assert.match(await out({}, 'show', id), /^Claimed by Evil\[2J$/m);
      assert.match(await out({}, 'list', 'is:claimed'), /Write \(claimed by Evil\[2J\)\n$/);
      assert.match(await out(other, 'list'), /Write \(claimed by Evil\[2J\)\n$/);
      assert.match(await out({ AGENT: 'Evil\u001b[2J\u202e' }, 'today', '--limit', '1'), /^$/);
      assert.match(await out({ AGENT: 'Evil\u001b[2J\u202e' }, 'list'), /Write \(claimed by you\)\n$/);
      const holder = async (env: Record<string, string>, ...args: string[]) =>
        JSON.parse(await out(env, ...args, '--json')).tasks[0].claimedBy;
      for (const args of [['list'], ['show', id], ['query', 'is:claimed'], ['edit', id, '--tag', 'a']])
        assert.equal(await holder({}, ...args), 'Evil[2J', args[0]);
      assert.equal(await holder(other, 'list'), 'Evil[2J');
      assert.equal(await holder({ AGENT: 'Evil\u001b[2J\u202e' }, 'list'), 'you');
      await out({}, 'edit', id, '--unclaim');
      assert.doesNotMatch(await out(other, 'list'), /claimed/);
      assert.equal(await holder({}, 'list'), null);
    });

    it('keep other agents off a task from its start until it is done, released or taken back by the user', async () => {
      const { store, dueline } = terminal.on();
      const [id] = (await dueline('add', 'Write')).out.match(/dl-\w+/)!;
      const as = (env: Record<string, string>, ...args: string[]) => terminal.run([...args, '--store', store], { env });
      assert.equal((await as(claude, 'start', id)).code, 0);
      const taken = 'dueline: Another agent works on one of these tasks. Nothing was changed.\n';
      for (const args of [
        ['done', id],
        ['edit', id, 'x'],
        ['start', id],
        ['edit', id, '--claim'],
      ])
        assert.deepEqual(await as(other, ...args), { code: 1, out: '', err: taken });
      // Two agents of one name in two threads are different agents.
      assert.equal((await as({ CODEX_THREAD_ID: 'two' }, 'done', id)).err, taken);
      assert.equal((await as(claude, 'edit', id, 'Write it')).code, 0);
      assert.equal((await as({}, 'edit', id, 'Write it down')).code, 0);
      assert.match((await as(claude, 'edit', id, '--unclaim')).out, /^Changed/);
      assert.match((await as(claude, 'edit', id, '--unclaim')).out, /^Unchanged/);
      assert.equal((await as(other, 'edit', id, '--claim')).code, 0);
      assert.equal((await as(claude, 'done', id)).err, taken);
      assert.match((await as({}, 'edit', id, '--unclaim')).out, /^Changed/);
      assert.equal((await as(claude, 'done', id)).code, 0);
    });

    it('belong to an agent in all of its working tree, by whatever path it comes there', async () => {
      const { store, dueline } = terminal.on();
      const [id] = (await dueline('add', 'Write')).out.match(/dl-\w+/)!;
      const at = (name: string) => join(store, name);
      mkdirSync(at('app/.git'), { recursive: true });
      mkdirSync(at('app/.git/modules/lib'), { recursive: true });
      mkdirSync(at('app/lib'));
      writeFileSync(at('app/lib/.git'), 'gitdir: ../.git/modules/lib\n');
      symlinkSync(at('app'), at('by link'));
      const start = (name: string) => terminal.run(['start', id, '--store', store], { env: claude, cwd: at(name) });
      for (const name of ['app', 'by link', 'app/lib']) assert.equal((await start(name)).code, 0, name);
    });

    it('expire half an hour after the agent’s last command', async () => {
      const { store, dueline } = terminal.on();
      const [id] = (await dueline('add', 'Write')).out.match(/dl-\w+/)!;
      const as = (env: Record<string, string>, ...args: string[]) => terminal.run([...args, '--store', store], { env });
      await as(claude, 'start', id);
      const start = clock.time;
      try {
        clock.time = start + 25 * 60_000;
        await as(claude, 'list');
        clock.time = start + 50 * 60_000;
        assert.equal((await as(other, 'done', id)).code, 1);
        clock.time = start + 56 * 60_000;
        assert.equal((await as(other, 'done', id)).code, 0);
      } finally {
        clock.time = start;
      }
    });
  });
});
