import { join } from 'node:path';
import { MessageError } from '../../core/kernel/errors';
import { utf8 } from '../bytes';
import { crc32 } from '../journal/crc32';
import { generationOf, isSnapshotMeta, snapshotName } from '../journal/fileNames';
import type { Files } from '../journal/files';
import { journalFormat, type Tip } from '../journal/record';
import { storeMessage } from '../messages';
import { Database } from '../sql/database';

/** The file that makes a snapshot count: its rename into place is the moment from which the snapshot exists. */
interface SnapshotMeta {
  readonly format: number;
  readonly gen: number;
  /** The tip that the data includes. */
  readonly seq: number;
  readonly last: string;
  /** The journal that continues from here. */
  readonly journal: string;
  readonly store: string;
  readonly schema: number;
  readonly identityHash: string;
  readonly bytes: number;
  readonly crc: string;
  /** The checksum of all above but the two, which the data itself proves. Absent in release 1.1.0. */
  readonly check?: string;
}

const checkOf = ({ format, gen, seq, last, journal, store, schema, identityHash }: SnapshotMeta): string =>
  crc32(utf8(JSON.stringify([format, gen, seq, last, journal, store, schema, identityHash])));

export interface Snapshot {
  readonly name: string;
  readonly meta: SnapshotMeta;
}

interface SnapshotSource {
  readonly gen: number;
  readonly tip: Tip;
  readonly journal: string;
  readonly store: string;
  readonly schema: number;
  readonly identityHash: string;
}

/** Writes data, then meta; returns the snapshot's name. */
export async function writeSnapshot(
  files: Files,
  folder: string,
  bytes: Uint8Array,
  { gen, tip, journal, store, schema, identityHash }: SnapshotSource,
): Promise<string> {
  const name = snapshotName(gen);
  await checkCopy(bytes);
  await files.writeWhole(join(folder, `${name}.db`), bytes);
  const meta: SnapshotMeta = {
    format: journalFormat,
    gen,
    seq: tip.seq,
    last: tip.id,
    journal,
    store,
    schema,
    identityHash,
    bytes: bytes.length,
    crc: crc32(bytes),
  };
  await files.writeWhole(
    join(folder, `${name}.json`),
    utf8(JSON.stringify({ ...meta, check: checkOf(meta) }, null, 1)),
  );
  return name;
}

/** A snapshot that could not be read back is worse than none. */
async function checkCopy(bytes: Uint8Array): Promise<void> {
  const copy = await Database.open(bytes.slice());
  try {
    const verdict = copy.value('PRAGMA quick_check');
    if (verdict !== 'ok') throw new Error(`The new snapshot is not sound: ${verdict}`);
  } finally {
    copy.close();
  }
}

/** Every snapshot whose meta can be read, newest first; `unreadable` names the others. */
export function listSnapshots(files: Files, folder: string): { snapshots: Snapshot[]; unreadable: string[] } {
  const snapshots: Snapshot[] = [];
  const unreadable: string[] = [];
  for (const file of files.list(folder).filter(isSnapshotMeta)) {
    const meta = readMeta(files, join(folder, file));
    if (meta) snapshots.push({ name: file.slice(0, -5), meta });
    else unreadable.push(file);
  }
  snapshots.sort((a, b) => b.meta.gen - a.meta.gen || b.meta.seq - a.meta.seq);
  return { snapshots, unreadable: unreadable.sort((a, b) => generationOf(b) - generationOf(a)) };
}

function readMeta(files: Files, path: string): SnapshotMeta | undefined {
  try {
    const meta = JSON.parse(files.readText(path)) as SnapshotMeta;
    // A later format is refused, whatever its check is of.
    const isSound = meta.check === undefined || meta.check === checkOf(meta) || meta.format > journalFormat;
    return isSound && typeof meta.gen === 'number' && typeof meta.journal === 'string' ? meta : undefined;
  } catch {
    return undefined;
  }
}

/** The snapshot's database; throws if the bytes are not the ones that were written. */
export async function openSnapshot(files: Files, folder: string, { name, meta }: Snapshot): Promise<Database> {
  const bytes = await files.read(join(folder, `${name}.db`));
  if (bytes.length !== meta.bytes || crc32(bytes) !== meta.crc)
    throw new MessageError(storeMessage('snapshotDamaged', name));
  return Database.openOwn(bytes);
}
