/** Below one node; more rows at once make the editor's tree slow to open and to redraw. */
export const pageSize = 500;

/** How many rows each node shows of those below it. */
export class TreePages {
  readonly #visibleCounts = new Map<string, number>();

  of(nodeId: string): number {
    return this.#visibleCounts.get(nodeId) ?? pageSize;
  }

  /** Shows as many pages as it takes to have the row at `index` among them; true where that is more than before. */
  reach(nodeId: string, index: number): boolean {
    if (index < this.of(nodeId)) return false;
    this.#visibleCounts.set(nodeId, (Math.floor(index / pageSize) + 1) * pageSize);
    return true;
  }

  /** Goes back to one page, of the node and all below it. */
  forget(nodeId: string): void {
    for (const id of this.#visibleCounts.keys())
      if (id === nodeId || id.startsWith(`${nodeId}/`)) this.#visibleCounts.delete(id);
  }
}
