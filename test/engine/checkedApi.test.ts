import assert from 'node:assert/strict';
import type { DuelineApi, DuelineEngine } from '../../src/api';
import { isDuelineError } from '../../src/core/kernel/errors';
import { engines } from './support/engine';

describe('arguments of the wrong type', () => {
  const lab = engines();
  let engine: DuelineEngine;
  beforeEach(async () => {
    engine = await lab.open();
  });

  const bare: unknown = Object.create(null);
  const noIds = [undefined, null, '1', 1.5, Number.NaN, {}, bare, Symbol.iterator];
  const noTexts = [undefined, null, 5, {}, bare, Symbol.iterator];
  const noObjects = [undefined, null, 5, 'x', [], Symbol.iterator];
  const noOptions = noObjects.slice(1);
  const withEach = (field: string, values: readonly unknown[]) => values.map(value => ({ [field]: value }));
  const first = (values: readonly unknown[], ...rest: readonly unknown[]) => values.map(value => [value, ...rest]);
  const then = (before: unknown, values: readonly unknown[]) => values.map(value => [before, value]);
  const badId = withEach('listId', ['1', {}, null]);

  const refused: Partial<Record<keyof DuelineApi, readonly (readonly unknown[])[]>> = {
    task: first(noIds),
    rows: first(noIds),
    query: [...first(noTexts), ...then('', [...noOptions, { lists: 'x' }, { lists: ['1'] }, { limit: Number.NaN }])],
    widget: [['nope'], [null], ...then('today', [...noOptions, { filter: 5 }, { limit: -1 }, { lists: [{}] }])],
    alarmsBetween: [[Number.NaN, 5], [0, '5'], [0]],
    exportTasks: [['xml'], [undefined], ['ics', 5]],
    onDidChange: [[undefined], [{}]],
    createList: first([
      ...noObjects,
      {},
      ...withEach('name', noTexts),
      { name: 'x', color: '1' },
      { name: 'x', accountId: '1' },
    ]),
    updateList: [
      ...first(noIds, {}),
      ...then(1, [
        ...noObjects,
        ...withEach('isVisible', ['yes', 1, null]),
        { isSynced: 0 },
        { sortOrder: 1.5 },
        { name: 5 },
      ]),
    ],
    deleteList: first(noIds),
    createTask: [...first(noIds, {}), ...then(1, noObjects), ...then(1, withEach('alarms', [{}, [null], [bare]]))],
    quickAdd: [...first(noTexts), ...then('x', [...noOptions, ...badId])],
    updateTask: [
      ...first(noIds, {}),
      ...then(1, [...noObjects, { priority: bare }, { due: Symbol.iterator }, { tags: [null] }, { title: 5 }]),
      ...then(1, [{ alarms: [{ minutesBefore: 5, reference: bare }] }, { alarms: [{ minutesBefore: 5, message: 5 }] }]),
    ],
    completeTask: [
      ...first(noIds),
      ...then(1, [...noOptions, ...withEach('occurrence', [null, 'x', Number.NaN, 1.5])]),
    ],
    reopenTask: first(noIds),
    deleteTask: [...first(noIds), ...then(1, [...noOptions, { children: 'eat' }])],
    moveTask: [...first(noIds, {}), ...then(1, [...noObjects, ...badId, { parentId: 'x' }, { before: {} }])],
    apply: first([
      ...noObjects.slice(0, 4),
      [null],
      [5],
      [{}],
      [{ type: 'toString', id: 1 }],
      [{ type: 'create', listId: 1 }],
      [{ type: 'update', id: 1 }],
      [{ type: 'complete', id: '1' }],
      [{ type: 'move', id: 1 }],
    ]),
    importTasks: [
      ['xml', '', 1],
      ['ics', null, 1],
      ['ics', '', '1'],
    ],
    exportDatabase: first(noTexts),
    addAccount: first([...noObjects, {}, { serverUrl: 'https://a.example/', username: 'a' }]),
    removeAccount: first(noIds),
    sync: first([...noOptions, { accountId: '1' }, { listId: {} }, { onProgress: 5 }]),
  };

  for (const [name, cases] of Object.entries(refused))
    it(`are refused by ${name}, and change nothing`, async () => {
      const list = engine.lists()[0]!.id;
      await engine.createTask(list, { title: 'a', due: Date.UTC(2026, 11, 1), isAllDay: true, rrule: 'FREQ=DAILY' });
      const before = JSON.stringify([engine.lists(), engine.rows(list)]);
      const method = engine[name as keyof DuelineApi] as (...args: readonly unknown[]) => unknown;
      for (const args of cases)
        await assert.rejects(
          async () => method.apply(engine, [...args]),
          error => isDuelineError(error, 'invalid'),
          `${name} ${args.map(arg => (arg === bare ? 'bare' : typeof arg === 'object' ? JSON.stringify(arg, (_, value) => (typeof value === 'symbol' ? 'symbol' : value)) : String(arg))).join()}`,
        );
      assert.equal(JSON.stringify([engine.lists(), engine.rows(list)]), before);
    });

  it('are checked in every method that takes any', () => {
    const without = ['apiVersion', 'flavor', 'accounts', 'lists', 'undo', 'redo', 'close'];
    const all: Record<keyof DuelineApi, unknown> = engine;
    for (const name of without) assert.ok(name in all && !(name in refused), name);
    assert.equal(Object.keys(refused).length + without.length, 30);
  });
});
