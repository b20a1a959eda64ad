import type { AnchoredTask, FileLinkOfTask } from '../core/code/anchors';
import { anchorName, anchorsOf, fileLinkStarts, fileLinksOf, type TaskAnchor } from '../core/code/anchors';
import type { Id } from '../core/kernel/model';
import type { TaskStore } from '../store/taskStore';
import type { StoreChange } from '../store/types';

const mayHaveLinks = ['url', 'description'].flatMap(column =>
  fileLinkStarts.map(start => `instr(${column}, '${start}') > 0`),
);
// Without the signs an index with nearly all rows would be taken, also for a single id.
const linkedRows = `SELECT id, unknown_properties AS lines, url, description FROM tasks WHERE +is_deleted = 0 AND +master_id IS NULL
  AND (instr(upper(unknown_properties), '${anchorName}') > 0 OR ${mayHaveLinks.join(' OR ')})`;

interface Row {
  readonly id: Id;
  readonly lines: string | null;
  readonly url: string | null;
  readonly description: string | null;
}

/** The code locations and the file links of tasks. The first use reads all rows, later ones only those that changed. */
export class AnchorIndex {
  /** Undefined until the first use. */
  #byTask: Map<Id, readonly AnchoredTask[]> | undefined;
  readonly #byRepo = new Map<string, Set<Id>>();
  readonly #links = new Map<Id, readonly FileLinkOfTask[]>();
  #allLinks: readonly FileLinkOfTask[] | undefined;

  constructor(private readonly store: Pick<TaskStore, 'select'>) {}

  of(repo?: string, paths?: readonly string[]): AnchoredTask[] {
    const byTask = this.#all();
    const found = repo === undefined ? byTask.keys() : (this.#byRepo.get(repo) ?? []);
    const ids = [...found].sort((a, b) => a - b);
    return ids.flatMap(id =>
      byTask
        .get(id)!
        .filter(
          ({ anchor }) =>
            (repo === undefined || anchor.repo === repo) && (paths === undefined || paths.includes(anchor.path)),
        ),
    );
  }

  /** Returns the same array until a task with a link changes. */
  links(): readonly FileLinkOfTask[] {
    this.#all();
    this.#allLinks ??= [...this.#links.values()].flat().sort((a, b) => a.task - b.task);
    return this.#allLinks;
  }

  #all(): ReadonlyMap<Id, readonly AnchoredTask[]> {
    if (!this.#byTask) {
      this.#byTask = new Map();
      this.#read(linkedRows, []);
    }
    return this.#byTask;
  }

  /** Applies a change of the store. */
  update({ tasks }: StoreChange): void {
    if (!this.#byTask || tasks.length === 0) return;
    const known = new Map<string, TaskAnchor>();
    for (const id of tasks) {
      for (const { anchor } of this.#byTask.get(id) ?? []) {
        known.set(anchor.source, anchor);
        this.#byRepo.get(anchor.repo)?.delete(id);
      }
      this.#byTask.delete(id);
      if (this.#links.delete(id)) this.#allLinks = undefined;
    }
    this.#read(`${linkedRows} AND id IN (SELECT value FROM json_each(?))`, [JSON.stringify(tasks)], known);
  }

  #read(sql: string, params: readonly string[], known?: ReadonlyMap<string, TaskAnchor>): void {
    for (const { id, lines, url, description } of this.store.select<Row>(sql, params)) {
      const links = fileLinksOf({ url, description }).map(link => ({ task: id, link }));
      if (links.length > 0) {
        this.#links.set(id, links);
        this.#allLinks = undefined;
      }
      const found = anchorsOf({ unknownProperties: lines }, known).map(anchor => ({ task: id, anchor }));
      if (found.length > 0) this.#byTask!.set(id, found);
      for (const { anchor } of found) {
        const ids = this.#byRepo.get(anchor.repo) ?? new Set();
        this.#byRepo.set(anchor.repo, ids.add(id));
      }
    }
  }
}
