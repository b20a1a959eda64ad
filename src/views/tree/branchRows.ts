import type { Id, Occurrence } from '../../core/kernel/model';
import type { GroupField } from '../../query/parse/syntax';
import { NestedRows } from './nestedRows';
import type { BranchNode } from './nodes';

/** The content that is configured for a branch. */
export interface BranchContent {
  readonly query: string;
  readonly lists?: readonly Id[];
  readonly nest: boolean;
  readonly group: GroupField;
  readonly limit?: number;
  readonly showClosed: boolean;
}

/** The rows found for a branch, and how it shows them. `lines` is the same array while nothing in it has changed. */
export interface RowRequest {
  readonly lines: readonly Occurrence[];
  readonly nest: boolean;
  readonly showClosed: boolean;
  readonly group: GroupField;
  /** Arranges the rows in groups; absent if the branch has none. */
  readonly groups?: (rows: NestedRows) => readonly RowGroup[];
}

/** Keys of the rows under one heading; their subtasks stay below them, whatever value these have. */
export interface RowGroup {
  readonly key: string;
  readonly label: string;
  readonly roots: readonly string[];
}

/** The rows that a branch shows, and its groups if it has any. */
export interface ShownRows {
  readonly rows: NestedRows;
  readonly by: GroupField;
  readonly groups: readonly RowGroup[] | undefined;
}

interface OpenBranch extends ShownRows {
  readonly branch: BranchNode;
  readonly lines: readonly Occurrence[];
}

/** A branch whose rows may differ; without `before` and `after` if nothing more is known. */
interface BranchChange {
  readonly branch: BranchNode;
  readonly before?: ShownRows;
  readonly after?: ShownRows;
  /** Keys of rows that were put in place of older ones, in `before` too if that has the same rows. */
  readonly replaced: ReadonlySet<string>;
}

/** The rows of the branches that are open: asked for when one opens, forgotten when it closes. */
export class BranchRows {
  readonly #open = new Map<string, OpenBranch>();
  /** The editor keeps the rows of these and asks for them again when they are opened only if it was notified of a change. */
  readonly #closed = new Set<BranchNode>();
  /** The rows before a change that `fresh` has read and `reload` has not reported yet. */
  readonly #unreported = new Map<string, ShownRows>();
  readonly #replaced = new Map<string, Set<string>>();

  /** `ask` may throw: a filter that cannot be read. */
  constructor(private readonly ask: (branch: BranchNode) => RowRequest) {}

  of(branch: BranchNode): ShownRows {
    return this.#open.get(branch.id) ?? this.#read(branch);
  }

  /** The rows of this moment, which may be ahead of the changes reported so far. */
  fresh(branch: BranchNode): ShownRows {
    const old = this.#open.get(branch.id);
    const now = this.#read(branch, old);
    if (old && now !== old && !this.#unreported.has(branch.id)) this.#unreported.set(branch.id, old);
    return now;
  }

  /** The last rows read; undefined if the branch is not open. */
  known(branch: BranchNode): ShownRows | undefined {
    return this.#open.get(branch.id);
  }

  forget(branch: BranchNode): void {
    this.#unreported.delete(branch.id);
    this.#replaced.delete(branch.id);
    if (this.#open.delete(branch.id)) this.#closed.add(branch);
  }

  clear(): void {
    this.#open.clear();
    this.#closed.clear();
    this.#unreported.clear();
    this.#replaced.clear();
  }

  /** Reads every open branch again after a change. The cost is that of what has changed in it. */
  reload(): BranchChange[] {
    const changes: BranchChange[] = [...this.#closed].map(branch => ({ branch, replaced: noIds }));
    this.#closed.clear();
    for (const open of [...this.#open.values()]) {
      const before = this.#unreported.get(open.branch.id) ?? open;
      const after = this.#readAgain(open);
      const replaced = this.#replaced.get(open.branch.id) ?? noIds;
      if (after !== before) changes.push({ branch: open.branch, ...(after && { before, after }), replaced });
    }
    this.#unreported.clear();
    this.#replaced.clear();
    return changes;
  }

  #readAgain(old: OpenBranch): OpenBranch | undefined {
    try {
      return this.#read(old.branch, old);
    } catch {
      this.#open.delete(old.branch.id);
      return undefined;
    }
  }

  #read(branch: BranchNode, old?: OpenBranch): OpenBranch {
    const { lines, group: by, groups, ...how } = this.ask(branch);
    if (old?.lines === lines) return old;
    const rows = (!groups && this.#patched(branch, lines, old)) || new NestedRows(lines, how);
    this.#closed.delete(branch);
    const open = { branch, lines, rows, by, groups: groups?.(rows) };
    this.#open.set(branch.id, open);
    return open;
  }

  /** The old rows with new content if each stays in its place: an edit costs the same in a list of any length. */
  #patched(branch: BranchNode, lines: readonly Occurrence[], old: OpenBranch | undefined): NestedRows | undefined {
    const keys = old?.rows.patch(old.lines, lines);
    if (!keys) return undefined;
    const replaced = this.#replaced.get(branch.id) ?? new Set();
    for (const key of keys) replaced.add(key);
    this.#replaced.set(branch.id, replaced);
    return old?.rows;
  }
}

const noIds: ReadonlySet<string> = new Set();
