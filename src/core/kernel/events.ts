import type { Log } from './log';

/**
 * @example
 * const timer = setInterval(check, minuteMs);
 * return { dispose: () => clearInterval(timer) };
 */
export interface Disposable {
  dispose(): void;
}

/** The shape of an event everywhere below the editor. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

const logs = new Set<Log>();

/** Writes the errors of listeners to a log until it is disposed. Without any log they go to the console. */
export function logListenerErrors(log: Log): Disposable {
  // The same log may be added twice.
  const own: Log = (level, text) => log(level, text);
  logs.add(own);
  return { dispose: () => void logs.delete(own) };
}

function report(error: unknown): void {
  const text = `A listener failed: ${error instanceof Error ? error.stack : error}`;
  if (logs.size === 0) console.error(text);
  for (const log of logs) log('error', text);
}

/**
 * Fires values to its listeners, in the order in which they came.
 *
 * @example
 * const changes = new Emitter<number>();
 * const listening = changes.event(count => log(count));
 * changes.fire(2);
 * listening.dispose();
 */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(value: T) => void>();

  readonly event: Event<T> = listener => {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  };

  /** A listener that throws harms neither the others nor the one who fires. */
  fire(value: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        report(error);
      }
    }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

/**
 * Owns parts until it is disposed; a part that arrives later is disposed at once.
 *
 * @example
 * const parts = new Disposables();
 * const changes = parts.add(new Emitter<number>());
 * parts.dispose(); // disposes `changes` too
 */
export class Disposables implements Disposable {
  #items: Disposable[] | undefined = [];

  add<T extends Disposable>(item: T): T {
    if (this.#items) this.#items.push(item);
    else item.dispose();
    return item;
  }

  dispose(): void {
    const items = this.#items ?? [];
    this.#items = undefined;
    for (const item of items.reverse()) item.dispose();
  }
}
