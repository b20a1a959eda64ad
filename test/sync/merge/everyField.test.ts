import assert from 'node:assert/strict';
import { fieldsOf } from '../../../src/core/exchange/fields';
import { type FieldName, type TextName, textFacts, textNames } from '../../../src/core/fields/table';
import type { TaskEdit } from '../../../src/core/fields/values';
import { changedGroups } from '../../../src/core/ical/contentGroups';
import type { ResourceRow } from '../../../src/core/ical/row';
import type { Id, TaskInput } from '../../../src/core/kernel/model';
import type { SyncedList } from '../support/devices';
import { aWorld } from '../support/world';

const at = (day: number, hour = 0) => Date.UTC(2026, 10, day, hour);
const base: TaskInput = { dtstart: at(23, 8), due: at(24, 8), isAllDay: false, timezone: 'Europe/Berlin' };

/** Two edits of every text. */
const texts = Object.fromEntries(
  textNames.map(name => {
    const values = textFacts[name].isUri ? ['https://here.example/', 'https://there.example/'] : ['Here', 'There'];
    return [name, values.map(value => ({ [name]: value }))];
  }),
) as unknown as Record<TextName, readonly [TaskEdit, TaskEdit]>;

/** Two edits of every field that the user may set. One that is no text is missing here until it is written down. */
const edits = (parents: readonly [Id, Id]): Record<FieldName, readonly [TaskEdit, TaskEdit]> => ({
  ...texts,
  estimate: [{ estimate: '30m' }, { estimate: '2h' }],
  color: [{ color: 0xffff0000 | 0 }, { color: 0xff0000ff | 0 }],
  tags: [{ tags: ['here'] }, { tags: ['there'] }],
  status: [{ status: 1 }, { status: 3 }],
  percentComplete: [{ percentComplete: 40 }, { percentComplete: 60 }],
  priority: [{ priority: 1 }, { priority: 9 }],
  classification: [{ classification: 1 }, { classification: 2 }],
  dtstart: [{ dtstart: at(22, 8) }, { dtstart: at(21, 8) }],
  due: [{ due: at(25, 8) }, { due: at(26, 8) }],
  duration: [{ duration: 'PT2H' }, { duration: 'PT3H' }],
  isAllDay: [
    { isAllDay: true, dtstart: at(23), due: at(24) },
    { isAllDay: true, dtstart: at(25), due: at(26) },
  ],
  timezone: [{ timezone: 'UTC' }, { timezone: 'America/New_York' }],
  rrule: [{ rrule: 'FREQ=DAILY' }, { rrule: 'FREQ=WEEKLY' }],
  parentId: [{ parentId: parents[0] }, { parentId: parents[1] }],
  alarms: [{ alarms: [{ minutesBefore: 10 }] }, { alarms: [{ minutesBefore: 20 }] }],
});

const fields = Object.keys(edits([0, 0])) as FieldName[];

describe('every field of a task', () => {
  const world = aWorld();

  /** Two devices that have a task for each field, named by it; and what each of the devices says. */
  async function twoDevices() {
    const here = await world.device();
    for (const title of ['one', 'other', ...fields]) await here.engine.createTask(here.id, { ...base, title });
    await here.sync();
    const there = await world.device();
    const uids = new Map(here.rows().map(({ title, uid }) => [title, uid]));
    const task = (device: SyncedList, title: string) => device.byUid(uids.get(title)!)!;
    const rowOf = (device: SyncedList, title: string): ResourceRow => {
      const row = task(device, title);
      const parent = device.rows().find(({ id }) => id === row.parentId);
      return { fields: fieldsOf(row), parentUid: parent?.uid ?? null };
    };
    const edit = async (device: SyncedList, which: 0 | 1) => {
      const all = edits([task(device, 'one').id, task(device, 'other').id]);
      for (const field of fields) await device.engine.updateTask(task(device, field).id, all[field][which]);
    };
    return { here, there, edit, rowOf };
  }

  it('is written, sent and read on the other device', async () => {
    const { here, there, edit, rowOf } = await twoDevices();
    const before = new Map(fields.map(field => [field, rowOf(here, field)]));
    await edit(here, 0);
    await here.sync();
    await there.sync();
    for (const field of fields) {
      const edited = changedGroups(before.get(field)!, rowOf(here, field));
      assert.ok(
        edited.some(group => group !== 'unknown'),
        `${field}: sync sees the edit`,
      );
      assert.deepEqual(changedGroups(rowOf(here, field), rowOf(there, field)), [], `${field}: the other device has it`);
    }
  });

  it('is restored by a decision if it lost to an edit elsewhere', async () => {
    const { here, there, edit, rowOf } = await twoDevices();
    await edit(there, 1);
    await there.sync();
    await edit(here, 0);
    const mine = new Map(fields.map(field => [field, rowOf(here, field)]));
    await here.sync();
    const syncing = here.engine.syncing!;
    for (const { id } of syncing.conflicts()) await syncing.resolveConflict(id, 'mine');
    // The values of both sides are kept for these.
    const joined = ['tags', 'alarms'];
    for (const field of fields)
      if (!joined.includes(field)) assert.deepEqual(changedGroups(mine.get(field)!, rowOf(here, field)), [], field);
    assert.deepEqual(syncing.conflicts(), []);
  });
});
