import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Task, TaskList } from '../../../src/api';
import { faults } from './faultProxy';
import type { OtherClient } from './neighbor';
import type { Device } from './twoDevices';
import { listKeys, listsOf, living, TwoDeviceModel } from './wideModel';

/** A server whose tokens can be made to expire. */
interface Forgetful {
  forgetTokens(): void;
}

/**
 * The wide model, and what goes on at the same time: edits while a sync runs, a second window on each device, restarts
 * and power cuts in the middle, occurrences of a series edited one by one, tokens that expire, another account, lists that
 * come, go and move between accounts, and another program on the servers.
 */
export class FaultModel extends TwoDeviceModel {
  servers: readonly Forgetful[] = [];
  neighbor: OtherClient | undefined;

  /** Each run has one deletion of a list that is cut short, however few acts it has. */
  override async run(steps: number): Promise<void> {
    await super.run(steps);
    const device = this.one(this.devices);
    const lists = listsOf(device);
    if (lists.length > 2) await this.explained(() => this.#deletionCutShort(device, this.one(lists)));
  }

  protected override async step(device: Device): Promise<void> {
    const kind = this.random();
    if (kind < 0.08) await device.switchWindow();
    else if (kind < 0.1) this.one(this.servers).forgetTokens();
    else if (kind < 0.25) await this.#editsMeanwhile(device);
    else if (kind < 0.29) await this.#cutShort(device, () => device.restart());
    else if (kind < 0.33) await this.#cutShort(device, () => device.crash());
    else if (kind < 0.38) await this.editOccurrence(device);
    else if (kind < 0.46) await this.#actOnLists(device);
    else if (kind < 0.54) await this.neighbor?.act(this.newTitle('n'));
    else await super.step(device);
  }

  async #editsMeanwhile(device: Device): Promise<void> {
    const syncing = this.sync(device);
    for (let edits = this.random() * 3; edits > 0; edits--) {
      await sleep(this.random() * 30);
      if (this.random() < 0.3) await device.switchWindow();
      await this.edit(device);
    }
    await syncing;
  }

  async #cutShort(device: Device, how: () => Promise<void>): Promise<void> {
    const syncing = this.sync(device).catch(() => undefined);
    await sleep(this.random() * 60);
    this.trail.push(`sync ${device.name} is cut short`);
    await how();
    await syncing;
  }

  async #actOnLists(device: Device): Promise<void> {
    const { engine } = device;
    const lists = listsOf(device);
    const [account, other] = [this.one(engine.accounts()), this.one(engine.accounts())];
    const list = lists.length > 2 ? this.one(lists) : undefined;
    const kind = list ? this.random() : 1;
    try {
      if (!list || kind > 0.7) {
        if (lists.length < 6 && account)
          await engine.createList({
            name: `${this.newTitle(device.name)} ${this.one(listKeys)}`,
            accountId: account.id,
            color: this.lists.newColor(),
          });
      } else if (kind < 0.35 && other) {
        this.trail.push(`sync: ${device.name} moves list ${list.name} to account ${other.id}`);
        this.lists.moves(list);
        await engine.moveListToAccount(list.id, other.id);
      } else if (kind < 0.45) await this.#deletionCutShort(device, list);
      else {
        this.trail.push(`sync: ${device.name} deletes list ${list.name}`);
        this.#deletes(device, list);
        await engine.deleteList(list.id);
      }
    } catch (error) {
      if (!['server', 'offline', 'auth', 'timeout'].includes((error as { kind?: string }).kind ?? '')) throw error;
    }
  }

  #deletes(device: Device, list: TaskList): void {
    this.acts.deletesList(device.name, list);
    for (const { uid, title } of living(device, list.id)) this.acts.deletes(uid, device.name, title);
    this.lists.deletes(list);
  }

  /** The power fails while a list is deleted: with its next sync the device has it as before, or not at all. */
  async #deletionCutShort(device: Device, list: TaskList): Promise<void> {
    const isDeletedElsewhere = this.lists.isDeleted(list);
    this.trail.push(`sync: the deletion of list ${list.name} by ${device.name} is cut short`);
    this.#deletes(device, list);
    const crash = this.#crashOf(device);
    const next = this.proxies.map(proxy => proxy.next);
    for (const proxy of this.proxies)
      proxy.next = method =>
        method === 'DELETE' && this.random() < 0.7
          ? async ({ forward, cut }) => {
              await forward();
              await crash();
              cut();
            }
          : undefined;
    const deleting = device.engine.deleteList(list.id).catch(() => undefined);
    await Promise.race([deleting, sleep(this.random() * 60)]);
    await crash();
    await deleting;
    // A request on its way arrives before the next sync, or is lost with the power.
    const isLost = (method: string, path: string) =>
      method === 'DELETE' && list.href !== null && path === new URL(list.href, 'http://server').pathname;
    for (const proxy of this.proxies)
      proxy.next = (method, path) => (isLost(method, path) ? faults['reset before the server'] : undefined);
    await Promise.all(this.proxies.map(proxy => proxy.idle()));
    await device.forgive();
    const error = await device.sync();
    for (const [at, proxy] of this.proxies.entries()) proxy.next = next[at]!;
    // By its id: another account may have the same list.
    const isKept = device.engine.lists().some(({ id, accountId }) => id === list.id && accountId === null);
    assert.ok(error !== null || isDeletedElsewhere || !isKept, `${device.name} keeps ${list.name}, which it deleted`);
  }

  #crashOf(device: Device): () => Promise<void> {
    let crashing: Promise<void> | undefined;
    return () => (crashing ??= device.crash());
  }

  #masters(device: Device): Task[] {
    return listsOf(device)
      .flatMap(({ id }) => living(device, id))
      .filter(({ masterId }) => masterId === null);
  }

  protected async editOccurrence(device: Device): Promise<void> {
    const series = this.#masters(device).filter(({ rrule }) => rrule !== null);
    if (series.length === 0) return;
    const { engine } = device;
    const { id, uid, dtstart } = this.one(series);
    const occurrence = (dtstart ?? 0) + Math.floor(this.random() * 5) * 86_400_000;
    const kind = this.random();
    this.trail.push(`${uid} ${device.name} works on ${new Date(occurrence).toISOString()} (${kind.toFixed(2)})`);
    try {
      if (kind < 0.25) await engine.skipOccurrence(id, occurrence);
      else if (kind < 0.5) await engine.deleteOccurrence(id, occurrence);
      else if (kind < 0.75)
        await engine.editOccurrence(id, occurrence, 'this', { priority: 1 + Math.floor(this.random() * 9) });
      else await engine.completeTask(id, { occurrence });
    } catch (error) {
      if (!['invalid', 'notFound'].includes((error as { kind?: string }).kind ?? '')) throw error;
    }
  }
}
