/** Named conditions for menus and keys. `viewItem` is the context value of a row in a tree. */
import { widgetKinds, widgets } from '../query/agenda/widgets';
import { contextKeys, panels, views, widgetViewId } from './ids';
import { serverContextKeys } from './serverIds';

/**
 * Joins conditions of a when clause; an `||` inside one brings its own brackets.
 *
 * @example
 * all('view == dueline.lists', 'listFocus') // 'view == dueline.lists && listFocus'
 */
export const all = (...conditions: string[]) => conditions.join(' && ');

export const isReady = `${contextKeys.state} != 'failed'`;
export const inToday = `view == ${widgetViewId('today')}`;
export const inLists = `view == ${views.lists}`;
export const inFilters = `view == ${views.filters}`;
const inTrees = `(${inLists} || ${inFilters})`;
export const inWidget = [
  ...widgetKinds
    .filter(kind => widgets[kind].view.container === 'sidebar')
    .map(kind => `view == ${widgetViewId(kind)}`),
  'view =~ /^dueline\\.widgets/',
].join(' || ');

export const meetingsShown = all(contextKeys.hasCalendars, 'config.dueline.meetings.show');
export const meetingsHidden = all(contextKeys.hasCalendars, '!config.dueline.meetings.show');

export const widgetTab = `activeWebviewPanelId == '${panels.widget}'`;

export const readyLists = all(inLists, isReady);
export const readyTodayOrLists = all(`(${inToday} || ${inLists})`, isReady);
export const readyView = all('view =~ /^dueline\\./', isReady);
export const listsWithAccounts = all(inLists, serverContextKeys.hasAccounts);

/** Matches rows of tasks; the row of a read-only task is a `readOnlyTask`. */
export const anyTask = all(inTrees, 'viewItem =~ /^(task|readOnlyTask)/');
export const ownTask = all(inTrees, 'viewItem =~ /^task/');
export const openTask = all(inTrees, 'viewItem =~ /^task\\.open/');
export const doneTask = all(inTrees, 'viewItem =~ /^task\\.done/');
/** A task in progress. */
export const startedTask = all(openTask, 'viewItem =~ /\\.started/');
/** The task whose time is running. */
export const activeTask = 'viewItem =~ /\\.active/ || webviewSection =~ /\\.active/';
/** A task that an agent has claimed. */
export const claimedTask = 'viewItem =~ /\\.claimed/ || webviewSection =~ /\\.claimed/';
export const recurringTask = all(inTrees, 'viewItem =~ /^task\\.open.*\\.recurring/');
/** A row, in a tree or a widget, with a link to code or an address. */
export const isLinked = '(viewItem =~ /\\.linked/ || webviewSection =~ /\\.linked/)';
/** A row with a link that is not read-only. */
export const isOwnLinked = all(isLinked, '!(viewItem =~ /^readOnlyTask/ || webviewSection =~ /^readOnlyTask/)');
/** A conflict adds its own answer to a menu; another entry makes room, so that menus stay short. */
export const isPlain = '!(viewItem =~ /\\.conflict/)';
export const isRecurringRow = 'viewItem =~ /\\.recurring/';
export const hasConflict = 'viewItem =~ /\\.conflict/';
export const oneRow = '!listMultiSelection';
/** A file with lines: a webview or an image is an active editor, too. */
export const fileIsOpen = 'activeEditor == workbench.editors.files.textFileEditor';

