import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Id } from '../../../src/core/kernel/model';
import type { NewRow } from '../../../src/core/kernel/rowEdit';
import { defaultSettings, type EngineSettings } from '../../../src/core/kernel/settings';
import type { QueryContext } from '../../../src/query/eval/context';
import { runQuery } from '../../../src/query/eval/run';
import { type JournaledStore, openTaskStore } from '../../../src/store/taskStore';
import type { NewListRow } from '../../../src/store/types';

/** Wednesday, half past two in the afternoon in UTC. */
export const wednesday = Date.parse('2026-03-18T14:30:00Z');

export const at = (text: string): number => Date.parse(text);
/** An all-day or floating value. */
export const civil = (text: string): number => Date.parse(text.includes('T') ? `${text}Z` : `${text}T00:00:00Z`);

export function aContext(
  options: Partial<Omit<QueryContext, 'clock' | 'settings'>> & {
    now?: number;
    zone?: string;
    settings?: Partial<EngineSettings>;
  } = {},
): QueryContext {
  const { now = wednesday, zone = 'UTC', settings, ...rest } = options;
  return {
    clock: { now: () => now, timeZone: zone },
    settings: { ...defaultSettings, ...settings },
    locale: 'en-GB',
    conflicted: new Set(),
    syncErrors: new Set(),
    ...rest,
  };
}

/** A real store in a folder of its own; `close` takes the folder away. */
export async function aFilledStore(): Promise<Filled> {
  const folder = mkdtempSync(join(tmpdir(), 'dueline-filter-'));
  const store = await openTaskStore({ folder, clock: { now: () => wednesday, timeZone: 'UTC' } });
  return new Filled(store, folder);
}

export class Filled {
  constructor(
    readonly store: JournaledStore,
    readonly folder: string,
  ) {}

  async close(): Promise<void> {
    await this.store.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  list(name: string, row: Partial<NewListRow> = {}): Promise<Id> {
    return this.store.edit({ origin: 'user' }, tx => tx.insertList({ name, color: -1, ...row }));
  }

  account(displayName: string): Promise<Id> {
    return this.store.edit({ origin: 'user' }, tx => tx.insertAccount({ displayName }));
  }

  /** One durable step; rows without a uid get one. */
  tasks(listId: Id, ...rows: (Partial<NewRow> & { title: string })[]): Promise<Id[]> {
    return this.store.edit({ origin: 'user' }, tx =>
      rows.map(row => tx.insertTask({ listId, uid: `${row.title}-${uidCount++}`, ...row })),
    );
  }

  /** Titles in the order of the result. */
  titles(query: string, context = aContext()): string[] {
    return runQuery(this.store, query, context).map(({ task }) => task.title ?? '');
  }
}

let uidCount = 0;
