import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Occurrence, Task } from '../../../src/core/kernel/model';
import { blankTask } from '../../../src/engine/taskRow';
import { byParent, minutesOf } from '../../../src/query/agenda/dayLoad';

const monday = Date.UTC(2026, 2, 16);
const dayMs = 86_400_000;

/** A task of a random store: its parent is one before it. */
interface Plan {
  readonly minutes: number;
  readonly parent: number;
  readonly day: number | null;
  readonly isDone: boolean;
  /** On how many days it is. */
  readonly times: number;
}

const plan: fc.Arbitrary<Plan> = fc.record({
  minutes: fc.constantFrom(0, 0, 5, 15, 30, 60, 240),
  parent: fc.integer({ min: -3, max: 8 }),
  day: fc.constantFrom(null, null, 0, 1, 2),
  isDone: fc.constantFrom(false, false, false, true),
  times: fc.constantFrom(1, 1, 1, 2, 3),
});

function tasksOf(plans: readonly Plan[]): Task[] {
  return plans.map(({ minutes, parent, day, isDone, times }, at) => ({
    ...blankTask(1, `u${at}`, monday),
    id: at + 1,
    parentId: parent >= 0 && parent < at ? parent + 1 : null,
    status: isDone ? 2 : 0,
    due: day === null ? null : monday + day * dayMs,
    isAllDay: day !== null,
    rrule: day !== null && times > 1 ? `FREQ=DAILY;COUNT=${times}` : null,
    unknownProperties: minutes === 0 ? null : JSON.stringify([`ESTIMATED-DURATION:PT${minutes}M`]),
  }));
}

const lineOf = (task: Task, day: number | null): Occurrence => ({
  task,
  due: day === null ? null : monday + day * dayMs,
  dtstart: null,
  isOverdue: false,
});

/** The second way to a sum: from each task down, by the rules as the page about estimates says them. */
function naiveSum(plans: readonly Plan[], day: number): number {
  const isOn = (at: number) => {
    const { day: first, times, isDone } = plans[at]!;
    return !isDone && first !== null && day >= first && day < first + times;
  };
  const parentOf = (at: number) => (plans[at]!.parent >= 0 && plans[at]!.parent < at ? plans[at]!.parent : undefined);
  /** It has no day, and belongs to that of the task above it. */
  const isCarried = (at: number): boolean => {
    const above = parentOf(at);
    if (plans[at]!.day !== null || plans[at]!.isDone || above === undefined) return false;
    return isOn(above) || isCarried(above);
  };
  const counts = (at: number) => isOn(at) || isCarried(at);
  const holderOf = (at: number): number | undefined => {
    const above = parentOf(at);
    return above === undefined || counts(above) ? above : holderOf(above);
  };
  const all = plans.map((_, at) => at).filter(counts);
  const worth = (at: number): number => {
    const below = all.filter(one => holderOf(one) === at).reduce((sum, one) => sum + worth(one), 0);
    return Math.max(plans[at]!.minutes, below);
  };
  return all.filter(at => holderOf(at) === undefined).reduce((sum, at) => sum + worth(at), 0);
}

describe('the load of a day', () => {
  const sum = (plans: readonly Plan[], day: number) => {
    const tasks = tasksOf(plans);
    const lines = tasks.flatMap((task, at) => {
      const { day: first, times } = plans[at]!;
      return first !== null && day >= first && day < first + times ? [lineOf(task, day)] : [];
    });
    const undated = tasks.filter(({ due, status, parentId }) => due === null && status < 2 && parentId !== null);
    return minutesOf(lines, { task: id => tasks[id - 1], undated: byParent(undated) });
  };

  it('equals a naive count in 1,000 random stores with series and subtasks', () => {
    let filled = 0;
    fc.assert(
      fc.property(fc.array(plan, { maxLength: 9 }), plans => {
        for (const day of [0, 1, 2, 3]) {
          const minutes = sum(plans, day);
          assert.equal(minutes, naiveSum(plans, day));
          if (minutes > 0) filled++;
        }
      }),
      { numRuns: 1000 },
    );
    assert.ok(filled > 1000, `${filled} days had something`);
  });

  const task = (minutes: number, more: Partial<Plan> = {}): Plan => ({
    ...{ minutes, parent: -1, day: 0, isDone: false, times: 1 },
    ...more,
  });

  it('counts a parent or its subtasks, whichever take longer', () => {
    assert.equal(sum([task(60), task(30, { parent: 0 }), task(15, { parent: 0 })], 0), 60);
    assert.equal(sum([task(60), task(30, { parent: 0 }), task(45, { parent: 0 })], 0), 75);
    assert.equal(sum([task(0), task(30, { parent: 0, day: null })], 0), 30);
  });

  it('leaves out what is completed or belongs to another day', () => {
    assert.equal(sum([task(60), task(90, { parent: 0, isDone: true })], 0), 60);
    assert.equal(sum([task(60), task(90, { parent: 0, day: 1 })], 0), 60);
    assert.equal(sum([task(60), task(90, { parent: 0, day: 1 })], 1), 90);
  });

  it('counts a repeating task on each of its days', () => {
    for (const day of [0, 1, 2]) assert.equal(sum([task(20, { times: 3 })], day), 20);
    assert.equal(sum([task(20, { times: 3 })], 3), 0);
  });

  it('counts a line once, in however many groups it is', () => {
    const [one] = tasksOf([task(20, { times: 3 })]);
    const lines = [0, 1, 0].map(day => lineOf(one!, day));
    assert.equal(minutesOf(lines, { task: () => one, undated: byParent([]) }), 40);
  });

  /** Tasks with these parents, each of 10 minutes; those with `isDated` are lines. */
  const sumOfChain = (parents: readonly (number | null)[], isDated: (at: number) => boolean) => {
    const all = tasksOf(parents.map(() => task(10))).map((one, at) => ({
      ...one,
      ...{ parentId: parents[at]!, due: isDated(at) ? monday : null },
    }));
    const lines = all.flatMap((one, at) => (isDated(at) ? [lineOf(one, 0)] : []));
    const undated = byParent(all.filter(({ due, parentId }) => due === null && parentId !== null));
    return minutesOf(lines, { task: id => all[id - 1], undated });
  };

  it('can be computed for a circle of parents, which other programs can create', () => {
    // 1 → 3 → 2 → 1, and 4 below 1.
    const circle = [3, 1, 2, 1];
    assert.equal(
      sumOfChain(circle, () => true),
      20,
    );
    assert.equal(
      sumOfChain(circle, at => at === 3),
      10,
    );
    assert.equal(
      sumOfChain(circle, at => at === 0),
      20,
    );
    assert.equal(
      sumOfChain(circle, () => false),
      0,
    );
    assert.equal(
      sumOfChain([1], () => true),
      10,
    );
  });

  it('can be computed for 6,000 levels of subtasks', () => {
    const chain = Array.from({ length: 6000 }, (_, at) => (at === 0 ? null : at));
    assert.equal(
      sumOfChain(chain, () => true),
      10,
    );
    assert.equal(
      sumOfChain(chain, at => at === 0),
      10,
    );
    assert.equal(
      sumOfChain(chain, at => at === 0 || at === 5999),
      10,
    );
  });
});
