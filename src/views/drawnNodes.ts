import type { TreeNode } from './nodes';

/**
 * Which nodes the editor has. What lies below one that it draws anew it forgets, and asks for again only where that is
 * unfolded: told that it has changed, the editor would look for it in vain.
 */
export class DrawnNodes {
  #roots: readonly TreeNode[] | undefined;
  /** Nodes whose children the editor has asked for since it drew them. */
  readonly #opened = new Set<TreeNode>();

  /** The editor is given these, to stand at the top. */
  tops(roots: readonly TreeNode[]): TreeNode[] {
    this.#roots = roots;
    return [...roots];
  }

  /** The editor is given what stands below the node. */
  opened(node: TreeNode): void {
    this.#opened.add(node);
  }

  /** What the editor has of these, and is about to draw anew: of one that it has forgotten, what that stands below. */
  again(nodes: Iterable<TreeNode>): TreeNode[] {
    const anew = new Set<TreeNode>();
    for (const node of nodes) anew.add(this.#nearest(node));
    for (const opened of this.#opened)
      if (withParents(opened).some(node => anew.has(node))) this.#opened.delete(opened);
    return [...anew];
  }

  /**
   * For all to be drawn anew: the nodes at the top, or undefined where they are others than before. The editor does not know
   * any row then for a moment, and a click on one would reach no node.
   */
  allAgain(roots: readonly TreeNode[]): TreeNode[] | undefined {
    const before = this.#roots ?? [];
    if (roots.length > 0 && roots.length === before.length && roots.every((root, at) => root === before[at]))
      return this.again(roots);
    this.#opened.clear();
    return undefined;
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
