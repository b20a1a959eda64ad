import type { TrashEntry } from '../api';
import { withBranch } from '../core/code/branches';
import { uuidOf } from '../core/exchange/stableUid';
import { withDependencies } from '../core/fields/dependencies';
import { valuesOf, withLine } from '../core/fields/lines';
import { isClosed } from '../core/fields/status';
import type { KeptPlan, PlanTarget } from '../core/kernel/keptPlan';
import { type Id, Status, type Task } from '../core/kernel/model';
import { type PlanStep, stepKey } from '../core/text/planSteps';
import { isLiveSeries } from '../query/eval/items';
import type { TaskEditor, TaskEdits } from './taskEditor';

/** Identifies a step in its plan: a hash of the title that it had first, and of its parent's hash. */
const stepLine = 'X-DUELINE-STEP';

const stepOf = (task: Task): string | undefined => valuesOf(task, stepLine)[0];

interface Engine extends TaskEdits {
  task(id: Id): Task | undefined;
  tasksByShortIds(texts: Iterable<string>): ReadonlyMap<string, Task>;
  trash(): Promise<readonly TrashEntry[]>;
}

/**
 * Keeps the steps of a plan as subtasks of a task, in one undo step. A step that already exists or was deleted is not
 * changed, except that it may be ticked. So the same plan, or a part of it, can be kept again without changing
 * anything.
 */
export async function keepPlan(engine: Engine, steps: readonly PlanStep[], target: PlanTarget): Promise<KeptPlan> {
  const named = engine.tasksByShortIds(steps.flatMap(({ shortId }) => shortId ?? []));
  const parent = target.parentId === undefined ? undefined : engine.task(target.parentId);
  const title = (target.parentId === undefined ? target.title : parent?.title) ?? undefined;
  const deleted = new Set((await engine.trash()).flatMap(({ task }) => stepOf(task) ?? []));
  return engine.editTasks({ key: parent ? 'update' : 'create', count: 1, title }, editor => {
    const root = editor.existing(target.parentId === undefined ? newRoot(editor, target) : target.parentId);
    return new PlanKeeper(editor, root, named, deleted).keep(steps);
  });
}

function newRoot(editor: TaskEditor, { listId, title, branch }: PlanTarget & { readonly parentId?: undefined }): Id {
  const id = editor.create(listId, { title });
  if (branch) editor.setLines(id, task => withBranch(task, branch));
  return id;
}

/** The task of a step, and its hash. */
interface KeptStep {
  readonly task: Task;
  readonly step: string;
}

class PlanKeeper {
  readonly #added: Id[] = [];
  #completed = 0;
  /** Tasks by the hashes of their steps, wherever they are now. */
  readonly #bySteps: Map<string, Task>;
  readonly #byId = new Map<Id, Task>();
  /** Tasks by their parents and titles. */
  readonly #children = new Map<string, Task>();
  readonly #byTitles = new Map<string, Task>();
  /**
   * The tasks that were assumed for lines of a partial text: a second copy of the text is indented below the last lines
   * of the first.
   */
  readonly #guessed = new Map<string, Task>();

  constructor(
    private readonly editor: TaskEditor,
    private readonly root: Task,
    private readonly named: ReadonlyMap<string, Task>,
    private readonly deleted: ReadonlySet<string>,
  ) {
    const steps = editor.tx.selectTasks(
      't.is_deleted = 0 AND t.master_id IS NULL AND instr(upper(t.unknown_properties), ?) > 0',
      [stepLine],
    );
    this.#bySteps = new Map(steps.map(task => [stepOf(task) ?? '', task]));
    for (const { item } of editor.familyOf(root).slice(1)) this.#remember(item);
  }

  keep(steps: readonly PlanStep[]): KeptPlan {
    const kept: (KeptStep | undefined)[] = [];
    for (const step of steps) kept.push(this.#keepStep(step, kept));
    return { task: this.root.id, added: this.#added, completed: this.#completed };
  }

  /** Undefined for a deleted step: neither it nor new steps below it are added. */
  #keepStep(step: PlanStep, kept: readonly (KeptStep | undefined)[]): KeptStep | undefined {
    const { title, words = title, parent, after } = step;
    const keptParent = parent === undefined ? { task: this.root, step: this.root.uid } : kept[parent];
    if (!keptParent) return undefined;
    const own = uuidOf(`${keptParent.step}\n${stepKey(words)}`);
    const known = this.#find(step, own, keptParent.task);
    if (known) {
      if (step.isDone) this.#complete(known.id);
      return { task: known, step: stepOf(known) ?? own };
    }
    if (this.deleted.has(own)) return undefined;
    const task = this.#add(words, step, own, keptParent.task, after === undefined ? undefined : kept[after]?.task);
    return { task, step: own };
  }

  #complete(id: Id): void {
    const task = this.editor.existing(id);
    // Each time, a series would advance by one more occurrence.
    if (isClosed(task) || isLiveSeries(task)) return;
    this.editor.complete(id);
    this.#completed++;
  }

  #find({ title, words = title, shortId, isCut }: PlanStep, own: string, parent: Task): Task | undefined {
    const key = stepKey(words);
    const named = shortId === undefined ? undefined : this.named.get(shortId);
    const byId = named && this.#byId.get(named.id);
    const there = byId ?? this.#bySteps.get(own) ?? this.#children.get(`${parent.id}\n${key}`);
    if (there) return there;
    const guessed = isCut ? this.#byTitles.get(key) : this.#guessed.get(key);
    if (guessed) this.#guessed.set(key, guessed);
    return guessed;
  }

  #add(title: string, { isDone }: PlanStep, own: string, parent: Task, before: Task | undefined): Task {
    const status = isDone && { status: Status.completed };
    const id = this.editor.create(parent.listId, { title, parentId: parent.id, ...status });
    this.editor.setLines(id, task => {
      const unknownProperties = withLine(task, stepLine, own);
      // Nothing waits for a new task, so there can be no circle.
      return before ? withDependencies({ unknownProperties }, [before.uid]) : unknownProperties;
    });
    const task = this.editor.existing(id);
    this.#added.push(id);
    this.#bySteps.set(own, task);
    this.#remember(task);
    return task;
  }

  /** Among those with one name, the first one counts. */
  #remember(task: Task): void {
    const key = stepKey(task.title);
    const child = `${task.parentId}\n${key}`;
    this.#byId.set(task.id, task);
    if (!this.#children.has(child)) this.#children.set(child, task);
    if (!this.#byTitles.has(key)) this.#byTitles.set(key, task);
  }
}
