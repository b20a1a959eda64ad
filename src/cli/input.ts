import { fstatSync, readSync, statSync } from 'node:fs';
import { devNull } from 'node:os';
import { codeOfError, pause } from '../headless/cliError';

/** Whether a person types: asking `process.stdin` would leave it without waiting for what is typed. */
export function isTyped(): boolean {
  try {
    const input = fstatSync(0);
    return input.isCharacterDevice() && input.rdev !== statSync(devNull).rdev;
  } catch {
    return false;
  }
}

/** Standard input to its end. A pipe that has nothing yet is asked again. */
export function readInput(): Uint8Array {
  const chunks: Uint8Array[] = [];
  for (;;) {
    const chunk = new Uint8Array(65_536);
    try {
      const read = readSync(0, chunk);
      if (read === 0) break;
      chunks.push(chunk.subarray(0, read));
    } catch (error) {
      // Windows says so where others read nothing.
      if (codeOfError(error) === 'EOF') break;
      if (codeOfError(error) !== 'EAGAIN') throw error;
      pause();
    }
  }
  return new Uint8Array(Buffer.concat(chunks));
}
