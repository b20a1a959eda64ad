import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { waysOut } from '../../scripts/package/waysOut';
import { openEngine } from '../../src/engine';
import { completionOf } from '../../src/programs/tasks';
import { openTaskStore } from '../../src/store/taskStore';
import { cliBundles, networkAmong, notHarmless } from '../support/offline/build';
import { hasStrace, watchProgram } from '../support/offline/trace';
import { clock } from './support/aStart';
import { aTerminal } from './support/terminal';

describe('the command line next to other writers', function () {
  // Every start is a process, which takes time.
  this.timeout(180_000);
  const terminal = aTerminal();

  it('loses nothing when ten processes and an open window add tasks at once', async () => {
    const { store } = terminal.on();
    const window = await openEngine({ folder: store });
    try {
      const starts = Array.from({ length: 10 }, (_, at) => terminal.start(['--store', store, 'add', `Task ${at}`]));
      const mine = Array.from({ length: 10 }, (_, at) => window.quickAdd(`Window ${at}`));
      const codes = await Promise.all(starts.map(async start => (await once(start, 'exit'))[0]));
      await Promise.all(mine);
      assert.deepEqual(codes, Array(10).fill(0));
      await window.refresh();
      const titles = window.query('').map(({ task }) => task.title);
      for (let at = 0; at < 10; at++)
        for (const source of ['Task', 'Window']) assert.ok(titles.includes(`${source} ${at}`), `${source} ${at}`);
      assert.equal(new Set(titles).size, 20);
    } finally {
      await window.close();
    }
  });

  it('completes the occurrence that was next when the command was given, even if another one is next by then', async () => {
    const { store } = terminal.on();
    const [one, other] = [await openEngine({ folder: store }), await openEngine({ folder: store })];
    try {
      for (const onCompleteRecurring of ['override', 'advance'] as const) {
        for (const engine of [one, other]) engine.configure({ onCompleteRecurring });
        const id = await one.quickAdd(`${onCompleteRecurring} 2030-05-06 every day`);
        await other.refresh();
        const completion = completionOf(one, one.task(id)!);
        await other.completeTask(id);
        await one.apply([completion]).catch(() => undefined);
        const [next] = one.query(`title:${onCompleteRecurring}`);
        assert.equal(new Date(next!.due!).getUTCDate(), 7, onCompleteRecurring);
      }
    } finally {
      await one.close();
      await other.close();
    }
  });

  it('leaves changes to a synced list for the editor to upload', async () => {
    const { store, dueline } = terminal.on();
    const window = await openEngine({ folder: store, clock });
    await window.close();
    // Written into the tables, as if another window had added the account: nothing here may connect.
    const rows = await openTaskStore({ folder: store, clock });
    await rows.edit({ origin: 'sync' }, tx => {
      const accountId = tx.insertAccount({ displayName: 'Cloud' });
      tx.insertList({ name: 'Shared', color: 0, accountId, href: '/shared/' });
    });
    await rows.close();
    assert.equal((await dueline('add', 'Waits @Shared')).code, 0);
    assert.match((await dueline('list', 'account:cloud sync:pending')).out, /Waits/);
  });

  it('prints the list again when another process writes', async () => {
    const { store, dueline } = terminal.on();
    await dueline('add', 'First');
    const watching = terminal.start(['--store', store, 'list', '--watch', '--json']);
    let output = '';
    watching.stdout.setEncoding('utf8').on('data', text => {
      output += text;
    });
    const until = async (word: string) => {
      while (!output.includes(word)) await once(watching.stdout, 'data');
    };
    await until('First');
    await dueline('add', 'Second');
    await until('Second');
    const lines = output
      .trim()
      .split('\n')
      .map(line => JSON.parse(line).tasks.length);
    assert.deepEqual({ first: lines[0], last: lines.at(-1) }, { first: 1, last: 2 });
    watching.kill('SIGINT');
    assert.deepEqual((await once(watching, 'exit'))[0], 0);
  });

  it('finishes its work even if its output is closed; only a watch ends early', async () => {
    const { store, dueline, json } = terminal.on();
    await dueline('add', 'First');
    for (const streams of [['stderr'], ['stdout'], ['stdout', 'stderr']] as const) {
      const title = streams.join(' and ');
      const adding = terminal.start(['--store', store, 'add', `${title} @Nowhere`]);
      for (const stream of streams) adding[stream].destroy();
      assert.deepEqual((await once(adding, 'exit'))[0], 0);
      assert.equal((await json('list', `"${title}"`)).tasks.length, 1, title);
    }
    const failing = terminal.start(['--store', store, 'lsit']);
    failing.stderr.destroy();
    assert.deepEqual((await once(failing, 'exit'))[0], 2);
    const watching = terminal.start(['--store', store, 'list', '--watch']);
    await once(watching.stdout, 'data');
    watching.stdout.destroy();
    await dueline('add', 'Last');
    assert.deepEqual((await once(watching, 'exit'))[0], 0);
  });

  it('is built without any file that connects to servers, and loads no module that can, but for the user’s editor', async () => {
    const { inputs, imports, scripts } = await cliBundles();
    assert.ok(inputs.includes('src/cli/main.ts'));
    assert.deepEqual(networkAmong(inputs), []);
    assert.deepEqual(notHarmless(imports), ['node:child_process']);
    assert.deepEqual(
      scripts.flatMap(script => waysOut(script)).map(({ fault }) => fault.split(':', 2).join(':')),
      ['loads node:child_process'],
    );
    assert.ok(readFileSync('dist/cli.cjs', 'utf8').startsWith('#!/usr/bin/env node\n'));
  });

  it('opens no socket under strace', function () {
    if (!hasStrace()) this.skip();
    const { store } = terminal.on();
    const { output, calls } = watchProgram(['dist/cli.cjs', '--store', store, 'add', 'Watched tomorrow']);
    assert.match(output, /^Added/);
    assert.deepEqual(calls, []);
    assert.deepEqual(watchProgram(['dist/cli.cjs', '--store', store, 'list']).calls, []);
  });
});
