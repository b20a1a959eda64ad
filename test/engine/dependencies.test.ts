import assert from 'node:assert/strict';
import type { Change, DuelineEngine } from '../../src/api';
import { isDuelineError } from '../../src/core/kernel/errors';
import { engines } from './support/engine';

describe('dependencies through the engine', () => {
  const lab = engines();
  let engine: DuelineEngine;
  let inbox: number;

  beforeEach(async () => {
    engine = await lab.open();
    inbox = engine.lists()[0]!.id;
  });

  const titles = (query: string) =>
    engine
      .query(query)
      .map(({ task }) => task.title)
      .sort();
  const blockers = (id: number) => engine.blockersOf(id).map(({ task }) => task?.title);
  const create = (title: string, listId = inbox) => engine.createTask(listId, { title });
  const depend = (id: number, ...add: number[]) => engine.apply([{ type: 'blockers', id, add }]);

  const refused = (promise: Promise<unknown>, message: RegExp) =>
    assert.rejects(promise, error => isDuelineError(error, 'invalid') && message.test(error.message));

  it('block a task until what it depends on is closed, across lists', async () => {
    const work = await engine.createList({ name: 'Work' });
    const [build, test, ship] = [await create('Build', work), await create('Test'), await create('Ship')];
    await depend(ship, build, test);
    assert.deepEqual(blockers(ship), ['Build', 'Test']);
    assert.deepEqual(
      engine.dependentsOf(build).map(({ title }) => title),
      ['Ship'],
    );
    assert.deepEqual(titles('is:blocked'), ['Ship']);
    assert.deepEqual(titles('is:ready'), ['Build', 'Test']);
    await engine.completeTask(build);
    assert.equal(engine.isBlocked(ship), true);
    await engine.updateTask(test, { status: 3 });
    assert.equal(engine.isBlocked(ship), false);
    assert.deepEqual(titles('is:blocked'), []);
    assert.deepEqual(titles('is:ready'), ['Ship']);
    await engine.moveTask(build, { listId: inbox });
    await engine.reopenTask(build);
    assert.deepEqual(titles('is:blocked'), ['Ship']);
  });

  it('are added and removed in one undo step, and once each', async () => {
    const [a, b, c] = [await create('A'), await create('B'), await create('C')];
    await depend(c, a, b, a);
    assert.deepEqual(blockers(c), ['A', 'B']);
    await engine.apply([{ type: 'blockers', id: c, add: [b], remove: [engine.task(a)!.uid] }]);
    assert.deepEqual(blockers(c), ['B']);
    await engine.undo();
    assert.deepEqual(blockers(c), ['A', 'B']);
    await engine.undo();
    assert.deepEqual(blockers(c), []);
    assert.equal(engine.task(c)!.unknownProperties, null);
    await engine.redo();
    assert.deepEqual(blockers(c), ['A', 'B']);
  });

  it('never form a circle, however long, and change nothing if they would', async () => {
    const work = await engine.createList({ name: 'Work' });
    const [a, b, c] = [await create('A'), await create('B', work), await create('C')];
    await depend(b, a);
    await depend(c, b);
    await refused(depend(a, c), /in a circle: “A” → “C” → “B” → “A”\./);
    await refused(depend(a, a), /cannot depend on itself/);
    await refused(
      engine.apply([
        { type: 'update', id: a, patch: { title: 'Changed' } },
        { type: 'blockers', id: a, add: [b] },
      ]),
      /circle/,
    );
    assert.equal(engine.task(a)!.title, 'A');
    assert.deepEqual(blockers(a), []);
    // Other programs can write one: nothing ends, and each is blocked.
    const text = (uid: string, on: string) =>
      `BEGIN:VTODO\nUID:${uid}\nSUMMARY:${uid}\nRELATED-TO;RELTYPE=DEPENDS-ON:${on}\nEND:VTODO\n`;
    const file = `BEGIN:VCALENDAR\n${text('x', 'y')}${text('y', 'x')}${text('z', 'z')}END:VCALENDAR\n`;
    await engine.importTasks('ics', file, inbox);
    assert.deepEqual(titles('is:blocked'), ['B', 'C', 'x', 'y']);
    await depend(c, engine.query('title:=x')[0]!.task.id);
  });

  it('form no circle through an occurrence of a series that has values of its own', async () => {
    const due = Date.UTC(2026, 10, 23);
    const series = await engine.createTask(inbox, { title: 'Series', due, isAllDay: true, rrule: 'FREQ=DAILY' });
    const other = await create('Other');
    await engine.editOccurrence(series, due, 'this', { title: 'Occurrence' });
    await depend(series, other);
    await refused(depend(other, engine.overridesOf(series)[0]!.id), /circle/);
    assert.deepEqual(titles('is:ready'), ['Other']);
  });

  it('return with a change which tasks are ready now', async () => {
    const changes: Change[] = [];
    const [a, b, c] = [await create('A'), await create('B'), await create('C')];
    await depend(c, a, b);
    engine.onDidChange(change => changes.push(change));
    const ready = () => changes.splice(0).flatMap(change => change.ready ?? []);
    await engine.completeTask(a);
    assert.deepEqual(ready(), []);
    await engine.completeTask(b);
    assert.deepEqual(ready(), [c]);
    await engine.undo();
    assert.deepEqual(ready(), []);
    await engine.deleteTask(b);
    assert.deepEqual(ready(), [c]);
    await engine.undo();
    await engine.apply([
      { type: 'complete', id: b },
      { type: 'complete', id: c },
    ]);
    assert.deepEqual(ready(), []);
  });

  it('hold for each occurrence of a series, and a series blocks until its end', async () => {
    const [a, b] = [await create('A'), await create('B')];
    const day = Date.UTC(2026, 10, 21);
    await engine.updateTask(b, { due: day, isAllDay: true, rrule: 'FREQ=DAILY;COUNT=3' });
    await depend(b, a);
    await engine.editOccurrence(b, day, 'this', { title: 'B, changed' });
    assert.deepEqual(titles('is:blocked show:occurrences'), ['B', 'B', 'B, changed']);
    await engine.completeTask(a);
    assert.deepEqual(titles('is:blocked'), []);
    const last = await create('Last');
    await depend(last, b);
    for (const left of [true, true, false]) {
      await engine.completeTask(b);
      assert.equal(engine.isBlocked(last), left);
    }
  });

  it('are found by queries, which name them by title or short ID', async () => {
    const [a, b] = [await create('Fix race'), await create('Ship')];
    await depend(b, a);
    const id = engine.shortIdOf(a);
    for (const query of ['after:"fix race"', `after:${id}`, 'has:after', 'after:any', 'is:open is:blocked'])
      assert.deepEqual(titles(query), ['Ship'], query);
    for (const query of ['blocks:ship', 'blocks:any', `blocks:${engine.shortIdOf(b)}`, 'after:none'])
      assert.deepEqual(titles(query), ['Fix race'], query);
    assert.deepEqual(engine.lines('is:ready').length, 1);
    await engine.completeTask(a);
    assert.deepEqual(
      engine.lines('is:ready').map(({ task }) => task.title),
      ['Ship'],
    );
  });

  it('are read by quick add if exactly one task matches', async () => {
    const a = await create('Fix race');
    const id = engine.shortIdOf(a);
    const understood = engine.parseQuickAdd(`Ship tomorrow after:${id}, after:"Fix race" #x`);
    assert.deepEqual(
      { title: understood.title, after: understood.after, tags: understood.input.tags },
      { title: 'Ship', after: [a, a], tags: ['x'] },
    );
    assert.deepEqual(
      understood.tokens.filter(({ kind }) => kind === 'after').map(({ label }) => label),
      ['Fix race', 'Fix race'],
    );
    assert.deepEqual(blockers(await engine.quickAdd(`Ship after:${id.slice(3)}`)), ['Fix race']);
    assert.deepEqual(blockers(await engine.quickAdd('Plain', { after: [a] })), ['Fix race']);
    for (const words of ['Call Bob after:lunch', 'See after: the game', 'Look after:"all of it"'])
      assert.equal(engine.task(await engine.quickAdd(words))!.title, words);
    // A word that a short ID begins with is no name.
    for (const begin of [4, 5, 6].map(end => id.slice(3, end)))
      for (const name of [begin, `dl-${begin}`]) assert.equal(engine.taskNamed(name), undefined, name);
    assert.throws(() => engine.findByShortId(id.slice(3, 4)), /No task has the ID/);
    await create('Fix race');
    assert.equal(engine.parseQuickAdd('Ship after:"fix race"').after, undefined);
    await engine.undo();
    const ids = await engine.quickAddLines([{ text: 'One' }, { text: 'Two after:"fix race"' }]);
    assert.deepEqual(ids.map(blockers), [[], ['Fix race']]);
  });

  it('survive export and import, even into another list, and keep the UID of a missing task', async () => {
    const [a, b] = [await create('A'), await create('B')];
    await depend(b, a);
    const other = await engine.createList({ name: 'Other' });
    await engine.importTasks('ics', engine.exportTasks('ics'), other);
    const [copyOfA, copyOfB] = ['A', 'B'].map(title => engine.rows(other).find(row => row.title === title)!);
    assert.deepEqual(
      engine.blockersOf(copyOfB!.id).map(({ uid, task }) => [uid, task?.id]),
      [[copyOfA!.uid, copyOfA!.id]],
    );
    const { uid } = engine.task(a)!;
    await engine.deleteTask(a);
    assert.deepEqual(engine.blockersOf(b), [{ uid, task: undefined }]);
    assert.equal(engine.isBlocked(b), false);
    await engine.apply([{ type: 'blockers', id: b, remove: [uid] }]);
    assert.deepEqual(engine.blockersOf(b), []);
  });

  // If all of them are looked at for each of them, this takes a quarter of an hour.
  it('are resolved once for a task that has tens of thousands', async () => {
    const uids = Array.from({ length: 40_000 }, (_, index) => `${index}`);
    const lines = uids.map(uid => `RELATED-TO;RELTYPE=DEPENDS-ON:${uid}`);
    const file = ['BEGIN:VCALENDAR', 'BEGIN:VTODO', 'UID:many', 'SUMMARY:Many', ...lines, 'END:VTODO', 'END:VCALENDAR'];
    await engine.importTasks('ics', file.join('\r\n'), inbox);
    const many = engine.rows(inbox)[0]!.id;
    assert.equal(engine.isBlocked(many), false);
    assert.equal(engine.blockersOf(many).length, uids.length);
    const first = await create('First');
    await depend(many, first);
    assert.equal(engine.isBlocked(many), true);
    await engine.completeTask(first);
    assert.equal(engine.isBlocked(many), false);
    await engine.apply([{ type: 'blockers', id: many, remove: uids }]);
    assert.deepEqual(blockers(many), ['First']);
  });
});
