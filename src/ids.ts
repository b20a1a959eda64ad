/**
 * Every id that the manifest contributes and the code answers to, commands with what they take. A test holds this
 * file and package.json against each other.
 */
import type { WidgetKind } from './core/agendaTypes';
import type { EpochMs, Id } from './core/model';

/** A task, or one occurrence of a recurring one: what trees, widgets and links hand to a command. */
export type TaskTarget = Id | { readonly taskId: Id; readonly occurrence?: EpochMs | null };
export type ListTarget = Id | { readonly listId: Id };
export type AccountTarget = Id | { readonly accountId: Id };
export type FilterTarget = string | { readonly filterId: string };

/** A row of the trash. */
export type TrashTarget = { readonly trashKey: string };

/** What quick add starts from. */
export type QuickAddSeed = string | { readonly text?: string; readonly listId?: Id; readonly parentId?: Id };

/** VS Code hands a tree's clicked row and, where several are selected, all of them. */
type OnTasks = [target?: TaskTarget, selection?: readonly TaskTarget[]];
type OnTask = [target?: TaskTarget];
type OnList = [target?: ListTarget];
type OnFilter = [target?: FilterTarget];
type OnAccount = [target?: AccountTarget];
type Nothing = [];

const takes = <Args extends unknown[]>() => undefined as unknown as Args;

