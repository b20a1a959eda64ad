import type { AnchoredTask } from '../api';
import { anchorName, anchorsOf } from '../core/code/anchors';
import type { Disposable } from '../core/events';
import type { Id } from '../core/model';
import type { TaskStore } from '../store/taskStore';
import type { StoreChange } from '../store/types';

/** More changed rows than this are read with all others. */
const manyRows = 2000;

const rows = `SELECT id, unknown_properties AS lines FROM tasks
  WHERE is_deleted = 0 AND master_id IS NULL AND instr(upper(unknown_properties), '${anchorName}') > 0`;

/** Tasks by their places in code: all rows are read at the first question, from then on only those that change. */
export class AnchorIndex implements Disposable {
  readonly #listening: Disposable;
  /** Undefined until someone asks. */
  #byTask: Map<Id, readonly AnchoredTask[]> | undefined;
  readonly #byRepo = new Map<string, Set<Id>>();

  constructor(private readonly store: Pick<TaskStore, 'select' | 'onDidChange'>) {
    this.#listening = store.onDidChange(change => this.#onChange(change));
  }

  dispose(): void {
    this.#listening.dispose();
  }

  of(repo?: string, paths?: readonly string[]): AnchoredTask[] {
    if (!this.#byTask) {
      this.#byTask = new Map();
      this.#read(rows, []);
    }
    const found = repo === undefined ? this.#byTask.keys() : (this.#byRepo.get(repo) ?? []);
    const ids = [...found].sort((a, b) => a - b);
    return ids.flatMap(id =>
      this.#byTask!.get(id)!.filter(
        ({ anchor }) =>
          (repo === undefined || anchor.repo === repo) && (paths === undefined || paths.includes(anchor.path)),
      ),
    );
  }

  #onChange({ tasks }: StoreChange): void {
    if (!this.#byTask || tasks.length === 0) return;
    if (tasks.length > manyRows) {
      this.#byTask = undefined;
      this.#byRepo.clear();
      return;
    }
    for (const id of tasks) {
      for (const { anchor } of this.#byTask.get(id) ?? []) this.#byRepo.get(anchor.repo)?.delete(id);
      this.#byTask.delete(id);
    }
    this.#read(`${rows} AND id IN (SELECT value FROM json_each(?))`, [JSON.stringify(tasks)]);
  }

  #read(sql: string, params: readonly string[]): void {
    for (const { id, lines } of this.store.select<{ id: Id; lines: string }>(sql, params)) {
      const found = anchorsOf({ unknownProperties: lines }).map(anchor => ({ task: id, anchor }));
      if (found.length > 0) this.#byTask!.set(id, found);
      for (const { anchor } of found) {
        const ids = this.#byRepo.get(anchor.repo) ?? new Set();
        this.#byRepo.set(anchor.repo, ids.add(id));
      }
    }
  }
}
