import { Emitter } from '../../core/kernel/events';
import { rowsPerStatement } from '../sql/database';
import { sidecarSchema } from '../sql/databaseSchema';
import type { KeyValueWriter, Sidecar, SqlValue } from '../types';
import { differingRows } from './changeEvents';
import { Replica, type ReplicaOptions } from './replica';

const entries = { table: 'entries', columns: sidecarSchema.tables.entries!, lastAsBytes: true };
const known = `SELECT key, id, value FROM entries WHERE map = ? AND key IN (${Array(rowsPerStatement).fill('?').join(', ')})`;

type MapChange = { readonly map: string; readonly keys: readonly string[] };

/** Named maps of JSON values in a journaled database of their own. */
export class KeyValueStore implements Sidecar, KeyValueWriter {
  readonly #replica: Replica;
  readonly #changes = new Emitter<MapChange>();
  readonly onDidChange = this.#changes.event;
  /** The maps that a batch of records is about to change. */
  #changedKeys = new Map<string, Set<string>>();

  private constructor(replica: Replica) {
    this.#replica = replica;
    replica.willApply = records => {
      for (const [, id, image] of records.flatMap(record => record.o)) {
        if (image) this.#touch(image[0] as string, image[1] as string);
        else for (const [map, key] of this.#rows('id = ?', [id])) this.#touch(map, key);
      }
    };
    replica.onDidReload(before => {
      for (const id of differingRows(before, replica.database, 'entries', ['map', 'key', 'value'])) {
        for (const database of [before, replica.database]) {
          const [row] = database.rows('SELECT map, key FROM entries WHERE id = ?', [id]);
          if (row) this.#touch(row[0] as string, row[1] as string);
        }
      }
      this.#announce();
    });
    replica.onDidApply(() => this.#announce());
  }

  /**
   * Opens the maps of the store `owner`. Entries of another store, which is gone, are removed and kept in a file, whose
   * path `onKept` is called with.
   */
  static async open(
    options: Omit<ReplicaOptions, 'databaseSchema'>,
    owner: string,
    onKept: (path: string) => void,
  ): Promise<KeyValueStore> {
    const replica = await Replica.open({ ...options, databaseSchema: sidecarSchema });
    const kv = new KeyValueStore(replica);
    const lastOwner = kv.get<string>('store', 'id');
    if (replica.readOnlyReason !== undefined || lastOwner === owner) return kv;
    try {
      if (lastOwner !== undefined) {
        const kept = `${options.folder}-${lastOwner}.db`;
        await options.files.writeWhole(kept, replica.database.export());
        onKept(kept);
      }
      await kv.edit(writer => {
        if (writer.get('store', 'id') === owner) return;
        replica.database.run('DELETE FROM entries');
        writer.set('store', 'id', owner);
      });
      return kv;
    } catch (error) {
      await replica.close();
      throw error;
    }
  }

  get<T>(map: string, key: string): T | undefined {
    const text = this.#replica.database.value('SELECT value FROM entries WHERE map = ? AND key = ?', [map, key]);
    return text === undefined ? undefined : (JSON.parse(text as string) as T);
  }

  entries<T>(map: string): readonly (readonly [key: string, value: T])[] {
    return this.#rows('map = ? ORDER BY key', [map]).map(([, key, value]) => [key, JSON.parse(value) as T] as const);
  }

  keys(map: string): readonly string[] {
    const rows = this.#replica.database.rows('SELECT key FROM entries WHERE map = ? ORDER BY key', [map]);
    return rows.map(([key]) => key as string);
  }

  keysHaving(map: string, part: string): readonly string[] {
    const sql = 'SELECT key FROM entries WHERE map = ? AND instr(value, ?) > 0';
    return this.#replica.database.rows(sql, [map, part]).map(([key]) => key as string);
  }

  put(map: string, changes: readonly (readonly [key: string, value: unknown])[]): Promise<void> {
    return this.edit(() => {
      for (let at = 0; at < changes.length; at += rowsPerStatement)
        this.#setSome(map, changes.slice(at, at + rowsPerStatement));
    });
  }

  /** One durable step over any maps; `work` may run again when another window won the race. */
  async edit<T>(work: (writer: KeyValueWriter) => T): Promise<T> {
    const { result } = await this.#replica.commit(
      () => work(this),
      () => ({}),
    );
    return result;
  }

  /** For the work of `edit` alone. */
  set(map: string, key: string, value: unknown): void {
    const { database } = this.#replica;
    if (value === undefined) {
      database.run('DELETE FROM entries WHERE map = ? AND key = ?', [map, key]);
      return;
    }
    const text = JSON.stringify(value);
    const isKnown = database.value('SELECT 1 FROM entries WHERE map = ? AND key = ?', [map, key]) !== undefined;
    if (!isKnown) database.insert(entries, [[map, key, text]]);
    else database.run('UPDATE entries SET value = ?3 WHERE map = ?1 AND key = ?2 AND value <> ?3', [map, key, text]);
  }

  /** Looks up all keys together, and inserts new ones together. */
  #setSome(map: string, changes: readonly (readonly [key: string, value: unknown])[]): void {
    const { database } = this.#replica;
    const keys = changes.map(([key]) => key);
    const isPlain = new Set(keys).size === rowsPerStatement && changes.every(([, value]) => value !== undefined);
    if (!isPlain) {
      for (const [key, value] of changes) this.set(map, key, value);
      return;
    }
    const there = new Map(database.rows(known, [map, ...keys]).map(([key, id, value]) => [key, { id, value }]));
    const added: SqlValue[][] = [];
    for (const [key, value] of changes) {
      const text = JSON.stringify(value);
      const row = there.get(key);
      if (!row) added.push([map, key, text]);
      else if (row.value !== text) database.update('entries', row.id as number, ['value'], [text]);
    }
    database.insert(entries, added);
  }

  refresh(): Promise<void> {
    return this.#replica.refresh();
  }

  async close(): Promise<void> {
    await this.#replica.close();
    this.#changes.dispose();
  }

  #rows(where: string, params: readonly (string | number)[]): [map: string, key: string, value: string][] {
    return this.#replica.database.rows(`SELECT map, key, value FROM entries WHERE ${where}`, params) as [
      string,
      string,
      string,
    ][];
  }

  #announce(): void {
    const changedKeys = this.#changedKeys;
    this.#changedKeys = new Map();
    for (const [map, keys] of changedKeys) this.#changes.fire({ map, keys: [...keys] });
  }

  #touch(map: string, key: string): void {
    const keys = this.#changedKeys.get(map);
    if (keys) keys.add(key);
    else this.#changedKeys.set(map, new Set([key]));
  }
}
