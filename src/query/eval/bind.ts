import { isShortId, readShortId } from '../../core/code/shortId';
import { type NumberName, numberOfWord, type TextName, textOfWord } from '../../core/fields/table';
import { coreMessage } from '../../core/kernel/messages';
import type { EpochMs, Id, TaskList } from '../../core/kernel/model';
import { firstDayOf } from '../../core/time/weekStart';
import { type DateContext, type Edge, spanOf } from '../parse/dateAtom';
import { QueryError } from '../parse/queryError';
import type { CodeScope, DateTest, HasValue, Node, Query, RepeatValue, Term, TextTest } from '../parse/syntax';
import { namesDeleted, namesStatus, termsOf } from '../parse/syntax';
import type { QueryContext, TaskSource } from './context';
import { foldCase } from './foldCase';

/** A text test with its needle folded. */
export interface TextPattern {
  readonly how: 'contains' | 'equals' | 'prefix' | 'regex';
  /** Folded, except for a pattern. */
  readonly text: string;
  readonly test: (text: string) => boolean;
}

type InstantColumn = 'completedAt' | 'createdAt' | 'lastModified';
export type Relation = 'parent' | 'child' | 'after' | 'blocks';
type CivilColumn = 'due' | 'dtstart';
/** A text by the name of its field; the user cannot set the UID. */
export type BoundText = TextName | 'uid';

/** A query's condition with every name, date and set looked up: nothing depends on now or the lists any more. */
export type BoundTerm =
  | { readonly kind: 'and'; readonly nodes: readonly BoundTerm[] }
  | { readonly kind: 'or'; readonly nodes: readonly BoundTerm[] }
  | { readonly kind: 'not'; readonly node: BoundTerm }
  | { readonly kind: 'const'; readonly value: boolean }
  | { readonly kind: 'instant'; readonly column: InstantColumn; readonly from?: EpochMs; readonly to?: EpochMs }
  | { readonly kind: 'civil'; readonly column: CivilColumn; readonly from?: Edge; readonly to?: Edge }
  | { readonly kind: 'alarm'; readonly from?: EpochMs; readonly to?: EpochMs }
  | { readonly kind: 'overdue' }
  | {
      readonly kind: 'text';
      readonly texts: readonly BoundText[];
      readonly tags: boolean;
      readonly needle: TextPattern;
    }
  | { readonly kind: 'tag'; readonly needle: TextPattern }
  | { readonly kind: 'lists'; readonly ids: ReadonlySet<Id> }
  | { readonly kind: 'ids'; readonly ids: ReadonlySet<Id> }
  | {
      readonly kind: 'number';
      readonly column: NumberName;
      readonly from?: number;
      readonly to?: number;
    }
  | { readonly kind: 'status'; readonly codes: readonly number[] }
  | { readonly kind: 'id'; readonly begin: string }
  | { readonly kind: 'repeat'; readonly value: RepeatValue }
  | {
      readonly kind: 'relative';
      readonly relation: Relation;
      readonly needle: TextPattern;
      /** The digits, if the name is a short ID. */
      readonly begin: string | undefined;
    }
  | { readonly kind: 'blocked' }
  | { readonly kind: 'flag'; readonly flag: 'allday' | 'recurring' | 'dirty' | 'deleted' | 'private' | 'todo' }
  | { readonly kind: 'has'; readonly value: Exclude<HasValue, 'link' | 'account'> };

export interface BoundQuery {
  readonly query: Query;
  readonly root: BoundTerm;
  /** The query's own condition without the default `is:open`. */
  readonly addedOpen: boolean;
  /** Lists whose rows are searched; undefined: all. */
  readonly scope: ReadonlySet<Id> | undefined;
  readonly deleted: boolean;
  readonly context: QueryContext;
  /** All there are, in their order. */
  readonly lists: readonly TaskList[];
  readonly dates: DateContext;
  /** Binds one term, for explanations. */
  readonly bindTerm: (term: Term) => BoundTerm;
}

const dateContext = (context: QueryContext): DateContext => ({
  clock: context.clock,
  startHour: context.settings.dayStartHour,
  firstDay: firstDayOf(context.settings.firstDay, context.locale),
});

const openCodes = [0, 1];

/** Looks up everything that the query names. Throws `query` for an unknown name. */
export function bindQuery(
  query: Query,
  source: Pick<TaskSource, 'lists' | 'accounts'>,
  context: QueryContext,
): BoundQuery {
  const binder = new Binder(source, context);
  const own = query.root ? binder.node(query.root) : undefined;
  const addedOpen = !namesStatus(query);
  const parts: BoundTerm[] = [];
  if (addedOpen) parts.push({ kind: 'status', codes: openCodes });
  if (own) parts.push(own);
  return {
    query,
    root: parts.length === 1 ? parts[0]! : { kind: 'and', nodes: parts },
    addedOpen,
    scope: binder.scope(query),
    deleted: namesDeleted(query),
    context,
    lists: binder.lists,
    dates: binder.dates,
    bindTerm: term => binder.term(term),
  };
}

