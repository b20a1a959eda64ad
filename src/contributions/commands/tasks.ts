/** Commands that add and change tasks, except their dates. */
import { priorityKeys } from '../../core/fields/priority';
import type {
  ClickedRow,
  FocusedRow,
  OnCompletion,
  OnList,
  OnRepository,
  OnTask,
  OnTaskByKey,
  OnTasks,
  OnTasksByKey,
  OnTodo,
  QuickAddSeed,
  TaskTarget,
} from '../commandTargets';
import { command } from '../define';
import { panels } from '../ids';
import {
  activeTask,
  all,
  anyPageTask,
  anyTask,
  anyTreeFocus,
  bareTodo,
  codeFocus,
  donePageTask,
  doneTask,
  doneTodo,
  fileIsOpen,
  focusedRow,
  inLists,
  inToday,
  inTodoRow,
  inTodos,
  isLinked,
  isOwnLinked,
  isPlain,
  isWorkspaceTrusted,
  letterKey,
  listsFocus,
  oneRow,
  openPageTask,
  openTask,
  openTodo,
  ownTask,
  pageTask,
  plainPageTask,
  readyTodayOrLists,
  startedPageTask,
  startedTask,
  taskTodo,
  textFocus,
  treeFocus,
  writableList,
} from '../when';

