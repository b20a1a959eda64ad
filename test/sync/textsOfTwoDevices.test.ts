import assert from 'node:assert/strict';
import type { TasksAsText } from '../../src/core/text/document/types';
import { Typist } from '../engine/support/typist';
import { newRandom, seedOr } from '../interop/support/random';
import type { SyncedList } from './support/devices';
import { aWorld } from './support/world';

const edits = Number(process.env.DUELINE_RUNS ?? 120);
const editsOfSave = 10;

/** A text that is open on a device, with the changes that are not saved yet. */
class OpenText {
  readonly #tasks: TasksAsText;
  #base: string;
  #mine: string;
  /** Tasks that its saves have added. */
  added = 0;

  constructor(readonly device: SyncedList) {
    this.#tasks = device.engine.asText({ listId: device.id });
    this.#base = this.#mine = this.#tasks.write().text;
  }

  type(typist: Typist): void {
    const lines = this.#mine.split('\n').slice(0, -1);
    for (let count = 0; count < editsOfSave; count++) typist.edit(lines);
    this.#mine = lines.map(line => `${line}\n`).join('');
  }

  async save(): Promise<void> {
    const saved = await this.#tasks.save({ base: this.#base, mine: this.#mine });
    this.added += saved.added;
    [this.#base, this.#mine] = [saved.base, saved.text];
  }

  /** Shows the changes from elsewhere; nothing in it may be unsaved. */
  readAgain(): void {
    this.#base = this.#mine = this.#tasks.write(this.#base).text;
  }

  /** The tasks of the device, by UID. */
  get tasks(): readonly (readonly [uid: string, summary: string])[] {
    const rows = this.device.rows().filter(({ isDeleted }) => !isDeleted);
    const uidOf = new Map(rows.map(({ id, uid }) => [id, uid]));
    return rows
      .map(({ uid, title, status, parentId }) => [uid, `${title} ${status} ${uidOf.get(parentId ?? 0) ?? ''}`] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1));
  }

  close(): void {
    this.#tasks.dispose();
  }
}

describe('two devices that edit one text', function () {
  this.timeout(600_000);
  const world = aWorld();

  it('lose, double and delete nothing, also with saves during a sync, and end alike', async () => {
    const random = newRandom(seedOr(41));
    const typist = new Typist(random);
    const first = await world.device();
    await first.engine.quickAddLines(
      Array.from({ length: 6 }, () => ({ text: typist.title() })),
      { listId: first.id },
    );
    await first.sync();
    const texts = [new OpenText(first), new OpenText(await world.device())] as const;
    const known = () => new Set(texts.flatMap(text => text.tasks.map(([uid]) => uid)));
    let before = known();
    for (let round = 0; round < edits / editsOfSave / texts.length; round++) {
      for (const text of texts) {
        if (typist.pick(3) === 0) text.readAgain();
        text.type(typist);
        const isDuring = typist.pick(2) === 0;
        const syncing = isDuring ? text.device.sync() : undefined;
        await text.save();
        await syncing;
        if (typist.pick(3) > 0) await text.device.sync();
      }
      const now = known();
      for (const uid of before) assert.ok(now.has(uid), `${uid} is still there after round ${round}`);
      before = now;
    }
    for (let round = 0; round < 3; round++) for (const { device } of texts) await device.sync();
    const [one, other] = texts;
    assert.deepEqual(one.tasks, other.tasks);
    assert.equal(one.tasks.length, 6 + one.added + other.added);
    assert.equal(world.list.items.size, one.tasks.length);
    for (const text of texts) text.close();
  });
});
