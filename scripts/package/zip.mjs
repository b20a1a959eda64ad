// Reads a .vsix, and writes it again so that the same files always give the same bytes: sorted names, one date, one mode.
import { createWriteStream, readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { openPromise } from 'yauzl';
import { ZipFile } from 'yazl';

/** A zip's dates are local times without a zone, counted from here. */
const someDate = new Date(1980, 0, 1, 0, 0, 0);

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
  const zip = new ZipFile();
  const names = [...entries.keys()].sort((a, b) => (a < b ? -1 : 1));
  for (const name of names) {
    zip.addBuffer(Buffer.from(entries.get(name) ?? []), name, { mtime: someDate, mode: 0o100644 });
  }
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(file));
}
