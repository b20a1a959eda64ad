import type { Etag, Href, RemoteMember } from '../remote/remote';
import type { Skipped } from '../state/ledgerTypes';

/** What the server reported of a list: changes since last time, or everything. */
export interface ReportedChanges {
  readonly changed: readonly RemoteMember[];
  readonly gone: readonly Href[];
  readonly isEverything: boolean;
}

export interface KnownResources {
  /** ETag by href of the resources that have rows; null where it is not known for sure. */
  readonly etags: ReadonlyMap<Href, Etag | null>;
  readonly skipped: Readonly<Record<Href, Skipped>>;
  /** Resources whose stored text is only what was sent. */
  readonly sent: ReadonlySet<Href>;
  /** Whether a row without edits lacks the text that it stands for: a run that was cut off noted nothing of it. */
  readonly isTextless: (href: Href) => boolean;
}

interface PullPlan {
  readonly fetch: readonly Href[];
  /** The server said so of each. */
  readonly gone: readonly Href[];
  /** Not mentioned where everything should have been: to be asked for one by one. */
  readonly missing: readonly Href[];
  /** The answer repeats what was known, as a full listing passed off as an increment would: absence must be checked. */
  readonly isSuspicious: boolean;
}

/** Decides what to ask for. Hrefs nobody here knows are nobody's loss: some servers report unknown hrefs as gone. */
export function planPull(reported: ReportedChanges, known: KnownResources): PullPlan {
  const fetch: Href[] = [];
  const mentioned = new Set<Href>();
  let repeats = 0;
  for (const { href, etag } of reported.changed) {
    mentioned.add(href);
    const isKnown = known.etags.get(href) === etag;
    const skipped = known.skipped[href];
    const isSkipped = skipped?.etag === etag && !skipped.hasOthers;
    if (isKnown && (known.sent.has(href) || known.isTextless(href))) fetch.push(href);
    else if (isKnown || isSkipped) repeats++;
    else fetch.push(href);
  }
  const gone = reported.gone.filter(href => known.etags.has(href) && !mentioned.has(href));
  const isGone = new Set(gone);
  const missing = reported.isEverything
    ? [...known.etags.keys()].filter(href => !mentioned.has(href) && !isGone.has(href))
    : [];
  return { fetch, gone, missing, isSuspicious: !reported.isEverything && repeats > 0 };
}

/** Fewer than this may be gone at once without a person being asked. */
const minMassDeletion = 5;

/** A list that loses more than half of what it had is an outage, or an older state, until someone says otherwise. */
export const isMassDeletion = (gone: number, held: number): boolean => gone >= minMassDeletion && gone * 2 > held;
