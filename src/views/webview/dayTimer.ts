import type { Disposable, Event } from '../../core/kernel/events';
import type { EpochMs } from '../../core/kernel/model';
import type { Clock } from '../../core/time/clock';

/** The clock and the moment at which time alone changes a view. */
export interface DayTimer {
  readonly clock: Clock;
  /** When a task becomes overdue, or the day ends. */
  readonly nextBoundary: () => EpochMs;
  /** Edits move the boundary. */
  readonly onDidChange: Event<unknown>;
}

/** Timers stand still while a computer sleeps, and the user may set the clock: so the clock is asked this often. */
const maxWaitMs = 60_000;

/** Edits come in bursts; the boundary is asked for once after them. */
const debounceMs = 100;

/** Calls `onPass` when time alone has changed the view: at each boundary, and when the clock's zone has changed. */
export function watchDays({ clock, nextBoundary, onDidChange }: DayTimer, onPass: () => void): Disposable {
  let boundary = nextBoundary();
  let zone = clock.timeZone;
  let seen = clock.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let soon: ReturnType<typeof setTimeout> | undefined;
  let isDisposed = false;

  const wait = () => {
    clearTimeout(timer);
    if (isDisposed) return;
    timer = setTimeout(check, Math.min(Math.max(boundary - clock.now(), 1), maxWaitMs));
  };
  const askSoon = () => {
    if (isDisposed) return;
    soon ??= setTimeout(() => {
      soon = undefined;
      const next = nextBoundary();
      // A boundary that has passed meanwhile, even while the next was asked for, must still be announced.
      if (clock.now() < boundary) boundary = next;
      wait();
    }, debounceMs);
  };
  const check = () => {
    const now = clock.now();
    const isPassed = now >= boundary || now < seen || clock.timeZone !== zone;
    seen = now;
    zone = clock.timeZone;
    // Until it has passed, the boundary stays: it may pass while the next is asked for.
    if (isPassed) boundary = nextBoundary();
    wait();
    if (!isPassed) return;
    onPass();
    // The redrawn view has a new boundary.
    askSoon();
  };
  const changes = onDidChange(askSoon);
  wait();
  return {
    dispose: () => {
      isDisposed = true;
      changes.dispose();
      clearTimeout(timer);
      clearTimeout(soon);
    },
  };
}
