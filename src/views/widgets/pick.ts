import * as vscode from 'vscode';
import type { WidgetKind } from '../../api';
import { builtInFilters } from '../builtInFilters';
import { isolate, plain, t } from '../l10n';
import type { Parts } from '../parts';
import { savedFilters } from '../settings';
import { widgetName } from './content';
import { type WidgetSetup, widgetKinds } from './setup';

/** One, several or, with none ticked, all lists. Undefined where the person leaves. */
export async function pickLists(parts: Parts, chosen: readonly string[]): Promise<readonly string[] | undefined> {
  const picked = await vscode.window.showQuickPick(
    parts.engine.lists().map(({ name }) => ({ label: isolate(name), name, picked: chosen.includes(name) })),
    { title: t('Lists of This Widget'), placeHolder: t('None ticked means all of them'), canPickMany: true },
  );
  return picked?.map(({ name }) => name);
}

/** A saved or built-in filter, or a query that is typed; an empty one shows everything. */
export function pickFilter(chosen: string): Promise<string | undefined> {
  interface Line extends vscode.QuickPickItem {
    readonly filter: string;
  }
  const known: Line[] = [
    { label: t('All tasks'), filter: '' },
    ...savedFilters().map(({ name, query }) => ({ label: isolate(name), description: query, filter: name })),
    ...builtInFilters().map(({ name, query }) => ({ label: name, description: query, filter: query })),
  ];
  const pick = vscode.window.createQuickPick<Line>();
  pick.title = t('Filter of This Widget');
  pick.placeholder = t('Pick a filter, or type a query: #work !high sort:due');
  pick.matchOnDescription = true;
  pick.items = known;
  pick.activeItems = known.filter(({ filter }) => filter === chosen).slice(0, 1);
  pick.onDidChangeValue(text => {
    const query = plain(text);
    pick.items = query === '' ? known : [{ label: `$(filter) ${query}`, alwaysShow: true, filter: query }, ...known];
  });
  return new Promise(resolve => {
    let filter: string | undefined;
    pick.onDidAccept(() => {
      filter = pick.activeItems[0]?.filter;
      pick.hide();
    });
    pick.onDidHide(() => {
      pick.dispose();
      resolve(filter);
    });
    pick.show();
  });
}

export async function pickKind(placeHolder: string): Promise<WidgetKind | undefined> {
  const icons = {
    today: 'calendar',
    upNext: 'arrow-right',
    lists: 'list-unordered',
    week: 'layout',
    tasks: 'checklist',
  };
  const lines = widgetKinds.map(kind => ({
    label: `$(${icons[kind]}) ${widgetName({ kind, filter: '' })}`,
    widget: kind,
  }));
  return (await vscode.window.showQuickPick(lines, { placeHolder }))?.widget;
}

/** The setup after a control of the page was used; undefined where nothing changes. */
export async function changed(parts: Parts, setup: WidgetSetup, act: string): Promise<WidgetSetup | undefined> {
  switch (act) {
    case 'previous':
      return { ...setup, weeksAway: setup.weeksAway - 1 };
    case 'next':
      return { ...setup, weeksAway: setup.weeksAway + 1 };
    case 'now':
      return { ...setup, weeksAway: 0 };
    case 'pickLists': {
      const lists = await pickLists(parts, setup.lists);
      return lists && { ...setup, lists };
    }
    case 'pickFilter': {
      const filter = await pickFilter(setup.filter);
      return filter === undefined ? undefined : { ...setup, filter };
    }
    default:
      return undefined;
  }
}
