import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { aStart, type Start } from './support/aStart';
import { aTerminal, hasTerminal, inTerminal } from './support/terminal';

describe('tasks as text in the user’s editor', function () {
  if (process.platform === 'win32') return;
  this.timeout(60_000);
  const terminal = aTerminal();

  /** A store with tasks, and an editor: a script of a shell, which changes the file that it gets. */
  async function opened(script: string, ...lines: readonly string[]) {
    const { store, dueline, piped, json } = terminal.on();
    await piped(`${lines.join('\n')}\n`, 'add');
    const folder = terminal.folder();
    const editor = join(folder, 'my editor.sh');
    writeFileSync(editor, `#!/bin/sh\nprintf '%s\\n' "$@" > '${folder}/args'\n${script}\n`);
    chmodSync(editor, 0o755);
    const env = { HOME: folder, TMPDIR: folder, EDITOR: `'${editor}' --wait`, LANG: 'en_US.UTF-8' };
    const start = (args: readonly string[], more: Start = {}) =>
      aStart(['--store', store, 'edit', '--text', ...args], { columns: 80, isTyped: true, env, ...more });
    return {
      store,
      editor,
      start,
      edit: (...args: readonly string[]) => start(args).answer,
      tasks: async () => ((await json('list')).tasks as { title: string }[]).map(({ title }) => title).sort(),
      file: () => readFileSync(join(folder, 'args'), 'utf8').trim().split('\n'),
      dueline,
    };
  }

  it('is saved as the editor leaves it, in one step of undo, and the file is removed', async () => {
    const { edit, tasks, file, dueline } = await opened(
      `sed -i -e 's/Milk/Bread !high/' -e 's/Rent/[x] Rent/' "$2"; echo '  Butter' >> "$2"`,
      'Milk',
      'Rent',
    );
    assert.deepEqual(await edit(), { code: 0, out: 'Added 1, Changed 1, Completed 1\n', err: '' });
    assert.deepEqual(await tasks(), ['Bread', 'Butter']);
    const [wait, path] = file();
    assert.equal(wait, '--wait');
    assert.match(path!, /tasks\.dueline$/);
    assert.equal(existsSync(dirname(path!)), false);
    await dueline('undo');
    assert.deepEqual(await tasks(), ['Milk', 'Rent']);
  });

  it('keeps the letters of all titles if the editor writes another encoding than UTF-8', async () => {
    const { edit, tasks } = await opened(
      `LC_ALL=C sed -i -e "s/$(printf '\\303\\274')/$(printf '\\374')/" -e 's/Milk/Bread/' "$2"`,
      'Milk',
      'Müll',
    );
    assert.equal((await edit()).out, 'Changed 1\n');
    assert.deepEqual(await tasks(), ['Bread', 'Müll']);
  });

  it('has the tasks of a query, in a file that nobody else can read', async () => {
    const { edit, file, editor } = await opened(
      'cp "$2" "$(dirname "$0")/seen"; stat -c %a "$2" "$(dirname "$2")" > "$(dirname "$0")/modes"',
      'Milk #shop',
      'Rent',
    );
    assert.deepEqual(await edit('tag:shop'), { code: 0, out: 'Unchanged\n', err: '' });
    assert.match(readFileSync(join(dirname(editor), 'seen'), 'utf8'), /^Milk #shop @Inbox {2}dl-\w+\n$/);
    assert.equal(readFileSync(join(dirname(editor), 'modes'), 'utf8'), '600\n700\n');
    assert.equal(existsSync(file()[1]!), false);
  });

  it('changes nothing if the editor fails, is missing, or changed nothing', async () => {
    const failing = await opened('exit 3', 'Milk');
    assert.deepEqual(await failing.edit(), {
      code: 1,
      out: '',
      err: 'dueline: The editor failed: it ended with code 3. Nothing was changed.\n',
    });
    const missing = await failing.start([], { env: { EDITOR: '/no/editor' } }).answer;
    assert.match(missing.err, /The editor failed: it ended with code 127\. Nothing was changed\./);
    // A text that was written before it failed is kept.
    const late = await opened(`echo '  New' >> "$2"; exit 1`, 'Milk');
    const { code, err } = await late.edit();
    assert.equal(code, 1);
    const kept = /Your text is in (\S+)\. Correct it/.exec(err)![1]!;
    assert.match(readFileSync(kept, 'utf8'), /New\n$/);
    assert.deepEqual(await late.tasks(), ['Milk']);
    assert.equal((await late.dueline('import', kept)).code, 0);
    assert.deepEqual(await late.tasks(), ['Milk', 'New']);
  });

  it('asks what becomes of tasks whose lines are gone, and deletes none without the answer', async () => {
    const { start, tasks, file } = await opened(`sed -i '/Milk/d' "$2"`, 'Milk', 'Rent');
    const answered = async (answer: string | undefined) => {
      const { sent, answer: ended } = start([]);
      if (answer === undefined) sent.end();
      else sent.write(answer);
      return ended;
    };
    const kept = await answered('\n');
    assert.deepEqual(kept, {
      code: 0,
      out: 'Unchanged\n',
      err: 'This task is no longer in the text: “Milk”\n[c] complete, [x] cancel, [d] delete, [k] keep?\n',
    });
    assert.deepEqual(await tasks(), ['Milk', 'Rent']);
    const none = await answered(undefined);
    assert.deepEqual([none.code, existsSync(file()[1]!)], [1, true]);
    assert.match(none.err, /Your text is in .*Nothing was saved/s);
    assert.deepEqual(await tasks(), ['Milk', 'Rent']);
    assert.deepEqual((await answered('c\n')).out, 'Completed 1\n');
    assert.deepEqual(await tasks(), ['Rent']);
  });

  it('keeps lines that cannot be saved in a file that it names, and saves all others', async () => {
    const { edit, tasks, store } = await opened(`printf '  Butter\\n  Tea @Nowhere\\n' >> "$2"`, 'Milk');
    const { code, out, err } = await edit();
    assert.deepEqual([code, out], [1, 'Added 1\n']);
    assert.match(
      err,
      /^Not saved: Tea @Nowhere: .*Nowhere.*\nYour text is in \S+\. Correct it, and save it with: dueline import/,
    );
    const kept = / is in (\S+)\. /.exec(err)![1]!;
    assert.match(readFileSync(kept, 'utf8'), /Butter {2}dl-\w+\n {2}Tea @Nowhere\n$/);
    assert.equal(statSync(kept).mode & 0o777, 0o600);
    assert.deepEqual(await tasks(), ['Butter', 'Milk']);
    assert.ok(readdirSync(store).length > 0);
  });

  it('merges what was changed elsewhere while the editor was open', async () => {
    const { edit, tasks, editor, store } = await opened('', 'Milk', 'Rent');
    const other = `'${process.execPath}' dist/cli.cjs --store '${store}' edit 2 'Rent of May'`;
    writeFileSync(editor, `#!/bin/sh\nsed -i 's/Milk/Bread/' "$2"; ${other} >/dev/null\n`);
    assert.deepEqual(await edit(), { code: 0, out: 'Changed 1\n', err: '' });
    assert.deepEqual(await tasks(), ['Bread', 'Rent of May']);
  });

  it('is refused without a terminal, without an editor, with other options, and for an agent', async () => {
    const { start, tasks } = await opened('echo New >> "$2"', 'Milk');
    for (const [args, more, code, error] of [
      [[], { isTyped: false }, 1, /--text needs a terminal/],
      [[], { env: {} }, 1, /No editor is set/],
      [['--due', 'friday'], {}, 2, /--text cannot be used with --due/],
      [[], { env: { EDITOR: 'true', CLAUDECODE: '1' } }, 1, /Agents cannot edit tasks as text/],
    ] as const) {
      const answer = await start(args, more).answer;
      assert.deepEqual([answer.code, answer.out], [code, ''], String(error));
      assert.match(answer.err, error);
    }
    assert.deepEqual(await tasks(), ['Milk']);
  });

  it('is opened by the command interpreter of Windows, with its path in quotes', async () => {
    const { edit, tasks, editor } = await opened(`echo '  Butter' >> "$2"`, 'Milk');
    const folder = dirname(editor);
    // `/s /c "…"` takes the outer quotes off, and reads the rest as it is.
    const script = `printf '%s ' "$1" "$2" "$3" > '${folder}/switches'\nline=\${4#?}\neval "\${line%?}"`;
    writeFileSync(join(folder, 'cmd.exe'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const { platform, env } = process;
    const { PATH } = env;
    Object.defineProperty(process, 'platform', { value: 'win32' });
    Object.assign(env, { comspec: 'cmd.exe', PATH: `${folder}:${PATH}` });
    try {
      assert.deepEqual(await edit(), { code: 0, out: 'Added 1\n', err: '' });
    } finally {
      Object.defineProperty(process, 'platform', { value: platform });
      env.PATH = PATH;
      delete env.comspec;
    }
    assert.equal(readFileSync(join(folder, 'switches'), 'utf8'), '/d /s /c ');
    assert.deepEqual(await tasks(), ['Butter', 'Milk']);
  });

  it('works in a real terminal', async function () {
    if (!hasTerminal()) return this.skip();
    const { store, editor, tasks } = await opened(`sed -i '/Milk/d' "$1"; echo '  New' >> "$1"`, 'Milk', 'Rent');
    const shown = inTerminal(['--store', store, 'edit', '--text'], 'd\n', { EDITOR: `"${editor}"` });
    assert.match(shown, /This task is no longer in the text: “Milk”/);
    assert.match(shown, /Added 1, Deleted 1/);
    assert.deepEqual(await tasks(), ['New', 'Rent']);
  });
});
