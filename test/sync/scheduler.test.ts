import assert from 'node:assert/strict';
import { Scheduler, type SchedulerOptions } from '../../src/sync/scheduler';

/** Timers that only move when the test moves them. */
class Time {
  now_ = Date.UTC(2026, 10, 21, 9);
  #waiting: { at: number; work: () => void }[] = [];
  readonly now = () => this.now_;
  readonly after = (ms: number, work: () => void) => {
    const one = { at: this.now_ + ms, work };
    this.#waiting.push(one);
    return () => {
      this.#waiting = this.#waiting.filter(other => other !== one);
    };
  };

  async pass(ms: number): Promise<void> {
    const end = this.now_ + ms;
    for (;;) {
      const next = this.#waiting.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.now_ = Math.max(this.now_, next.at);
      this.#waiting = this.#waiting.filter(one => one !== next);
      next.work();
      await new Promise(resolve => setImmediate(resolve));
    }
    this.now_ = end;
    await new Promise(resolve => setImmediate(resolve));
  }
}

/** One lead for several windows. */
class Leads {
  holder: object | undefined;
  of() {
    const me = {};
    return {
      keep: (eagerly = false) => {
        if (this.holder === undefined || eagerly) this.holder = me;
        return this.holder === me;
      },
      release: () => {
        if (this.holder === me) this.holder = undefined;
      },
    };
  }
}

const minute = 60_000;
const settings = { isEnabled: true, intervalMinutes: 15, onFocus: true, afterEdits: true };

