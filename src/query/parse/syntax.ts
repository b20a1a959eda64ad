import type { NumberName, TextName, WordOf } from '../../core/fields/table';
import type { StatusCode } from '../../core/kernel/model';
import type { Range } from '../../core/kernel/range';
import type { DateAtom } from './dateAtom';

export type DateField = 'due' | 'start' | 'done' | 'created' | 'modified' | 'alarm';
export type TextField = WordOf<Exclude<TextName, NumberName>> | 'uid';
export type NumberField = WordOf<NumberName>;
export type NameField = 'tag' | 'list' | 'account' | 'parent' | 'child' | 'after' | 'blocks' | 'claimed';

export type IsValue =
  | 'open'
  | 'done'
  | 'cancelled'
  | 'started'
  | 'active'
  | 'claimed'
  | 'overdue'
  | 'allday'
  | 'recurring'
  | 'subtask'
  | 'parent'
  | 'root'
  | 'snoozed'
  | 'dirty'
  | 'conflicted'
  | 'deleted'
  | 'readonly'
  | 'private'
  | 'ready'
  | 'blocked';

/** The facts that `has:`, `no:`, `field:any` and `field:none` can ask for. */
export type HasValue =
  | Exclude<DateField, 'created'>
  | 'created'
  | Exclude<TextField, 'uid'>
  | Exclude<NameField, 'list' | 'claimed'>
  | NumberField
  | 'link'
  | 'repeat';

export type SyncValue = 'pending' | 'error' | 'clean' | 'local';
export type CodeScope = 'workspace' | 'repo' | 'folder' | 'file' | 'branch' | 'here';
export type SourceValue = 'todo';
export type RepeatValue = 'hourly' | 'daily' | 'weekly' | 'monthly' | 'yearly';

export type Comparison = '<' | '<=' | '>' | '>=' | '=';

export type DateTest =
  | { readonly op: Comparison; readonly at: DateAtom }
  | { readonly op: '..'; readonly from?: DateAtom; readonly to?: DateAtom };

/** A pattern that is safe to try on any text. */
export interface SafeRegex {
  readonly source: string;
  readonly ignoreCase: boolean;
  test(text: string): boolean;
}

export type TextTest =
  | { readonly how: 'contains' | 'equals' | 'prefix'; readonly text: string }
  | { readonly how: 'regex'; readonly regex: SafeRegex };

interface At {
  readonly range: Range;
}

export type Term = At &
  (
    | { readonly kind: 'is'; readonly value: IsValue }
    | { readonly kind: 'has'; readonly value: HasValue; readonly isPresent: boolean }
    | { readonly kind: 'date'; readonly field: DateField; readonly test: DateTest }
    /** `field` undefined: title, notes and tags. */
    | { readonly kind: 'text'; readonly field: TextField | undefined; readonly test: TextTest }
    | { readonly kind: 'name'; readonly field: NameField; readonly test: TextTest }
    /** Both ends included; an absent one is open. */
    | { readonly kind: 'number'; readonly field: NumberField; readonly from?: number; readonly to?: number }
    | { readonly kind: 'status'; readonly codes: readonly StatusCode[]; readonly name: string }
    /** The first digits of a short ID. */
    | { readonly kind: 'id'; readonly begin: string }
    | { readonly kind: 'repeat'; readonly value: RepeatValue }
    | { readonly kind: 'sync'; readonly value: SyncValue }
    | { readonly kind: 'source'; readonly value: SourceValue }
    | { readonly kind: 'in'; readonly scope: CodeScope }
    /** `any`, `stale` or `file:path`. */
    | { readonly kind: 'link'; readonly value: string }
  );

interface Conjunction extends At {
  readonly kind: 'and';
  readonly nodes: readonly Node[];
}

interface Disjunction extends At {
  readonly kind: 'or';
  readonly nodes: readonly Node[];
}

interface Negation extends At {
  readonly kind: 'not';
  readonly node: Node;
}

export type Node = Conjunction | Disjunction | Negation | Term;

export type SortField =
  | 'due'
  | 'start'
  | 'priority'
  | 'title'
  | 'list'
  | 'created'
  | 'modified'
  | 'done'
  | 'manual'
  | 'est'
  | 'urgency';

export interface SortKey {
  readonly field: SortField;
  readonly descending: boolean;
}

export type GroupField = 'due' | 'list' | 'priority' | 'tag' | 'status' | 'link' | 'done' | 'none';
export type Show = 'subtasks' | 'flat' | 'occurrences' | 'done';

export interface Query {
  readonly text: string;
  /** Absent if the query has no conditions: it then means every open task. */
  readonly root?: Node;
  readonly sort?: readonly SortKey[];
  readonly group?: GroupField;
  readonly limit?: number;
  readonly show: readonly Show[];
  /** Operators that are not written in capitals. */
  readonly lowerCase?: readonly Range[];
}

export function* termsOf(node: Node | undefined): Generator<Term> {
  if (!node) return;
  if (node.kind === 'and' || node.kind === 'or') for (const part of node.nodes) yield* termsOf(part);
  else if (node.kind === 'not') yield* termsOf(node.node);
  else yield node;
}

/** True if the query itself names closed tasks; else only open ones are meant. */
export function namesStatus(query: Query): boolean {
  if (query.show.includes('done')) return true;
  for (const term of termsOf(query.root)) {
    if (term.kind === 'status' || term.kind === 'id') return true;
    if (term.kind === 'is' && ['done', 'cancelled', 'deleted'].includes(term.value)) return true;
    if (term.kind === 'date' && term.field === 'done') return true;
    if (term.kind === 'has' && term.value === 'done' && term.isPresent) return true;
  }
  return false;
}

export function namesDeleted(query: Query): boolean {
  for (const term of termsOf(query.root)) if (term.kind === 'is' && term.value === 'deleted') return true;
  return false;
}
