import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { noLog } from '../../../src/core/kernel/log';
import { diskFiles, type Files } from '../../../src/store/journal/files';
import { Replica } from '../../../src/store/replica/replica';
import { tasksSchema } from '../../../src/store/sql/databaseSchema';
import { openTaskStore } from '../../../src/store/taskStore';
import { aList, clock, dump, namesIn, rename, Scratch, user } from '../support/store';

describe('several windows', () => {
  const scratch = new Scratch();
  afterEach(() => scratch.clean());

  it('execute an edit once even if another window wrote right behind it', async () => {
    const options = { folder: join(scratch.folder(), 'store'), databaseSchema: tasksSchema(), clock, log: noLog };
    const other = await Replica.open({ ...options, files: diskFiles });
    // While the first record waits for the disk, the other window reads it and writes its own after it.
    let isFirst = false;
    const openJournal: Files['openJournal'] = (path, mode) => {
      const file = diskFiles.openJournal(path, mode);
      const sync = async () => {
        await file.sync();
        if (!isFirst) return;
        isFirst = false;
        await other.commit(
          () => other.database.run("INSERT INTO accounts (display_name) VALUES ('other')"),
          () => ({}),
        );
      };
      return { ...file, sync };
    };
    const own = await Replica.open({ ...options, files: { ...diskFiles, openJournal } });
    isFirst = true;
    let runs = 0;
    await own.commit(
      () => {
        runs++;
        own.database.run("INSERT INTO accounts (display_name) VALUES ('own')");
      },
      () => ({}),
    );
    assert.equal(runs, 1);
    assert.deepEqual(own.database.rows('SELECT display_name FROM accounts'), [['own'], ['other']]);
    await other.refresh();
    assert.deepEqual(other.database.rows('SELECT * FROM accounts'), own.database.rows('SELECT * FROM accounts'));
    await own.close();
    await other.close();
  });

  it('continue to write after their journal was compacted and removed between two reads', async () => {
    const folder = scratch.folder();
    const other = await scratch.store(folder, { compactAt: 2_000 });
    await other.edit(user, tx => aList(tx, 'List', 'Task'));
    // A process that is stopped after it has read sees no more of the journal until it checks whether that is gone.
    let seen: number | undefined;
    let checks = 0;
    const openJournal: Files['openJournal'] = (path, mode) => {
      const file = diskFiles.openJournal(path, mode);
      const isGone = () => {
        if (seen !== undefined) checks++;
        seen = undefined;
        return file.isGone();
      };
      return { ...file, size: () => Math.min(file.size(), seen ?? Number.POSITIVE_INFINITY), isGone };
    };
    const own = await scratch.store(folder, {
      files: { ...diskFiles, openJournal, watch: () => ({ dispose: () => {} }) },
    });
    const [journal] = namesIn(folder, /^j-/);
    seen = statSync(join(folder, 'store', journal!)).size;
    while (namesIn(folder, /^j-/).includes(journal!)) await rename(other, `${Math.random()}`);
    await own.edit(user, tx => tx.insertTask({ listId: 1, uid: 'own', title: 'Own' }));
    assert.equal(checks, 1);
    await other.refresh();
    assert.equal(dump(own), dump(other));
  });

  it('report files that were really removed', async () => {
    const folder = scratch.folder();
    const store = await scratch.store(folder);
    await store.edit(user, tx => aList(tx, 'List', 'Task'));
    rmSync(join(folder, 'store'), { recursive: true });
    await assert.rejects(
      store.edit(user, tx => aList(tx, 'Another')),
      /were removed while it was open/,
    );
  });

  it('do not depend on a lock for correctness', async () => {
    const folder = scratch.folder();
    const stores = await Promise.all([1, 2, 3].map(() => scratch.store(folder, { lock: false, compactAt: 4_000 })));
    await stores[0]!.edit(user, tx => aList(tx, 'Counter', '0'));
    const count = (at: number) =>
      stores[at]!.edit(user, tx => tx.updateTask(1, { title: String(Number(tx.task(1)!.title) + 1) }));
    await Promise.all(stores.flatMap((_, at) => Array.from({ length: 40 }, () => count(at))));
    for (const store of stores) await store.refresh();
    assert.equal(stores[0]!.task(1)!.title, '120');
    assert.equal(new Set(stores.map(dump)).size, 1);
  });

  it('lose nothing acknowledged as separate processes, one of which is killed', async () => {
    const folder = scratch.folder();
    const first = await scratch.store(folder);
    await first.edit(user, tx => aList(tx, 'Chaos', '0'));
    const acknowledged: string[] = [];
    const run = (name: string, edits: number, last: 'SIGKILL' | 'stop') =>
      new Promise<void>((resolve, reject) => {
        const plan = { folder, name, compactAt: 6_000, lock: true, fullDisk: 0 };
        const child = spawn(process.execPath, [
          '--liftoff-only',
          join('out/bench/chaos/writer.js'),
          JSON.stringify(plan),
        ]);
        child.once('close', () => resolve());
        let heard = 0;
        createInterface({ input: child.stdout }).on('line', line => {
          if (line.startsWith('error')) reject(new Error(line));
          if (line.startsWith('ack')) acknowledged.push(line.slice(4));
          if (!line.startsWith('ack') || ++heard !== edits) return;
          if (last === 'SIGKILL') child.kill('SIGKILL');
          else child.stdin.end('stop\nlook\nend\n');
        });
      });
    await Promise.all([run('a', 40, 'stop'), run('b', 25, 'SIGKILL'), run('c', 40, 'stop')]);
    const fresh = await scratch.store(folder);
    const uids = fresh.select<{ uid: string }>('SELECT uid FROM tasks WHERE id > 1').map(row => row.uid);
    assert.deepEqual(
      acknowledged.filter(uid => !uids.includes(uid)),
      [],
    );
    assert.equal(new Set(uids).size, uids.length);
    assert.equal(Number(fresh.task(1)!.title), uids.length);
    await first.refresh();
    assert.equal(dump(first), dump(fresh));
  });

  it('build snapshots in a worker if there is one', async () => {
    assert.ok(existsSync('out/src/snapshot.worker.cjs'));
    const folder = scratch.folder();
    const logged: string[] = [];
    const store = await openTaskStore({ folder, clock, compactAt: 3_000, log: (_, message) => logged.push(message) });
    await store.edit(user, tx => aList(tx, 'Inbox', ...Array.from({ length: 40 }, (_, at) => `${at}`)));
    await store.close();
    assert.deepEqual(logged, []);
    assert.equal(readdirSync(join(folder, 'store')).filter(name => /^s-.*json$/.test(name)).length, 1);
  });

  it('build snapshots without a worker, too', async () => {
    const folder = scratch.folder();
    // Another disk than the real one cannot cross over into a worker.
    const store = await scratch.store(folder, { files: { ...diskFiles }, compactAt: 3_000 });
    await store.edit(user, tx => aList(tx, 'Inbox', ...Array.from({ length: 40 }, (_, at) => `${at}`)));
    await store.close();
    assert.equal(readdirSync(join(folder, 'store')).filter(name => /^s-.*json$/.test(name)).length, 1);
  });
});
