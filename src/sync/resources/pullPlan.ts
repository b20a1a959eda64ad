import { decideTask, type TaskAction, type TaskFacts } from '../decide/decideTask';
import type { Etag, Href, RemoteMember } from '../remote/remote';
import type { Skipped } from '../state/ledgerTypes';

/** The server's report of a list: the changes since last time, or everything. */
export interface ReportedChanges {
  readonly changed: readonly RemoteMember[];
  readonly gone: readonly Href[];
  readonly isEverything: boolean;
}

export interface KnownResources {
  /** ETag by href of the resources that have rows; null if it is not known for sure. */
  readonly etags: ReadonlyMap<Href, Etag | null>;
  /** Those with a row that was edited or deleted here. */
  readonly pending: ReadonlySet<Href>;
  readonly skipped: Readonly<Record<Href, Skipped>>;
  /** Resources whose stored text is only the sent one. */
  readonly sent: ReadonlySet<Href>;
  /** True if the text that the row's ETag stands for is not here: a run that was cut off noted nothing of it. */
  readonly isTextless: (href: Href) => boolean;
}

interface PullPlan {
  readonly fetch: readonly Href[];
  /** Resources that the server itself reported as gone. */
  readonly gone: readonly Href[];
  /** Resources that a full listing did not mention: to be asked for one by one. */
  readonly missing: readonly Href[];
  /** The answer repeats known changes, as a full listing disguised as an increment would: absences must be checked. */
  readonly isSuspicious: boolean;
}

/** Decides what to ask for. Hrefs nobody here knows are nobody's loss: some servers report unknown hrefs as gone. */
export function planPull(reported: ReportedChanges, known: KnownResources): PullPlan {
  const fetch: Href[] = [];
  const mentioned = new Set<Href>();
  let repeats = 0;
  for (const { href, etag } of reported.changed) {
    mentioned.add(href);
    if (decideTask(factsOf(href, etag, known)).action === 'fetch') fetch.push(href);
    else repeats++;
  }
  const gone = reported.gone.filter(href => !mentioned.has(href) && actionFor(href, 'gone', known) !== 'nothing');
  const isNamed = new Set([...mentioned, ...gone]);
  const unnamed = reported.isEverything ? [...known.etags.keys()].filter(href => !isNamed.has(href)) : [];
  const missing = unnamed.filter(href => actionFor(href, 'unnamed', known) === 'ask');
  return { fetch, gone, missing, isSuspicious: !reported.isEverything && repeats > 0 };
}

/** The facts about a resource that the server names with this ETag. If that version has no row, nothing is here. */
function factsOf(href: Href, etag: Etag, known: KnownResources): TaskFacts {
  const skipped = known.skipped[href];
  if (known.etags.get(href) !== etag) {
    const isSkipped = skipped?.etag === etag && !skipped.hasOthers;
    return { local: 'none', base: 'none', remote: isSkipped ? 'same' : 'named' };
  }
  const base = known.sent.has(href) ? 'sent' : known.isTextless(href) ? 'unknown' : 'known';
  return { local: stateOf(href, known), base, remote: 'same' };
}

/** A pending deletion counts as an edit: the same resources are asked for. */
function stateOf(href: Href, { etags, pending }: KnownResources): TaskFacts['local'] {
  if (!etags.has(href)) return 'none';
  return pending.has(href) ? 'edited' : 'clean';
}

const actionFor = (href: Href, remote: 'gone' | 'unnamed', known: KnownResources): TaskAction =>
  decideTask({ local: stateOf(href, known), base: 'known', remote }).action;

/** Fewer than this may be gone at once without asking the user. */
const minMassDeletion = 5;

/**
 * A list that loses more than half of its tasks counts as an outage, or an older state, until someone decides
 * otherwise.
 */
export const isMassDeletion = (gone: number, held: number): boolean => gone >= minMassDeletion && gone * 2 > held;
