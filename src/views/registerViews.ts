import * as vscode from 'vscode';
import { contextKeys, views } from '../contributions/ids';
import { widgetKinds } from '../core/agenda/widgets';
import { Disposables } from '../core/events';
import { today } from '../core/time/dates';
import { isolate, t, unlinked } from '../shared/l10n';
import type { Parts } from '../ui/services';
import { engineSettings, setting } from '../ui/settings/settings';
import { loadWords } from '../ui/text/loadBundle';
import { fullTitleOf } from '../ui/text/taskText';
import type { ViewController } from '../ui/viewController';
import { Badge } from './badge';
import { StatusBar } from './statusBar';
import { TaskPanels } from './taskEditor/panels';
import { TreeDrag } from './tree/dragAndDrop';
import { FiltersTree } from './tree/filtersTree';
import { keepFocus } from './tree/keepFocus';
import { ListsTree } from './tree/listsTree';
import type { TreeNode } from './tree/nodes';
import { TaskRevealer } from './tree/revealTask';
import type { TaskTree } from './tree/taskTree';
import { watchDays } from './webview/dayTimer';
import { WidgetPanels } from './widgets/panels';
import { WidgetView } from './widgets/views';

const pageSettings = ['dueline.display.language', 'dueline.display.locale', 'dueline.display.direction'];

/** Everything that shows tasks, and what makes all of it look again: settings, and the day's end. */
export function registerViews(parts: Parts): ViewController {
  const owned = new Disposables();
  const { engine } = parts;
  const lists = owned.add(new ListsTree(parts, views.lists));
  const filters = owned.add(new FiltersTree(parts, views.filters));
  const listsView = showTree(parts, lists, owned, (id, focus) => listsFocus.shift(id, focus));
  const listsFocus = new TaskRevealer(parts, lists, listsView);
  showTree(parts, filters, owned);
  const widgets = widgetKinds.map(kind => owned.add(new WidgetView(parts, kind)));
  const panels = owned.add(new WidgetPanels(parts));
  const forms = owned.add(new TaskPanels(parts));
  const status = owned.add(new StatusBar(engine));
  const badge = owned.add(new Badge(engine, listsView));

  const refresh = () => {
    lists.refresh();
    filters.refresh();
    for (const widget of widgets) widget.refresh();
    panels.refresh();
    status.update();
    badge.update();
  };

  /** Pages bring their words and their direction along: in another language they start over. */
  const redraw = () => {
    for (const widget of widgets) widget.redraw();
    panels.redraw();
    forms.redraw();
  };

  const pass = () => {
    lists.pass();
    filters.pass();
    for (const widget of widgets) widget.pass();
    panels.refresh();
    status.update();
    badge.update();
  };

  owned.add(followSettings(parts, redraw, refresh));
  owned.add(followDays(parts, pass, refresh));
  return {
    refresh,
    openTask: (task, occurrence) => forms.open(task, occurrence ?? null),
    newTask: listId => forms.create(listId),
    openWidget: setup => panels.open(setup),
    configureWidget: async kind => widgets.find(widget => widget.kind === kind)?.configure(),
    reveal: listsFocus.reveal,
    revealAfterMove: listsFocus.revealAfterMove,
    keepFocus: listsFocus.keepFocus,
    siblings: id => lists.around(id),
    filter: filterOf(lists, listsView),
    dispose: () => owned.dispose(),
  };
}

function followSettings(parts: Parts, redraw: () => void, refresh: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration(async event => {
    if (!event.affectsConfiguration('dueline')) return;
    await loadWords(parts.extensionUri);
    parts.engine.configure(engineSettings());
    if (pageSettings.some(id => event.affectsConfiguration(id))) redraw();
    refresh();
  });
}

/** Looks again at what time has changed; at all of it once the day is another. */
function followDays(parts: Parts, pass: () => void, refresh: () => void): vscode.Disposable {
  let day = todayOf(parts);
  return watchDays(parts.engine, () => {
    const isNewDay = day !== todayOf(parts);
    day = todayOf(parts);
    if (isNewDay) refresh();
    else pass();
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

function showTree(
  parts: Parts,
  tree: TaskTree,
  owned: Disposables,
  onDropped?: TreeDrag['onDropped'],
): vscode.TreeView<TreeNode> {
  const view = owned.add(
    vscode.window.createTreeView(tree.name, {
      treeDataProvider: tree,
      manageCheckboxStateManually: true,
      canSelectMany: true,
      showCollapseAll: true,
      dragAndDropController: new TreeDrag(
        parts.engine,
        tree.name,
        node => fullTitleOf(parts.engine.task(node.taskId) ?? { title: '' }),
        onDropped,
      ),
    }),
  );
  owned.add(view.onDidChangeCheckboxState(({ items }) => tree.onChecked(items)));
  owned.add(view.onDidCollapseElement(({ element }) => tree.onCollapse(element)));
  owned.add(view.onDidExpandElement(({ element }) => tree.onExpand(element)));
  owned.add(view.onDidChangeSelection(({ selection }) => void showMore(tree, view, selection)));
  owned.add(parts.selection.track(view));
  for (const part of keepFocus(parts.selection, tree, view)) owned.add(part);
  return view;
}

/** Choosing the row that stands for more shows them, and goes on from the first of them. */
async function showMore(tree: TaskTree, view: vscode.TreeView<TreeNode>, selected: readonly TreeNode[]): Promise<void> {
  const [node, ...others] = selected;
  if (node?.kind !== 'more' || others.length > 0) return;
  const first = tree.showMore(node);
  // The editor refuses where the person has folded the place meanwhile.
  if (first) await view.reveal(first, { select: true, focus: true }).then(undefined, () => undefined);
}

const todayOf = ({ engine }: Parts) => today(engine.clock, setting('dueline.day.startHour'));
