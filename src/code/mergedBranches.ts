import type * as vscode from 'vscode';
import type { DuelineEngine } from '../api';
import type { Repository } from '../core/code/repository';
import { isClosed } from '../core/fields/status';
import { Disposables, Emitter } from '../core/kernel/events';
import type { Id } from '../core/kernel/model';
import type { GitRepository } from '../ui/text/codeLinks';
import type { BranchTasks } from './branchTasks';

/** The last known state of a task's branch on this computer. */
interface SeenBranch {
  /** It had commits that its base did not have: a new branch does not count as merged. */
  readonly isAhead?: true;
  readonly isMerged?: true;
}

type BranchEnd = 'merged' | 'deleted';

const key = 'dueline.branches';
const maxEntries = 200;
/** The git extension starts several processes for each branch. */
const maxBranches = 20;
const delayMs = 10_000;
const usualBases = ['main', 'master', 'trunk', 'develop'];

/**
 * Finds out which branches of open tasks were merged or deleted, by asking the git extension. A squash merge cannot be
 * recognized; its branch is reported once it is deleted.
 */
export class MergedBranches implements vscode.Disposable {
  readonly #owned = new Disposables();
  readonly #changed = this.#owned.add(new Emitter<void>());
  readonly onDidChange = this.#changed.event;
  readonly #seen: Map<string, SeenBranch>;
  /** By the address of the repository. */
  readonly #ends = new Map<string, ReadonlyMap<Id, BranchEnd>>();

  constructor(
    private readonly engine: Pick<DuelineEngine, 'task'>,
    private readonly tasks: BranchTasks,
    private readonly workspaceState: vscode.Memento,
  ) {
    this.#seen = new Map(Object.entries(workspaceState.get<Record<string, SeenBranch>>(key, {})));
  }

  of(id: Id): BranchEnd | undefined {
    const ends = [...this.#ends.values()].flatMap(found => found.get(id) ?? []);
    return ends.includes('merged') ? 'merged' : ends[0];
  }

  /** Checks now, after each commit and checkout, and a while after any other change. */
  watch(repository: GitRepository, names: readonly Repository[]): void {
    let head = '';
    let timer: NodeJS.Timeout | undefined;
    const check = () => {
      clearTimeout(timer);
      timer = undefined;
      void this.#check(repository, names).catch(() => undefined);
    };
    const onChange = () => {
      const { name, commit } = repository.state?.HEAD ?? {};
      const isNew = head !== `${name} ${commit}`;
      head = `${name} ${commit}`;
      if (isNew) check();
      else timer ??= setTimeout(check, delayMs);
    };
    const listening = repository.state?.onDidChange?.(onChange);
    this.#owned.add({ dispose: () => clearTimeout(timer) });
    if (listening) this.#owned.add(listening);
    onChange();
  }

  async #check(repository: GitRepository, names: readonly Repository[]): Promise<void> {
    const branches = await repository.getBranches?.({ remote: false });
    if (!branches) return;
    const { id } = names[0]!;
    const ends = new Map<Id, BranchEnd>();
    const there = new Set(branches.map(({ name }) => `${id} ${name}`));
    const own = branches.filter(({ name }) => this.#open(names, name).length > 0).slice(0, maxBranches);
    for (const { name, commit } of own) {
      const seen = await this.#stateOf(repository, name!, commit, this.#seen.get(`${id} ${name}`));
      this.#note(`${id} ${name}`, seen);
      if (seen.isMerged) for (const task of this.#open(names, name)) ends.set(task, 'merged');
    }
    for (const [key, { isAhead, isMerged }] of this.#seen) {
      const [repo, name] = [key.slice(0, id.length), key.slice(id.length + 1)];
      if (repo !== id || there.has(key) || !isAhead) continue;
      for (const task of this.#open(names, name)) ends.set(task, isMerged ? 'merged' : 'deleted');
    }
    const address = repository.rootUri.toString();
    const before = this.#ends.get(address) ?? new Map();
    const isSame = ends.size === before.size && [...ends].every(([task, end]) => before.get(task) === end);
    this.#ends.set(address, ends);
    if (!isSame) this.#changed.fire();
  }

  #open(names: readonly Repository[], branch: string | undefined): Id[] {
    return [...this.tasks.of(names, branch)].filter(id => {
      const task = this.engine.task(id);
      return task && !isClosed(task);
    });
  }

  async #stateOf(
    repository: GitRepository,
    name: string,
    commit: string | undefined,
    before: SeenBranch = {},
  ): Promise<SeenBranch> {
    const forks = await Promise.all(
      (await basesOf(repository, name)).map(base => repository.getMergeBase?.(base, name).catch(() => undefined)),
    );
    const known = forks.filter(fork => fork !== undefined);
    if (known.length === 0 || commit === undefined) return before;
    if (!known.includes(commit)) return { isAhead: true };
    return before.isAhead ? { isAhead: true, isMerged: true } : before;
  }

  #note(name: string, seen: SeenBranch): void {
    if (JSON.stringify(this.#seen.get(name)) === JSON.stringify(seen)) return;
    this.#seen.delete(name);
    this.#seen.set(name, seen);
    void this.workspaceState.update(key, Object.fromEntries([...this.#seen].slice(-maxEntries)));
  }

  dispose(): void {
    this.#owned.dispose();
  }
}

/** The branch's base, as the git extension knows it, and the usual ones. */
async function basesOf(repository: GitRepository, name: string): Promise<string[]> {
  const base = await repository.getBranchBase?.(name).catch(() => undefined);
  const known = base?.name === undefined ? [] : [base.name];
  const heads = await repository.getBranches?.({ remote: true }).catch(() => []);
  const usual = (heads ?? []).flatMap(branch =>
    branch.name !== undefined && usualBases.includes(branch.name.replace(/^[^/]+\//, '')) ? branch.name : [],
  );
  return [...new Set([...known, ...usual])].filter(one => one !== name).slice(0, 4);
}
