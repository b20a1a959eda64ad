import { join } from 'node:path';
import { readOverDamage } from '../journal/damagedJournal';
import type { Files } from '../journal/files';
import type { Operation } from '../journal/record';
import type { Values } from '../journal/undoStep';
import type { Database } from '../sql/database';
import { columnNames } from '../sql/rowReader';
import { insertedValues } from '../sql/rowWriter';

/** The intact rows that damaged journals have after the damage, each in its last known state. */
interface Salvage {
  /** The journals' paths. */
  readonly sources: readonly string[];
  readonly edits: number;
  /** The last image of every row, by its table and id; null if it was deleted. */
  readonly rows: ReadonlyMap<string, ReadonlyMap<number, Values | null>>;
}

/** Reads the quarantine of a store's folder. Journals that were salvaged before are skipped. */
export async function readSalvage(files: Files, folder: string): Promise<Salvage> {
  const sources: string[] = [];
  const rows = new Map<string, Map<number, Values | null>>();
  let edits = 0;
  for (const time of files.list(join(folder, 'quarantine')).sort()) {
    const quarantined = join(folder, 'quarantine', time);
    const copies = files.list(quarantined).flatMap(name => {
      const original = originalOf(name);
      return original === undefined ? [] : { path: join(quarantined, name), original };
    });
    copies.sort((a, b) => (a.original < b.original ? -1 : 1));
    for (const { path, original } of copies) {
      const { head, records, sound } = readOverDamage(await files.read(path));
      // The first one was damaged, or missed its seal: no way led to those after it.
      const behind = original === copies[0]!.original ? records.slice(sound) : records;
      const found = behind.filter(record => record.k === undefined);
      if (!head || found.length === 0) continue;
      sources.push(path);
      edits += found.length;
      for (const [table, id, image] of found.flatMap(({ o }): readonly Operation[] => o)) {
        const known = rows.get(table) ?? new Map<number, Values | null>();
        const named = image && Object.fromEntries(head.cols[table]!.map((name, at) => [name, image[at]!]));
        rows.set(table, known.set(id, named ?? null));
      }
    }
  }
  return { sources, edits, rows };
}

/** The journal that a file in quarantine is a copy of. Those of release 1.1.0 have a checksum before its name. */
const originalOf = (name: string) => /^(?:[\da-f]{8}-)?(j-.*\.jsonl)$/.exec(name)?.[1];

/** The database's rows with the salvaged ones over them. Unedited rows that a server has are left to the next sync. */
export function withSalvage(database: Database, { rows }: Salvage) {
  const tables = [...columnNames].map(([table, columns]) => {
    const merged = new Map(
      database.rows(`SELECT ${columns.join(', ')} FROM ${table} ORDER BY id`).map(row => [row[0] as number, row]),
    );
    for (const [id, image] of rows.get(table) ?? []) {
      const now = merged.get(id);
      if (!image) {
        // A user's deletion of a task on a server leaves a tombstone; only sync removes the row itself.
        if (table !== 'tasks' || !now?.[columns.indexOf('href')]) merged.delete(id);
      } else if (table !== 'tasks' || !image.href || image.is_dirty === 1) {
        // An image of an earlier schema lacks columns.
        const row = now ?? [id, ...insertedValues(table, {})];
        const values = columns.map((name, at) => (name in image ? image[name]! : row[at]!));
        merged.set(id, values);
      }
    }
    return [table, [...merged.values()]] as const;
  });
  return { schema: database.value('PRAGMA user_version') as number, rows: new Map(tables) };
}
