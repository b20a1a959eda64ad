import type { DuelineEngine, EngineOptions } from './api';
import { noLog } from './core/kernel/log';
import { systemClock } from './core/time/clock';
import { Engine } from './engine/engine';
import type { Flavor } from './engine/flavor/flavor';
import { later } from './engine/later/door';
import { openTaskStore } from './store/taskStore';

/**
 * Opens the store in `options.folder` and returns the API of a flavor on it.
 *
 * @throws DuelineError `storage` if the folder holds data that cannot be read; nothing in it is changed then
 */
export async function openWith(flavor: Flavor, options: EngineOptions): Promise<DuelineEngine> {
  const clock = options.clock ?? systemClock;
  const log = options.log ?? noLog;
  const store = await openTaskStore({ folder: options.folder, clock, log });
  try {
    if (!store.readOnlyReason && store.lists().length === 0) {
      const name = (await options.firstList) ?? 'Inbox';
      await store.edit({ origin: 'user' }, tx => later().ensureInbox(tx, name));
    }
    return new Engine(store, { ...options, clock, log }, flavor);
  } catch (error) {
    await store.close();
    throw error;
  }
}
