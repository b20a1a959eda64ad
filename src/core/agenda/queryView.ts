import type { CompiledQuery } from '../filter/eval/compile';
import type { TaskSource } from '../filter/eval/context';
import { isOpen, isPassed } from '../filter/eval/items';
import { eachLine } from '../filter/eval/run';
import type { LineOrder } from '../filter/eval/sort';
import { inSet } from '../filter/eval/sql';
import type { Id, Occurrence } from '../model';
import type { Moment } from '../time/dates';
import { placeOf } from './dayViews';

/** The sorted lines of any query, with changed rows asked again one by one instead of all. */
export class QueryView {
  readonly #items: Occurrence[] = [];
  readonly #byRow = new Map<Id, Occurrence[]>();
  readonly #cut = new Set<Id>();

  constructor(
    readonly source: TaskSource,
    readonly compiled: CompiledQuery,
    readonly order: LineOrder,
  ) {
    const { all } = compiled;
    this.#read(source.selectTasks(all.text, all.params), item => this.#items.push(item));
    order.sort(this.#items);
  }

  get items(): readonly Occurrence[] {
    return this.#items;
  }

  /** Whether a task that repeats very often has more lines than these. */
  get isCut(): boolean {
    return this.#cut.size > 0;
  }

  /** Whether the lines are others now. */
  update(rows: ReadonlySet<Id>): boolean {
    if (rows.size === 0) return false;
    let changed = false;
    for (const id of rows) {
      for (const item of this.#byRow.get(id) ?? []) {
        const guess = placeOf(this.#items, item, this.order);
        const at = this.#items[guess] === item ? guess : this.#items.indexOf(item);
        this.#items.splice(at, 1);
        changed = true;
      }
      this.#byRow.delete(id);
      changed = this.#cut.delete(id) || changed;
    }
    const { all } = this.compiled;
    const inRows = inSet('t.id', rows);
    const found = this.source.selectTasks(`${inRows.text} AND (${all.text})`, [...inRows.params, ...all.params]);
    this.#read(found, item => {
      this.#items.splice(placeOf(this.#items, item, this.order), 0, item);
      changed = true;
    });
    return changed;
  }

  /** Looks again at what has become overdue. */
  pass(moment: Moment): void {
    const late = new Set<Id>();
    for (const [id, items] of this.#byRow)
      if (
        items.some(
          ({ task, due, isOverdue }) => !isOverdue && due !== null && isOpen(task) && isPassed(due, task, moment),
        )
      )
        late.add(id);
    this.update(late);
  }

  #read(rows: ReturnType<TaskSource['selectTasks']>, place: (item: Occurrence) => void): void {
    const add = (item: Occurrence, { id }: { id: Id }) => {
      const items = this.#byRow.get(id);
      if (items) items.push(item);
      else this.#byRow.set(id, [item]);
      place(item);
    };
    eachLine(rows, this.compiled, this.source, add, undefined, id => this.#cut.add(id));
  }
}
