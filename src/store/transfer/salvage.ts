import { join } from 'node:path';
import type { Files } from '../journal/files';
import { linesOf } from '../journal/journal';
import { type ChainRecord, decodeLine, type EditRecord, type Head, type Operation } from '../journal/record';
import type { Database } from '../sql/database';
import { columnNames } from '../sql/rowMapping';
import type { SqlValue } from '../types';
import type { ForeignRows } from './importDatabase';

/** What damaged journals hold behind the damage: whole rows, each in its last known state. */
interface Salvage {
  /** The journals' paths. */
  readonly sources: readonly string[];
  readonly edits: number;
  /** The last image of every row, in this version's columns; null where it was deleted. */
  readonly rows: ReadonlyMap<string, ReadonlyMap<number, readonly SqlValue[] | null>>;
}

/** Reads the quarantine of a store's folder. Journals that were salvaged before are skipped. */
export async function readSalvage(files: Files, folder: string): Promise<Salvage> {
  const sources: string[] = [];
  const rows = new Map<string, Map<number, readonly SqlValue[] | null>>();
  let edits = 0;
  const place = join(folder, 'quarantine');
  for (const time of files.list(place).sort()) {
    let before: Before = { isBroken: false, tip: undefined };
    for (const name of journalsIn(files, join(place, time))) {
      const path = join(place, time, name);
      const { head, records, ...behind } = afterDamage(await files.read(path), before);
      before = behind;
      if (!head || records.length === 0) continue;
      sources.push(path);
      edits += records.length;
      for (const [table, id, image] of records.flatMap(record => record.o)) {
        const known = rows.get(table) ?? new Map<number, readonly SqlValue[] | null>();
        rows.set(table, known.set(id, rowOf(head, [table, id, image])));
      }
    }
  }
  return { sources, edits, rows };
}

/** In the order in which they were written, of two copies of one the longer. Each name has a checksum before it. */
function journalsIn(files: Files, place: string): string[] {
  const size = (name: string) => files.sizeOf(join(place, name));
  const copies = new Map<string, string>();
  for (const name of files.list(place).filter(name => name.endsWith('.jsonl'))) {
    const other = copies.get(originalOf(name));
    if (other === undefined || size(other) < size(name)) copies.set(originalOf(name), name);
  }
  return [...copies].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, name]) => name);
}

const originalOf = (name: string) => name.slice(name.indexOf('-') + 1);

/** What the journal before leaves to know. */
interface Before {
  readonly isBroken: boolean;
  /** Undefined where it had no record. */
  readonly tip: Pick<ChainRecord, 's' | 'i'> | undefined;
}

/**
 * The records behind the place where the chain breaks, all of them where it broke in the journal before or between the
 * two. Each holds whole rows, so it needs none of its predecessors.
 */
function afterDamage(
  bytes: Uint8Array,
  before: Before,
): Before & { readonly head: Head | undefined; readonly records: readonly EditRecord[] } {
  let head: Head | undefined;
  let tip: Before['tip'];
  let { isBroken } = before;
  const records: EditRecord[] = [];
  for (const bytesOfLine of linesOf(bytes)) {
    const line = decodeLine(bytesOfLine);
    if (!line) {
      // Before the first record there is nothing that could miss it.
      if (!tip) isBroken = true;
      continue;
    }
    if (line.k === 'head') {
      head ??= line;
      continue;
    }
    if (tip && line.s <= tip.s) continue;
    const last = tip ?? before.tip;
    if (last && (line.s !== last.s + 1 || line.p !== last.i)) isBroken = true;
    tip = line;
    if (isBroken && line.k === undefined && line.o) records.push(line);
  }
  return { head, records, isBroken, tip: tip ?? before.tip };
}

function rowOf(head: Head, [table, id, image]: Operation): readonly SqlValue[] | null {
  if (!image) return null;
  const names = head.cols[table]!;
  return columnNames.get(table)!.map(name => (name === 'id' ? id : (image[names.indexOf(name)] ?? null)));
}

/** The database's rows with the salvaged ones over them. What a server has, unedited, is left to the next sync. */
export function withSalvage(database: Database, { rows }: Salvage): ForeignRows {
  const tables = [...columnNames].map(([table, columns]) => {
    const merged = new Map(
      database.rows(`SELECT ${columns.join(', ')} FROM ${table} ORDER BY id`).map(row => [row[0] as number, row]),
    );
    const at = (row: readonly SqlValue[], name: string) => row[columns.indexOf(name)];
    for (const [id, row] of rows.get(table) ?? []) {
      const now = merged.get(id);
      if (!row) {
        // A person's deletion of what a server has leaves a tombstone; the row itself is removed by sync alone.
        if (table !== 'tasks' || !now || !at(now, 'href')) merged.delete(id);
      } else if (table !== 'tasks' || !at(row, 'href') || at(row, 'is_dirty') === 1) merged.set(id, [...row]);
    }
    return [table, [...merged.values()]] as const;
  });
  return { schema: database.value('PRAGMA user_version') as number, rows: new Map(tables) };
}
