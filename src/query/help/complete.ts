import { decodeTags } from '../../core/fields/tags';
import type { Range } from '../../core/kernel/range';
import type { QueryContext, TaskSource } from '../eval/context';
import { foldCase } from '../eval/foldCase';
import { dateWords } from '../parse/dateAtom';
import { quote } from '../parse/lexer';
import {
  codeScopes,
  dateFields,
  directives,
  fields,
  groupFields,
  has,
  hasValues,
  isValues,
  keywordMeanings,
  linkValues,
  numberFields,
  presenceMeanings,
  priorityValues,
  repeatValues,
  showValues,
  sortFields,
  sourceValues,
  statusValues,
  syncValues,
  textFields,
} from '../parse/vocabulary';

export interface QueryCompletion {
  /** The text that replaces `range`. */
  readonly text: string;
  readonly kind: 'field' | 'value' | 'tag' | 'list' | 'account' | 'keyword' | 'directive';
  /** In English, to be put in the user's language by views. */
  readonly detail: string;
  readonly range: Range;
}

type Candidate = Omit<QueryCompletion, 'range'>;

/** Completions at `position` of a query that is being typed, best first. Never throws: the rest may be unfinished. */
export function completeQuery(
  text: string,
  position: number,
  source: Pick<TaskSource, 'lists' | 'accounts' | 'select'>,
  context: Pick<QueryContext, 'here' | 'links'> = {},
): QueryCompletion[] {
  const from = wordStart(text, position);
  const word = text.slice(from, position);
  if (word.startsWith('#')) return among(tagCandidates(source, '#'), word, from, position);
  if (word.startsWith('@')) return among(listCandidates(source, '@'), word, from, position);
  if (word.startsWith('!')) return among(words(priorityNames, 'value', '!'), word, from, position);
  const field = /^([A-Za-z]+):/.exec(word);
  if (!field) return among([...fieldCandidates(context), ...keywords], word, from, position, word !== '');
  const name = field[1]!.toLowerCase();
  const before = word.slice(field[0].length);
  const lead = /^(?:.*(?:,|\.\.))?(?:[<>]=?|=|-)?/.exec(before)![0];
  const start = from + field[0].length + lead.length;
  return among(valueCandidates(name, source, context), text.slice(start, position), start, position);
}

/** The beginning of the word that ends at `position`; a quoted string belongs to it. */
function wordStart(text: string, position: number): number {
  let start = 0;
  let quoted = false;
  for (let at = 0; at < position; at++) {
    const char = text[at]!;
    if (char === '\\' && quoted) at++;
    else if (char === '"') quoted = !quoted;
    else if (!quoted && /[\s()|]/.test(char)) start = at + 1;
  }
  return text[start] === '-' && start < position ? start + 1 : start;
}

/** The words that begin with the typed text, then those that contain it. */
function among(
  candidates: readonly Candidate[],
  typed: string,
  from: number,
  to: number,
  inner = true,
): QueryCompletion[] {
  const bare = (text: string) => foldCase(text.replace(/^[#@!]|"/g, ''));
  const prefix = bare(typed);
  const rank = ({ text }: Candidate) => {
    const at = bare(text).indexOf(prefix);
    return at === 0 ? 0 : at > 0 && inner && prefix.length > 1 ? 1 : 2;
  };
  const ranked = candidates.map(candidate => ({ candidate, score: rank(candidate) })).filter(({ score }) => score < 2);
  return ranked.sort((a, b) => a.score - b.score).map(({ candidate }) => ({ ...candidate, range: [from, to] }));
}

const words = (
  vocabulary: Readonly<Record<string, string>>,
  kind: Candidate['kind'],
  before = '',
  after = '',
): Candidate[] =>
  Object.entries(vocabulary).map(([text, detail]) => ({ text: `${before}${text}${after}`, kind, detail }));

const keywords: readonly Candidate[] = words(keywordMeanings, 'keyword');

const priorityNames: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(priorityValues).map(([name, [from, to]]) => [
    name,
    from === to ? `Priority ${from}` : `Priority ${from} to ${to}`,
  ]),
);

function fieldCandidates(context: Pick<QueryContext, 'here' | 'links'>): Candidate[] {
  const known = words(fields, 'field', '', ':').filter(
    ({ text }) => (text !== 'in:' || context.here) && (text !== 'link:' || context.links),
  );
  return [...known, ...words(directives, 'directive', '', ':')];
}

const namesOf = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.keys(values).map(name => [name, '']));

function valueCandidates(
  name: string,
  source: Pick<TaskSource, 'lists' | 'accounts' | 'select'>,
  context: Pick<QueryContext, 'here' | 'links'>,
): Candidate[] {
  if (!has(fields, name) && !has(directives, name)) return [];
  const presence = has(hasValues, name) ? words(presenceMeanings, 'value') : [];
  if (has(textFields, name) || (has(numberFields, name) && name !== 'priority')) return presence;
  if (has(dateFields, name))
    return [...words(Object.fromEntries(dateWords.map(word => [word, ''])), 'value'), ...presence];
  switch (name) {
    case 'is':
      return words(isValues, 'value');
    case 'has':
    case 'no':
      return words(hasValues, 'value').filter(({ text }) => text !== 'link' || context.links);
    case 'status':
      return words(namesOf(statusValues), 'value');
    case 'priority':
      return words(priorityNames, 'value');
    case 'repeat':
      return [...words(repeatValues, 'value'), ...presence];
    case 'sync':
      return words(syncValues, 'value');
    case 'source':
      return words(sourceValues, 'value');
    case 'in':
      return words(codeScopes, 'value');
    case 'link':
      return words(linkValues, 'value');
    case 'tag':
      return [...tagCandidates(source, ''), ...presence];
    case 'list':
      return listCandidates(source, '');
    case 'account':
      return source.accounts().map(({ displayName }) => ({ text: quote(displayName), kind: 'account', detail: '' }));
    case 'sort':
      return words(sortFields, 'value');
    case 'group':
      return words(groupFields, 'value');
    case 'show':
      return words(showValues, 'value');
    case 'parent':
    case 'child':
    case 'after':
    case 'blocks':
    case 'claimed':
    case 'limit':
    case 'id':
      return presence;
  }
}

function tagCandidates(source: Pick<TaskSource, 'select'>, sign: string): Candidate[] {
  const counts = new Map<string, number>();
  const rows = source.select<{ categories: string; count: number }>(
    `SELECT categories, COUNT(*) AS count FROM tasks WHERE categories <> '' AND is_deleted = 0 GROUP BY categories`,
  );
  for (const { categories, count } of rows)
    for (const tag of decodeTags(categories)) counts.set(tag, (counts.get(tag) ?? 0) + count);
  const sorted = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return sorted.map(([tag, count]) => ({ text: sign + quote(tag), kind: 'tag', detail: String(count) }));
}

function listCandidates(source: Pick<TaskSource, 'lists' | 'accounts'>, sign: string): Candidate[] {
  const lists = source.lists();
  const accounts = new Map(source.accounts().map(account => [account.id, account.displayName]));
  return lists.map(list => {
    const account = list.accountId === null ? undefined : accounts.get(list.accountId);
    const isTwin =
      account !== undefined && lists.some(other => other !== list && foldCase(other.name) === foldCase(list.name));
    return { text: sign + quote(isTwin ? `${account}/${list.name}` : list.name), kind: 'list', detail: account ?? '' };
  });
}
