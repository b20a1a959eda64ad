import type { DuelineEngine } from '../api';
import { isDuelineError } from '../core/kernel/errors';
import type { Id } from '../core/kernel/model';
import { t } from '../shared/l10n';

type Engine = Pick<DuelineEngine, 'defaultListId' | 'lists' | 'createList'>;

/** The list that a task goes to if nothing names another one; undefined if none is writable. */
export function defaultListOf(engine: Pick<Engine, 'defaultListId'>): Id | undefined {
  try {
    return engine.defaultListId();
  } catch (error) {
    if (!isDuelineError(error, 'notFound')) throw error;
    return undefined;
  }
}

/** The name of the list that is created if there is no writable one. */
export function newDefaultListName({ lists }: Pick<Engine, 'lists'>): string {
  const name = t('Inbox');
  const usedNames = new Set(lists().map(list => list.name));
  for (let count = 1; ; count++) {
    const free = count === 1 ? name : `${name} ${count}`;
    if (!usedNames.has(free)) return free;
  }
}

/** Same as `defaultListOf`; if there is none, creates a list on this computer. */
export const createDefaultList = async (engine: Engine): Promise<Id> =>
  defaultListOf(engine) ?? engine.createList({ name: newDefaultListName(engine) });

/** A list to be created in the same account as the default list, or on this computer. */
export function listInSameAccount(engine: Pick<Engine, 'defaultListId' | 'lists'>, name: string) {
  const defaultList = defaultListOf(engine);
  const list = engine.lists().find(({ id }) => id === defaultList);
  return { name, accountId: list?.accountId ?? null };
}
