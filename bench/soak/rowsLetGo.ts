/** As V8 writes it: nodes and edges as rows of numbers, whose columns `meta` names. */
interface HeapSnapshot {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[];
      readonly edge_fields: readonly string[];
      readonly edge_types: readonly [readonly string[], ...unknown[]];
    };
  };
  readonly nodes: readonly number[];
  readonly edges: readonly number[];
  readonly strings: readonly string[];
}

/**
 * Bytes that the editor's extension host keeps of tree rows it has drawn and let go of: it gives each row that it is
 * handed a store of what to dispose of, empties that with the row, and keeps the empty store as long as the tree lives.
 */
export function bytesOfRowsLetGo(heap: HeapSnapshot): number {
  const { nodes, edges, strings } = heap;
  const { node_fields, edge_fields, edge_types } = heap.snapshot.meta;
  const [width, edgeWidth] = [node_fields.length, edge_fields.length];
  const column = (name: string) => node_fields.indexOf(name);
  const [type, name, to] = ['type', 'name_or_index', 'to_node'].map(field => edge_fields.indexOf(field));
  const firstEdge = new Map<number, number>();
  for (let node = 0, edge = 0; node < nodes.length; node += width) {
    firstEdge.set(node, edge);
    edge += nodes[node + column('edge_count')]! * edgeWidth;
  }
  const targetsOf = (node: number): Map<string, number> => {
    const found = new Map<string, number>();
    const start = firstEdge.get(node)!;
    const end = start + nodes[node + column('edge_count')]! * edgeWidth;
    for (let edge = start; edge < end; edge += edgeWidth)
      if (/property|internal/.test(edge_types[0][edges[edge + type!]!]!))
        found.set(strings[edges[edge + name!]!]!, edges[edge + to!]!);
    return found;
  };
  const sizeOf = (node: number | undefined) => (node === undefined ? 0 : nodes[node + column('self_size')]!);
  const label = (node: number | undefined) => (node === undefined ? '' : strings[nodes[node + column('name')]!]);

  let bytes = 0;
  for (let node = 0; node < nodes.length; node += width) {
    const store = targetsOf(node);
    if (!store.has('_toDispose') || label(store.get('_isDisposed')) !== 'true') continue;
    const set = store.get('_toDispose')!;
    bytes += sizeOf(node) + sizeOf(set) + sizeOf(targetsOf(set).get('table'));
  }
  return bytes;
}
