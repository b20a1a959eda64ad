import type { TaskList } from '../../core/kernel/model';
import type { TaskStore } from '../../store/taskStore';
import { withSlash } from '../remote/hrefs';
import type { Href } from '../remote/remote';
import type { SyncLedger } from '../state/syncLedger';

interface ReaddressParts {
  readonly store: TaskStore;
  readonly ledger: SyncLedger;
}

/**
 * Moves a list to a new address, with everything that is stored under the old one, pending edits included. If this is
 * cut off, it can be done again.
 */
export async function readdress(
  { store, ledger }: ReaddressParts,
  { id: listId, accountId, href: from }: TaskList,
  to: Href,
): Promise<void> {
  if (accountId === null || from === null) return;
  const [before, after] = [withSlash(from), withSlash(to)];
  const isIn = (href: Href | null): href is Href => href?.startsWith(before) ?? false;
  const moved = (href: Href): Href => after + href.slice(before.length);
  const hrefs = [...new Set(store.tasksOfList(listId).map(({ href }) => href))].filter(isIn);
  await ledger.putBases(
    accountId,
    hrefs.flatMap(href => {
      const base = ledger.anyBase(accountId, href);
      return base ? [[moved(href), base] as const, [href, undefined] as const] : [];
    }),
  );
  const sent = [...ledger.allSent(accountId)].filter(([href]) => isIn(href));
  await ledger.putSent(
    accountId,
    sent.flatMap(([href, text]) => [
      [moved(href), text, ledger.sentRow(accountId, href)] as const,
      [href, undefined] as const,
    ]),
  );
  await store.edit({ origin: 'sync' }, tx => {
    if (tx.list(listId)?.href !== from) return;
    tx.updateList(listId, { href: to, ctag: null, syncToken: null });
    for (const { id, href } of tx.tasksOfList(listId)) if (isIn(href)) tx.updateTask(id, { href: moved(href) });
  });
  await ledger.updateList(listId, ({ skipped = {} }) => {
    const entries = Object.entries(skipped);
    return entries.length === 0
      ? {}
      : { skipped: Object.fromEntries(entries.map(([href, one]) => [moved(href), one])) };
  });
}