describe('the scheduler', () => {
  let time: Time;
  let leads: Leads;
  let runs: { at: number; list: number | undefined }[];
  let lastRun: number | undefined;
  const made: Scheduler[] = [];
  const open = (options: Partial<SchedulerOptions> = {}) => {
    const scheduler = new Scheduler({
      clock: time,
      after: time.after,
      random: () => 0.5,
      leader: leads.of(),
      heartbeatMs: 10_000,
      settings: () => settings,
      isPaused: () => false,
      lastRunAt: () => lastRun,
      run: async ({ listId: list }) => {
        lastRun = time.now_;
        runs.push({ at: time.now_, list });
        return undefined;
      },
      ...options,
    });
    made.push(scheduler);
    return scheduler;
  };
  beforeEach(() => {
    time = new Time();
    leads = new Leads();
    runs = [];
    lastRun = undefined;
  });
  afterEach(() => {
    for (const one of made.splice(0)) one.dispose();
  });

  it('runs ten seconds after the start, then at the interval', async () => {
    const start = time.now_;
    open();
    await time.pass(9_999);
    assert.equal(runs.length, 0);
    await time.pass(1);
    assert.equal(runs.length, 1);
    await time.pass(59 * minute);
    assert.deepEqual(
      runs.map(({ at }) => (at - start - 10_000) / minute),
      [0, 15, 30, 45],
    );
  });

  it('spreads the interval by a tenth either way', async () => {
    for (const [random, expected] of [
      [0, 13.5],
      [0.999999, 16.5],
    ] as const) {
      runs = [];
      leads = new Leads();
      const scheduler = open({ random: () => random });
      await time.pass(10_000);
      await time.pass(17 * minute);
      assert.equal(Math.round(((runs[1]!.at - runs[0]!.at) / minute) * 10) / 10, expected);
      scheduler.dispose();
    }
  });

  it('leaves everything to the user if the interval is 0, except edits and focus', async () => {
    const scheduler = open({ settings: () => ({ ...settings, intervalMinutes: 0 }) });
    await time.pass(24 * 60 * minute);
    assert.equal(runs.length, 0);
    scheduler.edited(3);
    await time.pass(6_000);
    assert.equal(runs.length, 1);
  });

  it('syncs on focus only if the last run is two minutes old', async () => {
    const scheduler = open();
    lastRun = time.now_ - 2 * minute;
    scheduler.focused();
    await time.pass(0);
    assert.equal(runs.length, 0);
    await time.pass(1);
    scheduler.focused();
    await time.pass(0);
    assert.equal(runs.length, 1);
  });

  it('syncs on focus after the clock was set back by a day', async () => {
    const scheduler = open();
    lastRun = time.now_ + 24 * 60 * minute;
    scheduler.focused();
    await time.pass(0);
    assert.equal(runs.length, 1);
  });

  it('syncs a list at once if its folder has changed, in the leading window only', async () => {
    const first = open();
    const second = open();
    await time.pass(10_000);
    runs.splice(0);
    first.arrived(4);
    second.arrived(4);
    await time.pass(0);
    assert.deepEqual(
      runs.map(({ list }) => list),
      [4],
    );
    const off = open({
      settings: () => ({ ...settings, isEnabled: false }),
      leader: { keep: () => true, release() {} },
    });
    off.arrived(4);
    await time.pass(0);
    assert.equal(runs.length, 1);
  });

  it('marks runs about changes in a folder, even if one waited for another run', async () => {
    const requests: object[] = [];
    let end = () => {};
    const scheduler = open({
      run: request => {
        requests.push(request);
        return new Promise(resolve => (end = () => resolve(undefined)));
      },
    });
    await time.pass(10_000);
    scheduler.arrived(4);
    scheduler.edited(4);
    await time.pass(5_000);
    end();
    await time.pass(0);
    end();
    await time.pass(0);
    assert.deepEqual(requests, [
      { listId: undefined, trigger: 'schedule' },
      { listId: 4, trigger: 'folderChange' },
    ]);
  });

  it('waits for five quiet seconds after an edit, thirty at most, and syncs only that list', async () => {
    const scheduler = open({ settings: () => ({ ...settings, intervalMinutes: 0 }) });
    scheduler.edited(7);
    await time.pass(4_000);
    scheduler.edited(7);
    await time.pass(4_999);
    assert.equal(runs.length, 0);
    await time.pass(1);
    assert.deepEqual(
      runs.map(({ list }) => list),
      [7],
    );
    const start = time.now_;
    for (let at = 0; at < 12; at++) {
      scheduler.edited(at % 2);
      await time.pass(3_000);
    }
    assert.equal(runs[1]!.at - start, 30_000);
    assert.equal(runs[1]!.list, undefined);
  });

  it('sends what a terminal or an agent changed, from the leading window alone, and leaves their edits to other windows', async () => {
    const [leading, other] = [open(), open()];
    await time.pass(30_000);
    runs = [];
    for (const each of [leading, other]) each.edited(4, true);
    await time.pass(5_000);
    assert.deepEqual(runs, [{ at: time.now_, list: 4 }]);
    other.edited(5);
    leading.edited(5, true);
    await time.pass(minute);
    assert.deepEqual(
      runs.map(({ list }) => list),
      [4, 5],
    );
  });

  it('never overlaps runs, and runs once more for requests during a run', async () => {
    let running = 0;
    let most = 0;
    let end: (() => void) | undefined;
    const lists: (number | undefined)[] = [];
    const scheduler = open({
      settings: () => ({ ...settings, intervalMinutes: 0 }),
      run: async ({ listId: list }) => {
        most = Math.max(most, ++running);
        lists.push(list);
        await new Promise<void>(resolve => {
          end = resolve;
        });
        running--;
        return undefined;
      },
    });
    scheduler.edited(1);
    await time.pass(5_000);
    for (const list of [1, 2, 3]) {
      scheduler.edited(list);
      await time.pass(5_000);
    }
    end!();
    await time.pass(0);
    end!();
    await time.pass(0);
    assert.deepEqual(lists, [1, undefined]);
    assert.equal(most, 1);
  });

  it('retries a failed account at its time, and not before', async () => {
    let failures = 0;
    open({
      run: async () => {
        runs.push({ at: time.now_, list: undefined });
        return failures++ < 2 ? time.now_ + 40_000 : undefined;
      },
    });
    await time.pass(10_000 + 14 * minute);
    assert.deepEqual(
      runs.slice(1).map(({ at }, index) => at - runs[index]!.at),
      [40_000, 40_000],
    );
  });

  it('counts a run requested by the user: the next one is an interval away, or at the time of a failed account', async () => {
    const scheduler = open();
    await time.pass(10_000);
    await time.pass(14 * minute);
    scheduler.ran(undefined);
    await time.pass(14 * minute);
    assert.equal(runs.length, 1);
    await time.pass(minute);
    assert.equal(runs.length, 2);
    scheduler.ran(time.now_ + 2 * minute);
    await time.pass(2 * minute);
    assert.equal(runs.length, 3);
  });

  it('plans nothing more if the window closes during a run', async () => {
    let finish = () => {};
    const scheduler = open({ run: () => new Promise(resolve => (finish = () => resolve(time.now_ + minute))) });
    await time.pass(10_000);
    scheduler.edited(7);
    scheduler.dispose();
    finish();
    await time.pass(60 * minute);
    assert.equal(leads.holder, undefined);
    scheduler.edited(7);
    await time.pass(60 * minute);
    assert.equal(runs.length, 0);
  });

  it('does nothing by itself while paused or switched off', async () => {
    let isPaused = true;
    const scheduler = open({ isPaused: () => isPaused });
    scheduler.edited(1);
    scheduler.focused();
    await time.pass(60 * minute);
    assert.equal(runs.length, 0);
    isPaused = false;
    scheduler.replan();
    await time.pass(16 * minute);
    assert.equal(runs.length, 1);
  });

  it('62: syncs in one of two windows; if it closes, the other one takes over', async () => {
    const of: string[] = [];
    const run = (name: string) => async () => {
      of.push(name);
      return undefined;
    };
    const first = open({ run: run('first') });
    open({ run: run('second') });
    await time.pass(40 * minute);
    assert.deepEqual([...new Set(of)], ['first']);
    first.dispose();
    of.length = 0;
    await time.pass(40 * minute);
    assert.deepEqual([...new Set(of)], ['second']);
  });

  it('passes the lead to the window in which the user works', async () => {
    const of: string[] = [];
    open({ run: async () => void of.push('first') });
    const second = open({ run: async () => void of.push('second') });
    await time.pass(11_000);
    second.edited(1);
    await time.pass(6_000);
    await time.pass(20 * minute);
    assert.deepEqual(of, ['first', 'second', 'second']);
  });
});
