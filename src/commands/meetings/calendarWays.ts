import type { DuelineEngine } from '../../api';
import type { Account } from '../../core/kernel/model';
import { isFolderAccount } from '../../core/sync/folderAccount';
import { isolate, plain, t } from '../../shared/l10n';
import { showInputBox, showQuickPick } from '../../ui/dialogs';
import { showInformation } from '../../ui/notifications';
import { withIcon } from '../../ui/withIcon';

/** A way to add calendars. */
export interface CalendarWay {
  readonly label: string;
  add(engine: DuelineEngine): Promise<void>;
}

/** The ways to add calendars that are not on this computer. */
export const waysElsewhere = (engine: DuelineEngine): readonly CalendarWay[] => [
  { ...withIcon('rss', t('Add a calendar by its address…')), add: addFeed },
  ...engine
    .accounts()
    .filter(account => !isFolderAccount(account))
    .map(account => ({
      ...withIcon('account', t('Calendars of {0}…', isolate(account.displayName))),
      add: () => chooseOf(engine, account),
    })),
];

async function addFeed({ meetings }: DuelineEngine): Promise<void> {
  const title = t('Add a Calendar by Its Address');
  const address = await showInputBox({
    title,
    prompt: t('The address of an iCalendar feed, for example the secret address of a Google calendar'),
    placeHolder: 'https://example.com/calendar.ics',
    ignoreFocusOut: true,
  });
  if (!address) return;
  const name = await showInputBox({ title, prompt: t('Name'), value: hostOf(address), ignoreFocusOut: true });
  if (name === undefined || plain(name) === '') return;
  await meetings.add({ kind: 'feed', name: plain(name), color: null, address });
}

function hostOf(address: string): string {
  const text = address.trim().replace(/^webcals?:/i, 'https:');
  return URL.canParse(text) ? new URL(text).host : '';
}

/** Adds the selected calendars of an account, and removes those that are no longer selected. */
async function chooseOf({ meetings }: DuelineEngine, { id: accountId, displayName }: Account): Promise<void> {
  const offered = await meetings.offered(accountId);
  if (offered.length === 0) {
    void showInformation(t('{0} has no calendars with events.', isolate(displayName)));
    return;
  }
  const known = new Map(meetings.calendars.filter(one => one.accountId === accountId).map(one => [one.address, one]));
  const lines = offered.map(one => ({ label: isolate(one.name), picked: known.has(one.address), one }));
  const picked = await showQuickPick(lines, { title: t('Choose Calendars'), canPickMany: true });
  if (!picked) return;
  const chosen = new Set(picked.map(({ one }) => one.address));
  for (const [address, { id }] of known) if (!chosen.has(address)) await meetings.remove(id);
  for (const { one } of picked) if (!known.has(one.address)) await meetings.add({ kind: 'account', accountId, ...one });
}
