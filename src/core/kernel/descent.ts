/** A thing with what it was reached from and how far down. */
interface TreeStep<T> {
  readonly item: T;
  readonly parent: T | undefined;
  readonly depth: number;
}

/** Roots with all below them, each before what is below it and once, however deep: no call within a call. */
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
