import assert from 'node:assert/strict';
import fc from 'fast-check';
import { noLog } from '../../../src/core/kernel/log';
import { Replica } from '../../../src/store/replica/replica';
import { Database } from '../../../src/store/sql/database';
import { tasksSchema } from '../../../src/store/sql/databaseSchema';
import { creationSql } from '../../../src/store/sql/schema';
import type { SqlValue } from '../../../src/store/types';
import { MemoryFiles } from '../support/memoryFiles';
import { clock } from '../support/store';

const folder = '/disk/store';
const tables = ['accounts', 'task_lists', 'tasks', 'task_alarms', 'sqlite_sequence'];

const dump = (database: Database) =>
  JSON.stringify(tables.map(table => database.rows(`SELECT * FROM ${table} ORDER BY 1`)));

type Statement = readonly [sql: string, params: readonly SqlValue[]];

const id = fc.integer({ min: 1, max: 8 });
const maybeId = fc.option(id, { nil: null });
const uid = fc.constantFrom('a', 'b', 'c');
const moment = fc.option(fc.integer({ min: 0, max: 2 }), { nil: null });

/** Statements that cascade, set null, replace, swap, fail, and generate ids that go again. */
const statement: fc.Arbitrary<Statement> = fc.oneof(
  fc.constant<Statement>(['INSERT INTO accounts (display_name) VALUES (?)', ['x']]),
  maybeId.map<Statement>(account => [
    'INSERT INTO task_lists (name, color, account_id) VALUES (?, 0, ?)',
    ['l', account],
  ]),
  fc
    .tuple(id, uid, moment, maybeId, maybeId)
    .map<Statement>(values => [
      'INSERT INTO tasks (list_id, uid, recurrence_id, master_id, parent_id) VALUES (?, ?, ?, ?, ?)',
      values,
    ]),
  fc
    .tuple(id, id, uid, moment)
    .map<Statement>(values => [
      'INSERT OR REPLACE INTO tasks (id, list_id, uid, recurrence_id) VALUES (?, ?, ?, ?)',
      values,
    ]),
  fc
    .tuple(id, fc.nat(90))
    .map<Statement>(values => ['INSERT INTO task_alarms (task_id, minutes_before) VALUES (?, ?)', values]),
  fc.tuple(maybeId, id).map<Statement>(values => ['UPDATE tasks SET master_id = ? WHERE id = ?', values]),
  fc.tuple(maybeId, id).map<Statement>(values => ['UPDATE tasks SET parent_id = ? WHERE id >= ?', values]),
  fc.tuple(id, id).map<Statement>(values => ['UPDATE OR IGNORE tasks SET list_id = ? WHERE id = ?', values]),
  fc
    .tuple(id, id)
    .map<Statement>(([a, b]) => [
      'UPDATE OR IGNORE tasks SET recurrence_id = CASE id WHEN ? THEN 1 ELSE 2 END WHERE id IN (?, ?)',
      [a, a, b],
    ]),
  fc.constant<Statement>(["UPDATE tasks SET title = hex(randomblob(4)), due = strftime('%s') * 1000", []]),
  ...['accounts', 'task_lists', 'tasks', 'task_alarms'].map(table =>
    id.map<Statement>(row => [`DELETE FROM ${table} WHERE id = ?`, [row]]),
  ),
);