export const commands = {
  'dueline.quickAdd': takes<[seed?: QuickAddSeed]>(),
  'dueline.open': takes<OnTask>(),
  'dueline.actions': takes<OnTask>(),
  'dueline.newTask': takes<OnList>(),
  'dueline.addAlarm': takes<OnTasks>(),
  'dueline.skipOccurrence': takes<OnTask>(),
  'dueline.complete': takes<OnTasks>(),
  'dueline.rename': takes<OnTask>(),
  'dueline.delete': takes<OnTasks>(),
  'dueline.setDue': takes<OnTasks>(),
  'dueline.start': takes<OnTasks>(),
  'dueline.cancel': takes<OnTasks>(),
  'dueline.setProgress': takes<OnTasks>(),
  'dueline.duplicate': takes<OnTasks>(),
  'dueline.restore': takes<[target?: TrashTarget, selection?: readonly TrashTarget[]]>(),
  'dueline.deletePermanently': takes<[target?: TrashTarget, selection?: readonly TrashTarget[]]>(),
  'dueline.setStart': takes<OnTasks>(),
  'dueline.dueToday': takes<OnTasks>(),
  'dueline.dueTomorrow': takes<OnTasks>(),
  'dueline.dueNextWeek': takes<OnTasks>(),
  'dueline.clearDue': takes<OnTasks>(),
  'dueline.postpone': takes<OnTasks>(),
  'dueline.rescheduleOverdue': takes<Nothing>(),
  'dueline.setRecurrence': takes<OnTasks>(),
  'dueline.snooze': takes<OnTasks>(),
  'dueline.showPendingAlarms': takes<Nothing>(),
  'dueline.setPriority': takes<OnTasks>(),
  'dueline.editTags': takes<OnTasks>(),
  'dueline.moveToList': takes<OnTasks>(),
  'dueline.addSubtask': takes<OnTask>(),
  'dueline.moveUp': takes<OnTask>(),
  'dueline.moveDown': takes<OnTask>(),
  'dueline.indent': takes<OnTask>(),
  'dueline.outdent': takes<OnTask>(),
  'dueline.bulkEdit': takes<OnTasks>(),
  'dueline.bulkEditQuery': takes<Nothing>(),
  'dueline.copyLink': takes<OnTasks>(),
  'dueline.copyMarkdown': takes<OnTasks>(),
  'dueline.addFromSelection': takes<Nothing>(),
  'dueline.addFromClipboard': takes<Nothing>(),
  'dueline.goToTask': takes<Nothing>(),
  'dueline.search': takes<Nothing>(),
  'dueline.filter.apply': takes<Nothing>(),
  'dueline.filter.clear': takes<Nothing>(),
  'dueline.filter.save': takes<Nothing>(),
  'dueline.filter.edit': takes<OnFilter>(),
  'dueline.filter.delete': takes<OnFilter>(),
  'dueline.filter.explain': takes<OnFilter>(),
  'dueline.filter.pin': takes<OnFilter>(),
  'dueline.import': takes<Nothing>(),
  'dueline.export': takes<[target?: ListTarget]>(),
  'dueline.backup.create': takes<Nothing>(),
  'dueline.backup.restore': takes<Nothing>(),
  'dueline.data.reveal': takes<Nothing>(),
  'dueline.data.exportDatabase': takes<Nothing>(),
  'dueline.data.importDatabase': takes<Nothing>(),
  'dueline.data.check': takes<Nothing>(),
  'dueline.openWidget': takes<[kind?: WidgetKind]>(),
  'dueline.widget.configure': takes<[kind?: WidgetKind]>(),
  'dueline.openSettings': takes<Nothing>(),
  'dueline.showToday': takes<Nothing>(),
  'dueline.whatsNew': takes<Nothing>(),
  'dueline.undo': takes<Nothing>(),
  'dueline.redo': takes<Nothing>(),
  'dueline.list.new': takes<Nothing>(),
  'dueline.list.rename': takes<OnList>(),
  'dueline.list.delete': takes<OnList>(),
  'dueline.list.hide': takes<OnList>(),
  'dueline.list.color': takes<OnList>(),
  'dueline.list.setDefault': takes<OnList>(),
  'dueline.list.setDefaultWorkspace': takes<OnList>(),
  'dueline.view.toggleCompleted': takes<Nothing>(),
  'dueline.view.toggleSubtasks': takes<Nothing>(),
  'dueline.view.sort': takes<Nothing>(),
  'dueline.openWalkthrough': takes<Nothing>(),
  'dueline.view.refresh': takes<Nothing>(),
  'dueline.openLog': takes<Nothing>(),
  'dueline.account.add': takes<Nothing>(),
  'dueline.account.edit': takes<OnAccount>(),
  'dueline.account.reauthenticate': takes<OnAccount>(),
  'dueline.account.chooseLists': takes<OnAccount>(),
  'dueline.account.remove': takes<OnAccount>(),
  'dueline.sync.now': takes<OnAccount>(),
  'dueline.sync.list': takes<OnList>(),
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

export type CommandId = keyof typeof commands;
export type CommandArgs<K extends CommandId> = (typeof commands)[K];
export const commandIds = Object.keys(commands) as CommandId[];

/** Commands, settings, views and context keys of the full flavor alone; the offline manifest leaves them out. */
export const isFullOnly = (id: string) =>
  /^dueline\.(account|sync)\./.test(id) ||
  ['dueline.list.moveToAccount', 'dueline.hasAccounts', 'dueline.syncing'].includes(id);

export const views = {
  container: 'dueline',
  today: 'dueline.today',
  lists: 'dueline.lists',
  filters: 'dueline.filters',
  panel: 'duelineWidgets',
  upNext: 'dueline.widgets.upNext',
  week: 'dueline.widgets.week',
  widgetLists: 'dueline.widgets.lists',
  tasks: 'dueline.widgets.tasks',
} as const;

/** Kinds of editor tabs; the manifest names no such thing. */
export const panels = { widget: 'dueline.widget', taskEditor: 'dueline.taskEditor' } as const;

/** Context keys that when-clauses may name. */
export const contextKeys = {
  /** 'opening', 'ready' or 'failed'. */
  state: 'dueline.state',
  flavor: 'dueline.flavor',
  hasAccounts: 'dueline.hasAccounts',
  syncing: 'dueline.syncing',
  hasConflicts: 'dueline.hasConflicts',
  filterActive: 'dueline.filterActive',
  canUndo: 'dueline.canUndo',
  canRedo: 'dueline.canRedo',
} as const;

export const settingIds = [
  'dueline.defaultList',
  'dueline.defaults.priority',
  'dueline.defaults.reminderMinutes',
  'dueline.day.startHour',
  'dueline.week.firstDay',
  'dueline.display.language',
  'dueline.display.locale',
  'dueline.display.dateFormat',
  'dueline.display.timeFormat',
  'dueline.display.direction',
  'dueline.upNext.days',
  'dueline.tree.showCompleted',
  'dueline.tree.nestSubtasks',
  'dueline.tree.sort',
  'dueline.sort.default',
  'dueline.badge.count',
  'dueline.statusBar.enabled',
  'dueline.widgets',
  'dueline.filters',
  'dueline.quickAdd.language',
  'dueline.recurrence.onComplete',
  'dueline.recurrence.resetSubtasks',
  'dueline.recurrence.horizonDays',
  'dueline.reminders.allDayTime',
  'dueline.reminders.enabled',
  'dueline.reminders.catchUp',
  'dueline.reminders.snoozeOptions',
  'dueline.reminders.quietHours',
  'dueline.reminders.quietWhileDebugging',
  'dueline.completion.undoSeconds',
  'dueline.completion.confirmDelete',
  'dueline.bulk.confirmAbove',
  'dueline.sync.enabled',
  'dueline.sync.intervalMinutes',
  'dueline.sync.onFocus',
  'dueline.sync.onSave',
  'dueline.sync.conflictPolicy',
  'dueline.sync.timeoutSeconds',
  'dueline.sync.trustedCertificates',
] as const;
export type SettingId = (typeof settingIds)[number];
