import type * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import { type WidgetKind, widgetKinds, widgets } from '../../query/agenda/widgets';
import { isolate, plain, t, withoutIcons } from '../../shared/l10n';
import type { WidgetSetup } from '../../shared/widgetProtocol';
import { labeledBuiltInFilters } from '../../ui/builtInFilters';
import { ask, showQuickPick } from '../../ui/dialogs';
import { showError } from '../../ui/errors';
import { savedFilters } from '../../ui/settings/settings';
import { withIcon } from '../../ui/withIcon';
import { kindName } from './kinds';
import type { SetupChange } from './setup';
import { checkQuery } from './setupChoices';

/** One, several or, with none ticked, all lists. Undefined if the user cancels. */
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

/** Asks for a saved or built-in filter or a typed query, with completion and errors. */
function pickFilter(engine: DuelineEngine, chosen: string): Promise<string | undefined> {
  const known: FilterLine[] = [
    { label: t('All tasks'), filter: '' },
    ...savedFilters().map(({ name, query }) => ({
      label: isolate(name),
      description: withoutIcons(query),
      filter: name,
    })),
    ...labeledBuiltInFilters().map(({ name, query }) => ({ label: name, description: query, filter: query })),
  ];
  const options = {
    title: t('Widget Filter'),
    placeholder: t('Select a filter, or type a query: #work !high sort:due'),
    matchOnDescription: true,
    items: known,
    activeItems: known.filter(({ filter }) => filter === chosen).slice(0, 1),
  };
  return ask<FilterLine, string>(options, (pick, { newest }) => {
    const show = async (text: string, others: readonly FilterLine[]) => {
      pick.items = [...typedLines(engine, text), ...others];
      const verdict = await newest.ask(signal => checkQuery(engine, text, signal));
      if (verdict) pick.items = [...typedLines(engine, text, verdict), ...others];
    };
    return {
      onType(text) {
        if (text.trim() !== '') return show(text, known);
        newest.end();
        pick.items = known;
      },
      onAccept(line) {
        // If the text is a query, no filter of the list is highlighted.
        if (!line && pick.value.trim() === '') return chosen;
        const { filter, goesOn } = line ?? pick.items[0]!;
        if (!goesOn) return filter;
        pick.value = filter;
        void show(filter, []).catch(showError);
      },
    };
  });
}

/** The query as it is, and its possible continuations. */
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

/**
 * The change that a control of the page makes: that part alone, since the rest may change while a picker is open.
 * Undefined: nothing.
 */
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
