import type * as vscode from 'vscode';
import { isolate } from '../../shared/l10n';
import type { QuerySuggestion } from '../../ui/querySuggestions';
import { withIcon } from '../../ui/withIcon';

/** A line of a picker in which a query is typed. */
export interface QueryItem extends vscode.QuickPickItem {
  /** The part of the query that it replaces; absent on lines that are no suggestions. */
  readonly completes?: Pick<QuerySuggestion, 'text' | 'from' | 'to'>;
}

const icons: Record<QuerySuggestion['kind'], string> = {
  field: 'symbol-field',
  value: 'symbol-enum-member',
  tag: 'tag',
  list: 'list-unordered',
  account: 'account',
  keyword: 'symbol-keyword',
  directive: 'symbol-property',
};

/** The item for a possible continuation of a query; the sign of a name is its icon. */
export const suggestionItem = ({ text, detail, kind, from, to }: QuerySuggestion): QueryItem => ({
  ...withIcon(icons[kind], isolate(text.replace(/^[#@!]/, ''))),
  description: detail,
  alwaysShow: true,
  completes: { text, from, to },
});
