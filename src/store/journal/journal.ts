import { join } from 'node:path';
import { codeOf, MessageError } from '../../core/kernel/errors';
import { storeMessage } from '../messages';
import { sealIn } from './damagedJournal';
import type { Files, JournalFile } from './files';
import { type ChainRecord, decodeLine, encodeLine, type Head, journalFormat, type Seal, type Tip } from './record';

/** A record is missing or damaged in the middle: what follows cannot be trusted to continue what we have. */
export class BrokenChainError extends MessageError {
  constructor(
    readonly journal: string,
    readonly offset: number,
  ) {
    super(storeMessage('journalDamaged', journal, offset));
  }
}

/** Written by a newer version of the extension. */
export class NewerFormatError extends Error {}

/** Thrown if the next records are not here any more, or ask for a fresh start: load the newest snapshot. */
export class ReloadRequiredError extends Error {}

const newline = 0x0a;

/**
 * One journal file, read up to its last complete record. The order in the file alone decides which records count, so
 * every process accepts the same ones: the first that names the tip as its predecessor continues the chain, and
 * later ones with the same sequence have lost the race.
 */
export class Journal {
  head: Head | undefined;
  tip: Tip;
  seal: Seal | undefined;
  /** The seal's own bytes are damaged, but other files prove its content. */
  isSealDamaged = false;
  /** The position in bytes at which reading continues. */
  offset = 0;
  /** Lines with other bytes than were written: torn by a crash, or damaged. */
  readonly badLines: { readonly end: number; readonly whole: boolean }[] = [];

  #own: { readonly line: Uint8Array; readonly record: ChainRecord } | undefined;

  private constructor(
    readonly name: string,
    readonly file: JournalFile,
    tip: Tip | undefined,
    private readonly fallback: Head | undefined,
    private readonly findSeal: (line: Uint8Array, journal: Journal) => Seal | undefined,
  ) {
    this.tip = tip ?? { seq: 0, id: '' };
  }

  /**
   * `fallback` stands in for a head of which both copies are damaged. Throws ENOENT as ReloadRequiredError: a journal
   * that is named but gone has been compacted into a snapshot.
   */
  static open(
    files: Files,
    folder: string,
    name: string,
    options: { mode: 'append' | 'create' | 'fresh' | 'read'; tip?: Tip | undefined; fallback?: Head },
  ): Journal {
    try {
      const file = files.openJournal(join(folder, name), options.mode);
      return new Journal(name, file, options.tip, options.fallback, (line, end) => sealIn(files, folder, line, end));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') throw new ReloadRequiredError(`The journal ${name} is gone.`, { cause: error });
      throw error;
    }
  }

  /** Opens the journal that the seal names, which continues this one. */
  openNext(files: Files, folder: string, mode: 'append' | 'read'): Journal {
    const { tip, head, seal } = this;
    const { j, next, schema } = seal!;
    return Journal.open(files, folder, j, { mode, tip, fallback: { ...head!, gen: next, schema } });
  }

  /** Hands every newly accepted record to `take`, up to the end of the file or the seal. */
  pull(take: (record: ChainRecord) => void): void {
    if (this.seal) return;
    const size = this.file.size();
    if (size > this.offset) this.#readLines(this.file.read(this.offset, size - this.offset), take);
  }

  append(record: ChainRecord): void {
    const bytes = encodeLine(record);
    this.#own = { line: bytes.subarray(1, -1), record };
    this.#write(bytes);
  }

  /** Twice, since without it nothing in the file could be read. */
  begin(head: Head): void {
    const line = encodeLine(head);
    const bytes = new Uint8Array(line.length * 2);
    bytes.set(line);
    bytes.set(line, line.length);
    this.#write(bytes);
  }

  /** True if the line is the one that was written last. It is mostly read next, and need not be parsed. */
  #isOwn(line: Uint8Array): boolean {
    return this.#own?.line.length === line.length && Buffer.compare(this.#own.line, line) === 0;
  }

  #write(bytes: Uint8Array): void {
    const written = this.file.append(bytes);
    // The rest must not follow in a second write, which another window's could precede.
    if (written < bytes.length) throw Object.assign(new Error('The disk took only a part.'), { code: 'ENOSPC' });
  }

  #readLines(bytes: Uint8Array, take: (record: ChainRecord) => void): void {
    const base = this.offset;
    let at = 0;
    while (at < bytes.length && !this.seal) {
      const end = bytes.indexOf(newline, at);
      const line = bytes.subarray(at, end < 0 ? bytes.length : end);
      if (line.length > 0) {
        const content = this.#isOwn(line) ? this.#own!.record : (decodeLine(line) ?? this.#sealIn(line));
        // An unfinished line may still grow; a finished record without its newline counts.
        if (content === undefined && end < 0) break;
        if (content === undefined) this.badLines.push({ end: base + end + 1, whole: seemsComplete(line) });
        else this.#accept(content, base + at, take);
      }
      at = end < 0 ? bytes.length : end + 1;
      this.offset = base + at;
    }
  }

  /** The seal counts by its position in the file: whatever follows it has lost the race against it. */
  #sealIn(line: Uint8Array): Seal | undefined {
    const seal = this.findSeal(line, this);
    this.isSealDamaged = seal !== undefined;
    return seal;
  }

  #accept(line: ChainRecord | Head, at: number, take: (record: ChainRecord) => void): void {
    if (line.k === 'head') {
      this.#acceptHead(line);
      return;
    }
    if (!this.head && this.fallback && fits(line, this.fallback)) this.head = this.fallback;
    if (!this.head) throw new BrokenChainError(this.name, at);
    if (line.s <= this.tip.seq) return;
    if (line.s !== this.tip.seq + 1 || line.p !== this.tip.id) throw new BrokenChainError(this.name, at);
    if (line.k !== undefined && line.k !== 'seal' && !(line as { opt?: boolean }).opt) {
      throw new NewerFormatError(`Unknown record kind in ${this.name}.`);
    }
    this.tip = { seq: line.s, id: line.i };
    if (line.k === 'seal') this.seal = line;
    take(line);
  }

  /** Two windows that start at once may both write the first journal's head: the first one counts. */
  #acceptHead(head: Head): void {
    if (this.head) return;
    if (head.minReader > journalFormat) throw new NewerFormatError(`Journal format ${head.format}.`);
    this.head = head;
  }
}

/** A head that was not read from the file is only good for rows of as many columns. */
const fits = (record: ChainRecord, { cols }: Head): boolean =>
  record.k !== undefined || record.o.every(([table, , image]) => !image || image.length === cols[table]?.length);

/** A damaged record keeps its frame; a torn one can end anywhere, where the next writer has put a newline. */
const seemsComplete = (line: Uint8Array): boolean => line[8] === 0x20 && line[9] === 0x7b && line.at(-1) === 0x7d;
