import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { devNull } from 'node:os';
import { join, resolve } from 'node:path';
import { asTree } from '../../src/cli/rows';
import { momentOf } from '../../src/core/time/dates';
import { openEngine } from '../../src/engine';
import { plainItem } from '../../src/query/eval/items';
import { aTask } from '../core/support/series';
import { clock } from './support/aStart';
import { aTerminal, hasTerminal, inTerminal } from './support/terminal';

const hostile = 'Evil\u001b[2J\u001b]0;title\u0007 \u202eright to left\u202c\u0085\u009b31m \u200fmark\u2066';
const unsafe = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

describe('the output of the command line', function () {
  // Each start is a process of its own.
  this.timeout(180_000);
  const terminal = aTerminal();

  async function hostileStore() {
    const store = terminal.folder();
    const engine = await openEngine({ folder: store, clock });
    const list = await engine.createList({ name: `L\u001b[31m\u202eist` });
    const file = `BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:u\u001b\nSUMMARY:${hostile}\nCATEGORIES:t\u001b[1mag\nDESCRIPTION:${hostile}\\nsecond\nEND:VTODO\nEND:VCALENDAR\n`;
    await engine.importTasks('ics', file, list);
    await engine.createTask(list, { title: hostile, description: hostile, tags: ['t\u202eag'] });
    await engine.close();
    return store;
  }

  it('has no control character and no direction mark of a task', async () => {
    const { dueline, json } = terminal.on(await hostileStore());
    for (const args of [
      ['list'],
      ['today'],
      ['show', '1'],
      ['standup'],
      ['edit', '2', '--due', 'x\u001b[2Jy'],
      ['done', '2'],
      ['add', `x ${hostile}`],
      ['undo'],
    ]) {
      for (const more of [[], ['--json']]) {
        const { out, err } = await dueline(...args, ...more);
        assert.doesNotMatch(out + err, unsafe, args.join(' '));
      }
    }
    // JSON has the same in escapes: nothing is lost to a program.
    const [task] = (await json('show', '2')).tasks;
    assert.equal(task.title, hostile.replace(/[\u0000-\u001f\u007f]/g, ''));
  });

  it('has a chain of 20,000 subtasks, indented no further than is readable, and parents of each other once', async () => {
    const item = (id: number, parentId: number | null) => plainItem(aTask({ id, parentId }), momentOf(clock, 0));
    const chain = Array.from({ length: 20_000 }, (_, at) => item(at + 1, at === 0 ? null : at));
    const tree = asTree([item(30_001, 30_002), item(30_002, 30_001), ...chain.toReversed()]);
    assert.deepEqual(
      tree.map(row => row.item.task.id),
      [...chain.map(({ task }) => task.id), 30_001, 30_002],
    );
    assert.equal(tree[19_999]!.depth, 19_999);
    const { piped, dueline } = terminal.on();
    await piped(Array.from({ length: 30 }, (_, at) => `${'  '.repeat(at)}- Level ${at}`).join('\n'), 'add');
    assert.match((await dueline('list')).out, /\ndl-\w+ {42}Level 28\ndl-\w+ {42}Level 29\n$/);
  });

  it('has colors and links only in a terminal, and fits its width', async function () {
    if (!hasTerminal()) this.skip();
    const { dueline, store } = terminal.on();
    await dueline('add', `${'a long title '.repeat(20)} tomorrow #tag`);
    await dueline('add', 'שלום עולם, זאת משימה tomorrow !high');
    await dueline('add', `${'漢字'.repeat(60)} !high`);
    assert.doesNotMatch((await dueline('list')).out, /\u001b/);
    const shown = inTerminal(['--store', store, 'list']);
    assert.match(shown, /\u001b\[2m\u001b\]8;;vscode:\/\/dueline\.dueline\/task\?id=dl-/);
    const plain = shown.replace(/\u001b\]8;;[^\u001b]*\u001b\\|\u001b\[[0-9;]*m/g, '');
    const width = (line: string) => [...line].reduce((sum, sign) => sum + (/[\u4e00-\u9fff]/.test(sign) ? 2 : 1), 0);
    const lines = plain.trim().split(/\r?\n/);
    assert.equal(lines.length, 3);
    for (const line of lines) assert.ok(width(line) <= 80, `${width(line)}: ${line}`);
    // If dates leave no room, the rows without one begin with the title.
    await dueline('add', `Plain ${'words '.repeat(20)}`);
    const narrow = (await terminal.run(['--store', store, 'list', '--no-color'], { columns: 40 })).out
      .trim()
      .split('\n');
    assert.equal(narrow.length, 4);
    for (const line of narrow) assert.ok(width(line) <= 40, `${width(line)}: ${line}`);
    assert.match(narrow.at(-1)!, /^dl-\w+ {2}Plain words words words/);
    for (const [args, env] of [
      [['--no-color'], {}],
      [[], { NO_COLOR: '1' }],
    ] as const)
      assert.doesNotMatch(
        (await terminal.run(['--store', store, 'list', ...args], { env, columns: 80 })).out,
        /\u001b/,
      );
  });

  it('keeps a confirmation on one line of a terminal, and shows an export there without control characters', async () => {
    const shownIn = async (store: string, ...args: readonly string[]) =>
      (await terminal.run(['--store', store, ...args], { columns: 80 })).out;
    const printed = await shownIn(terminal.folder(), 'add', `${'a long title '.repeat(20)} tomorrow 9am`);
    assert.match(printed, /\u001b/);
    const [line, ...others] = printed
      .replace(/\u001b\[[0-9;]*m/g, '')
      .trim()
      .split('\n');
    assert.ok(line!.length <= 80);
    assert.deepEqual(others, []);
    assert.match(line!, /^Added +dl-\w+ {2}a long title .*… {2}tomorrow 9:00\sAM @Inbox$/);
    const hostiles = await hostileStore();
    const shown = await shownIn(hostiles, 'export', '--format', 'csv', '--no-color');
    assert.match(shown, /Evil/);
    assert.doesNotMatch(shown, unsafe);
    // In a pipe it is data.
    const { out } = await terminal.on(hostiles).dueline('export', '--format', 'csv');
    assert.match(out, unsafe);
  });

  it('reads no task from a device that is not a terminal', () => {
    const { store } = terminal.on();
    const { stderr, status } = spawnSync(process.execPath, [resolve('dist/cli.cjs'), '--store', store, 'add'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    assert.deepEqual(
      { status, stderr },
      { status: 2, stderr: 'dueline: There is nothing to add: standard input is empty.\n' },
    );
  });

  it('adds what is typed in a terminal', async function () {
    if (!hasTerminal()) this.skip();
    const { store, json } = terminal.on();
    // Ctrl+D ends it, as the output explains.
    const shown = inTerminal(['--store', store, 'add'], 'Typed\n  Below\n\u0004');
    assert.match(shown, /End with Ctrl\+D/);
    assert.equal((await json('list')).tasks.length, 2);
  });

  it('shows tasks from a folder that it cannot write to, and explains why nothing is added', async function () {
    if (process.platform === 'win32') this.skip();
    const { dueline, store } = terminal.on();
    await dueline('add', 'Kept');
    // Root may write everywhere; the user `nobody` may not, and cannot read a clone in root's home.
    const nobody = process.getuid?.() === 0 ? 65_534 : undefined;
    const dist = terminal.folder();
    cpSync('dist', dist, { recursive: true });
    chmodSync(dist, 0o755);
    const asNobody = (...args: string[]) =>
      terminal.runProcess(['--store', store, ...args], { uid: nobody, built: join(dist, 'cli.cjs') });
    const folders = [store, ...readdirSync(store).map(name => join(store, name))];
    const files = folders.flatMap(folder =>
      readdirSync(folder, { withFileTypes: true })
        .filter(entry => entry.isFile())
        .map(({ name }) => join(folder, name)),
    );
    for (const file of files) chmodSync(file, 0o444);
    for (const folder of folders) chmodSync(folder, 0o555);
    try {
      const shown = asNobody('list');
      assert.match(shown.out, /Kept/, shown.err);
      const { code, out, err } = asNobody('add', 'Not kept');
      assert.notEqual(code, 0);
      assert.equal(out, '');
      assert.match(err, /^dueline: [^\n]*read-only[^\n]*\n$/);
    } finally {
      for (const folder of folders) chmodSync(folder, 0o755);
    }
  });

  it('creates no store if the folder is missing, and finds the store of an editor', async () => {
    const home = terminal.folder();
    const missing = join(home, 'missing');
    const answer = await terminal.run(['--store', missing, 'add', 'x']);
    assert.equal(answer.code, 3);
    assert.match(answer.err, /missing does not exist\. Create it first/);
    assert.equal(existsSync(missing), false);
    assert.match((await terminal.run(['list'])).err, /No editor here has Dueline tasks/);
    assert.match((await terminal.run(['list'], { env: { SSH_CONNECTION: 'x' } })).err, /remote machine/);

    const storeOf = (editor: string) => join(home, '.config', editor, 'User/globalStorage/dueline.dueline/store');
    mkdirSync(storeOf('VSCodium'), { recursive: true });
    assert.equal((await terminal.run(['add', 'Found'])).code, 0);
    assert.match((await terminal.run(['list'])).out, /Found/);
    cpSync(storeOf('VSCodium'), storeOf('Code'), { recursive: true });
    const several = await terminal.run(['list']);
    assert.equal(several.code, 3);
    assert.ok(
      several.err.includes(`VS Code: dueline --store "${storeOf('Code')}"`) && several.err.includes('VSCodium:'),
    );
    assert.match((await terminal.run(['list'], { env: { DUELINE_STORE: storeOf('Code') } })).out, /Found/);
    // A variable that is not set: the tasks belong neither there nor into the editor's store.
    const unset = await terminal.run(['--store', '', 'add', 'Lost'], { env: { DUELINE_STORE: storeOf('Code') } });
    assert.deepEqual(unset, { ...unset, code: 2, out: '' });
    assert.match(unset.err, /--store needs a folder/);
    assert.equal((await terminal.run(['--store=', 'list'])).code, 2);
    // The extension's folder stands for the store in it.
    assert.match((await terminal.run(['list', '--store', join(storeOf('Code'), '..')])).out, /Found/);
  });

  it('exports into no file of the store, follows no dangling link, and keeps a link to a file', async () => {
    const { dueline, store } = terminal.on();
    await dueline('add', 'Kept');
    const own = readdirSync(join(store, 'store')).filter(name => name.endsWith('.jsonl'));
    assert.notEqual(own.length, 0);
    const folder = terminal.folder();
    symlinkSync(join(store, 'store', own[0]!), join(folder, 'journal.json'));
    for (const path of [join(store, 'store', own[0]!), join(store, 'sidecar/new.json'), join(folder, 'journal.json')]) {
      const { code, err } = await dueline('export', '--format', 'json', '--output', path, '--force');
      assert.equal(code, 1, err);
      assert.match(err, /Dueline keeps its own files there/);
    }
    assert.match((await dueline('list')).out, /Kept/);
    symlinkSync(join(folder, 'elsewhere.json'), join(folder, 'link.json'));
    assert.match(
      (await dueline('export', '--output', join(folder, 'link.json'))).err,
      /link\.json exists\. Replace it with --force/,
    );
    assert.equal(existsSync(join(folder, 'elsewhere.json')), false);
    writeFileSync(join(folder, 'elsewhere.json'), 'old');
    assert.equal((await dueline('export', '--output', join(folder, 'link.json'), '--force')).code, 0);
    assert.match(readFileSync(join(folder, 'elsewhere.json'), 'utf8'), /Kept/);
    assert.equal(lstatSync(join(folder, 'link.json')).isSymbolicLink(), true);
    // A path that is no file is written to as it is.
    assert.equal((await dueline('export', '--format', 'json', '--output', devNull, '--force')).code, 0);
    assert.equal(lstatSync(devNull).isFile(), false);
  });

  it('leaves an old export whole, and no part of a new one, if the disk is full', async function () {
    if (process.platform === 'win32') this.skip();
    const { store, piped } = terminal.on();
    await piped(`${'A task with a long title '.repeat(20)}\n`.repeat(50), 'add');
    const folder = terminal.folder();
    const old = join(folder, 'old.json');
    writeFileSync(old, 'precious');
    const limited = (path: string) => {
      const words = [
        process.execPath,
        resolve('dist/cli.cjs'),
        '--store',
        store,
        'export',
        '--force',
        '--output',
        path,
      ];
      const command = words.map(word => `'${word}'`).join(' ');
      // In blocks of 1024 bytes: a write beyond them fails, as on a full disk.
      const shell = `trap '' XFSZ; ulimit -f 8; ${command}`;
      return spawnSync('bash', ['-c', shell], { encoding: 'utf8', env: { ...process.env, HOME: folder } });
    };
    for (const path of [old, join(folder, 'new.json')]) {
      const { status, stderr } = limited(path);
      assert.equal(status, 1);
      assert.match(stderr, /Could not write .*: EFBIG/);
    }
    assert.equal(readFileSync(old, 'utf8'), 'precious');
    assert.deepEqual(readdirSync(folder), ['old.json']);
  });

  it('stops reading an endless input, and reads what another program writes into a pipe', async function () {
    if (process.platform === 'win32') this.skip();
    const { dueline, store } = terminal.on();
    await dueline('add', 'Kept');
    const shell = (script: string) => {
      const command = `'${process.execPath}' '${resolve('dist/cli.cjs')}' --store '${store}'`;
      const environment = { ...process.env, HOME: store, NO_COLOR: '1' };
      return spawnSync('bash', ['-c', script.replaceAll('DUELINE', command)], { encoding: 'utf8', env: environment });
    };
    for (const [script, name] of [
      ["yes 'a task' | DUELINE add", 'Standard input'],
      ['cat /dev/zero | DUELINE import - --format ics', 'Standard input'],
      ['DUELINE import /dev/zero --format ics', '/dev/zero'],
      ["DUELINE import <(yes 'a task') --format todotxt", '/dev/fd/'],
    ] as const) {
      const { status, stderr } = shell(script);
      assert.equal(status, 1, script);
      assert.match(stderr, /is larger than 32 MB\. Nothing was changed\./);
      assert.ok(stderr.includes(name), stderr);
    }
    const unwritten = shell(`mkfifo '${store}/pipe.ics'; DUELINE import '${store}/pipe.ics'`);
    assert.equal(unwritten.status, 1);
    assert.match(unwritten.stderr, /Nothing is writing to the pipe/);
    assert.equal((await dueline('list', '--json')).out.match(/"shortId"/g)?.length, 1);
    const substituted = shell("DUELINE import <(sleep 0.1; printf -- '- [ ] Written\\n') --format markdown");
    assert.equal(substituted.stdout, 'Added 1 and changed 0 tasks.\n', substituted.stderr);
  });

  it('does not create a store for a command that only reads or needs a task, and reports what is missing', async () => {
    const folder = terminal.folder();
    const { dueline, piped } = terminal.on(folder);
    for (const args of [
      ['list'],
      ['today'],
      ['list', '--json'],
      ['query', 'is:open'],
      ['standup'],
      ['export', '--format', 'ics'],
      ['show', 'dl-k3f9'],
      ['done', '1'],
      ['edit', '1', 'x'],
      ['start', '1'],
      ['undo'],
    ]) {
      const { code, out, err } = await dueline(...args);
      assert.deepEqual({ code, out }, { code: 3, out: '' }, args.join(' '));
      assert.ok(err.includes(`${folder} has no Dueline tasks`), err);
      assert.deepEqual(readdirSync(folder), [], args.join(' '));
    }
    assert.equal((await piped('One\n', 'add')).code, 0);
    assert.match((await dueline('list')).out, /One/);
    const other = terminal.on();
    writeFileSync(join(folder, 'tasks.md'), '- [ ] Two\n');
    assert.equal((await other.dueline('import', join(folder, 'tasks.md'))).code, 0);
    assert.match((await other.dueline('list')).out, /Two/);
  });
});
