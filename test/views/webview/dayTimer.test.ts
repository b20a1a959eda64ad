import assert from 'node:assert/strict';
import { Emitter } from '../../../src/core/kernel/events';
import { type DayTimer, watchDays } from '../../../src/views/webview/dayTimer';
import { engines } from '../../engine/support/engine';

const due = Date.UTC(2026, 10, 21, 14);

/** Stands until the test starts it. */
class Watch {
  readonly timeZone = 'Europe/Berlin';
  #start: number | undefined;
  constructor(readonly stood: number) {}
  now = () => (this.#start === undefined ? this.stood : this.stood + Date.now() - this.#start);
  run = () => {
    this.#start = Date.now();
  };
}

const nextTime = (passing: DayTimer) =>
  new Promise<void>(resolve => {
    const following = watchDays(passing, () => {
      following.dispose();
      resolve();
    });
  });

describe('the timer of a day', () => {
  const started = engines();

  it('reports when a task becomes overdue, at that moment', async () => {
    const clock = new Watch(due - 100);
    const engine = await started.open({ clock });
    await engine.createTask(engine.defaultListId(), { title: 'Call', due, timezone: 'Europe/Berlin' });
    assert.equal(engine.nextBoundary(), due + 1);
    assert.equal(engine.widget('today').groups[0]!.items.length, 0);
    const passed = nextTime(engine);
    clock.run();
    await passed;
    assert.equal(engine.widget('today').groups[0]!.items.length, 1);
  });

  it('follows an edit that moves the next boundary', async () => {
    const clock = new Watch(due);
    clock.run();
    const edits = new Emitter<void>();
    let boundary = due + 86_400_000;
    const passed = nextTime({ clock, nextBoundary: () => boundary, onDidChange: edits.event });
    boundary = clock.now() + 150;
    edits.fire();
    await passed;
    assert.ok(clock.now() >= boundary);
  });

  it('ignores a boundary that a hidden widget has passed', async () => {
    const clock = { time: due - 1000, timeZone: 'Europe/Berlin', now: () => clock.time };
    const engine = await started.open({ clock });
    await engine.createTask(engine.defaultListId(), { title: 'Call', due, timezone: 'Europe/Berlin' });
    engine.widget('week');
    clock.time = due + 1000;
    assert.equal(engine.nextBoundary(), Date.UTC(2026, 10, 21, 23));
  });

  it('reports the end of the day', async () => {
    const clock = new Watch(Date.UTC(2026, 10, 21, 22, 59, 59, 900));
    const engine = await started.open({ clock });
    assert.equal(engine.nextBoundary(), Date.UTC(2026, 10, 21, 23));
    const passed = nextTime(engine);
    clock.run();
    await passed;
    assert.ok(clock.now() >= Date.UTC(2026, 10, 21, 23));
  });

  it('reports a boundary that passes while the next one is being computed', async () => {
    const end = Date.UTC(2026, 10, 21, 23);
    const clock = { time: end - 1, timeZone: 'Europe/Berlin', now: () => clock.time };
    let calls = 0;
    const passed = nextTime({
      clock,
      nextBoundary: () => {
        if (++calls > 1) clock.time = end;
        return clock.time < end ? end : end + 86_400_000;
      },
      onDidChange: onEdit => {
        onEdit(undefined);
        return { dispose: () => undefined };
      },
    });
    await passed;
    assert.equal(clock.time, end);
  });

  it('reports nothing once it is disposed of', async () => {
    let calls = 0;
    const following = watchDays(
      {
        clock: new Watch(due),
        nextBoundary: () => {
          calls++;
          return due + 50;
        },
        onDidChange: () => ({ dispose: () => undefined }),
      },
      () => assert.fail(),
    );
    following.dispose();
    await new Promise(resolve => setTimeout(resolve, 120));
    assert.equal(calls, 1);
  });
});