export const taskCommands = {
  'dueline.quickAdd': command<[seed?: QuickAddSeed | FocusedRow]>({
    icon: 'add',
    menus: [
      { menu: 'view/title', group: 'navigation@1', when: readyTodayOrLists },
      { menu: 'view/item/context', group: 'inline@1', when: writableList },
      { menu: 'view/item/context', group: '1_edit@1', when: writableList },
      { menu: 'dueline.editor', group: '2@1' },
    ],
    keys: [
      // One key if one is free: the editor's own meanings of it are in its find box, notebooks and chats.
      { key: 'ctrl+alt+enter', mac: 'cmd+alt+enter', when: codeFocus, args: { fromEditor: true } },
      { key: 'ctrl+k ctrl+;', mac: 'cmd+k cmd+;' },
      letterKey('n'),
    ],
  }),
  'dueline.newTask': command<OnList>({
    palette: false,
    menus: [{ menu: 'view/title', group: '1_plan@2', when: inToday }],
  }),
  'dueline.addFromSelection': command({ palette: fileIsOpen, menus: [{ menu: 'dueline.editor', group: '1@1' }] }),
  'dueline.addHere': command({
    palette: fileIsOpen,
    menus: [{ menu: 'dueline.editor', group: '1@0' }],
    keys: [{ key: 'ctrl+alt+shift+enter', mac: 'cmd+alt+shift+enter', when: textFocus }],
  }),
  'dueline.addFromTodo': command<OnTodo>({
    palette: false,
    icon: 'add',
    menus: [
      { menu: 'view/item/context', group: 'inline@1', when: bareTodo },
      { menu: 'view/item/context', group: '1_edit@1', when: bareTodo },
    ],
  }),
  'dueline.addFromTodoWithId': command<OnTodo>({
    palette: false,
    enablement: isWorkspaceTrusted,
    menus: [{ menu: 'view/item/context', group: '1_edit@2', when: all(bareTodo, isWorkspaceTrusted) }],
  }),
  'dueline.removeTodo': command<OnTodo>({
    palette: false,
    icon: 'trash',
    enablement: isWorkspaceTrusted,
    menus: [
      { menu: 'view/item/context', group: 'inline@1', when: all(doneTodo, isWorkspaceTrusted) },
      { menu: 'view/item/context', group: '9_danger@1', when: all(inTodoRow, isWorkspaceTrusted) },
    ],
  }),
  'dueline.findTodos': command({
    icon: 'search',
    menus: [{ menu: 'view/title', group: 'navigation@1', when: inTodos }],
  }),
  'dueline.showTodosOf': command({
    palette: false,
    icon: 'list-filter',
    menus: [{ menu: 'view/title', group: 'navigation@2', when: inTodos }],
  }),
  'dueline.addFromClipboard': command(),
  'dueline.open': command<[target?: TaskTarget | FocusedRow | ClickedRow]>({
    palette: false,
    icon: 'go-to-file',
    menus: [
      { menu: 'view/item/context', group: '1_edit@1', when: all(anyTask, oneRow) },
      { menu: 'view/item/context', group: 'inline@2', when: taskTodo },
      { menu: 'view/item/context', group: '1_edit@1', when: taskTodo },
      { menu: 'webview/context', group: '1_edit@1', when: all(anyPageTask, `webviewId != '${panels.taskEditor}'`) },
    ],
    keys: [{ key: 'enter', when: treeFocus, args: focusedRow }],
  }),
  'dueline.complete': command<OnCompletion>({
    icon: 'check',
    menus: [
      { menu: 'view/item/context', group: '1_edit@2', when: ownTask },
      { menu: 'view/item/context', group: 'inline@1', when: openTodo },
      { menu: 'view/item/context', group: '1_edit@2', when: taskTodo },
      { menu: 'webview/context', group: '1_edit@2', when: pageTask },
    ],
    keys: [{ key: 'space', when: anyTreeFocus, args: focusedRow }],
  }),
  'dueline.rename': command<OnTaskByKey>({
    menus: [
      { menu: 'view/item/context', group: '1_edit@4', when: all(ownTask, oneRow) },
      { menu: 'webview/context', group: '1_edit@4', when: pageTask },
    ],
    keys: [{ key: 'f2', when: treeFocus, args: focusedRow }],
  }),
  'dueline.editNotes': command<OnTask>({
    menus: [{ menu: 'webview/context', group: '1_edit@4', when: all(pageTask, `webviewId == '${panels.taskEditor}'`) }],
  }),
  'dueline.delete': command<OnTasksByKey>({
    icon: 'trash',
    menus: [
      { menu: 'view/item/context', group: '9_danger@2', when: ownTask },
      { menu: 'webview/context', group: '9_danger@2', when: pageTask },
    ],
    keys: [{ key: 'delete', mac: 'cmd+backspace', when: treeFocus, args: focusedRow }],
  }),
  'dueline.actions': command<OnTask>({ palette: false }),
  'dueline.start': command<OnTasks>({
    menus: [{ menu: 'dueline.status', group: '1@1', when: `!(${activeTask})` }],
  }),
  'dueline.stop': command<OnTasks>({
    menus: [{ menu: 'dueline.status', group: '1@1', when: `(${startedTask}) || (${startedPageTask})` }],
  }),
  'dueline.startOnBranch': command<OnTask>({
    menus: [{ menu: 'dueline.status', group: '1@3', when: 'workspaceFolderCount != 0' }],
  }),
  'dueline.insertTrailer': command<OnRepository>({
    palette: false,
    menus: [{ menu: 'scm/title', group: '9_dueline@1', when: 'scmProvider == git' }],
  }),
  'dueline.completeActive': command(),
  'dueline.commitAndComplete': command<OnRepository>({
    menus: [{ menu: 'scm/title', group: '9_dueline@2', when: 'scmProvider == git' }],
  }),
  'dueline.cancel': command<OnTasks>({ palette: false, menus: [{ menu: 'dueline.status', group: '2@1' }] }),
  'dueline.setProgress': command<OnTasks>({ palette: false, menus: [{ menu: 'dueline.status', group: '1@2' }] }),
  'dueline.blockedBy': command<OnTasks>({
    palette: false,
    menus: [{ menu: 'dueline.move', group: '2@3', when: `(${openTask}) || (${openPageTask})` }],
  }),
  'dueline.duplicate': command<OnTasks>({ palette: false, menus: [{ menu: 'dueline.move', group: '1@2' }] }),
  'dueline.setPriority': command<OnTasksByKey>({
    menus: [{ menu: 'dueline.priority', group: '2@1' }],
    keys: [
      ...Object.entries(priorityKeys).map(([key, priority]) => letterKey(key, { ...focusedRow, priority })),
      // Menus show the last one.
      letterKey('p'),
    ],
  }),
  'dueline.priorityHigh': command<OnTasks>({ palette: false, menus: [{ menu: 'dueline.priority', group: '1@1' }] }),
  'dueline.priorityMedium': command<OnTasks>({ palette: false, menus: [{ menu: 'dueline.priority', group: '1@2' }] }),
  'dueline.priorityLow': command<OnTasks>({ palette: false, menus: [{ menu: 'dueline.priority', group: '1@3' }] }),
  'dueline.priorityNone': command<OnTasks>({ palette: false, menus: [{ menu: 'dueline.priority', group: '1@4' }] }),
  'dueline.editTags': command<OnTasksByKey>({
    menus: [
      { menu: 'view/item/context', group: '3_organise@3', when: ownTask },
      { menu: 'webview/context', group: '3_organise@2', when: pageTask },
    ],
    keys: [letterKey('t')],
  }),
  'dueline.moveToList': command<OnTasksByKey>({
    menus: [{ menu: 'dueline.move', group: '1@1' }],
    keys: [letterKey('m')],
  }),
  'dueline.addSubtask': command<OnTask>({
    icon: 'add',
    menus: [
      { menu: 'view/item/context', group: 'inline@3', when: all(openTask, inLists) },
      { menu: 'view/item/context', group: '1_edit@5', when: all(openTask, oneRow, isPlain) },
      { menu: 'webview/context', group: '1_edit@5', when: plainPageTask },
    ],
  }),
  'dueline.moveUp': command<OnTaskByKey>({
    palette: false,
    keys: [{ key: 'alt+up', when: listsFocus, args: focusedRow }],
  }),
  'dueline.moveDown': command<OnTaskByKey>({
    palette: false,
    keys: [{ key: 'alt+down', when: listsFocus, args: focusedRow }],
  }),
  'dueline.indent': command<OnTaskByKey>({
    palette: false,
    menus: [{ menu: 'dueline.move', group: '2@1', when: all(openTask, inLists, oneRow) }],
    keys: [{ key: 'ctrl+]', mac: 'cmd+]', when: listsFocus, args: focusedRow }],
  }),
  'dueline.outdent': command<OnTaskByKey>({
    palette: false,
    menus: [{ menu: 'dueline.move', group: '2@2', when: all(openTask, inLists, 'viewItem =~ /\\.child/', oneRow) }],
    keys: [{ key: 'ctrl+[', mac: 'cmd+[', when: listsFocus, args: focusedRow }],
  }),
  'dueline.bulkEdit': command<OnTasks>({
    menus: [{ menu: 'view/item/context', group: '1_edit@1', when: all(ownTask, 'listMultiSelection') }],
  }),
  'dueline.linkHere': command<OnTask>({
    palette: fileIsOpen,
    menus: [
      { menu: 'dueline.copy', group: '2@2', when: all(ownTask, oneRow, fileIsOpen) },
      { menu: 'dueline.editor', group: '1@2' },
    ],
  }),
  'dueline.openLink': command<OnTaskByKey>({
    palette: false,
    icon: 'link-external',
    menus: [
      { menu: 'view/item/context', group: 'inline@0', when: all(anyTask, isLinked, oneRow) },
      { menu: 'dueline.copy', group: '2@1', when: all(isLinked, oneRow) },
    ],
    keys: [letterKey('o')],
  }),
  'dueline.pinHere': command<OnTask>({
    palette: false,
    menus: [{ menu: 'dueline.copy', group: '2@4', when: all(isOwnLinked, oneRow) }],
  }),
  'dueline.removeLink': command<OnTask>({
    palette: false,
    menus: [{ menu: 'dueline.copy', group: '2@3', when: all(isOwnLinked, oneRow) }],
  }),
  'dueline.copyLink': command<OnTasks>({ palette: false, menus: [{ menu: 'dueline.copy', group: '1@1' }] }),
  'dueline.copyStandup': command(),
  'dueline.timeReport': command(),
  'dueline.editTime': command<OnTask>({
    palette: false,
    menus: [
      { menu: 'dueline.status', group: '1@4' },
      { menu: 'view/item/context', group: '1_edit@6', when: all(doneTask, oneRow) },
      { menu: 'webview/context', group: '1_edit@6', when: donePageTask },
    ],
  }),
  'dueline.weeklyReview': command(),
  'dueline.copyMarkdown': command<OnTasks>({ palette: false, menus: [{ menu: 'dueline.copy', group: '1@2' }] }),
  'dueline.copyShortId': command<OnTasks>({ palette: false, menus: [{ menu: 'dueline.copy', group: '1@4' }] }),
};
