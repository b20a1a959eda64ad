import * as vscode from 'vscode';
import type { DuelineEngine } from '../api';
import { contextKeys } from '../contributions/ids';
import { Disposables } from '../core/kernel/events';
import type { Id } from '../core/kernel/model';
import { today } from '../core/time/dates';
import { widgetKinds } from '../query/agenda/widgets';
import { isolate, t, unlinked } from '../shared/l10n';
import type { Services } from '../ui/services';
import { engineSettings, setting } from '../ui/settings/settings';
import { workspaceList } from '../ui/settings/workspaceList';
import { loadWords } from '../ui/text/loadBundle';
import { nextFreeTime } from '../ui/text/loadText';
import type { ViewController } from '../ui/viewController';
import { Badge } from './badge';
import type { Trees } from './registerTrees';
import { StatusBar } from './statusBar';
import { NotesFiles } from './taskEditor/notesFiles';
import { TaskPanels } from './taskEditor/taskPanels';
import type { ListsTree } from './tree/listsTree';
import type { TreeNode } from './tree/nodes';
import { watchDays } from './webview/dayTimer';
import { textOfWidget } from './widgets/asText';
import { WidgetPanels } from './widgets/panels';
import { WidgetView } from './widgets/widgetView';
import { WorkingOn } from './workingOn';
import { WorkPresence } from './workPresence';

/** How often, and after how long, opening a list is tried again in a tree that the editor has not drawn yet. */
const maxRetries = 20;
const retryMs = 1000;

const pageSettings = ['dueline.display.language', 'dueline.display.locale'];

/**
 * The door of the views: widgets, forms, the status bar and the badge, in addition to the trees, which are there already.
 *
 * Views know the engine, never the store or the network. Every view follows three events: a change of the engine, a
 * change of a setting, and the end of the day.
 */
export function registerViews(services: Services, trees: Trees): ViewController {
  const owned = new Disposables();
  const { engine } = services;
  const { lists, filters, listsView, listsFocus } = trees;
  owned.add(openWorkspaceList(engine, lists, listsView));
  const widgets = widgetKinds.map(kind => owned.add(new WidgetView(services, kind)));
  const panels = owned.add(new WidgetPanels(services));
  const forms = owned.add(new TaskPanels(services, task => listsFocus.reveal(task)));
  owned.add(new NotesFiles(engine, services.announce));
  const status = owned.add(new StatusBar(engine));
  const working = owned.add(new WorkingOn(engine));
  owned.add(new WorkPresence(engine, services.log));
  const badge = owned.add(new Badge(engine, listsView));

  const refresh = () => {
    lists.refresh();
    filters.refresh();
    for (const widget of widgets) widget.refresh();
    panels.refresh();
    status.update();
    working.update();
    badge.update();
  };

  /** Pages bring their words and their direction along: in another language they start over. */
  const redraw = () => {
    for (const widget of widgets) widget.redraw();
    panels.redraw();
    forms.redraw();
  };

  const refreshTimes = () => {
    lists.flush();
    filters.flush();
    for (const widget of widgets) widget.refreshTimes();
    panels.refresh();
    status.update();
    badge.update();
  };

  owned.add(followSettings(services, redraw, refresh));
  owned.add(followDays(engine, refreshTimes, refresh));
  return {
    refresh,
    openTask: (task, occurrence, isPreview) => forms.open(task, occurrence ?? null, isPreview),
    newTask: listId => forms.create(listId),
    openWidget: setup => panels.open(setup),
    configureWidget: async kind => widgets.find(widget => widget.kind === kind)?.configure(),
    configureTab: () => panels.configure(),
    widgetText: kind => {
      const setup = kind ? widgets.find(widget => widget.kind === kind)?.setup : panels.setup;
      return setup && textOfWidget(engine, setup);
    },
    reveal: listsFocus.reveal,
    revealAfterMove: listsFocus.revealAfterMove,
    keepFocus: listsFocus.keepFocus,
    siblings: id => lists.siblings(id),
    filter: filterOf(lists, listsView),
    dispose: () => owned.dispose(),
  };
}

function followSettings(
  services: Pick<Services, 'engine' | 'extensionUri'>,
  redraw: () => void,
  refresh: () => void,
): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration(async event => {
    if (!event.affectsConfiguration('dueline')) return;
    await loadWords(services.extensionUri);
    services.engine.configure(engineSettings());
    if (pageSettings.some(id => event.affectsConfiguration(id))) redraw();
    refresh();
  });
}

/** Refreshes the rows that time has changed, and everything on a new day. */
function followDays(engine: DuelineEngine, refreshTimes: () => void, refresh: () => void): vscode.Disposable {
  let day = todayOf(engine);
  const nextBoundary = () => Math.min(engine.nextBoundary(), nextFreeTime(engine));
  return watchDays({ clock: engine.clock, onDidChange: engine.onDidChange, nextBoundary }, () => {
    const isNewDay = day !== todayOf(engine);
    day = todayOf(engine);
    if (isNewDay) refresh();
    else refreshTimes();
  });
}

/** Once the tree is seen, the list that is used in this workspace is open in it. */
function openWorkspaceList(engine: DuelineEngine, tree: ListsTree, view: vscode.TreeView<TreeNode>): vscode.Disposable {
  let shown: Id | undefined;
  let timer: NodeJS.Timeout | undefined;
  let left = maxRetries;
  const open = () => {
    clearTimeout(timer);
    const id = workspaceList();
    const list = engine.lists().find(one => one.id === id && one.isVisible);
    if (!view.visible || id === shown) return;
    shown = id;
    if (list)
      view
        .reveal(tree.branchOfList(list), { select: false, focus: false, expand: true })
        // A tree that is not drawn yet.
        .then(undefined, () => {
          if (shown !== id) return;
          shown = undefined;
          if (left > 0) timer = setTimeout(retry, retryMs);
        });
  };
  const retry = () => {
    left--;
    open();
  };
  open();
  return vscode.Disposable.from(view.onDidChangeVisibility(open), engine.onDidChange(open), {
    dispose: () => {
      left = 0;
      clearTimeout(timer);
    },
  });
}

const filterOf = (lists: ListsTree, view: vscode.TreeView<TreeNode>): ViewController['filter'] => ({
  get text() {
    return lists.filter;
  },
  set: text => {
    lists.filter = text;
    view.message = text === undefined ? undefined : unlinked(t('Filtered: {0}', isolate(text)));
    void vscode.commands.executeCommand('setContext', contextKeys.filterActive, text !== undefined);
    lists.refresh();
  },
});

const todayOf = (engine: DuelineEngine) => today(engine.clock, setting('dueline.day.startHour'));