class Binder {
  readonly dates: DateContext;
  readonly lists: readonly TaskList[];
  readonly #accountNames: ReadonlyMap<Id, string>;

  constructor(
    source: Pick<TaskSource, 'lists' | 'accounts'>,
    readonly context: QueryContext,
  ) {
    this.dates = dateContext(context);
    this.lists = source.lists();
    this.#accountNames = new Map(source.accounts().map(account => [account.id, account.displayName]));
  }

  /** Visible lists, and hidden ones that the query calls by their whole name. */
  scope(query: Query): ReadonlySet<Id> | undefined {
    if (this.context.lists) return new Set(this.context.lists);
    if (this.lists.every(list => list.isVisible)) return undefined;
    const scope = new Set(this.lists.filter(list => list.isVisible).map(list => list.id));
    for (const term of termsOf(query.root))
      if (term.kind === 'name' && term.field === 'list' && term.test.how === 'equals')
        for (const id of this.#listsNamed(textPatternOf(term.test))) scope.add(id);
    return scope;
  }

  node(node: Node): BoundTerm {
    if (node.kind === 'and' || node.kind === 'or')
      return { kind: node.kind, nodes: node.nodes.map(part => this.node(part)) };
    if (node.kind === 'not') return { kind: 'not', node: this.node(node.node) };
    return this.term(node);
  }

  term(term: Term): BoundTerm {
    switch (term.kind) {
      case 'is':
        return this.#is(term);
      case 'has':
        return this.#has(term);
      case 'date':
        return this.#date(term.field, term.test);
      case 'text': {
        const needle = textPatternOf(term.test);
        if (term.field === undefined) return { kind: 'text', texts: ['title', 'description'], tags: true, needle };
        return { kind: 'text', texts: [term.field === 'uid' ? 'uid' : textOfWord[term.field]], tags: false, needle };
      }
      case 'name': {
        const needle = textPatternOf(term.test);
        if (term.field === 'tag') return { kind: 'tag', needle };
        if (term.field === 'list') return { kind: 'lists', ids: this.#listsNamed(needle) };
        if (term.field === 'account') return { kind: 'lists', ids: this.#listsOfAccount(needle) };
        if (term.field === 'claimed') return { kind: 'ids', ids: this.#claimedBy(needle) };
        const { test } = term;
        const begin = test.how === 'equals' && isShortId(test.text) ? readShortId(test.text) : undefined;
        return { kind: 'relative', relation: term.field, needle, begin };
      }
      case 'number': {
        const ends = {
          ...(term.from === undefined ? {} : { from: term.from }),
          ...(term.to === undefined ? {} : { to: term.to }),
        };
        return { kind: 'number', column: numberOfWord[term.field], ...ends };
      }
      case 'status':
        return { kind: 'status', codes: term.codes };
      case 'id':
        return { kind: 'id', begin: term.begin };
      case 'repeat':
        return { kind: 'repeat', value: term.value };
      case 'sync':
        return this.#sync(term);
      case 'source':
        return { kind: 'flag', flag: term.value };
      case 'in':
        return this.#inCode(term.scope, term);
      case 'link':
        return this.#links(term.value, term);
    }
  }

  #is(term: Extract<Term, { kind: 'is' }>): BoundTerm {
    switch (term.value) {
      case 'open':
        return { kind: 'status', codes: openCodes };
      case 'done':
        return { kind: 'status', codes: [2] };
      case 'cancelled':
        return { kind: 'status', codes: [3] };
      case 'started':
        return { kind: 'status', codes: [1] };
      case 'overdue':
        return { kind: 'overdue' };
      case 'subtask':
        return { kind: 'has', value: 'parent' };
      case 'root':
        return { kind: 'not', node: { kind: 'has', value: 'parent' } };
      case 'parent':
        return { kind: 'has', value: 'child' };
      case 'snoozed':
        return { kind: 'ids', ids: this.context.snoozed ?? new Set() };
      case 'active':
        return { kind: 'ids', ids: this.context.active?.() ?? new Set() };
      case 'claimed':
        return { kind: 'ids', ids: new Set(this.context.claimed?.().keys()) };
      case 'conflicted':
        return onlyInWindows(this.context.conflicted, 'is:conflicted', term.range);
      case 'blocked':
        return { kind: 'blocked' };
      case 'ready':
        return {
          kind: 'and',
          nodes: [
            { kind: 'status', codes: openCodes },
            { kind: 'not', node: { kind: 'blocked' } },
          ],
        };
      case 'readonly':
        return { kind: 'lists', ids: this.#listsWhere(list => list.isReadOnly) };
      default:
        return { kind: 'flag', flag: term.value };
    }
  }

  #has(term: Extract<Term, { kind: 'has' }>): BoundTerm {
    const found: BoundTerm =
      term.value === 'link'
        ? this.#links('any', term)
        : term.value === 'account'
          ? { kind: 'lists', ids: this.#listsWhere(list => list.accountId !== null) }
          : { kind: 'has', value: term.value };
    return term.isPresent ? found : { kind: 'not', node: found };
  }

  #inCode(scope: CodeScope, { range }: Term): BoundTerm {
    const ids = this.context.here?.(scope);
    return onlyInWindows(ids, 'in:file', range);
  }

  #links(value: string, { range }: Term): BoundTerm {
    const ids = this.context.links?.(value);
    return onlyInWindows(ids, 'link:stale', range);
  }

  #date(field: Extract<Term, { kind: 'date' }>['field'], test: DateTest): BoundTerm {
    const { from, to } = this.#edges(test);
    if (field === 'due' || field === 'start')
      return { kind: 'civil', column: field === 'due' ? 'due' : 'dtstart', ...(from && { from }), ...(to && { to }) };
    const ends = { ...(from && { from: from.instant }), ...(to && { to: to.instant }) };
    if (field === 'alarm') return { kind: 'alarm', ...ends };
    const column = field === 'done' ? 'completedAt' : field === 'created' ? 'createdAt' : 'lastModified';
    return { kind: 'instant', column, ...ends };
  }

  #edges(test: DateTest): { from?: Edge; to?: Edge } {
    if (test.op === '..') {
      return {
        ...(test.from && { from: spanOf(test.from, this.dates).start }),
        ...(test.to && { to: spanOf(test.to, this.dates).end }),
      };
    }
    const { start, end } = spanOf(test.at, this.dates);
    switch (test.op) {
      case '<':
        return { to: start };
      case '<=':
        return { to: end };
      case '>':
        return { from: end };
      case '>=':
        return { from: start };
      case '=':
        return { from: start, to: end };
    }
  }

