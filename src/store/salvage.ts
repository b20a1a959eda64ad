import { join } from 'node:path';
import type { Database } from './database';
import type { Files } from './files';
import type { ForeignRows } from './foreignFile';
import { linesOf } from './journal';
import { decodeLine, type EditRecord, type Head, type Operation } from './record';
import { columnNames } from './rows';
import type { SqlValue } from './types';

/** What damaged journals hold behind the damage: whole rows, each in its last known state. */
interface Salvage {
  /** The journals' paths. */
  readonly sources: readonly string[];
  readonly edits: number;
  /** The last image of every row, in this version's columns; null where it was deleted. */
  readonly rows: ReadonlyMap<string, ReadonlyMap<number, readonly SqlValue[] | null>>;
}

/** Reads the quarantine of a store's folder. Journals that were salvaged before are passed over. */
export async function readSalvage(files: Files, folder: string): Promise<Salvage> {
  const sources: string[] = [];
  const rows = new Map<string, Map<number, readonly SqlValue[] | null>>();
  let edits = 0;
  const place = join(folder, 'quarantine');
  for (const time of files.list(place).sort()) {
    let isBehind = false;
    for (const name of journalsIn(files, join(place, time))) {
      const path = join(place, time, name);
      const { head, records, isBroken } = afterDamage(await files.read(path), isBehind);
      isBehind = isBroken;
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

/** In the order in which they were written. Each name has a checksum before it. */
const journalsIn = (files: Files, place: string): string[] =>
  files
    .list(place)
    .filter(name => name.endsWith('.jsonl'))
    .sort((a, b) => (originalOf(a) < originalOf(b) ? -1 : 1));

const originalOf = (name: string) => name.slice(name.indexOf('-') + 1);

/**
 * The records behind the place where the chain breaks, all of them where it broke in the journal before. Each holds
 * whole rows, so it needs none of its predecessors.
 */
function afterDamage(
  bytes: Uint8Array,
  isBehind: boolean,
): { head: Head | undefined; records: EditRecord[]; isBroken: boolean } {
  let head: Head | undefined;
  let tip: { s: number; i: string } | undefined;
  let isBroken = isBehind;
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
    if (tip && (line.s !== tip.s + 1 || line.p !== tip.i)) isBroken = true;
    tip = line;
    if (isBroken && line.k === undefined && line.o) records.push(line);
  }
  return { head, records, isBroken };
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
      if (!row) merged.delete(id);
      else if (table !== 'tasks' || !at(row, 'href') || at(row, 'is_dirty') === 1) merged.set(id, [...row]);
    }
    return [table, [...merged.values()]] as const;
  });
  return { schema: database.value('PRAGMA user_version') as number, rows: new Map(tables) };
}
