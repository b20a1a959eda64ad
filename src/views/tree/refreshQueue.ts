import type { TreeNode } from './nodes';
import { RenderedNodes } from './renderedNodes';

/** The time that a busy editor may take to ask for rows; a view that is hidden does not ask. */
const patienceMs = 1000;

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
  #turn: NodeJS.Immediate | undefined;

  /** `tell` without nodes: everything from the top. */
  constructor(
    private readonly roots: () => readonly TreeNode[],
    private readonly tell: (nodes: TreeNode[] | undefined) => void,
  ) {}

  dispose(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#turn);
  }

  /** Reports these nodes once the editor has drawn those of the last report. */
  soon(nodes: Iterable<TreeNode> | 'all'): void {
    this.#add(nodes);
    if (!this.#drawn.isDrawing) this.#tellAll();
    else if (this.#hasWaiting) this.#timer ??= setTimeout(() => this.#giveUp(), patienceMs);
  }

  /** With what waits: for what the editor is about to be pointed at. */
  now(nodes: Iterable<TreeNode> | 'all'): void {
    this.#add(nodes);
    this.#tellAll();
  }

  /** The editor is given these, to be at the top. */
  tops(roots: readonly TreeNode[]): TreeNode[] {
    const tops = this.#drawn.tops(roots);
    this.#goOn();
    return tops;
  }

  /** The editor is given these, to be below the node. */
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

  /** A turn later, when the editor has its answer. */
  #goOn(): void {
    if (!this.#hasWaiting || this.#drawn.isDrawing) return;
    this.#turn ??= setImmediate(() => {
      this.#turn = undefined;
      if (!this.#drawn.isDrawing) this.#tellAll();
    });
  }

  #giveUp(): void {
    this.#drawn.giveUpWaiting();
    this.#tellAll();
  }

  #tellAll(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#hasWaiting) return;
    const all = this.#allWait;
    const nodes = [...this.#waiting];
    this.#allWait = false;
    this.#waiting.clear();
    this.tell(all ? this.#drawn.allAgain(this.roots()) : this.#drawn.again(nodes));
  }
}