  #sync({ value, range }: Extract<Term, { kind: 'sync' }>): BoundTerm {
    const remote: BoundTerm = { kind: 'lists', ids: this.#listsWhere(list => list.accountId !== null) };
    const dirty: BoundTerm = { kind: 'flag', flag: 'dirty' };
    const errors: BoundTerm = { kind: 'ids', ids: this.context.syncErrors ?? new Set() };
    switch (value) {
      case 'pending':
        return { kind: 'and', nodes: [remote, dirty] };
      case 'error':
        return onlyInWindows(this.context.syncErrors, 'sync:error', range);
      case 'clean':
        return { kind: 'and', nodes: [remote, { kind: 'not', node: { kind: 'or', nodes: [dirty, errors] } }] };
      case 'local':
        return { kind: 'not', node: remote };
    }
  }

  #claimedBy(needle: TextPattern): ReadonlySet<Id> {
    const claimed = [...(this.context.claimed?.() ?? [])];
    return new Set(claimed.flatMap(([id, name]) => (needle.test(name) ? [id] : [])));
  }

  #listsWhere(test: (list: TaskList) => boolean): ReadonlySet<Id> {
    return new Set(this.lists.filter(test).map(list => list.id));
  }

  #listsNamed(needle: TextPattern): ReadonlySet<Id> {
    return this.#listsWhere(list => {
      const account = list.accountId === null ? undefined : this.#accountNames.get(list.accountId);
      return needle.test(list.name) || (account !== undefined && needle.test(`${account}/${list.name}`));
    });
  }

  #listsOfAccount(needle: TextPattern): ReadonlySet<Id> {
    return this.#listsWhere(list => needle.test(this.#accountNames.get(list.accountId ?? -1) ?? ''));
  }
}

/** The tasks that a term means. A program that knows no code and no sync has no set, and an empty one would be a false answer. */
function onlyInWindows(ids: ReadonlySet<Id> | undefined, words: string, range: Term['range']): BoundTerm {
  if (!ids) throw new QueryError(coreMessage('onlyInWindows', words), range);
  return { kind: 'ids', ids };
}

export function textPatternOf(test: TextTest): TextPattern {
  if (test.how === 'regex') return { how: 'regex', text: test.regex.source, test: text => test.regex.test(text) };
  const needle = foldCase(test.text);
  switch (test.how) {
    case 'contains':
      return { how: 'contains', text: needle, test: text => foldCase(text).includes(needle) };
    case 'equals':
      return { how: 'equals', text: needle, test: text => foldCase(text) === needle };
    case 'prefix':
      return { how: 'prefix', text: needle, test: text => foldCase(text).startsWith(needle) };
  }
}
