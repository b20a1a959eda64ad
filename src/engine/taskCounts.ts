import { decodeTags } from '../core/fields/tags';
import type { Disposable } from '../core/kernel/events';
import type { Id } from '../core/kernel/model';
import type { TaskStore } from '../store/taskStore';
import type { StoreChange } from '../store/types';

/** The counts that a row adds to. */
interface CountedTask {
  readonly list: Id;
  /** Part of a series' exceptions: counts for tags alone. */
  readonly isException: boolean;
  readonly isOpen: boolean;
  readonly categories: string;
}

const columns = 'list_id AS list, master_id IS NOT NULL AS isException, status < 2 AS isOpen, categories';
const counted = 'FROM tasks WHERE is_deleted = 0 AND status < 3';
type Columns = Record<'list' | 'isException' | 'isOpen', number> & { categories: string };

/**
 * Tasks by list and open tasks by tag. SQLite counts for the first answer, which a start waits for; after a change every
 * row is read once, and from then on only those that change.
 */
export class TaskCounts implements Disposable {
  readonly #listening: Disposable;
  #state: 'nothing' | 'counts' | 'rows' = 'nothing';
  #wasAsked = false;
  readonly #rows = new Map<Id, CountedTask>();
  readonly #open = new Map<Id, number>();
  readonly #done = new Map<Id, number>();
  /** Counts by the text of the rows' tags column. */
  readonly #tags = new Map<string, number>();

  constructor(private readonly store: Pick<TaskStore, 'select' | 'onDidChange'>) {
    this.#listening = store.onDidChange(change => this.#onChange(change));
  }

  dispose(): void {
    this.#listening.dispose();
  }

  /** Open tasks of each list that has some; a series counts once. */
  open(): ReadonlyMap<Id, number> {
    this.#ready();
    return new Map(this.#open);
  }

  done(): ReadonlyMap<Id, number> {
    this.#ready();
    return new Map(this.#done);
  }

  /** Open tasks of each tag, in no order. */
  tags(): ReadonlyMap<string, number> {
    this.#ready();
    const counts = new Map<string, number>();
    for (const [text, count] of this.#tags)
      for (const tag of decodeTags(text)) counts.set(tag, (counts.get(tag) ?? 0) + count);
    return counts;
  }

  #onChange({ tasks }: StoreChange): void {
    if (tasks.length === 0) return;
    if (this.#state !== 'rows') {
      this.#state = 'nothing';
      return;
    }
    for (const id of tasks) this.#count(id, undefined);
    this.#read(' AND id IN (SELECT value FROM json_each(?))', [JSON.stringify(tasks)]);
  }

  #ready(): void {
    if (this.#state !== 'nothing') return;
    for (const tally of [this.#rows, this.#open, this.#done, this.#tags]) tally.clear();
    this.#state = this.#wasAsked ? 'rows' : 'counts';
    this.#wasAsked = true;
    if (this.#state === 'rows') {
      this.#read('', []);
      return;
    }
    const groups = `SELECT ${columns}, count(*) AS count ${counted} GROUP BY 1, 2, 3, 4`;
    for (const row of this.store.select<Columns & { count: number }>(groups)) this.#add(countedOf(row), row.count);
  }

  #read(which: string, params: readonly string[]): void {
    const rows = `SELECT id, ${columns} ${counted}${which}`;
    for (const row of this.store.select<Columns & { id: Id }>(rows, params)) this.#count(row.id, countedOf(row));
  }

  #count(id: Id, now: CountedTask | undefined): void {
    const before = this.#rows.get(id);
    if (before) this.#add(before, -1);
    if (now) {
      this.#add(now, 1);
      this.#rows.set(id, now);
    } else this.#rows.delete(id);
  }

  #add({ list, isException, isOpen, categories }: CountedTask, by: number): void {
    if (!isException) move(isOpen ? this.#open : this.#done, list, by);
    if (isOpen && categories !== '') move(this.#tags, categories, by);
  }
}

const countedOf = ({ list, isException, isOpen, categories }: Columns): CountedTask => ({
  list,
  isException: isException === 1,
  isOpen: isOpen === 1,
  categories,
});

function move<K>(tally: Map<K, number>, key: K, by: number): void {
  const count = (tally.get(key) ?? 0) + by;
  if (count === 0) tally.delete(key);
  else tally.set(key, count);
}
