/** Accounts and sync: the full flavor alone has these. */
import type { OnAccount, OnList, OnTask, TaskTarget } from '../commandTargets';
import { command } from '../define';
import { serverContextKeys } from '../serverIds';
import {
  account,
  all,
  anyTask,
  conflictDocument,
  conflictPageTask,
  failedAccount,
  hasConflict,
  inLists,
  listsWithAccounts,
  notSyncedList,
  oneRow,
  pausedAccount,
  readyLists,
  refusedAccount,
  remoteList,
  syncedList,
  writableList,
} from '../when';

export const serverCommands = {
  'dueline.newAccountInRepository': command({ palette: 'workspaceFolderCount != 0' }),
  'dueline.account.add': command({
    icon: 'person-add',
    menus: [{ menu: 'view/title', group: '2_accounts@1', when: readyLists }],
  }),
  'dueline.account.remove': command<OnAccount>({
    palette: serverContextKeys.hasAccounts,
    menus: [{ menu: 'view/item/context', group: '9_danger@1', when: account }],
  }),
  'dueline.sync.now': command<OnAccount>({
    palette: serverContextKeys.hasAccounts,
    icon: 'sync',
    menus: [
      { menu: 'view/title', group: 'navigation@3', when: all(listsWithAccounts, '!dueline.syncing') },
      { menu: 'view/item/context', group: 'inline@1', when: all(account, '!(viewItem =~ /failed/)') },
      { menu: 'view/item/context', group: '1_edit@1', when: account },
    ],
  }),
  'dueline.sync.retry': command<OnAccount>({
    palette: false,
    icon: 'refresh',
    enablement: 'dueline.hasAccounts',
    menus: [{ menu: 'view/item/context', group: 'inline@1', when: failedAccount }],
  }),
  'dueline.sync.list': command<OnList>({
    palette: false,
    menus: [{ menu: 'view/item/context', group: '4_data@2', when: remoteList }],
  }),
  // Each of two is shown only if it would change something.
  'dueline.sync.toggleList': command<OnList>({
    palette: false,
    menus: [{ menu: 'view/item/context', group: '4_data@3', when: syncedList }],
  }),
  'dueline.sync.resumeList': command<OnList>({
    palette: false,
    menus: [{ menu: 'view/item/context', group: '4_data@3', when: notSyncedList }],
  }),
  'dueline.sync.cancel': command({
    icon: 'sync-ignored',
    enablement: 'dueline.syncing',
    menus: [{ menu: 'view/title', group: 'navigation@3', when: all(inLists, 'dueline.syncing') }],
  }),
  'dueline.sync.pause': command({
    palette: all(serverContextKeys.hasAccounts, `!${serverContextKeys.syncPaused}`),
    menus: [
      { menu: 'view/title', group: '2_accounts@3', when: all(listsWithAccounts, `!${serverContextKeys.syncPaused}`) },
    ],
  }),
  'dueline.sync.resume': command({
    palette: all(serverContextKeys.hasAccounts, serverContextKeys.syncPaused),
    icon: 'play',
    menus: [
      { menu: 'view/title', group: '2_accounts@3', when: all(listsWithAccounts, serverContextKeys.syncPaused) },
      { menu: 'view/item/context', group: 'inline@0', when: pausedAccount },
    ],
  }),
  'dueline.sync.showConflicts': command({
    palette: serverContextKeys.hasAccounts,
    icon: 'git-compare',
    menus: [{ menu: 'view/title', group: 'navigation@4', when: all(inLists, 'dueline.hasConflicts') }],
  }),
  'dueline.sync.resolve': command<[target?: string | TaskTarget]>({
    palette: false,
    icon: 'git-compare',
    enablement: 'dueline.hasConflicts',
    menus: [
      { menu: 'view/item/context', group: 'inline@0', when: all(anyTask, hasConflict, oneRow) },
      { menu: 'view/item/context', group: '5_sync@1', when: all(anyTask, hasConflict, oneRow) },
      { menu: 'webview/context', group: '5_sync@1', when: conflictPageTask },
    ],
  }),
  'dueline.sync.useMine': command<[target?: unknown]>({
    palette: false,
    icon: 'check',
    enablement: 'dueline.hasConflicts',
    menus: [{ menu: 'editor/title', group: 'navigation@1', when: conflictDocument }],
  }),
  'dueline.sync.useServer': command<[target?: unknown]>({
    palette: false,
    icon: 'cloud',
    enablement: 'dueline.hasConflicts',
    menus: [{ menu: 'editor/title', group: 'navigation@2', when: conflictDocument }],
  }),
  'dueline.sync.keepBoth': command<[target?: unknown]>({
    palette: false,
    icon: 'files',
    enablement: 'dueline.hasConflicts',
    menus: [{ menu: 'editor/title', group: 'navigation@3', when: conflictDocument }],
  }),
  'dueline.sync.showOutbox': command({
    palette: serverContextKeys.hasAccounts,
    icon: 'cloud-upload',
    menus: [{ menu: 'view/title', group: '2_accounts@2', when: listsWithAccounts }],
  }),
  'dueline.sync.viewRemote': command<OnTask>({
    palette: false,
    icon: 'cloud',
    menus: [{ menu: 'dueline.copy', group: '3@1', when: all(anyTask, 'viewItem =~ /\\.synced/', oneRow) }],
  }),
  'dueline.sync.showLog': command({
    palette: serverContextKeys.hasAccounts,
    icon: 'output',
    menus: [
      { menu: 'dueline.help', group: '2@3', when: listsWithAccounts },
      { menu: 'view/item/context', group: '4_data@1', when: account },
    ],
  }),
  'dueline.account.edit': command<OnAccount>({
    palette: false,
    menus: [{ menu: 'view/item/context', group: '1_edit@2', when: account }],
  }),
  'dueline.account.reauthenticate': command<OnAccount>({
    palette: serverContextKeys.hasAccounts,
    icon: 'key',
    menus: [
      { menu: 'view/item/context', group: 'inline@0', when: refusedAccount },
      { menu: 'view/item/context', group: '1_edit@3', when: account },
    ],
  }),
  'dueline.account.chooseLists': command<OnAccount>({
    palette: false,
    icon: 'checklist',
    menus: [{ menu: 'view/item/context', group: '3_organise@1', when: account }],
  }),
  'dueline.list.moveToAccount': command<OnList>({
    palette: false,
    menus: [{ menu: 'view/item/context', group: '4_data@4', when: all(writableList, 'dueline.hasAccounts') }],
  }),
};
