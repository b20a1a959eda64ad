import type { Href } from '../remote/remote';
import type { Skipped } from '../state/ledgerTypes';

/** A calendar may have ten thousand events. What is forgotten is fetched again when the server names it next, no more. */
export const maxSkipped = 500;

/** With `changes`, the newest last and no more than {@link maxSkipped}; undefined where nothing changes. */
export function mergeSkipped(
  before: Readonly<Record<Href, Skipped>> | undefined,
  changes: ReadonlyMap<Href, Skipped | undefined>,
): Readonly<Record<Href, Skipped>> | undefined {
  const after = merged(before, changes);
  const entries = Object.entries(after ?? {});
  if (entries.length <= maxSkipped) return after;
  // What waits for another resource to go is forgotten last: the server will not name it then.
  const isWaiting = ([, { behind }]: (typeof entries)[number]) => Number(behind !== undefined);
  return Object.fromEntries(entries.sort((a, b) => isWaiting(a) - isWaiting(b)).slice(-maxSkipped));
}

/** Undefined where nothing changes, which is the rule. */
export function merged<T>(
  before: Readonly<Record<string, T>> = {},
  changes: ReadonlyMap<string, T | undefined>,
): Record<string, T> | undefined {
  let after: Record<string, T> | undefined;
  for (const [key, value] of changes) {
    if (value === undefined && before[key] === undefined) continue;
    after ??= { ...before };
    delete after[key];
    if (value !== undefined) after[key] = value;
  }
  return after;
}
