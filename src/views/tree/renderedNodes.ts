import type { TreeNode } from './nodes';

/**
 * Knows which nodes the editor has. When the editor redraws a node it forgets the nodes below, and asks for them again
 * only if the node is unfolded: it would not find a forgotten row that is reported as changed.
 */
export class RenderedNodes {
  #roots: readonly TreeNode[] | undefined;
  /** Nodes whose children the editor has asked for since it drew them. */
  readonly #opened = new Set<TreeNode>();
  readonly #folded = new WeakSet<TreeNode>();
  /** Nodes that it redraws and whose children it has not asked for yet, though it shows them. */
  readonly #pending = new Set<TreeNode>();

  /** True while the editor is still drawing the nodes of the last report. */
  get isDrawing(): boolean {
    return this.#pending.size > 0;
  }

  /** Records the top nodes that the editor gets. */
  tops(roots: readonly TreeNode[]): TreeNode[] {
    this.#roots = roots;
    this.#settle(undefined, roots);
    return [...roots];
  }

  /** Records the children of a node that the editor gets. */
  opened(node: TreeNode, children: readonly TreeNode[]): void {
    this.#opened.add(node);
    this.#folded.delete(node);
    this.#pending.delete(node);
    this.#settle(node, children);
  }

  folded(node: TreeNode): void {
    this.#folded.add(node);
    for (const pending of this.#pending) if (withParents(pending).includes(node)) this.#pending.delete(pending);
  }

  unfolded(node: TreeNode): void {
    this.#folded.delete(node);
  }

  /** It asks for nothing below a view that is hidden. */
  stopWaiting(): void {
    this.#pending.clear();
  }

  /**
   * The nodes with which the editor redraws the given ones: each one that the editor has, or the nearest ancestor that it
   * has of one that it has forgotten.
   */
  nodesToRedraw(nodes: Iterable<TreeNode>): TreeNode[] {
    const redrawn = new Set<TreeNode>();
    for (const node of nodes) redrawn.add(this.#nearest(node));
    this.#forget(opened => withParents(opened).some(node => redrawn.has(node)));
    return [...redrawn];
  }

  /**
   * The nodes that redraw everything: those at the top, or undefined if these differ from before. With undefined the
   * editor knows no row for a moment, and a click on one would reach no node.
   */
  rootsToRedraw(roots: readonly TreeNode[]): TreeNode[] | undefined {
    const before = this.#roots ?? [];
    if (roots.length > 0 && roots.length === before.length && roots.every((root, at) => root === before[at]))
      return this.nodesToRedraw(roots);
    this.#forget(() => true);
    return undefined;
  }

  #forget(which: (opened: TreeNode) => boolean): void {
    for (const opened of [...this.#opened].filter(which)) {
      this.#opened.delete(opened);
      if (!withParents(opened).some(node => this.#folded.has(node))) this.#pending.add(opened);
    }
  }

  /** The editor will not ask for nodes that are no longer below the parent. */
  #settle(parent: TreeNode | undefined, children: readonly TreeNode[]): void {
    for (const pending of this.#pending) {
      const child = withParents(pending).find(node => node.parent === parent);
      if (child && !children.includes(child)) this.#pending.delete(pending);
    }
  }

  /** The node, or the topmost above it whose children the editor has not asked for. */
  #nearest(node: TreeNode): TreeNode {
    return withParents(node).findLast(above => above === node || !this.#opened.has(above)) ?? node;
  }
}

/** From the node to the top. */
function withParents(node: TreeNode): readonly TreeNode[] {
  const all: TreeNode[] = [];
  for (let at: TreeNode | undefined = node; at; at = at.parent) all.push(at);
  return all;
}