export const anyList = all(inLists, 'viewItem =~ /^list/');
export const writableList = all(inLists, 'viewItem =~ /^list\\..*writable/');
/** A list of an account, even if it is not synced at present. */
export const remoteList = all(anyList, 'viewItem =~ /\\.remote/');
export const syncedList = all(remoteList, '!(viewItem =~ /\\.notSynced/)');
export const notSyncedList = all(remoteList, 'viewItem =~ /\\.notSynced/');
export const account = all(inLists, 'viewItem =~ /^account/');
/** Failures that a retry may fix; those that need a password or a trusted certificate have another button. */
export const failedAccount = all(account, 'viewItem =~ /failed/');
export const refusedAccount = all(account, 'viewItem =~ /refused/');
export const pausedAccount = all(account, 'viewItem =~ /paused/');
export const anyFilter = all(inFilters, 'viewItem =~ /^filter/');
export const savedFilter = all(inFilters, 'viewItem =~ /^filter\\.saved/');
export const pinnedFilter = all(inFilters, 'viewItem == filter.saved.pinned');
export const unpinnedFilter = all(inFilters, 'viewItem == filter.saved');
/** In Restricted Mode files are only read. */
export const isWorkspaceTrusted = 'isWorkspaceTrusted';

/** Rows of TODO comments. */
export const inTodos = `view == ${views.todos}`;
export const bareTodo = all(inTodos, 'viewItem =~ /^todo\\.none/');
export const openTodo = all(inTodos, 'viewItem =~ /^todo\\.task\\.open/');
export const taskTodo = all(inTodos, 'viewItem =~ /^todo\\.task/');
export const inTodoRow = all(inTodos, 'viewItem =~ /^todo/');
export const doneTodo = all(inTodos, 'viewItem =~ /^todo\\.task\\.done/');
export const trash = all(inFilters, 'viewItem =~ /^(deleted|trash)$/');

/** Matches rows of widgets, including read-only ones. */
export const anyPageTask = all('webviewId =~ /^dueline\\./', 'webviewSection =~ /^(task|readOnlyTask)/');
export const pageTask = all('webviewId =~ /^dueline\\./', 'webviewSection =~ /^task/');
export const openPageTask = all('webviewId =~ /^dueline\\./', 'webviewSection =~ /^task\\.open/');
export const donePageTask = all('webviewId =~ /^dueline\\./', 'webviewSection =~ /^task\\.done/');
export const remindedPageTask = all(anyPageTask, 'webviewSection =~ /\\.open.*\\.reminded/');
export const recurringPageTask = all('webviewId =~ /^dueline\\./', 'webviewSection =~ /^task\\.open\\.recurring/');
export const oncePageTask = all(openPageTask, '!(webviewSection =~ /recurring/)');
export const plainPageTask = all(openPageTask, '!(webviewSection =~ /conflict|reminded/)');
export const conflictPageTask = all(pageTask, 'webviewSection =~ /\\.conflict/', '!(webviewSection =~ /reminded/)');
/** A row with the submenu of what is done with a task. */
export const anyOpenTask = 'viewItem =~ /^task\\.open/ || webviewSection =~ /^task\\.open/';
export const startedPageTask = all(openPageTask, 'webviewSection =~ /\\.started/');

/** For keys: the text of a file, or of a cell in a notebook, has the focus. */
export const textFocus = all('editorTextFocus', '!findWidgetVisible', '!inChatInput');
/** For keys: the text of a file has the focus, and no notebook, which has keys of its own. */
export const codeFocus = all(textFocus, '!notebookEditorFocused');

/** For keys: a row of a tree has the focus. */
export const treeFocus = all('focusedView =~ /^dueline\\.(lists|filters)$/', 'listFocus', '!inputFocus');
export const listsFocus = all(`focusedView == ${views.lists}`, 'listFocus', '!inputFocus');
/** For keys that mean no list and no filter: a row of a tree has the focus, TODO comments included. */
export const anyTreeFocus = all('focusedView =~ /^dueline\\.(lists|filters|todos)$/', 'listFocus', '!inputFocus');
/** For keys that type: while VS Code finds rows by typing, these keys belong to it. */
const treeLetters = all(treeFocus, '!treeFindOpen', 'config.dueline.tree.letterKeys');
/** The argument of such a key. */
export const focusedRow = { focused: true } as const;
/** A letter or number key that does the same in trees as in widgets. */
export const letterKey = (key: string, args: unknown = focusedRow) => ({ key, when: treeLetters, args });

export const conflictDocument = 'resourceScheme == dueline-conflict';
