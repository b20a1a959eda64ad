import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/core/clock';
import { isDuelineError } from '../../src/core/errors';
import { linesOf } from '../../src/store/journal';
import { decodeLine } from '../../src/store/record';
import { openTaskStore } from '../../src/store/taskStore';

export const pick = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)]!;

/** What a crash in the middle of a write leaves: a part of a record, zeros, or junk. */
export function tearTail(folder: string): void {
  const store = join(folder, 'store');
  const journals = readdirSync(store).filter(name => name.startsWith('j-'));
  const journal = join(store, journals.sort().at(-1)!);
  const bytes = Uint8Array.from(readFileSync(journal));
  const length = Math.floor(Math.random() * 300) + 1;
  const from = Math.floor(Math.random() * Math.max(1, bytes.length - length));
  appendFileSync(journal, pick([bytes.slice(from, from + length), new Uint8Array(length)]));
}

/**
 * Flips one bit somewhere in a copy and opens it. Fine: a refusal, a notice, or the very same rows. Gives what is
 * wrong otherwise. The newest journal's last record is spared, with those that lost the race against it and what was
 * torn behind it: damage there is like a torn tail, which is allowed.
 */
export async function flipBit(folder: string, expected: string, rowsOf: RowsOf): Promise<string | undefined> {
  const copy = mkdtempSync(join(tmpdir(), 'dueline-flip-'));
  try {
    cpSync(folder, copy, { recursive: true });
    const store = join(copy, 'store');
    const names = readdirSync(store).filter(name => /^[js]-/.test(name));
    const newest = names
      .filter(name => name.startsWith('j-'))
      .sort()
      .at(-1)!;
    const name = pick(names);
    const bytes = Uint8Array.from(readFileSync(join(store, name)));
    const end = name === newest ? lastRecordIn(bytes) : bytes.length;
    if (end < 1) return undefined;
    const at = Math.floor(Math.random() * end);
    bytes[at]! ^= 1 << Math.floor(Math.random() * 8);
    writeFileSync(join(store, name), bytes);
    try {
      const opened = await openTaskStore({ folder: copy, clock: systemClock });
      const rows = rowsOf(opened);
      const isTold = opened.notices.length > 0;
      await opened.close();
      return rows === expected || isTold ? undefined : `a flipped bit at ${at} of ${name} went unnoticed`;
    } catch (error) {
      return isDuelineError(error, 'storage') ? undefined : `a flipped bit at ${at} of ${name}: ${error}`;
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Where the last records begin: the first line of the highest sequence that any sound line has. */
function lastRecordIn(bytes: Uint8Array): number {
  let [highest, start] = [-1, 0];
  for (const line of linesOf(bytes)) {
    const record = decodeLine(line);
    if (!record || record.k === 'head' || record.s <= highest) continue;
    highest = record.s;
    start = line.byteOffset - bytes.byteOffset;
  }
  return start;
}

export type RowsOf = (store: Awaited<ReturnType<typeof openTaskStore>>) => string;
