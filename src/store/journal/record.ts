import { fromUtf8, putUtf8 } from '../bytes';
import type { DatabaseSchema } from '../sql/databaseSchema';
import type { Origin, SqlValue } from '../types';
import { crc32 } from './crc32';
import type { HistoryStep } from './undoStep';

/** The format that this code writes, and the oldest reader that understands it. */
export const journalFormat = 1;

/** A row after an edit, in the column order of the journal's head. An operation without an image deletes the row. */
export type RowImage = readonly SqlValue[];
export type Operation = readonly [table: string, id: number, image?: RowImage];

/** The first line of a journal: the start of its chain, and not a link of the chain itself. */
export interface Head {
  readonly k: 'head';
  readonly format: number;
  readonly minReader: number;
  readonly gen: number;
  /** Random name of the store: a journal of another store is recognized by it. */
  readonly store: string;
  readonly schema: number;
  /** Columns of every table without `id`, in the order that images use. */
  readonly cols: Readonly<Record<string, readonly string[]>>;
}

export const journalHead = (databaseSchema: DatabaseSchema, store: string, gen: number): Head => ({
  k: 'head',
  format: journalFormat,
  minReader: journalFormat,
  gen,
  store,
  schema: databaseSchema.version,
  cols: databaseSchema.tables,
});

interface Link {
  /** Sequence: one more than the predecessor's. */
  readonly s: number;
  /** Id of the predecessor. */
  readonly p: string;
  /** Own random id. */
  readonly i: string;
  /** The window (or process) that wrote it. */
  readonly w: string;
  /** Epoch milliseconds. */
  readonly t: number;
  /** A reader that does not know this kind may skip it. */
  readonly opt?: boolean;
}

/** One edit. */
export interface EditRecord extends Link {
  readonly k?: undefined;
  readonly o: readonly Operation[];
  /** Tables whose next generated id is higher than the images show. */
  readonly q?: Readonly<Record<string, number>>;
  readonly origin?: Origin;
  /** How to undo it. */
  readonly h?: HistoryStep;
}

/** The last record of a journal: the chain continues in the journal `j`. */
export interface Seal extends Link {
  readonly k: 'seal';
  readonly j: string;
  readonly next: number;
  readonly schema: number;
  /** The next journal starts from a snapshot that differs from this chain's state (a repair, a migration). */
  readonly reload?: boolean;
}

export type ChainRecord = EditRecord | Seal;
type JournalLine = ChainRecord | Head;

/** A point in the chain: the sequence and id of its newest record. */
export interface Tip {
  readonly seq: number;
  readonly id: string;
}

const newline = 0x0a;
const space = 0x20;

/** One line, ready for a single write. Its leading newline ends a line that a crash may have torn. */
export function encodeLine(line: JournalLine): Uint8Array {
  const text = JSON.stringify(line);
  const bytes = new Uint8Array(Buffer.byteLength(text) + 11);
  const body = bytes.subarray(10, -1);
  putUtf8(text, body);
  bytes[0] = newline;
  putUtf8(crc32(body), bytes.subarray(1, 9));
  bytes[9] = space;
  bytes[bytes.length - 1] = newline;
  return bytes;
}

/** The line's content; undefined if its checksum does not match. */
export function decodeLine(bytes: Uint8Array): JournalLine | undefined {
  if (bytes.length < 11 || bytes[8] !== space) return undefined;
  const body = bytes.subarray(9);
  if (fromUtf8(bytes.subarray(0, 8)) !== crc32(body)) return undefined;
  try {
    return JSON.parse(fromUtf8(body)) as JournalLine;
  } catch {
    return undefined;
  }
}

/** The lines in a journal's bytes; the last one may be incomplete. */
export function* recordLines(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(newline, at);
    if (end !== at) yield bytes.subarray(at, end < 0 ? bytes.length : end);
    if (end < 0) return;
    at = end + 1;
  }
}
