import type { Message } from '../kernel/message';
import { checkTaskCount } from './importSize';
import { importMessage } from './messages';
import type { ImportedTask, ImportResult } from './types';

/** The number of reasons that are reported one by one. */
const maxReasons = 1_000;

/**
 * The tasks that a reader takes from a file. A file of millions of lines that are no tasks must not fill the memory
 * with reasons.
 */
export class ImportCollector {
  readonly tasks: ImportedTask[] = [];
  readonly #reasons: Message[] = [];
  #skipped = 0;

  /** @throws DuelineError `invalid` for more tasks than one import takes */
  add(task: ImportedTask): void {
    this.tasks.push(task);
    checkTaskCount(this.tasks.length);
  }

  skip(reason: Message): void {
    this.#skipped++;
    if (this.#reasons.length < maxReasons) this.#reasons.push(reason);
  }

  /** How often something was skipped. */
  get skipped(): number {
    return this.#skipped;
  }

  result(left = this.#skipped, partly = 0): ImportResult {
    const more = this.#skipped - this.#reasons.length;
    const skipped = more > 0 ? [...this.#reasons, importMessage('moreReasons', more)] : this.#reasons;
    return { tasks: this.tasks, skipped, left, partly };
  }
}
