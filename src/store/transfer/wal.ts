/**
 * Adds the newest pages of a database that was not closed cleanly, which may be in the `-wal` file next to it. In
 * memory there is no second file, so its committed pages are written over the database's own (SQLite file format,
 * section 4).
 */
export function withWal(database: Uint8Array, wal: Uint8Array | undefined): Uint8Array {
  const merged = wal && wal.length > headerBytes ? overlay(database, wal) : database.slice();
  // Both version bytes at 2 mean "has a WAL", which an in-memory file system cannot serve; 1 is the plain journal.
  if (merged[18] === 2) merged[18] = 1;
  if (merged[19] === 2) merged[19] = 1;
  return merged;
}

const headerBytes = 32;
const frameBytes = 24;

function overlay(database: Uint8Array, wal: Uint8Array): Uint8Array {
  const view = new DataView(wal.buffer, wal.byteOffset, wal.byteLength);
  const magic = view.getUint32(0);
  if ((magic & 0xfffffffe) >>> 0 !== 0x377f0682) return database.slice();
  const littleEndian = (magic & 1) === 0;
  const pageSize = view.getUint32(8);
  let sum = checksum(view, 0, 24, littleEndian, [0, 0]);
  if (sum[0] !== view.getUint32(24) || sum[1] !== view.getUint32(28)) return database.slice();
  const pages = new Map<number, number>();
  let uncommitted: [page: number, at: number][] = [];
  let pageCount = 0;
  for (let at = headerBytes; at + frameBytes + pageSize <= wal.length; at += frameBytes + pageSize) {
    const sameRun = view.getUint32(at + 8) === view.getUint32(16) && view.getUint32(at + 12) === view.getUint32(20);
    sum = checksum(view, at, 8, littleEndian, sum);
    sum = checksum(view, at + frameBytes, pageSize, littleEndian, sum);
    if (!sameRun || sum[0] !== view.getUint32(at + 16) || sum[1] !== view.getUint32(at + 20)) break;
    uncommitted.push([view.getUint32(at), at + frameBytes]);
    const sizeAfterCommit = view.getUint32(at + 4);
    if (sizeAfterCommit === 0) continue;
    for (const [page, from] of uncommitted) pages.set(page, from);
    uncommitted = [];
    pageCount = sizeAfterCommit;
  }
  if (pageCount === 0) return database.slice();
  const merged = new Uint8Array(pageCount * pageSize);
  merged.set(database.subarray(0, merged.length));
  for (const [page, from] of pages) {
    if (page <= pageCount) merged.set(wal.subarray(from, from + pageSize), (page - 1) * pageSize);
  }
  return merged;
}

type Sum = readonly [number, number];

function checksum(view: DataView, from: number, length: number, littleEndian: boolean, start: Sum): Sum {
  let [a, b] = start;
  for (let at = from; at < from + length; at += 8) {
    a = (a + view.getUint32(at, littleEndian) + b) >>> 0;
    b = (b + view.getUint32(at + 4, littleEndian) + a) >>> 0;
  }
  return [a, b];
}
