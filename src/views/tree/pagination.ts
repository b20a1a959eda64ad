/** Below one node. Each edit that takes a row away has the editor ask for all of them again. */
export const firstPage = 200;
/** Added by each row for the rest. */
export const nextPage = 500;

/** The number of rows that each node shows of its own. */
export class TreePages {
  readonly #visibleCounts = new Map<string, number>();

  of(nodeId: string): number {
    return this.#visibleCounts.get(nodeId) ?? firstPage;
  }

  /** Shows as many pages as it takes to include the row at `index`; returns true if that is more than before. */
  reach(nodeId: string, index: number): boolean {
    if (index < this.of(nodeId)) return false;
    this.#visibleCounts.set(nodeId, firstPage + Math.ceil((index + 1 - firstPage) / nextPage) * nextPage);
    return true;
  }

  /** Goes back to one page, of the node and all below it. */
  forget(nodeId: string): void {
    for (const id of this.#visibleCounts.keys())
      if (id === nodeId || id.startsWith(`${nodeId}/`)) this.#visibleCounts.delete(id);
  }
}
