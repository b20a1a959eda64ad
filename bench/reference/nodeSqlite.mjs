// @ts-nocheck: runs under a newer Node than the one whose types the project has.
// What the store is measured against: SQLite inside Node (24 or newer), answering one JSON line for each it reads.
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';

/** @type {DatabaseSync | undefined} */
let database;

const timed = work => {
  const start = performance.now();
  const result = work();
  return { ms: performance.now() - start, result };
};

const verbs = {
  /** Opens in WAL mode with full sync and asks the first question. */
  open({ path, query }) {
    database?.close();
    const { ms } = timed(() => {
      database = new DatabaseSync(path);
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
      database.prepare(query).all();
    });
    return { ms };
  },
  query({ sql, params }) {
    const statement = database.prepare(sql);
    const { ms, result } = timed(() => statement.all(...params));
    return { ms, ids: result.map(({ id }) => id) };
  },
  /** One durable transaction. */
  bulk({ count }) {
    const edit = database.prepare('UPDATE tasks SET title = ?, last_modified = ? WHERE id = ?');
    return timed(() => {
      database.exec('BEGIN');
      for (let id = 1; id <= count; id++) edit.run(`Title of ${id}`, 0, id);
      database.exec('COMMIT');
    });
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { verb, ...rest } = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(verbs[verb](rest))}\n`);
}
