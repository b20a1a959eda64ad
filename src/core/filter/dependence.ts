import type { DateAtom } from './dateAtom';
import { type Query, termsOf } from './syntax';

/** Whether a filter asks for more than a task itself: then any change of rows may matter. */
export function looksAround(filter: Query): boolean {
  for (const term of termsOf(filter.root)) {
    if (term.kind === 'in' || term.kind === 'link' || term.kind === 'sync' || term.kind === 'repeat') return true;
    if (term.kind === 'name' && (term.field === 'parent' || term.field === 'child')) return true;
    if (term.kind === 'has' && (term.what === 'child' || term.what === 'parent' || term.what === 'link')) return true;
    if (term.kind === 'is' && ['parent', 'snoozed', 'conflicted'].includes(term.value)) return true;
  }
  return false;
}

/** Whether what a filter means moves within the day. */
export function speaksOfTime(filter: Query): boolean {
  const ofTime = (atom: DateAtom | undefined) =>
    atom !== undefined && (atom.kind === 'now' || (atom.kind === 'offset' && atom.unit === 'h'));
  for (const term of termsOf(filter.root)) {
    if (term.kind === 'is' && term.value === 'overdue') return true;
    if (term.kind !== 'date') continue;
    const { test } = term;
    if (test.op === '..' ? ofTime(test.from) || ofTime(test.to) : ofTime(test.at)) return true;
  }
  return false;
}
