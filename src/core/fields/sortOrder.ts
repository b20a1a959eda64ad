interface Ordered {
  readonly id: number;
  readonly sortOrder: number;
}

/**
 * The new sort orders that put `item` at index `at` of `siblings` (ascending by sortOrder, then id), changing as few of
 * them as possible: a free number between the neighbors if there is one, else the shorter run to a side is pushed away
 * by one each.
 */
export function orderBefore<T extends Ordered>(
  siblings: readonly T[],
  at: number,
  item: T,
): { item: T; order: number }[] {
  const previous = siblings[at - 1]?.sortOrder;
  const next = siblings[at]?.sortOrder;
  if (previous === undefined) return [{ item, order: next === undefined ? item.sortOrder : next - 1 }];
  if (next === undefined) return [{ item, order: Math.max(previous + 1, item.sortOrder) }];
  if (next - previous > 1) return [{ item, order: previous + Math.floor((next - previous) / 2) }];

  const up = pushed(siblings.slice(at), previous + 1, 1);
  const down = pushed(siblings.slice(0, at).reverse(), next - 1, -1);
  return up.length <= down.length ? [{ item, order: previous + 1 }, ...up] : [{ item, order: next - 1 }, ...down];
}

/** Moves each of `run` just past the one before it, until one already is. */
function pushed<T extends Ordered>(run: readonly T[], from: number, step: 1 | -1): { item: T; order: number }[] {
  const moved: { item: T; order: number }[] = [];
  let taken = from;
  for (const item of run) {
    if (step * (item.sortOrder - taken) > 0) break;
    taken += step;
    moved.push({ item, order: taken });
  }
  return moved;
}
