import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDuelineError } from '../../src/core/kernel/errors';
import { systemClock } from '../../src/core/time/clock';
import { diskFiles } from '../../src/store/journal/files';
import { decodeLine, recordLines } from '../../src/store/journal/record';
import { load } from '../../src/store/snapshot/load';
import { tasksSchema } from '../../src/store/sql/databaseSchema';
import { openTaskStore } from '../../src/store/taskStore';
import { dump } from '../../test/store/support/store';

type Random = () => number;

export const pick = <T>(random: Random, values: readonly T[]): T => values[Math.floor(random() * values.length)]!;

/**
 * The journal that the chain leads to. Not always the newest by its name: a process that was killed before it sealed
 * leaves one that nobody writes to.
 */
async function endOfChain(store: string): Promise<string> {
  const { journal, database } = await load({
    files: diskFiles,
    folder: store,
    databaseSchema: tasksSchema(),
    mode: 'read',
  });
  journal.file.close();
  database.close();
  return journal.name;
}

/** Appends what a crash in the middle of a write leaves: a part of a record, zeros, or junk. */
export async function tearTail(folder: string, random: Random): Promise<void> {
  const store = join(folder, 'store');
  const journal = join(store, await endOfChain(store));
  const bytes = Uint8Array.from(readFileSync(journal));
  const length = Math.floor(random() * 300) + 1;
  const from = Math.floor(random() * Math.max(1, bytes.length - length));
  appendFileSync(journal, pick(random, [bytes.slice(from, from + length), new Uint8Array(length)]));
}

/**
 * Flips one bit somewhere in a copy and opens it. Allowed are a refusal, a notice, or the very same rows. The end of the
 * journal that the chain ends in is spared (its last record, records that lost the race against it, torn bytes): damage
 * there is like a torn tail. Returns the failure, null if there is none, or undefined if no bit could be flipped.
 */
export async function flipBit(folder: string, expected: string, random: Random): Promise<string | null | undefined> {
  const copy = mkdtempSync(join(tmpdir(), 'dueline-flip-'));
  try {
    cpSync(folder, copy, { recursive: true });
    const store = join(copy, 'store');
    const names = readdirSync(store).filter(name => /^[js]-/.test(name));
    const name = pick(random, names.sort());
    const bytes = Uint8Array.from(readFileSync(join(store, name)));
    const end = name === (await endOfChain(store)) ? lastRecordIn(bytes) : bytes.length;
    if (end < 1) return undefined;
    const at = Math.floor(random() * end);
    bytes[at]! ^= 1 << Math.floor(random() * 8);
    writeFileSync(join(store, name), bytes);
    try {
      const opened = await openTaskStore({ folder: copy, clock: systemClock });
      const rows = dump(opened);
      const isReported = opened.notices.length > 0;
      await opened.close();
      return rows === expected || isReported ? null : `a flipped bit at ${at} of ${name} went unnoticed`;
    } catch (error) {
      return isDuelineError(error, 'storage') ? null : `a flipped bit at ${at} of ${name}: ${error}`;
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** The offset at which the last records begin: the first line of the highest sequence that any sound line has. */
function lastRecordIn(bytes: Uint8Array): number {
  let [highest, start] = [-1, 0];
  for (const line of recordLines(bytes)) {
    const record = decodeLine(line);
    if (!record || record.k === 'head' || record.s <= highest) continue;
    highest = record.s;
    start = line.byteOffset - bytes.byteOffset;
  }
  return start;
}
