import type { Task } from '../../core/kernel/model';
import type { FromForm } from '../../shared/taskEditorProtocol';

const linesOf = (text: string) => text.split(/\r\n?|\n/);

/** The number of lines with which both texts begin, and with which they end after those. */
function common(base: readonly string[], other: readonly string[]): readonly [head: number, tail: number] {
  const room = Math.min(base.length, other.length);
  let head = 0;
  while (head < room && base[head] === other[head]) head++;
  let tail = 0;
  while (tail < room - head && base.at(-1 - tail) === other.at(-1 - tail)) tail++;
  return [head, tail];
}

/**
 * Notes that were written here and elsewhere at the same time, both from `base`. Lines that only one of the two changed
 * are taken from it; lines that both changed are kept from both, so that nothing anyone wrote is lost.
 */
export function mergedNotes(base: string, mine: string, theirs: string): string {
  if (theirs.trim() === base.trim() || theirs.trim() === mine.trim()) return mine;
  const [old, own, other] = [linesOf(base), linesOf(mine), linesOf(theirs)];
  const [ownHead, ownTail] = common(old, own);
  const [otherHead, otherTail] = common(old, other);
  const end = old.length;
  const part = (of: readonly string[], head: number, tail: number) => of.slice(head, of.length - tail);
  const inTurn = (one: readonly string[], tail: number, two: readonly string[], head: number) =>
    [...part(one, 0, tail), ...old.slice(end - tail, head), ...part(two, head, 0)].join('\n');
  if (end - ownTail <= otherHead) return inTurn(own, ownTail, other, otherHead);
  if (end - otherTail <= ownHead) return inTurn(other, otherTail, own, ownHead);
  const [head, tail] = [Math.min(ownHead, otherHead), Math.min(ownTail, otherTail)];
  return [...part(own, 0, tail), ...part(other, head, tail), ...old.slice(end - tail)].join('\n');
}

/** Notes that were changed elsewhere since these were begun keep what was written there. */
export const withElsewhere = ({ field, value, base }: Extract<FromForm, { type: 'field' }>, { description }: Task) =>
  field === 'notes' && base !== undefined ? mergedNotes(base, value, description ?? '') : value;
