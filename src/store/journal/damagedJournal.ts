import { join } from 'node:path';
import { codeOf } from '../../core/kernel/errors';
import { fromUtf8 } from '../bytes';
import { generationOf, isJournal } from './fileNames';
import type { Files } from './files';
import { type ChainRecord, decodeLine, type Head, recordLines, type Seal, type Tip } from './record';

/** A journal for a reader that steps over damage and gaps. */
interface JournalRemains {
  readonly head: Head | undefined;
  /** Up to the seal, without those that lost a race. */
  readonly records: readonly ChainRecord[];
  /** The number of records that continue each other. After them, a record is missing. */
  readonly sound: number;
}

/** `tip` is the record before the first line; without it, the first record counts as the first of the chain. */
export function readOverDamage(bytes: Uint8Array, tip?: Tip): JournalRemains {
  let head: Head | undefined;
  let last = tip;
  let sound: number | undefined;
  const records: ChainRecord[] = [];
  for (const bytesOfLine of recordLines(bytes)) {
    const line = decodeLine(bytesOfLine);
    if (line?.k === 'head') head ??= line;
    else if (!line) {
      // It may be the first record, which no other one misses: behind the head, which is there twice.
      if (head && !last) sound ??= 0;
    } else if (line.s > (last?.seq ?? 0)) {
      if (last && (line.s !== last.seq + 1 || line.p !== last.id)) sound ??= records.length;
      last = { seq: line.s, id: line.i };
      records.push(line);
      if (line.k === 'seal') break;
    }
  }
  return { head, records, sound: sound ?? records.length };
}

/** The bytes of a journal; none if the file is gone. */
export function bytesOfJournal(files: Files, folder: string, name: string, from = 0): Uint8Array {
  try {
    const file = files.openJournal(join(folder, name), 'read');
    try {
      return file.read(from, file.size() - from);
    } finally {
      file.close();
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return new Uint8Array();
    throw error;
  }
}

/**
 * Journals of a later generation that hold records. A journal is written to only once a seal names it, so a way led
 * there. Those without a record are what a process left that was killed before its seal, or lost the race for it.
 */
export function laterJournals(files: Files, folder: string, than: string): { name: string; remains: JournalRemains }[] {
  const gen = generationOf(than);
  const names = files.list(folder).filter(name => isJournal(name) && generationOf(name) > gen);
  return names
    .sort()
    .map(name => ({ name, remains: readOverDamage(bytesOfJournal(files, folder, name)) }))
    .filter(({ remains }) => remains.records.length > 0);
}

/** The end of a journal in its chain, with the head that it had. */
interface JournalEnd {
  readonly name: string;
  readonly head: Head | undefined;
  readonly tip: Tip;
}

/**
 * The seal that a damaged line was, if a later journal shows it: the line still names that journal or has the id that
 * the journal's first record names, and the numbers leave room for nothing between the two. A single flipped
 * bit in a seal leaves one of these intact.
 */
export function sealIn(files: Files, folder: string, line: Uint8Array, end: JournalEnd): Seal | undefined {
  const text = fromUtf8(line);
  const { head, tip } = end;
  // A snapshot with other content follows, so the records alone do not lead on.
  if (!head || text.includes('"reload":true')) return undefined;
  for (const { name, remains } of laterJournals(files, folder, end.name)) {
    const first = remains.records[0]!;
    const next = remains.head ?? head;
    const isNamed = text.includes(`"j":"${name}"`) || text.includes(`"i":"${first.p}"`);
    const isNext = first.s === tip.seq + 2 && generationOf(name) === generationOf(end.name) + 1;
    if (!isNamed || !isNext || next.store !== head.store || next.schema !== head.schema) continue;
    const link = { s: first.s - 1, p: tip.id, i: first.p, w: '', t: first.t };
    return { k: 'seal', ...link, j: name, next: generationOf(name), schema: head.schema };
  }
  return undefined;
}
