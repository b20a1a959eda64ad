import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import { type WidgetKind, widgetKinds, widgets } from '../../core/agenda/widgets';
import { isolate, plain, t, withoutIcons } from '../../shared/l10n';
import { Newest } from '../../shared/newest';
import type { WidgetSetup } from '../../shared/widgetProtocol';
import { builtInFilters } from '../../ui/builtInFilters';
import { askWith, showQuickPick } from '../../ui/dialogs';
import { showError } from '../../ui/errors';
import { savedFilters } from '../../ui/settings/settings';
import { withIcon } from '../../ui/withIcon';
import { checkQuery } from './answers';
import { kindName } from './kinds';
import type { SetupChange } from './setup';

/** One, several or, with none ticked, all lists. Undefined where the person leaves. */
async function pickLists(engine: DuelineEngine, chosen: readonly string[]): Promise<readonly string[] | undefined> {
  const picked = await showQuickPick(
    engine.lists().map(({ name }) => ({ label: isolate(name), name, picked: chosen.includes(name) })),
    { title: t('Widget Lists'), placeHolder: t('Select none to show all lists'), canPickMany: true },
  );
  return picked?.map(({ name }) => name);
}

interface FilterLine extends vscode.QuickPickItem {
  readonly filter: string;
  /** Taken over into the line to be typed on, not chosen. */
  readonly goesOn?: boolean;
}

/** A saved or built-in filter, or a query that is typed, with what may come next and what is wrong with it. */
function pickFilter(engine: DuelineEngine, chosen: string): Promise<string | undefined> {
  const known: FilterLine[] = [
    { label: t('All tasks'), filter: '' },
    ...savedFilters().map(({ name, query }) => ({
      label: isolate(name),
      description: withoutIcons(query),
      filter: name,
    })),
    ...builtInFilters().map(({ name, query }) => ({ label: name, description: query, filter: query })),
  ];
  const pick = vscode.window.createQuickPick<FilterLine>();
  pick.title = t('Widget Filter');
  pick.placeholder = t('Select a filter, or type a query: #work !high sort:due');
  pick.matchOnDescription = true;
  pick.items = known;
  pick.activeItems = known.filter(({ filter }) => filter === chosen).slice(0, 1);
  const newest = new Newest();
  const show = (text: string, others: readonly FilterLine[]) => {
    pick.items = [...typedLines(engine, text), ...others];
    void newest
      .ask(signal => checkQuery(engine, text, signal))
      .then(verdict => {
        if (verdict) pick.items = [...typedLines(engine, text, verdict), ...others];
      })
      .catch(showError);
  };
  pick.onDidChangeValue(text => {
    if (text.trim() !== '') return show(text, known);
    newest.end();
    pick.items = known;
  });
  return askWith(resolve => {
    let filter: string | undefined;
    pick.onDidAccept(() => {
      const line = pick.activeItems[0];
      if (line?.goesOn) {
        pick.value = line.filter;
        show(line.filter, []);
        return;
      }
      filter = line?.filter;
      pick.hide();
    });
    pick.onDidHide(() => {
      newest.end();
      pick.dispose();
      resolve(filter);
    });
    pick.show();
  });
}

/** The query as it is, and how it may go on. */
function typedLines(
  engine: DuelineEngine,
  text: string,
  verdict: Partial<Record<'problem' | 'count', string>> = {},
): FilterLine[] {
  const typed: FilterLine = {
    ...withIcon(verdict.problem === undefined ? 'filter' : 'warning', plain(text)),
    detail: verdict.problem ?? verdict.count ?? '',
    alwaysShow: true,
    filter: plain(text),
  };
  const next = engine.completeQuery(text, text.length).slice(0, 6);
  return [
    typed,
    ...next.map(({ text: word, range: [from, to] }) => ({
      ...withIcon('add', plain(word)),
      alwaysShow: true,
      filter: text.slice(0, from) + word + text.slice(to),
      goesOn: true,
    })),
  ];
}

export async function pickKind(placeHolder: string): Promise<WidgetKind | undefined> {
  const lines = widgetKinds.map(kind => ({
    ...withIcon(widgets[kind].icon, kindName(kind)),
    widget: kind,
  }));
  return (await showQuickPick(lines, { placeHolder }))?.widget;
}

/** What a control of the page changes: that alone, since the rest may change while a picker is open. Undefined: nothing. */
export async function changeBy(
  engine: DuelineEngine,
  setup: WidgetSetup,
  act: string,
): Promise<SetupChange | undefined> {
  switch (act) {
    case 'previous':
      return { weeksAway: setup.weeksAway - 1 };
    case 'next':
      return { weeksAway: setup.weeksAway + 1 };
    case 'now':
      return { weeksAway: 0 };
    case 'pickLists': {
      const lists = await pickLists(engine, setup.lists);
      return lists && { lists };
    }
    case 'pickFilter': {
      const filter = await pickFilter(engine, setup.filter);
      return filter === undefined ? undefined : { filter };
    }
    default:
      return undefined;
  }
}
