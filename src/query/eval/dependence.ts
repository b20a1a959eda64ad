import type { DateAtom } from '../parse/dateAtom';
import { type Query, type Term, termsOf } from '../parse/syntax';

/** True if a filter asks for more than a task itself: then any change of rows may matter. */
export function dependsOnOtherTasks(filter: Query): boolean {
  for (const term of termsOf(filter.root)) if (asksAround(term)) return true;
  return false;
}

function asksAround(term: Term): boolean {
  switch (term.kind) {
    case 'in':
    case 'link':
    case 'sync':
    case 'repeat':
      return true;
    case 'name':
      return ['parent', 'child', 'after', 'blocks', 'claimed'].includes(term.field);
    case 'has':
      return ['child', 'parent', 'after', 'blocks', 'link'].includes(term.value);
    case 'is':
      return ['parent', 'snoozed', 'active', 'claimed', 'conflicted', 'ready', 'blocked'].includes(term.value);
    case 'id':
    case 'date':
    case 'text':
    case 'number':
    case 'status':
    case 'source':
      return false;
  }
}

/** True if it asks when tasks were completed. */
export function asksWhenDone(filter: Query): boolean {
  for (const term of termsOf(filter.root)) {
    if (term.kind === 'date' && term.field === 'done') return true;
    if (term.kind === 'has' && term.value === 'done' && term.isPresent) return true;
  }
  return false;
}

/** True if it asks for what the sidecar knows: the active task, snoozed reminders, and the claims of agents. */
export function asksForSidecar(filter: Query): boolean {
  for (const term of termsOf(filter.root)) {
    if (term.kind === 'is' && ['active', 'snoozed', 'claimed'].includes(term.value)) return true;
    if (term.kind === 'name' && term.field === 'claimed') return true;
  }
  return false;
}

/** True if the meaning of a filter moves within the day. */
export function dependsOnTime(filter: Query): boolean {
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
