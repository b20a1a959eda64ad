/** An item of a tree with its parent and depth. */
interface TreeStep<T> {
  readonly item: T;
  readonly parent: T | undefined;
  readonly depth: number;
}

/** Roots and their descendants, parents first, each key once. A loop, since recursion could exhaust the stack. */
export function walkTree<T>(
  roots: readonly T[],
  childrenOf: (item: T) => readonly T[],
  keyOf: (item: T) => unknown,
): readonly TreeStep<T>[] {
  const reached: TreeStep<T>[] = [];
  const seen = new Set<unknown>();
  const waiting: TreeStep<T>[] = roots.map(item => ({ item, parent: undefined, depth: 0 })).reverse();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { item, depth } = next;
    if (seen.has(keyOf(item))) continue;
    seen.add(keyOf(item));
    reached.push(next);
    for (const child of childrenOf(item).toReversed()) waiting.push({ item: child, parent: item, depth: depth + 1 });
  }
  return reached;
}
