import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { decodeText } from '../core/exchange/encoding';
import { checkImportSize, largestImport } from '../core/exchange/importSize';
import { sanitize } from '../core/text/cleanText';
import { codeOfError, pause, refusalError } from '../programs/cliError';

/** The text of what another program has written, in whatever encoding it writes. */
export const textIn = (bytes: Uint8Array): string => decodeText(bytes).text.replace(/^\ufeff/, '');

/** The content of a file, or of a device or a pipe until it ends; its name is for messages. */
export function readFile(path: string, name: string): Uint8Array {
  // A pipe without a writer would keep it waiting for ever.
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const there = fstatSync(descriptor);
    if (there.isFile()) checkImportSize(there.size);
    const bytes = readAll(descriptor, sanitize(name));
    if (there.isFIFO() && bytes.length === 0) throw refusalError(`Nothing is writing to the pipe ${sanitize(name)}.`);
    return bytes;
  } finally {
    closeSync(descriptor);
  }
}

/** Stops at the size that an import may have: a stream may have no end. A pipe that has nothing yet is asked again. */
export function readAll(descriptor: number, name: string): Uint8Array {
  const chunks: Uint8Array[] = [];
  for (let size = 0; size <= largestImport; ) {
    const chunk = new Uint8Array(65_536);
    try {
      const read = readSync(descriptor, chunk);
      if (read === 0) return new Uint8Array(Buffer.concat(chunks));
      chunks.push(chunk.subarray(0, read));
      size += read;
    } catch (error) {
      // Windows reports the end as an error; other systems read 0 bytes.
      if (codeOfError(error) === 'EOF') return new Uint8Array(Buffer.concat(chunks));
      if (codeOfError(error) !== 'EAGAIN') throw error;
      pause();
    }
  }
  throw refusalError(
    `${name} is larger than ${largestImport / 1024 / 1024} MB. Nothing was changed. Send it in parts.`,
  );
}
