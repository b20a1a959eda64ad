import { changedGroups } from '../../../src/core/ical/contentGroups';
import { readResource } from '../../../src/core/ical/readResource';
import type { ResourceRow } from '../../../src/core/ical/row';
import { toResourceRow } from '../../../src/sync/resources/localResource';
import { SyncLedger } from '../../../src/sync/state/syncLedger';
import type { Device } from './twoDevices';

/**
 * The places at which a device's rows, with nothing left to send, differ from the texts that it last had of the server:
 * a value, or a parent that is neither above the task nor waited for. Two devices come apart over it one day.
 */
export async function unlikeTheirTexts({ engine, store, name }: Device): Promise<string[]> {
  const ledger = new SyncLedger(await store.sidecar());
  const odd: string[] = [];
  for (const { id: listId, accountId, name: listName, isSynced } of engine.lists()) {
    if (accountId === null || !isSynced) continue;
    const { waiting = {} } = ledger.list(listId);
    for (const task of engine.rows(listId)) {
      const report = (fault: string) => odd.push(`${task.uid} “${task.title}” in ${listName} of ${name}: ${fault}`);
      const text = ledger.base(accountId, task.href, task.etag)?.text;
      if (text === undefined) {
        if (task.href === null || task.etag === null) report(`lies at ${task.href}, ${task.etag}`);
        continue;
      }
      const { master, overrides } = readResource(text, { uid: task.uid, href: task.href! });
      const there = [master, ...overrides].find(row => row?.fields.recurrenceId === task.recurrenceId);
      if (!there) {
        report(`is not in the text\n${text}`);
        continue;
      }
      const here: ResourceRow = toResourceRow(store, task, there.parentUid, waiting);
      const groups = changedGroups(there, here);
      if (groups.length > 0) report(`${groups.join(', ')} unlike the text\n${text}`);
      const above = task.parentId === null ? undefined : engine.task(task.parentId);
      if (above && above.listId !== listId) report(`is under a task of another list, ${above.uid}`);
      const parent = above?.uid ?? null;
      if (task.recurrenceId === null && (there.parentUid ?? null) !== parent && waiting[task.uid] !== there.parentUid)
        report(`is under ${parent}, the text says ${there.parentUid}, ${waiting[task.uid]} is waited for`);
    }
  }
  ledger.dispose();
  return odd;
}
