import assert from 'node:assert/strict';
import { basename, dirname } from 'node:path';
import type { Id, TaskList } from '../../../src/api';
import { SyncLedger } from '../../../src/sync/state/syncLedger';
import { linesOf } from '../../sync/support/texts';
import type { FolderNeighbor } from './folderNeighbor';
import { lineOf, parentOf } from './neighbor';
import type { Device } from './twoDevices';
import { listKeys, listsOf, living, TwoDeviceModel } from './wideModel';

/**
 * The wide model over folders, and what only files allow: several components in one file, links, copies, names that are
 * exchanged, writes of other programs between a check and a rename; and lists that move to the computer and back.
 */
export class FolderModel extends TwoDeviceModel {
  #neighbor!: FolderNeighbor;
  #words = 0;

  get neighbor(): FolderNeighbor {
    return this.#neighbor;
  }

  set neighbor(neighbor: FolderNeighbor) {
    this.#neighbor = neighbor;
    for (const device of this.devices) {
      const { onCommit } = device;
      device.onCommit = commit => {
        onCommit?.(commit);
        // The user saw the title that they replaced or deleted.
        if (commit.origin !== 'sync')
          for (const { was, is } of commit.changes) if (was && was.title !== is?.title) neighbor.abandon(was.title);
      };
    }
  }

  #newWord = (): string => `w-${this.#words++}-`;

  protected override async step(device: Device): Promise<void> {
    const kind = this.random();
    if (kind < 0.15) this.neighbor.client.act(this.newTitle('n'));
    else if (kind < 0.4) this.neighbor.act(this.#newWord());
    else if (kind < 0.48) await this.#decide(device);
    else if (kind < 0.53) await this.#moveList(device);
    else await super.step(device);
  }

  /** A file is about to be written: another program may be faster. */
  meanwhile(path: string): void {
    if (this.random() > 0.15) return;
    const name = basename(dirname(path));
    this.trail.push(`    meanwhile, in ${name}`);
    if (this.random() < 0.3) this.neighbor.act(this.#newWord());
    else this.neighbor.client.act(this.newTitle('n'), list => list.name === name);
  }

  /** Decides about a second file of a task. The other text is dropped. */
  async #decide(device: Device): Promise<void> {
    const { engine, name } = device;
    const open = await this.#openCopies(device);
    if (open.length === 0) return;
    const [id, { uid, mine, theirs }] = this.one(open);
    const how = this.one(['mine', 'server', 'both'] as const);
    for (const lines of [mine, theirs].map(linesOf)) {
      const title = lineOf(lines, 'SUMMARY');
      this.neighbor.abandon(title);
      this.acts.offers(uid, title, parentOf(lines));
    }
    this.trail.push(`${uid} ${name} decides about a copy: ${how}`);
    await this.allowing(() => engine.syncing!.resolveConflict(id, how));
  }

  async #openCopies({ store }: Device) {
    const ledger = new SyncLedger(await store.sidecar());
    const open = ledger.conflicts().filter(([, { copy }]) => copy !== undefined);
    ledger.dispose();
    return open;
  }

  async #moveList(device: Device): Promise<void> {
    const { engine } = device;
    const synced = listsOf(device);
    const own = engine.lists().filter(one => one.accountId === null && listKeys.some(key => one.name.endsWith(key)));
    const list = this.one([...(synced.length > 2 ? synced : []), ...own]);
    if (list) await this.movesList(device, list, list.accountId === null ? this.one(engine.accounts()).id : null);
  }

  async movesList({ engine, name }: Device, list: TaskList, to: Id | null): Promise<void> {
    this.trail.push(`sync: ${name} moves list ${list.name} to ${to ?? 'the computer'}`);
    this.lists.moves(list);
    await this.acts.movesList(() => this.allowing(() => engine.moveListToAccount(list.id, to)));
  }

  /** Decides all that waits for the user, so that all can be sent. */
  override async tidy(): Promise<void> {
    this.neighbor.tidy();
    for (const device of this.devices)
      for (let left = (await this.#openCopies(device)).length; left > 0; left--) await this.#decide(device);
  }

  override async check(): Promise<void> {
    await super.check();
    const { devices } = this;
    const kept = (await Promise.all(devices.map(device => device.kept()))).join('\n');
    const titles = devices.flatMap(device =>
      device.engine.lists().flatMap(({ id }) => living(device, id).map(({ title }) => title)),
    );
    const lost = this.neighbor.lost([kept, ...titles].join('\n'));
    assert.deepEqual(lost, [], `what other programs put into files is in none\n${this.trail.join('\n')}`);
  }
}
