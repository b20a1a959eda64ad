import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diskFiles } from '../../src/store/journal/files';
import { prepareJournal } from '../../src/store/journal/rotate';
import { writeSnapshot } from '../../src/store/snapshot/snapshot';
import { Database } from '../../src/store/sql/database';
import { tasksSchema } from '../../src/store/sql/databaseSchema';
import { creationSql, schemaVersion } from '../../src/store/sql/schema';

export const now = Date.parse('2026-03-18T14:30:00Z');
export const day = 86_400_000;
export const today = Math.floor(now / day) * day;
/** In UTC, so that SQL can compute the day of a time. */
export const clock = { now: () => now, timeZone: 'UTC' };

/** A store of `count` tasks in ten lists, and the same rows as a plain file for the reference. */
export async function seed(folder: string, count: number): Promise<{ folder: string; plain: string }> {
  const database = await Database.open();
  for (const sql of creationSql(schemaVersion)) database.run(sql);
  database.transaction(() => {
    for (let list = 0; list < 10; list++)
      database.run('INSERT INTO task_lists (name, color) VALUES (?, 0)', [`List ${list}`]);
    for (let at = 0; at < count; at++) fill(database, at);
  });
  const bytes = database.export();
  database.close();
  const plain = join(folder, `plain-${count}.db`);
  writeFileSync(plain, bytes);
  const own = join(folder, `store-${count}`);
  const store = join(own, 'store');
  mkdirSync(store, { recursive: true });
  const shape = tasksSchema();
  const journal = await prepareJournal(
    { files: diskFiles, folder: store, databaseSchema: shape, now, window: 'seed' },
    'bench',
    1,
  );
  await writeSnapshot(diskFiles, store, bytes, {
    gen: 1,
    tip: { seq: 1, id: 'seed' },
    journal,
    store: 'bench',
    schema: schemaVersion,
    identityHash: shape.identity,
  });
  return { folder: own, plain };
}

/** A third is done, most are due within a year of today, a third has a long description, some have tags and alarms. */
function fill(database: Database, at: number): void {
  const isAllDay = at % 2 === 0;
  // A few weekly series, in the days around today.
  const series = at % 500 === 250 ? today + (Math.floor(at / 500) % 7) * day : null;
  const due = series !== null ? series : at % 5 === 4 ? null : today + (((at * 7919) % 730) - 365) * day;
  database.run(
    `INSERT INTO tasks (list_id, uid, title, description, categories, status, priority, due, is_all_day, timezone, dtstart, rrule)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      (at % 10) + 1,
      `0b9c7c52-1f6e-4a0e-8d55-${String(at).padStart(12, '0')}`,
      `Task ${at} of the benchmark`,
      at % 3 === 0 ? 'A longer note about what has to be done and why. '.repeat(6) : null,
      at % 4 === 0 ? `home,project-${at % 50}` : '',
      series === null && at % 3 === 0 ? 2 : 0,
      at % 10,
      due === null || isAllDay ? due : due + (at % 86_400) * 1000,
      isAllDay ? 1 : 0,
      isAllDay ? null : 'Europe/Berlin',
      series,
      series === null ? null : 'FREQ=WEEKLY',
    ],
  );
  if (at % 10 < 3) database.run('INSERT INTO task_alarms (task_id, minutes_before) VALUES (?, 15)', [at + 1]);
}
