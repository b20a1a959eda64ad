import type { DuelineEngine } from '../../api';
import type { NamedText } from '../../contributions/commandTargets';
import { conditionOf } from '../../query/agenda/agenda';
import { widgets } from '../../query/agenda/widgets';
import { findFilter } from '../../query/eval/savedFilters';
import { quote } from '../../query/parse/lexer';
import { splitQuery } from '../../query/parse/splitQuery';
import type { WidgetSetup } from '../../shared/widgetProtocol';
import { dateStyle } from '../../ui/settings/settings';
import { widgetName } from './kinds';
import { shownWeeks } from './setup';

/** The text of a widget's tasks. If it has no filter or days, the text has its lists. Throws `query`. */
export function textOfWidget(engine: DuelineEngine, setup: WidgetSetup): NamedText {
  const { kind, filter, sort } = setup;
  const { grouping, query } = widgets[kind];
  const name = widgetName(setup);
  const lists = engine.lists().filter(list => setup.lists.includes(list.name));
  const isOfLists = grouping === 'lists' || (grouping === 'query' && query === undefined);
  if (isOfLists && filter === '' && lists.length < 2) {
    const [list] = lists;
    return { name, text: list ? { listId: list.id } : { all: true } };
  }
  const days = grouping === 'week' ? shownWeeks(setup, dateStyle(engine)) : undefined;
  const chosen = findFilter(filter.trim(), engine.settings)?.query ?? filter;
  const parts = [query ?? conditionOf(kind, days), chosen].map(splitQuery);
  const inLists = lists.map(list => `list:${quote(list.name)}`).join(' OR ');
  const conditions = [inLists, ...parts.map(part => part.conditions)].filter(Boolean).map(one => `(${one})`);
  const order = sort === '' ? parts.findLast(({ directives }) => directives.sort)?.directives.sort : `sort:${sort}`;
  return { name, text: { query: [...conditions, order ?? ''].join(' ').trim() } };
}
