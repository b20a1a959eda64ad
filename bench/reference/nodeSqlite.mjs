// @ts-nocheck: runs under a newer Node than the one whose types the project has.
// What the store is measured against: SQLite inside Node (24 or newer), answering one JSON line for each it reads.
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';

const open = new Map();

const timed = work => {
  const start = performance.now();
  const result = work();
  return { ms: performance.now() - start, result };
};

const median = values => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const verbs = {
  /** Opens in WAL mode with full sync and asks the first question. */
  open({ path, query }) {
    open.get(path)?.database.close();
    const { ms } = timed(() => {
      const database = new DatabaseSync(path);
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
      database.prepare(query).all();
      open.set(path, {
        database,
        edit: database.prepare('UPDATE tasks SET title = ?, last_modified = ? WHERE id = ?'),
      });
    });
    return { ms };
  },
  query({ path, sql, params, rounds }) {
    const statement = open.get(path).database.prepare(sql);
    const times = [];
    let found = [];
    for (let round = 0; round < rounds; round++) {
      const { ms, result } = timed(() => statement.all(...params));
      times.push(ms);
      found = result;
    }
    return { ms: median(times), ids: found.map(({ id }) => id) };
  },
  /** One durable transaction. */
  bulk({ path, count, rounds }) {
    const { database, edit } = open.get(path);
    const round = turn => {
      database.exec('BEGIN');
      for (let id = 1; id <= count; id++) edit.run(`Title ${turn} of ${id}`, turn, id);
      database.exec('COMMIT');
    };
    return { ms: median(Array.from({ length: rounds }, (_, turn) => timed(() => round(turn)).ms)) };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { verb, ...rest } = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(verbs[verb](rest))}\n`);
}
