import type { DuelineEngine } from '../../api';
import { isDuelineError } from '../../core/kernel/errors';
import { widgets } from '../../query/agenda/widgets';
import { findFilter } from '../../query/eval/savedFilters';
import { t, tn } from '../../shared/l10n';
import type { FromPage } from '../../shared/readFromPage';
import type { Choice, Suggestion, ToPage, WidgetSetup } from '../../shared/widgetProtocol';
import { explainQuery, operatorHint, querySuggestions } from '../../ui/querySuggestions';
import { cssColor } from '../../ui/text/cssColor';
import { kindName } from './kinds';

type Asked<Type extends FromPage['type']> = Extract<FromPage, { type: Type }>;

/** The choices for a widget's setup, and its present one. */
export function choicesOf(engine: DuelineEngine, setup: WidgetSetup): ToPage {
  const { kind, limit: _limit, weeksAway: _weeks, ...view } = setup;
  const { setup: part } = widgets[kind];
  return {
    type: 'choices',
    choices: {
      lists: engine.lists().map(({ name, color }) => ({ name, color: cssColor(color) })),
      sorts: withOwn(view.sort, [
        { value: '', label: t('Default') },
        { value: 'manual', label: t('Manually') },
        { value: 'due,priority,title', label: t('By due date') },
        { value: 'priority,due,title', label: t('By priority') },
        { value: 'title', label: t('By title') },
        { value: '-created', label: t('Newest first') },
      ]),
      groups: part === 'group' ? withOwn(view.group, groupChoices(kind)) : part === 'columns' ? columnChoices() : [],
      mayStack: part === 'stacked',
      rows:
        part === 'columns'
          ? [{ value: '', label: t('No grouping') }, ...fieldChoices(), byDue(), byStatus('status')]
          : [],
      name: kindName(kind),
    },
    setup: view,
  };
}

function groupChoices(kind: WidgetSetup['kind']): Choice[] {
  const { grouping } = widgets[kind];
  const usual = {
    value: '',
    label: grouping === 'days' ? t('By day') : grouping === 'query' ? t('Default') : t('No grouping'),
  };
  return [
    usual,
    ...(grouping === 'query' ? [{ value: 'none', label: t('No grouping') }, byDue()] : []),
    ...fieldChoices(),
    byStatus('status'),
  ];
}

const byDue = (): Choice => ({ value: 'due', label: t('By due date') });
const byStatus = (value: string): Choice => ({ value, label: t('By status') });
const fieldChoices = (): Choice[] => [
  { value: 'list', label: t('By list') },
  { value: 'priority', label: t('By priority') },
  { value: 'tag', label: t('By tag') },
];

const columnChoices = (): Choice[] => [byStatus(''), ...fieldChoices(), byDue()];

/** A value that was written into the settings by hand is offered too. */
const withOwn = (own: string, choices: readonly Choice[]): readonly Choice[] =>
  choices.some(({ value }) => value === own) ? choices : [...choices, { value: own, label: own }];

const maxSuggestions = 8;

/** The completions of a query at the cursor, its error if it has one, and the number of tasks that match it. */
export async function suggestionsFor(
  engine: DuelineEngine,
  { text, position, request }: Asked<'suggest'>,
  signal: AbortSignal,
): Promise<ToPage> {
  const typed = text.slice(0, position).trim().toLocaleLowerCase();
  const saved = engine.settings.filters
    .filter(({ name }) => name.toLocaleLowerCase().startsWith(typed))
    .map(({ name, query }): Suggestion => ({ text: name, detail: query, from: 0, to: text.length }));
  const found = querySuggestions(engine, text, position);
  const items = [
    ...(position === text.length ? saved : []),
    ...found.items.map(({ text, detail, from, to }) => ({ text, detail, from, to })),
  ].slice(0, maxSuggestions);
  const preselectsFirst = found.preselectsFirst && items[0]?.text === found.items[0]?.text;
  return { type: 'suggestions', request, items, preselectsFirst, ...(await checkQuery(engine, text, signal)) };
}

/** Checks a query or a filter's name: the problem, or how many tasks match it. */
export async function checkQuery(
  engine: DuelineEngine,
  text: string,
  signal: AbortSignal,
): Promise<{ problem: string } | { count: string }> {
  const query = findFilter(text.trim(), engine.settings)?.query ?? text;
  try {
    const count = await engine.count(query, { signal });
    const withDetail = [tn(count, '{0} task matches', '{0} tasks match'), operatorHint(query)];
    return { count: withDetail.filter(Boolean).join(' · ') };
  } catch (error) {
    if (!isDuelineError(error)) throw error;
    return { problem: explainQuery(error, query) };
  }
}
