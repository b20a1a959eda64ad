import assert from 'node:assert/strict';
import type { TaskList } from '../../../src/api';
import type { Device } from './twoDevices';

/** The color of a list that shows none. */
const defaultColor = 0xff3b82f6 | 0;

/** The actions of users on lists. A list is identified by its color, which nobody changes; names and addresses do change. */
export class ListActs {
  #colors = 0;
  readonly #moves = new Map<number, number>();
  readonly #deleted = new Set<number>();
  /** The number of undos and redos, each of which may add any list once more. */
  #takenBack = 0;

  newColor = (): number => 0xff000000 | (0x10_20_30 + 0x01_01_07 * ++this.#colors) | 0;

  moves({ color }: TaskList): void {
    this.#moves.set(color, (this.#moves.get(color) ?? 0) + 1);
  }

  deletes({ color }: TaskList): void {
    this.#deleted.add(color);
  }

  takesBack(outcome: string | undefined): void {
    if (/list\.|backup of/.test(outcome ?? '')) this.#takenBack++;
  }

  isDeleted = ({ color }: TaskList): boolean => this.#deleted.has(color);

  /** Each list is in an account once, and once more for each time that it was moved. */
  check({ name, engine }: Device): void {
    for (const account of engine.accounts()) {
      const lists = engine.lists().filter(({ accountId }) => accountId === account.id);
      for (const list of lists) {
        // The list was read before its color was written, and renamed since, so it can no longer be identified.
        if (list.color === defaultColor) continue;
        const same = lists.filter(({ color }) => color === list.color).map(one => `${one.name} at ${one.href}`);
        const most = 1 + (this.#moves.get(list.color) ?? 0) + this.#takenBack;
        assert.ok(same.length <= most, `${name} has a list ${same.length} times: ${same.join(', ')}`);
      }
    }
  }
}
