import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../../src/core/time/clock';
import type { TaskStore } from '../../../src/store/taskStore';
import { openTaskStore, type StoreOptions } from '../../../src/store/taskStore';
import type { Writer } from '../../../src/store/types';

/** A clock that stands still until a test moves it. */
export class TestClock implements Clock {
  constructor(
    public time = Date.UTC(2026, 0, 15, 12),
    readonly timeZone = 'UTC',
  ) {}

  now(): number {
    return this.time;
  }
}

export const clock = new TestClock();

/** The folders and stores of one test, which are removed after it. */
export class Scratch {
  readonly #folders: string[] = [];
  readonly #stores: TaskStore[] = [];

  folder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'dueline-'));
    this.#folders.push(folder);
    return folder;
  }

  async store(folder: string, options: Partial<StoreOptions> = {}) {
    const store = await openTaskStore({ folder, clock, ...options });
    this.#stores.push(store);
    return store;
  }

  async clean(): Promise<void> {
    for (const store of this.#stores.splice(0)) await store.close();
    for (const folder of this.#folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  }
}

export const user = { origin: 'user' } as const;

/** Adds a list with tasks of these titles, and returns their ids. */
export function aList(tx: Writer, name: string, ...titles: string[]): { list: number; tasks: number[] } {
  const list = tx.insertList({ name, color: -1 });
  return { list, tasks: titles.map(title => tx.insertTask({ listId: list, uid: `${name}-${title}`, title })) };
}

/** Every row of the four tables, for comparing two stores. */
export function dump(store: Pick<TaskStore, 'select'>): string {
  const tables = ['accounts', 'task_lists', 'tasks', 'task_alarms'];
  return JSON.stringify(tables.map(table => store.select(`SELECT * FROM ${table} ORDER BY id`)));
}

export const firstJournal = 'j-00000000.jsonl';

/** Names of the store's own files. */
export const namesIn = (folder: string, pattern: RegExp) =>
  readdirSync(join(folder, 'store'))
    .filter(name => pattern.test(name))
    .sort();

export const bytesIn = (path: string) => Uint8Array.from(readFileSync(path));

export const rename = (store: TaskStore, title: string) =>
  store.edit({ origin: 'user', label: { key: 'rename', count: 1 } }, tx => tx.updateTask(1, { title }));

/** A store with a dump of each state: before the first edit, and after each one. */
export async function aHistory(
  scratch: Scratch,
  titles: readonly string[] = ['1', '2', '3'],
  options: Partial<StoreOptions> = {},
): Promise<{ folder: string; states: string[]; journal: string }> {
  const folder = scratch.folder();
  let store = await scratch.store(folder, options);
  await store.edit(user, tx => aList(tx, 'Inbox', '0'));
  const states = [dump(store)];
  for (const [nth, title] of titles.entries()) {
    // Closing waits for the snapshot.
    if (nth % 8 === 7) {
      await store.close();
      store = await scratch.store(folder, options);
    }
    await rename(store, title);
    states.push(dump(store));
  }
  await store.close();
  return { folder, states, journal: join(folder, 'store', firstJournal) };
}
