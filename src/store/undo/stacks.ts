import type { UndoStep } from '../../core/kernel/editLabel';
import type { EditRecord } from '../journal/record';
import type { HistoryStep } from '../journal/undoStep';
import type { KeyValueStore } from '../replica/keyValueStore';

const keptSteps = 200;

/** A step with the id of its record. */
export type StoredStep = HistoryStep & UndoStep;

/** The part of a record that the history needs. */
export type StepRecord = Pick<EditRecord, 's' | 'i' | 't' | 'h'>;

export type Stack = 'undo' | 'redo';
const stackNames = ['undo', 'redo'] as const;
const mapOf = (stack: Stack) => `history.${stack}`;

interface Entry {
  readonly key: string;
  /** Absent if the sidecar has it. */
  readonly step?: StoredStep;
}

type KeyValues = Pick<KeyValueStore, 'get' | 'keys' | 'keysHaving' | 'set'>;

/** The two stacks: those of the sidecar and the records after them, without writing anything. */
export class Stacks {
  readonly #entries: Record<Stack, Entry[]>;
  #upTo: number;

  constructor(
    private readonly kv: KeyValues,
    records: readonly StepRecord[],
  ) {
    const entriesOf = (stack: Stack): Entry[] => kv.keys(mapOf(stack)).map(key => ({ key }));
    this.#entries = { undo: entriesOf('undo'), redo: entriesOf('redo') };
    this.#upTo = kv.get<number>('history', 'upTo') ?? 0;
    for (const record of records) this.#take(record);
  }

  /** The sequence of the newest record in them. */
  get upTo(): number {
    return this.#upTo;
  }

  /** The oldest first. */
  all(stack: Stack): readonly StoredStep[] {
    return this.#entries[stack].flatMap(entry => this.#stepOf(stack, entry) ?? []);
  }

  newest(stack: Stack): StoredStep | undefined {
    const last = this.#entries[stack].at(-1);
    return last && this.#stepOf(stack, last);
  }

  withId(stack: Stack, id: string): StoredStep | undefined {
    const entry = this.#entryOf(stack, id);
    return entry && this.#stepOf(stack, entry);
  }

  remove(stack: Stack, id: string): void {
    const gone = this.#entryOf(stack, id);
    this.#entries[stack] = this.#entries[stack].filter(entry => entry !== gone);
  }

  /** Writes this state into the sidecar; for use inside an edit of it. */
  write(): void {
    for (const stack of stackNames) {
      const entries = this.#entries[stack];
      const kept = new Set(entries.map(({ key }) => key));
      for (const key of this.kv.keys(mapOf(stack))) if (!kept.has(key)) this.kv.set(mapOf(stack), key, undefined);
      for (const { key, step } of entries) if (step) this.kv.set(mapOf(stack), key, step);
    }
    if (this.#upTo > 0) this.kv.set('history', 'upTo', this.#upTo);
  }

  /** Skips records that the sidecar has already. */
  #take({ s, i, t, h }: StepRecord): void {
    if (s <= this.#upTo || !h) return;
    this.#upTo = s;
    if (h.undoes) this.remove('undo', h.undoes);
    else if (h.redoes) this.remove('redo', h.redoes);
    else this.#entries.redo = [];
    const step: StoredStep = { ...h, id: i, at: t };
    this.#entries[h.undoes ? 'redo' : 'undo'].push({ key: String(s).padStart(12, '0'), step });
    this.#entries.undo.splice(0, this.#entries.undo.length - keptSteps);
  }

  #stepOf(stack: Stack, { key, step }: Entry): StoredStep | undefined {
    return step ?? this.kv.get<StoredStep>(mapOf(stack), key);
  }

  #entryOf(stack: Stack, id: string): Entry | undefined {
    const entries = this.#entries[stack];
    const found = entries.find(({ step }) => step?.id === id);
    if (found || entries.every(({ step }) => step)) return found;
    // Quotes in the user's own text are escaped in JSON, so nothing else reads like this.
    const [key] = this.kv.keysHaving(mapOf(stack), `"id":${JSON.stringify(id)}`);
    return entries.find(entry => entry.key === key);
  }
}
