import assert from 'node:assert/strict';
import type { DuelineEngine } from '../../src/api';
import type { Id, TaskInput } from '../../src/core/kernel/model';
import type { ChipKind } from '../../src/shared/taskEditorProtocol';
import { chipSuggestions } from '../../src/views/taskEditor/chipSuggestions';
import { duelineApi } from './support/api';

describe('the line of a chip', () => {
  let engine: DuelineEngine;
  let listId: Id;
  before(async () => {
    engine = (await duelineApi()) as DuelineEngine;
    listId = await engine.createList({ name: 'Zeppelins' });
  });
  after(() => engine.deleteList(listId));
  const suggestionsFor = async (kind: ChipKind, text: string, input: TaskInput = {}) => {
    const id = await engine.createTask(engine.lists()[0]!.id, { title: 'One', alarms: [], ...input });
    const task = engine.task(id)!;
    try {
      return chipSuggestions(engine, { kind, task, series: task }, text);
    } finally {
      await engine.deleteTask(id);
    }
  };
  const timed = { due: Date.UTC(2031, 11, 1, 9), isAllDay: false, timezone: null };

  it('offers days before any text is typed, and keeps the time of day', async () => {
    const { items, preselectsFirst } = await suggestionsFor('due', '', timed);
    assert.equal(preselectsFirst, false);
    const labels = items.map(({ label }) => label);
    assert.equal(labels[0], 'Today');
    assert.deepEqual(labels.slice(-2), ['No time', 'No date']);
    for (const { changes } of items.slice(0, -2)) assert.match(JSON.stringify(changes), /T09:00"/);
    assert.deepEqual(items.at(-2)!.changes, [{ type: 'field', field: 'due', value: '2031-12-01' }]);
  });

  it('reads a time as one of the day that is set, and a day as it is written', async () => {
    const time = await suggestionsFor('due', '5pm', timed);
    assert.deepEqual(time.items[0]!.changes, [{ type: 'field', field: 'due', value: '2031-12-01T17:00' }]);
    assert.equal(time.preselectsFirst, true);
    const day = await suggestionsFor('start', '2031-12-24', timed);
    assert.deepEqual(day.items[0]!.changes, [{ type: 'field', field: 'start', value: '2031-12-24' }]);
  });

  it('shows how a date changes one that has a time, or has none', async () => {
    const [date] = (await suggestionsFor('start', '2031-11-30', timed)).items;
    assert.match(date!.detail!, /^starts .*12:00\sAM$/);
    const day = { due: Date.UTC(2031, 11, 1), isAllDay: true };
    const [time] = (await suggestionsFor('start', '2031-11-30 9am', day)).items;
    assert.match(time!.detail!, /^due .*11:59\sPM$/);
    assert.match((await suggestionsFor('start', '', timed)).hint!, /beginning of the day/);
    const begun = { dtstart: Date.UTC(2031, 10, 30, 9), isAllDay: false, timezone: null };
    assert.match((await suggestionsFor('due', '', begun)).hint!, /end of the day/);
    const noTime = (await suggestionsFor('due', '', { ...timed, ...begun })).items.at(-2)!;
    assert.deepEqual(noTime.changes, [{ type: 'field', field: 'times', value: '' }]);
    assert.match(noTime.detail!, /^starts .* · due /);
    for (const input of [timed, day])
      assert.equal((await suggestionsFor('due', '2031-12-02 9am', input)).items[0]!.detail, undefined);
  });

  it('ignores words that it only understands in part', async () => {
    const { items, preselectsFirst } = await suggestionsFor('due', 'call tomorrow maybe');
    assert.equal(preselectsFirst, false);
    assert.equal(
      items.find(({ isReading }) => isReading),
      undefined,
    );
  });

  it('ignores the text if a part of it would be lost', async () => {
    const first = await engine.createTask(listId, { title: 'First' });
    for (const text of [
      'tomorrow // call first',
      'tomorrow https://example.org',
      `fri after:${engine.shortIdOf(first)}`,
      'fri :Release',
    ])
      assert.deepEqual(
        (await suggestionsFor('due', text)).items.filter(({ isReading }) => isReading),
        [],
        text,
      );
    for (const text of ['30 min before // call', '30 min before !high'])
      assert.deepEqual(
        (await suggestionsFor('alarm', text, timed)).items.filter(({ isReading }) => isReading),
        [],
        text,
      );
    const all = (await suggestionsFor('due', 'tomorrow #a #b !high')).items.find(({ isReading }) => isReading)!;
    assert.deepEqual(all.changes.slice(1), [
      { type: 'addTags', tags: ['a', 'b'] },
      { type: 'field', field: 'priority', value: '1' },
    ]);
  });

  it('starts a series on the day that its rule names', async () => {
    const { items, hint } = await suggestionsFor('repeat', 'every second tuesday');
    const [date, repeat] = items[0]!.changes;
    assert.deepEqual(repeat, { type: 'repeat', rule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU', from: 'due' });
    assert.equal(date!.type === 'field' && new Date(date!.value).getUTCDay(), 2);
    assert.match(hint!, /^Next: /);
    assert.match((await suggestionsFor('repeat', 'FREQ=SOMETIMES')).problem!, /FREQ must be/);
  });

  it('reads a reminder before the due date only if there is one', async () => {
    const alarm = (minutesBefore: number) => ({ minutesBefore, reference: 'DUE', message: null });
    const before = await suggestionsFor('alarm', '30 min before', timed);
    assert.deepEqual(before.items[0]!.changes, [{ type: 'addAlarm', alarm: alarm(30) }]);
    const moment = await suggestionsFor('alarm', 'tomorrow 9am');
    assert.equal(moment.items[0]!.isReading, true);
  });

  it('offers tags in use before the typed one', async () => {
    await engine.createTask(listId, { title: 'Two', tags: ['zebra'] });
    const { items } = await suggestionsFor('tags', '#ze', { tags: ['work'] });
    assert.deepEqual(
      items.map(({ label }) => label),
      ['#zebra', '#ze'],
    );
    assert.deepEqual(items[0]!.changes, [{ type: 'addTags', tags: ['zebra'] }]);
  });

  it('finds a list and a priority by name, with or without their signs', async () => {
    const [list] = (await suggestionsFor('listId', '@zep')).items;
    assert.equal(list!.label, 'Zeppelins');
    for (const text of ['high', '!h'])
      assert.deepEqual((await suggestionsFor('priority', text)).items[0]!.changes, [
        { type: 'field', field: 'priority', value: '1' },
      ]);
    const suggested = async (kind: ChipKind, text: string) =>
      (await suggestionsFor(kind, text)).items.filter(({ isReading }) => isReading).length;
    assert.equal(await suggested('priority', 'HIGH'), 1);
    assert.equal(await suggested('listId', '@zeppelins'), 1);
    assert.equal(await suggested('priority', 'h'), 0);
    assert.equal(await suggested('listId', '@zep'), 0);
    assert.deepEqual((await suggestionsFor('priority', '3')).items[0]!.changes, [
      { type: 'field', field: 'priority', value: '3' },
    ]);
  });
});
