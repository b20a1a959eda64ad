// Reads a .vsix, and writes it again so that the same files always give the same bytes: sorted names, one date, one mode.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { Zip } from 'fflate';
import { openPromise } from 'yauzl';
import { root } from '../paths.mjs';

/** A zip's dates are local times without a zone, counted from here. */
const someDate = new Date(1980, 0, 1, 0, 0, 0);

/** More blocks than Zopfli makes by itself: 300 bytes less for a large script. */
const options = { numiterations: 15, blocksplittingmax: 60 };

/** Compressed before: it takes seconds. */
const cache = join(root, `out/deflated-${Object.values(options).join('-')}`);

/** @param {string} file */
export const readBytes = file => new Uint8Array(readFileSync(file));

/**
 * @param {string} file
 * @returns {Promise<Map<string, Uint8Array>>} contents by path, in the file's order
 */
export async function readZip(file) {
  const zip = await openPromise(file, { lazyEntries: true });
  /** @type {Map<string, Uint8Array>} */
  const entries = new Map();
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.endsWith('/')) continue;
    entries.set(entry.fileName, new Uint8Array(await buffer(await zip.openReadStreamPromise(entry))));
  }
  return entries;
}

/**
 * @param {string} file
 * @param {Map<string, Uint8Array>} entries
 */
export async function writeZip(file, entries) {
  /** @type {Uint8Array[]} */
  const chunks = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(chunk);
  });
  const names = [...entries.keys()].sort((a, b) => (a < b ? -1 : 1));
  for (const name of names) {
    const bytes = entries.get(name) ?? new Uint8Array();
    const deflated = await deflate(bytes);
    // What is compressed already gets no smaller.
    const isStored = deflated.length >= bytes.length;
    /** @type {import('fflate').ZipInputFile} */
    const entry = {
      filename: name,
      size: bytes.length,
      crc: crc32(bytes),
      compression: isStored ? 0 : 8,
      mtime: someDate,
      os: 3,
      attrs: 0o100644 << 16,
    };
    zip.add(entry);
    entry.ondata?.(null, isStored ? new Uint8Array(bytes) : deflated, true);
  }
  zip.end();
  writeFileSync(file, new Uint8Array(Buffer.concat(chunks)));
}

/** @type {Promise<typeof import('@gfx/zopfli')> | undefined} */
let loading;

/** Zopfli without its listeners: they end the process, tests and all, where a promise of anybody's is rejected unheard. */
async function loadZopfli() {
  const events = ['uncaughtException', 'unhandledRejection'];
  const before = events.map(event => process.rawListeners(event));
  const zopfli = (await import('@gfx/zopfli')).default;
  for (const [at, event] of events.entries())
    for (const listener of process.rawListeners(event))
      if (!before[at]?.includes(listener)) process.off(event, /** @type {() => void} */ (listener));
  return zopfli;
}

/**
 * 2 % smaller than zlib's.
 * @param {Uint8Array} bytes
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
async function deflate(bytes) {
  const kept = join(cache, createHash('sha256').update(bytes).digest('hex'));
  if (existsSync(kept)) return readBytes(kept);
  loading ??= loadZopfli();
  const deflated = new Uint8Array(await (await loading).deflateAsync(bytes, options));
  mkdirSync(cache, { recursive: true });
  writeFileSync(kept, deflated);
  return deflated;
}
