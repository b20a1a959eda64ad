import * as vscode from 'vscode';
import { today } from '../core/dates';
import { Disposables } from '../core/events';
import { contextKeys, views } from '../ids';
import { loadWords } from './bundle';
import { FiltersTree } from './filtersTree';
import { ListsTree } from './listsTree';
import type { Parts } from './parts';
import { engineSettings, setting } from './settings';
import { StatusBar } from './statusBar';
import type { TaskTree } from './taskTree';
import { TodayView } from './todayView';

export interface Views extends vscode.Disposable {
  refresh(): void;
}

/** Everything that shows tasks, and what makes all of it look again: settings, and the day's end. */
export function registerViews(parts: Parts): Views {
  const owned = new Disposables();
  const { engine } = parts;
  const lists = owned.add(new ListsTree(parts, views.lists));
  const filters = owned.add(new FiltersTree(parts, views.filters));
  for (const tree of [lists, filters]) owned.add(showTree(parts, tree));
  const todayView = owned.add(new TodayView(parts));
  const status = owned.add(new StatusBar(engine));

  const refresh = () => {
    lists.refresh();
    filters.refresh();
    todayView.refresh();
    status.update();
  };

  owned.add(
    vscode.workspace.onDidChangeConfiguration(async event => {
      if (!event.affectsConfiguration('dueline')) return;
      await loadWords(parts.extensionUri);
      engine.configure(engineSettings());
      refresh();
    }),
  );

  const publishAccounts = () =>
    void vscode.commands.executeCommand('setContext', contextKeys.hasAccounts, engine.accounts().length > 0);
  owned.add(
    engine.onDidChange(change => (change.accounts.length > 0 || change.tasks.length === 0) && publishAccounts()),
  );
  publishAccounts();

  owned.add(everyMinute(engine.clock, refresh));
  return { refresh, dispose: () => owned.dispose() };
}

function showTree(parts: Parts, tree: TaskTree): vscode.Disposable {
  const view = vscode.window.createTreeView(tree.name, {
    treeDataProvider: tree,
    manageCheckboxStateManually: true,
    canSelectMany: true,
    showCollapseAll: true,
  });
  return vscode.Disposable.from(
    view,
    view.onDidChangeCheckboxState(({ items }) => tree.onChecked(items)),
    view.onDidCollapseElement(({ element }) => tree.onCollapse(element)),
    parts.selection.track(view),
  );
}

/** A new day moves tasks between groups, and a passed minute makes one overdue, without any edit. */
function everyMinute(clock: Parts['engine']['clock'], refresh: () => void): vscode.Disposable {
  const day = () => today(clock, setting<number>('dueline.day.startHour'));
  let seen = day();
  const timer = setInterval(() => {
    if (day() === seen) return;
    seen = day();
    refresh();
  }, 60_000);
  return new vscode.Disposable(() => clearInterval(timer));
}
