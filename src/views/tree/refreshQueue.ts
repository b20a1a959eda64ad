import type { TreeNode } from './nodes';
import { RenderedNodes } from './renderedNodes';

/** The time that a busy editor may take to ask for rows; a view that is hidden does not ask. */
const timeoutMs = 1000;

/**
 * Reports to the editor what to redraw, one thing after another. If it got a second report while it still asks for the
 * rows of the first, it would draw both at once, not find rows of the one in the other, and write an error into its
 * log.
 */
export class RefreshQueue {
  readonly #drawn = new RenderedNodes();
  readonly #waiting = new Set<TreeNode>();
  #allWait = false;
  #timer: NodeJS.Timeout | undefined;
  #nextReport: NodeJS.Immediate | undefined;

  /** `report` without nodes: everything from the top. */
  constructor(
    private readonly roots: () => readonly TreeNode[],
    private readonly report: (nodes: TreeNode[] | undefined) => void,
  ) {}

  dispose(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#nextReport);
  }

  /** Reports these nodes once the editor has drawn those of the last report. */
  soon(nodes: Iterable<TreeNode> | 'all'): void {
    this.#add(nodes);
    if (!this.#drawn.isDrawing) this.#reportAll();
    else if (this.#hasWaiting) this.#timer ??= setTimeout(() => this.#stopWaiting(), timeoutMs);
  }

  /** Reports these nodes and the waiting ones at once, before the editor is asked to reveal one. */
  now(nodes: Iterable<TreeNode> | 'all'): void {
    this.#add(nodes);
    this.#reportAll();
  }

  /** The editor gets these for the top. */
  tops(roots: readonly TreeNode[]): TreeNode[] {
    const tops = this.#drawn.tops(roots);
    this.#goOn();
    return tops;
  }

  /** The editor gets these as the children of the node. */
  opened(node: TreeNode, children: TreeNode[]): TreeNode[] {
    this.#drawn.opened(node, children);
    this.#goOn();
    return children;
  }

  /** The editor shows nothing below the node: it was folded, or nothing is left there. */
  folded(node: TreeNode): void {
    this.#drawn.folded(node);
    this.#goOn();
  }

  unfolded(node: TreeNode): void {
    this.#drawn.unfolded(node);
  }

  get #hasWaiting(): boolean {
    return this.#allWait || this.#waiting.size > 0;
  }

  #add(nodes: Iterable<TreeNode> | 'all'): void {
    if (nodes === 'all') this.#allWait = true;
    else for (const node of nodes) this.#waiting.add(node);
  }

  /** Waits a turn of the event loop, until the editor has its answer. */
  #goOn(): void {
    if (!this.#hasWaiting || this.#drawn.isDrawing) return;
    this.#nextReport ??= setImmediate(() => {
      this.#nextReport = undefined;
      if (!this.#drawn.isDrawing) this.#reportAll();
    });
  }

  #stopWaiting(): void {
    this.#drawn.stopWaiting();
    this.#reportAll();
  }

  #reportAll(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#hasWaiting) return;
    const all = this.#allWait;
    const nodes = [...this.#waiting];
    this.#allWait = false;
    this.#waiting.clear();
    this.report(all ? this.#drawn.rootsToRedraw(this.roots()) : this.#drawn.nodesToRedraw(nodes));
  }
}
