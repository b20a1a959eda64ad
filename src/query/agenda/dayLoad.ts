import { isClosed } from '../../core/fields/status';
import { estimateOf } from '../../core/fields/values';
import type { Id, Occurrence, Task } from '../../core/kernel/model';
import { seriesOf } from './groups';

/** The facts about other tasks that a sum of estimates needs. */
interface AroundLoad {
  task(id: Id): Pick<Task, 'parentId'> | undefined;
  /** Open subtasks without a date: they are done with the task above them. None, if each is counted where it is listed. */
  readonly undated: readonly Task[];
}

/**
 * The sum of the estimates of open lines, in minutes. A task with subtasks takes as long as it says or as they do
 * together, whichever is longer: the two are never added.
 */
export function minutesOf(lines: readonly Occurrence[], { task, undated }: AroundLoad): number {
  const open = lines.filter(line => !isClosed(line.task));
  const listed = new Set(open.map(seriesOf));
  const counted = new Map(undatedBelow(listed, undated).map(one => [one.id, one]));
  const isCounted = (id: Id) => listed.has(id) || counted.has(id);
  const aboveOf = ({ parentId }: Pick<Task, 'parentId'>): Id | null => {
    let above = parentId;
    while (above !== null && !isCounted(above)) above = task(above)?.parentId ?? null;
    return above;
  };
  const below = new Map<Id, Task[]>();
  const roots: Task[] = [];
  for (const one of [...open.map(line => line.task), ...counted.values()]) {
    const above = aboveOf(one);
    if (above === null) roots.push(one);
    else below.set(above, [...(below.get(above) ?? []), one]);
  }
  const minutes = (one: Task): number =>
    Math.max(estimateOf(one) ?? 0, sumOf((below.get(one.masterId ?? one.id) ?? []).map(minutes)));
  return sumOf(roots.map(minutes));
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

/** Those that are below listed tasks, with nothing but others of them between. */
function undatedBelow(listed: ReadonlySet<Id>, undated: readonly Task[]): Task[] {
  const byId = new Map(undated.map(one => [one.id, one]));
  const isBelow = ({ parentId }: Task): boolean =>
    parentId !== null && (listed.has(parentId) || (byId.has(parentId) && isBelow(byId.get(parentId)!)));
  return undated.filter(one => !listed.has(one.id) && isBelow(one));
}
