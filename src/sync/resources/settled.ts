import { groupBy } from '../../core/kernel/groupBy';

/** A resource that came to an address, and the UIDs that had rows there. */
export interface Arrival {
  readonly uid: string;
  readonly before: readonly string[];
}

/** The largest part of `arrivals` in which every task that another one follows at its address arrives, too. */
export function settledOf<T extends Arrival>(arrivals: readonly T[]): ReadonlySet<T> {
  const settled = new Set(arrivals);
  const counts = new Map<string, number>();
  for (const { uid } of arrivals) counts.set(uid, (counts.get(uid) ?? 0) + 1);
  const followers = groupBy(
    arrivals.flatMap(follower => follower.before.map(uid => ({ uid, follower }))),
    ({ uid }) => uid,
  );
  const missing = [...followers.keys()].filter(uid => !counts.has(uid));
  for (let uid = missing.pop(); uid !== undefined; uid = missing.pop()) {
    for (const { follower } of followers.get(uid) ?? []) {
      if (follower.uid === uid || !settled.delete(follower)) continue;
      const count = counts.get(follower.uid)! - 1;
      counts.set(follower.uid, count);
      if (count === 0) missing.push(follower.uid);
    }
  }
  return settled;
}
