import { leastShortId } from '../../core/code/shortId';
import type { Id } from '../../core/kernel/model';

/** A run's decisions, by list and by the text of their rule, with the UIDs of the tasks concerned. */
export type Decisions = Map<Id, Map<string, Set<string>>>;

/** Notes a decision for the sync log; without a UID, about the list itself. A rule without a text is not noted. */
export function noteDecision(decisions: Decisions, listId: Id, log: string | undefined, uid?: string): void {
  if (log === undefined) return;
  const ofList = decisions.get(listId) ?? new Map<string, Set<string>>();
  decisions.set(listId, ofList);
  const uids = ofList.get(log) ?? new Set();
  ofList.set(log, uids);
  if (uid !== undefined) uids.add(uid);
}

/** More tasks than this of one decision are counted. */
const maxNamed = 10;

/** A line for each decision. Its tasks are named by their short IDs, and lists by their numbers: the log has no titles. */
export function decisionLines(decisions: Decisions): readonly string[] {
  return [...decisions].flatMap(([listId, ofList]) =>
    [...ofList].map(([log, uids]) => `List ${listId}${named([...uids])}: ${log}`),
  );
}

function named(uids: readonly string[]): string {
  if (uids.length === 0) return '';
  const names = uids.slice(0, maxNamed).map(leastShortId).join(', ');
  const more = uids.length - maxNamed;
  return `, ${uids.length === 1 ? 'task' : 'tasks'} ${names}${more > 0 ? ` and ${more} more` : ''}`;
}
