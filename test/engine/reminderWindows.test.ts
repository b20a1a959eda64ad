import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { DuelineEngine } from '../../src/api';
import { engines } from './support/engine';

const minute = 60_000;

type Step =
  | { readonly do: 'wait'; readonly minutes: number }
  | { readonly do: 'add'; readonly window: number; readonly minutes: number }
  | { readonly do: 'move'; readonly window: number; readonly task: number; readonly minutes: number }
  | { readonly do: 'close'; readonly window: number }
  | { readonly do: 'look'; readonly window: number; readonly eagerly: boolean }
  | { readonly do: 'lookAtOnce' };

const window = fc.nat(1);
const minutes = fc.integer({ min: 1, max: 200 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('wait' as const), minutes: fc.integer({ min: 0, max: 3000 }) }),
  fc.record({ do: fc.constant('add' as const), window, minutes }),
  fc.record({ do: fc.constant('move' as const), window, task: fc.nat(), minutes }),
  fc.record({ do: fc.constant('close' as const), window }),
  fc.record({ do: fc.constant('look' as const), window, eagerly: fc.boolean() }),
  fc.constant({ do: 'lookAtOnce' as const }),
);

/** Two windows on a folder that come and go, and what they fired. */
class Desk {
  readonly fired: string[] = [];
  readonly #windows: (DuelineEngine | undefined)[] = [];

  constructor(
    private readonly lab: ReturnType<typeof engines>,
    private readonly folder: string,
  ) {}

  async window(at: number): Promise<DuelineEngine> {
    let engine = this.#windows[at];
    if (!engine) {
      engine = await this.lab.open({ folder: this.folder });
      await engine.reminders.open();
      this.#windows[at] = engine;
    }
    await engine.refresh();
    return engine;
  }

  async run(step: Step): Promise<void> {
    const { clock } = this.lab;
    if (step.do === 'wait') clock.time += step.minutes * minute;
    else if (step.do === 'add') {
      const engine = await this.window(step.window);
      const due = clock.time + step.minutes * minute;
      await engine.createTask(engine.lists()[0]!.id, { due, timezone: 'UTC', alarms: [{ minutesBefore: 0 }] });
    } else if (step.do === 'move') {
      const engine = await this.window(step.window);
      const tasks = engine.rows(engine.lists()[0]!.id);
      if (tasks.length === 0) return;
      await engine.updateTask(tasks[step.task % tasks.length]!.id, { due: clock.time + step.minutes * minute });
    } else if (step.do === 'close') {
      await this.#windows[step.window]?.close();
      this.#windows[step.window] = undefined;
    } else if (step.do === 'look') await this.check(step.window, step.eagerly);
    else {
      const [one, two] = [await this.window(0), await this.window(1)];
      one.reminders.takeLead(true);
      const first = one.reminders.fire();
      two.reminders.takeLead(true);
      this.#note(...(await Promise.all([first, two.reminders.fire()])));
    }
  }

  async check(at: number, eagerly: boolean): Promise<void> {
    const { reminders } = await this.window(at);
    reminders.takeLead(eagerly);
    reminders.nextAt();
    this.#note(await reminders.fire());
  }

  #note(...found: Awaited<ReturnType<DuelineEngine['reminders']['fire']>>[]): void {
    for (const { task, fireAt } of found.flat()) this.fired.push(`${task.uid}/${fireAt}`);
  }
}

describe('reminders of windows that come and go', () => {
  const lab = engines();
  const start = Date.UTC(2026, 10, 21, 9, 30);

  it('are each shown once, and none is missed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async steps => {
        lab.clock.time = start;
        const desk = new Desk(lab, lab.folder());
        await desk.check(0, true);
        for (const step of steps) await desk.run(step);
        await desk.check(0, true);
        assert.deepEqual([...desk.fired].sort(), [...new Set(desk.fired)].sort(), 'fired once');
        const engine = await desk.window(0);
        const due = engine.alarmsBetween(start, lab.clock.time + 1).map(({ task, fireAt }) => `${task.uid}/${fireAt}`);
        assert.deepEqual(
          due.filter(key => !desk.fired.includes(key)),
          [],
        );
        await desk.run({ do: 'close', window: 0 });
        await desk.run({ do: 'close', window: 1 });
      }),
      {
        numRuns: 40,
        // The next alarm is asked for late: after it has come due, and before the check that shows it.
        examples: [
          [
            [
              { do: 'add', window: 0, minutes: 1 },
              { do: 'look', window: 0, eagerly: false },
              { do: 'wait', minutes: 31 },
            ],
          ],
        ],
      },
    );
  });
});
