import { DuelineError } from '../../core/kernel/errors';
import type { Message } from '../../core/kernel/message';
import { coreMessage } from '../../core/kernel/messages';
import type { Range } from '../../core/kernel/range';

/** A query that cannot be read: the range that is wrong and, if one is near, the word that was probably meant. */
export class QueryError extends DuelineError {
  constructor(
    message: Message,
    range: Range,
    readonly suggestion?: string,
  ) {
    super('query', suggestion === undefined ? message : coreMessage('didYouMean', message, suggestion), { range });
  }
}

/** The candidate that `word` is nearest to, if near enough to be a slip of the fingers. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const typed = word.toLowerCase();
  const allowed = typed.length <= 3 ? 1 : typed.length <= 6 ? 2 : 3;
  let best: string | undefined;
  let bestDistance = allowed + 1;
  for (const candidate of candidates) {
    const prefix = typed.length >= 2 && candidate.startsWith(typed);
    const distance = prefix ? 0.5 : slips(typed, candidate, bestDistance);
    if (distance < bestDistance && distance < candidate.length) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Insertions, deletions, replacements and swaps of neighbors that turn `a` into `b`; gives up beyond `limit`. */
function slips(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2]! + 1);
      row.push(cost);
    }
    before = last;
    last = row;
  }
  return last[b.length]!;
}
