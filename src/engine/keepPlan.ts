import { withBranch } from '../core/code/branches';
import { isClosed } from '../core/fields/status';
import type { KeptPlan, PlanPlace } from '../core/kernel/keptPlan';
import { type Id, Status, type Task } from '../core/kernel/model';
import type { PlanStep } from '../core/text/planSteps';
import { changeBlockers } from './changeBlockers';
import type { TaskEditor, TaskEdits } from './taskEditor';

/** In another case, or with other spaces, it is the same step. */
const keyOf = (title: string | null): string => (title ?? '').trim().replace(/\s+/g, ' ').toLocaleLowerCase();

interface Engine extends TaskEdits {
  task(id: Id): Task | undefined;
  tasksByShortIds(texts: Iterable<string>): ReadonlyMap<string, Task>;
}

/**
 * Keeps the steps of a plan as subtasks of a task, in one step of undo. A step that is there already, by its short ID or
 * its title, stays as it is, but for a tick. So a plan can be kept again, whole or in part, and changes nothing.
 */
export function keepPlan(engine: Engine, steps: readonly PlanStep[], place: PlanPlace): Promise<KeptPlan> {
  const named = engine.tasksByShortIds(steps.flatMap(({ shortId }) => shortId ?? []));
  const parent = place.parentId === undefined ? undefined : engine.task(place.parentId);
  const title = (place.parentId === undefined ? place.title : parent?.title) ?? undefined;
  return engine.editTasks({ key: parent ? 'update' : 'create', count: 1, title }, editor => {
    const root = editor.existing(place.parentId === undefined ? newRoot(editor, place) : place.parentId);
    return new PlanKeeper(editor, root, named).keep(steps);
  });
}

function newRoot(editor: TaskEditor, { listId, title, branch }: PlanPlace & { readonly parentId?: undefined }): Id {
  const id = editor.create(listId, { title });
  if (branch) editor.setLines(id, task => withBranch(task, branch));
  return id;
}

class PlanKeeper {
  readonly #below: readonly Task[];
  readonly #added: Id[] = [];
  #completed = 0;

  constructor(
    private readonly editor: TaskEditor,
    private readonly root: Task,
    private readonly named: ReadonlyMap<string, Task>,
  ) {
    this.#below = editor
      .familyOf(root)
      .slice(1)
      .map(({ item }) => item);
  }

  keep(steps: readonly PlanStep[]): KeptPlan {
    const places: Id[] = [];
    for (const step of steps) places.push(this.#keepStep(step, places));
    return { task: this.root.id, added: this.#added, completed: this.#completed };
  }

  #keepStep(step: PlanStep, places: readonly Id[]): Id {
    const { title, isDone, parent, after } = step;
    const parentId = parent === undefined ? this.root.id : places[parent]!;
    const known = this.#find(step, parentId);
    if (known) {
      if (isDone && !isClosed(this.editor.existing(known.id))) {
        this.editor.complete(known.id);
        this.#completed++;
      }
      return known.id;
    }
    const id = this.editor.create(this.root.listId, { title, parentId, ...(isDone && { status: Status.completed }) });
    if (after !== undefined) changeBlockers(this.editor, id, { add: [places[after]!] });
    this.#added.push(id);
    return id;
  }

  /**
   * A plan that is cut does not say what its first lines are below, so they are looked for everywhere, unless they are
   * below a step that is new.
   */
  #find({ title, shortId }: PlanStep, parentId: Id): Task | undefined {
    const id = shortId === undefined ? undefined : this.named.get(shortId)?.id;
    const byId = this.#below.find(task => task.id === id);
    if (byId) return byId;
    const isSame = (task: Task) => keyOf(task.title) === keyOf(title);
    const there = this.editor.childrenOf(parentId).find(isSame);
    return there ?? (this.#added.includes(parentId) ? undefined : this.#below.find(isSame));
  }
}
