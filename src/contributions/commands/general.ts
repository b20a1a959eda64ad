/** Widgets, views and the extension itself. */
import type { WidgetKind } from '../../query/agenda/widgets';
import type { OnTask } from '../commandTargets';
import { command } from '../define';
import { contextKeys } from '../ids';
import {
  all,
  anyList,
  anyTreeFocus,
  focusedRow,
  inFilters,
  inLists,
  inWidget,
  isReady,
  meetingsHidden,
  meetingsShown,
  readyTodayOrLists,
  widgetTab,
} from '../when';

export const generalCommands = {
  'dueline.openWidget': command<[kind?: WidgetKind]>({
    menus: [{ menu: 'view/title', group: '8_widget@2', when: inWidget }],
  }),
  // From the title of a tab it gets the address of the page.
  'dueline.widget.configure': command<[of?: WidgetKind | object]>({
    palette: false,
    icon: 'settings',
    menus: [{ menu: 'editor/title', group: 'navigation@9', when: widgetTab }],
  }),
  'dueline.widget.editAsText': command<[of?: WidgetKind | object]>({
    palette: false,
    menus: [{ menu: 'editor/title', group: '1_text@1', when: widgetTab }],
  }),
  'dueline.openSettings': command({ menus: [{ menu: 'dueline.help', group: '1@1' }] }),
  'dueline.openWalkthrough': command({ menus: [{ menu: 'dueline.help', group: '1@3' }] }),
  'dueline.showKeys': command<OnTask>({
    menus: [{ menu: 'dueline.help', group: '1@2' }],
    keys: [{ key: 'shift+/', when: all(anyTreeFocus, '!treeFindOpen') }],
  }),
  // The palette is full: the way to the first calendar is the menu of each widget.
  'dueline.meetings.choose': command({
    palette: contextKeys.hasCalendars,
    menus: [{ menu: 'view/title', group: '8_widget@3', when: inWidget }],
  }),
  // Each of two is shown only if it would change something.
  'dueline.meetings.toggle': command({
    palette: meetingsShown,
    menus: [{ menu: 'view/title', group: '8_widget@4', when: all(`(${inWidget})`, meetingsShown) }],
  }),
  'dueline.meetings.show': command({
    palette: meetingsHidden,
    menus: [{ menu: 'view/title', group: '8_widget@4', when: all(`(${inWidget})`, meetingsHidden) }],
  }),
  'dueline.meetings.addTask': command({ palette: contextKeys.hasCalendars }),
  // A page calls it, with the names of meetings.
  'dueline.meetings.open': command<[keys?: readonly string[]]>({ palette: false }),
  'dueline.showToday': command(),
  'dueline.whatsNew': command(),
  // The undo step, from callers that name one; a menu passes something else.
  'dueline.undo': command<[step?: string | object]>({
    icon: 'discard',
    enablement: 'dueline.canUndo',
    menus: [{ menu: 'view/title', group: '3_history@1', when: readyTodayOrLists }],
    keys: [{ key: 'ctrl+z', mac: 'cmd+z', when: all(anyTreeFocus, 'dueline.canUndo'), args: focusedRow }],
  }),
  // Offered as All…; the id keeps its first name, which other extensions may run.
  'dueline.redateMore': command<[announcement: unknown]>({ palette: false }),
  'dueline.redo': command<[calledBy?: object]>({
    icon: 'redo',
    enablement: 'dueline.canRedo',
    menus: [{ menu: 'view/title', group: '3_history@2', when: readyTodayOrLists }],
    keys: [
      { key: 'ctrl+shift+z', mac: 'cmd+shift+z', when: all(anyTreeFocus, 'dueline.canRedo'), args: focusedRow },
      { key: 'ctrl+y', when: all(anyTreeFocus, 'dueline.canRedo'), args: focusedRow },
    ],
  }),
  // Each of two is shown only if it would change something.
  'dueline.view.toggleCompleted': command({
    palette: false,
    menus: [{ menu: 'dueline.view', group: '1@1', when: 'config.dueline.tree.showCompleted' }],
  }),
  'dueline.view.showCompleted': command({
    palette: false,
    menus: [{ menu: 'dueline.view', group: '1@1', when: '!config.dueline.tree.showCompleted' }],
  }),
  'dueline.view.toggleSubtasks': command({
    palette: false,
    menus: [{ menu: 'dueline.view', group: '1@2', when: 'config.dueline.tree.nestSubtasks' }],
  }),
  'dueline.view.nestSubtasks': command({
    palette: false,
    menus: [{ menu: 'dueline.view', group: '1@2', when: '!config.dueline.tree.nestSubtasks' }],
  }),
  'dueline.view.sort': command({
    menus: [
      { menu: 'dueline.view', group: '2@1' },
      { menu: 'view/item/context', group: '3_organise@0', when: anyList },
    ],
  }),
  'dueline.view.group': command({
    menus: [
      { menu: 'dueline.view', group: '2@2' },
      { menu: 'view/title', group: '2_show@1', when: all(inFilters, isReady) },
    ],
  }),
  'dueline.view.refresh': command({
    palette: false,
    icon: 'refresh',
    menus: [{ menu: 'dueline.help', group: '2@1' }],
  }),
  'dueline.openLog': command({
    menus: [
      { menu: 'dueline.help', group: '2@2', when: inLists },
      { menu: 'view/title', group: '9_view@2', when: all(inLists, "dueline.state == 'failed'") },
    ],
  }),
  'dueline.leaveQuestion': command<[{ readonly isClosed: true }?]>({
    palette: false,
    enablement: 'dueline.asking',
    keys: [
      {
        key: 'escape',
        when: all('dueline.asking', 'inQuickInput'),
        first: 'workbench.action.closeQuickOpen',
        args: { isClosed: true },
      },
    ],
  }),
  'dueline.takeSuggestion': command({
    palette: false,
    enablement: 'dueline.suggesting',
    keys: [{ key: 'tab', when: all('dueline.suggesting', 'inQuickInput') }],
  }),
};
