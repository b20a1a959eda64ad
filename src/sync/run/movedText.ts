import { textElsewhere } from '../../core/ical/movedText';
import type { Task } from '../../core/kernel/model';
import { isRemote, stopsAccount } from '../remote/remote';
import { oldCopiesOf } from '../resources/taskMoves';
import { textsOf } from './applyBatches';
import type { ListRun } from './runContext';

/**
 * The text that a moved task has in its old list: the base of its new resource, so that lines which no row holds move
 * along. It is fetched if it is not known here; if it cannot be had, the text is made from the rows alone.
 */
export async function textOfOldCopy(run: ListRun, task: Task): Promise<string | undefined> {
  const [tombstone] = oldCopiesOf(run.store, task);
  const text = tombstone && (await textAt(run, tombstone));
  return text === undefined ? undefined : textElsewhere(text, task.uid);
}

async function textAt(run: ListRun, { listId, href, etag }: Task): Promise<string | undefined> {
  const { store, account, remote, reach } = run;
  const known = etag === null ? undefined : textsOf(run, listId).baseOf(href!, etag);
  if (known !== undefined) return known;
  const list = store.list(listId);
  const owner = list?.accountId == null ? undefined : store.account(list.accountId);
  if (!owner || list?.href == null) return undefined;
  try {
    const there = owner.id === account.id ? remote : await reach(owner);
    return (await there.collection({ href: list.href }).fetch([href!])).items[0]?.text;
  } catch (error) {
    if (!isRemote(error) || isRemote(error, 'cancelled') || (owner.id === account.id && stopsAccount(error)))
      throw error;
    return undefined;
  }
}
