import { join } from 'node:path';
import { textOf } from '../bytes';
import { generationOf, isJournal } from './fileNames';
import { codeOf, type Files } from './files';
import { linesOf, type SealFinder, type Tip } from './journal';
import { type ChainRecord, decodeLine, type Head, type Seal } from './record';

/** Where in a chain a journal is, and what it was said to be. */
interface JournalEnd {
  readonly name: string;
  readonly head: Head | undefined;
  readonly tip: Tip;
}

/** A journal with records in it, and the first of them. */
interface LaterJournal {
  readonly name: string;
  readonly head: Head | undefined;
  readonly first: ChainRecord;
}

/**
 * Journals of a later generation that hold records. A journal is written to only once a seal names it, so a way led
 * there. Those without a record are what a process left that was killed before its seal, or lost the race for it.
 */
export function laterJournals(files: Files, folder: string, than: string): LaterJournal[] {
  const gen = generationOf(than);
  const names = files.list(folder).filter(name => isJournal(name) && generationOf(name) > gen);
  return names.sort().flatMap(name => {
    let head: Head | undefined;
    for (const bytes of linesOf(bytesOfJournal(files, join(folder, name)))) {
      const line = decodeLine(bytes);
      if (line?.k === 'head') head ??= line;
      else if (line) return [{ name, head, first: line }];
    }
    return [];
  });
}

/** For {@link Journal.open}. */
export const sealFinder =
  (files: Files, folder: string): SealFinder =>
  (line, journal) =>
    findSeal(files, folder, line, journal);

/**
 * The seal that a damaged line was, where a later journal shows it: the line still names that journal or has the id that
 * the journal's first record names, and the numbers leave room for nothing between the two. What one flipped bit can do
 * to a seal, it does to one of these.
 */
function findSeal(files: Files, folder: string, line: Uint8Array, end: JournalEnd): Seal | undefined {
  const text = textOf(line);
  // A snapshot that differs from what is here is to follow: records alone are not the way on.
  if (text.includes('"reload":true')) return undefined;
  const { head } = end;
  for (const { name, head: next, first } of laterJournals(files, folder, end.name)) {
    const isNamed = text.includes(`"j":"${name}"`) || text.includes(`"i":"${first.p}"`);
    const isNext = first.s === end.tip.seq + 2 && generationOf(name) === generationOf(end.name) + 1;
    const isSame = !next || !head || (next.store === head.store && next.schema === head.schema);
    if (!isNamed || !isNext || !isSame || !head) continue;
    const link = { s: first.s - 1, p: end.tip.id, i: first.p, w: '', t: first.t };
    return { k: 'seal', ...link, j: name, next: generationOf(name), schema: head.schema };
  }
  return undefined;
}

/** The end of a damaged journal for a reader that knows its lines. */
interface JournalRemainder {
  readonly tip: Tip;
  readonly edits: number;
  readonly seal: Seal | undefined;
}

/** Reads over damage and gaps, from a byte and a record on: to the seal, or as far as the file goes. */
export function restOfJournal(files: Files, path: string, from = 0, start: Tip = { seq: 0, id: '' }): JournalRemainder {
  let tip = start;
  let edits = 0;
  for (const line of linesOf(bytesOfJournal(files, path, from))) {
    const record = decodeLine(line);
    if (!record || record.k === 'head' || record.s <= tip.seq) continue;
    tip = { seq: record.s, id: record.i };
    if (record.k === 'seal') return { tip, edits, seal: record };
    edits++;
  }
  return { tip, edits, seal: undefined };
}

/** None where the file is gone. */
function bytesOfJournal(files: Files, path: string, from = 0): Uint8Array {
  try {
    const file = files.openJournal(path, 'read');
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
