/** Ids of the full flavor alone. The offline one is built with the file beside this one, which has none. */
import { type Nothing, type OnAccount, type OnList, type OnTask, type TaskTarget, takes } from './commandTargets';

export const serverCommands = {
  'dueline.account.add': takes<Nothing>(),
  'dueline.account.edit': takes<OnAccount>(),
  'dueline.account.reauthenticate': takes<OnAccount>(),
  'dueline.account.chooseLists': takes<OnAccount>(),
  'dueline.account.remove': takes<OnAccount>(),
  'dueline.sync.now': takes<OnAccount>(),
  'dueline.sync.list': takes<OnList>(),
  'dueline.sync.toggleList': takes<OnList>(),
  'dueline.sync.cancel': takes<Nothing>(),
  'dueline.sync.pause': takes<Nothing>(),
  'dueline.sync.showConflicts': takes<Nothing>(),
  'dueline.sync.resolve': takes<[target?: string | TaskTarget]>(),
  'dueline.sync.useMine': takes<[target?: unknown]>(),
  'dueline.sync.useServer': takes<[target?: unknown]>(),
  'dueline.sync.keepBoth': takes<[target?: unknown]>(),
  'dueline.sync.showOutbox': takes<Nothing>(),
  'dueline.sync.viewRemote': takes<OnTask>(),
  'dueline.sync.showLog': takes<Nothing>(),
  'dueline.list.moveToAccount': takes<OnList>(),
};

export const serverSettings = [
  'dueline.sync.enabled',
  'dueline.sync.intervalMinutes',
  'dueline.sync.onFocus',
  'dueline.sync.onSave',
  'dueline.sync.conflictPolicy',
  'dueline.sync.timeoutSeconds',
  'dueline.sync.trustedCertificates',
] as const;

export const serverContextKeys = {
  hasAccounts: 'dueline.hasAccounts',
  syncing: 'dueline.syncing',
  hasConflicts: 'dueline.hasConflicts',
} as const;

/** Commands, settings, views and context keys that the offline manifest leaves out. */
export const isFullOnly = (id: string) =>
  /^dueline\.(account|sync)\./.test(id) ||
  id === 'dueline.list.moveToAccount' ||
  Object.values<string>(serverContextKeys).includes(id);
