import type { Event } from './events';

/** Reads and writes inside one durable step. */
export interface KeyValueWriter {
  get<T>(map: string, key: string): T | undefined;
  entries<T>(map: string): readonly (readonly [key: string, value: T])[];
  keys(map: string): readonly string[];
  /** `undefined` deletes. */
  set(map: string, key: string, value: unknown): void;
}

/** Named maps of JSON values, durable, shared by windows, deletable without losing a task. */
export interface Sidecar {
  get<T>(map: string, key: string): T | undefined;
  entries<T>(map: string): readonly (readonly [key: string, value: T])[];
  /** Keys of the values whose JSON text has this part: a question to thousands of values at once. */
  keysHaving(map: string, part: string): readonly string[];
  /** One durable step; `undefined` deletes. */
  put(map: string, changes: readonly (readonly [key: string, value: unknown])[]): Promise<void>;
  /** One durable step over any maps, as an edit of the store is over rows: of two windows, one comes first. */
  edit<T>(work: (writer: KeyValueWriter) => T): Promise<T>;
  readonly onDidChange: Event<{ readonly map: string; readonly keys: readonly string[] }>;
}