describe('applying records', () => {
  it('gives every window and every fresh start the same rows, whatever the edits did', async () => {
    const edits = fc.array(fc.array(statement, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(edits, async run => {
        const files = new MemoryFiles();
        const open = () => Replica.open({ folder, databaseSchema: tasksSchema(), files, clock, log: noLog });
        const [writer, watcher] = [await open(), await open()];
        for (const statements of run) {
          const seen: string[] = [];
          await writer.commit(
            () => {
              for (const [sql, params] of statements) {
                try {
                  writer.database.run(sql, params);
                } catch {
                  // Refused by a constraint: the edit goes on without it.
                }
              }
              seen.push(dump(writer.database));
            },
            () => ({}),
          );
          // The rows that the work saw last are there afterwards; SQLite itself says which they are.
          assert.equal(dump(writer.database), seen.at(-1));
          await watcher.refresh();
          assert.equal(dump(watcher.database), dump(writer.database));
        }
        assert.deepEqual(writer.database.rows('PRAGMA foreign_key_check'), []);
        const fresh = await open();
        assert.equal(dump(fresh.database), dump(writer.database));
        for (const replica of [writer, watcher, fresh]) await replica.close();
      }),
      { numRuns: 150 },
    );
  });

  it('retries new rows if another window’s record came first, and shows only accepted ones', async () => {
    const files = new MemoryFiles();
    const open = () => Replica.open({ folder, databaseSchema: tasksSchema(), files, clock, log: noLog, lock: false });
    const windows = [await open(), await open(), await open()];
    let proposed = 0;
    const add = (replica: Replica, names: readonly string[]) =>
      replica.commit(
        () => {
          proposed++;
          for (const name of names) replica.database.run('INSERT INTO accounts (display_name) VALUES (?)', [name]);
        },
        () => ({}),
      );
    for (let round = 0; round < 20; round++) {
      // All three have read the journal before the first of them writes.
      await Promise.all(windows.map((replica, at) => add(replica, [`${round} ${at} a`, `${round} ${at} b`])));
    }
    assert.ok(proposed > 60, 'someone lost a race');
    for (const replica of windows) await replica.refresh();
    const [first, ...others] = windows.map(({ database }) => dump(database));
    for (const other of others) assert.equal(other, first);
    const names = windows[0]!.database.rows('SELECT display_name FROM accounts');
    assert.equal(names.length, 120);
    assert.equal(new Set(names.flat()).size, 120);
    for (const replica of windows) await replica.close();
  });

  it('takes back new rows that could not be written', async () => {
    const files = new MemoryFiles();
    const replica = await Replica.open({ folder, databaseSchema: tasksSchema(), files, clock, log: noLog });
    const add = (name: string, annotate: () => object = () => ({})) =>
      replica.commit(() => replica.database.run('INSERT INTO accounts (display_name) VALUES (?)', [name]), annotate);
    await add('kept');
    const before = dump(replica.database);
    await assert.rejects(
      add('refused', () => {
        throw new Error('no');
      }),
      /no/,
    );
    await assert.rejects(
      replica.commit(
        () => {
          replica.database.run("INSERT INTO accounts (display_name) VALUES ('late')");
          return Promise.resolve();
        },
        () => ({}),
      ),
      { kind: 'invalid' },
    );
    assert.equal(dump(replica.database), before);
    await add('next');
    assert.deepEqual(replica.database.rows('SELECT id, display_name FROM accounts'), [
      [1, 'kept'],
      [2, 'next'],
    ]);
    await replica.close();
  });

  it('does not delete an override together with its old master', async () => {
    const files = new MemoryFiles();
    const replica = await Replica.open({ folder, databaseSchema: tasksSchema(), files, clock, log: noLog });
    const run = (...statements: string[]) =>
      replica.commit(
        () => statements.forEach(sql => void replica.database.run(sql)),
        () => ({}),
      );
    await run(
      "INSERT INTO task_lists (name, color) VALUES ('l', 0)",
      "INSERT INTO tasks (list_id, uid) VALUES (1, 'a'), (1, 'b')",
      "INSERT INTO tasks (list_id, uid, master_id, recurrence_id) VALUES (1, 'a', 1, 5)",
      'INSERT INTO task_alarms (task_id, minutes_before) VALUES (3, 10)',
    );
    await run('UPDATE tasks SET master_id = 2 WHERE id = 3', 'DELETE FROM tasks WHERE id = 1');
    assert.deepEqual(replica.database.rows('SELECT id, master_id FROM tasks'), [
      [2, null],
      [3, 2],
    ]);
    assert.equal(replica.database.value('SELECT count(*) FROM task_alarms'), 1);
    await replica.close();
  });

  it('does not change the bytes that a database was opened from', async () => {
    const made = await Database.open();
    for (const sql of creationSql(2)) made.run(sql);
    const bytes = Buffer.from(made.export()) as unknown as Uint8Array;
    const before = bytes.slice().toString();
    const opened = await Database.open(bytes);
    opened.run("INSERT INTO accounts (display_name) VALUES ('x')");
    opened.export();
    assert.equal(bytes.toString(), before);
  });

  it('keeps pragmas, prepared statements and temporary objects across an export', async () => {
    const database = await Database.open();
    database.run('CREATE TABLE a (id INTEGER PRIMARY KEY)');
    database.run('PRAGMA foreign_keys = ON');
    database.run('PRAGMA recursive_triggers = ON');
    database.run('CREATE TEMP TABLE kept (id INTEGER)');
    database.run('INSERT INTO kept VALUES (?)', [1]);
    database.export();
    database.run('INSERT INTO kept VALUES (?)', [2]);
    assert.equal(database.value('PRAGMA foreign_keys'), 1);
    assert.equal(database.value('PRAGMA recursive_triggers'), 1);
    assert.deepEqual(database.rows('SELECT id FROM kept'), [[1], [2]]);
    database.close();
  });
});
