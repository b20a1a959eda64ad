import assert from 'node:assert/strict';
import type { Id } from '../../../src/core/kernel/model';
import type { FieldResolutions, Resolution } from '../../../src/core/sync/syncState';
import type { JournaledStore } from '../../../src/store/taskStore';
import { resolveConflict, toConflict } from '../../../src/sync/resources/resolveConflict';
import type { ConflictRecord } from '../../../src/sync/state/ledgerTypes';
import { Scratch } from '../../store/support/store';
import { pick } from '../../support/pick';
import { calendar, todo, todoText } from '../support/texts';

const day = (date: number) => Date.UTC(2026, 10, date);
const now = day(21);

describe('the user’s decision about a conflict', () => {
  const scratch = new Scratch();
  let store: JournaledStore;
  let account: Id;
  let list: Id;
  beforeEach(async () => {
    store = await scratch.store(scratch.folder());
    await store.edit({ origin: 'sync' }, tx => {
      account = tx.insertAccount({ displayName: 'Cloud' });
      list = tx.insertList({ name: 'Shared', color: 0, accountId: account, href: '/shared/' });
    });
  });
  afterEach(() => scratch.clean());

  const task = (row: Record<string, unknown> = {}) =>
    store.edit({ origin: 'sync' }, tx =>
      tx.insertTask({ listId: list, uid: 'a', title: 'Theirs', href: '/shared/a.ics', etag: '"1"', ...row }),
    );
  const decide = (record: ConflictRecord, how: Resolution | FieldResolutions) =>
    store.edit({ origin: 'user', label: { key: 'resolve', count: 1 } }, tx =>
      resolveConflict(tx, record, { how, now, newUid: 'copy' }),
    );
  const record = (taskId: Id, patch: Partial<ConflictRecord> = {}): ConflictRecord => ({
    taskId,
    listId: list,
    uid: 'a',
    at: now,
    reason: 'edited',
    lost: [],
    mine: todoText('a', 'SUMMARY:Mine', 'PRIORITY:2'),
    theirs: todoText('a', 'SUMMARY:Theirs'),
    ...patch,
  });
  const title = (lost: string, kept: string) =>
    ({ recurrenceId: null, field: 'title', lost: { title: lost }, kept: { title: kept } }) as const;

  it('is requested without file names if the record of a copy does not have both', () => {
    const copy = { href: '/shared/a%202.ics', etag: '"1"' };
    assert.equal(toConflict('1', record(1, { copy })).files, undefined);
    const { files } = toConflict('1', record(1, { copy: { ...copy, original: '/shared/a.ics' } }));
    assert.deepEqual(files, { mine: 'a 2.ics', server: 'a.ics' });
  });

  it('the server’s version: nothing changes', async () => {
    const id = await task();
    await decide(record(id, { lost: [title('Mine', 'Theirs')] }), 'server');
    assert.deepEqual(pick(store.task(id), 'title', 'isDirty'), { title: 'Theirs', isDirty: false });
  });

  it('mine: the losing value is restored, and sent', async () => {
    const id = await task();
    await decide(record(id, { lost: [title('Mine', 'Theirs')] }), 'mine');
    assert.deepEqual(pick(store.task(id), 'title', 'isDirty'), { title: 'Mine', isDirty: true });
  });

  const lostOf = <Field extends string>(field: Field, lost: unknown, kept: unknown) =>
    ({ recurrenceId: null, field, lost: { [field]: lost }, kept: { [field]: kept } }) as {
      recurrenceId: null;
      field: Field;
      lost: Record<string, unknown>;
      kept: Record<string, unknown>;
    };

  it('field by field: mine, the server’s, or both for tags and notes', async () => {
    const id = await task({ priority: 5, tags: ['a', 'b'], description: 'Theirs' });
    const lost = [
      title('Mine', 'Theirs'),
      lostOf('priority', 1, 5),
      lostOf('tags', ['b', 'c'], ['a', 'b']),
      lostOf('description', 'Mine', 'Theirs'),
    ];
    await decide(record(id, { lost }), ['mine', 'server', 'both', 'both']);
    assert.deepEqual(pick(store.task(id), 'title', 'priority', 'tags', 'description', 'isDirty'), {
      title: 'Mine',
      priority: 5,
      tags: ['a', 'b', 'c'],
      description: 'Theirs\n\nMine',
      isDirty: true,
    });
    await store.undo();
    assert.deepEqual(pick(store.task(id), 'title', 'tags', 'description'), {
      title: 'Theirs',
      tags: ['a', 'b'],
      description: 'Theirs',
    });
  });

  it('field by field, about a copy that was removed when another one was kept: all differences can be chosen', async () => {
    const id = await task();
    const merged = record(id, { reason: 'merged', theirs: todoText('a', 'SUMMARY:Theirs', 'CATEGORIES:x') });
    const shown = toConflict('1', merged).lost;
    assert.deepEqual(
      shown.map(({ field }) => field),
      ['title', 'tags', 'priority'],
    );
    await decide(merged, ['server', 'server', 'mine']);
    assert.deepEqual(pick(store.task(id), 'title', 'priority'), { title: 'Theirs', priority: 2 });
  });

  it('offers both for a field that can combine them', () => {
    const lost = [title('Mine', 'Theirs'), lostOf('tags', ['b'], ['a'])];
    assert.deepEqual(
      toConflict('1', record(1, { lost })).lost.map(({ both }) => both),
      [undefined, { tags: ['a', 'b'] }],
    );
  });

  it('mine as a whole: every column, including the parent', async () => {
    const parent = await task({ uid: 'p', title: 'Parent', href: '/shared/p.ics' });
    const id = await task();
    await decide(record(id, { mine: todoText('a', 'SUMMARY:Mine', 'PRIORITY:2', 'RELATED-TO:p') }), 'mine');
    const row = store.task(id)!;
    assert.deepEqual(pick(row, 'title', 'priority', 'parentId', 'isDirty', 'uid'), {
      title: 'Mine',
      priority: 2,
      parentId: parent,
      isDirty: true,
      uid: 'a',
    });
    await decide(record(id), 'mine');
    assert.equal(store.task(id)?.parentId, null);
  });

  it('mine, with an occurrence removed here: it is removed again', async () => {
    const series = { rrule: 'FREQ=DAILY', dtstart: day(20), due: day(20), isAllDay: true };
    const master = await task(series);
    const override = await task({ ...series, rrule: null, masterId: master, recurrenceId: day(22), title: 'Moved' });
    const lost = { recurrenceId: day(22), field: 'occurrence', lost: null, kept: { title: 'Moved' } } as const;
    await decide(record(master, { lost: [lost] }), 'mine');
    assert.equal(store.task(override), undefined);
    assert.equal(store.task(master)?.isDirty, true);
  });

  it('mine, with an occurrence changed here: it is restored', async () => {
    const master = await task({ rrule: 'FREQ=DAILY', dtstart: day(20), due: day(20), isAllDay: true });
    const mine = calendar(todo('a', 'SUMMARY:Moved', 'RECURRENCE-ID;VALUE=DATE:20261122', 'DUE;VALUE=DATE:20261123'));
    const lost = { recurrenceId: day(22), field: 'occurrence', lost: { title: 'Moved' }, kept: null } as const;
    await decide(record(master, { lost: [lost], mine }), 'mine');
    const [override] = store.selectTasks('t.master_id = ?', [master]);
    assert.deepEqual(pick(override, 'title', 'recurrenceId', 'due', 'href', 'isDirty'), {
      title: 'Moved',
      recurrenceId: day(22),
      due: day(23),
      href: '/shared/a.ics',
      isDirty: true,
    });
  });

  const series = ['RRULE:FREQ=DAILY', 'DTSTART;VALUE=DATE:20261120', 'DUE;VALUE=DATE:20261120'];
  const occurrence = ['SUMMARY:Moved', 'RECURRENCE-ID;VALUE=DATE:20261122', 'DUE;VALUE=DATE:20261123'];
  const copy = { href: '/shared/a 2.ics', etag: '"2"', original: '/shared/a.ics' };
  const copyOfSeries = calendar(todo('a', 'SUMMARY:Mine', ...series), todo('a', ...occurrence));
  const lostOccurrence = { recurrenceId: day(22), field: 'occurrence', lost: { title: 'Moved' }, kept: null } as const;

  it('mine, with an occurrence that only a complete copy has: it is restored, and the series stays', async () => {
    const master = await task({ rrule: 'FREQ=DAILY', dtstart: day(20), due: day(20), isAllDay: true });
    await decide(record(master, { lost: [lostOccurrence], mine: copyOfSeries, copy }), ['mine']);
    const [override] = store.selectTasks('t.master_id = ?', [master]);
    assert.deepEqual(pick(override, 'title', 'recurrenceId', 'due'), {
      title: 'Moved',
      recurrenceId: day(22),
      due: day(23),
    });
    assert.equal(store.task(master)?.title, 'Theirs');
  });

  it('both, with a copy that has an occurrence: it is kept, too', async () => {
    const id = await task({ rrule: 'FREQ=DAILY', dtstart: day(20), due: day(20), isAllDay: true });
    await decide(record(id, { lost: [lostOccurrence], mine: copyOfSeries, copy }), 'both');
    const [master, override] = store.selectTasks('t.uid = ? ORDER BY t.recurrence_id', ['copy']);
    assert.deepEqual(pick(master, 'title', 'recurrenceId', 'isDirty'), {
      title: 'Mine',
      recurrenceId: null,
      isDirty: true,
    });
    assert.deepEqual(pick(override, 'title', 'recurrenceId', 'masterId', 'href', 'isDirty'), {
      title: 'Moved',
      recurrenceId: day(22),
      masterId: master!.id,
      href: null,
      isDirty: true,
    });
  });

  it('mine, with a copy that differs in no column: it is kept beside theirs with its lines', async () => {
    const id = await task({ unknownProperties: '["X-OWN:there"]' });
    await decide(record(id, { mine: todoText('a', 'SUMMARY:Theirs', 'X-OWN:here'), copy }), 'mine');
    assert.match(store.task(id)?.unknownProperties ?? '', /X-OWN:there/);
    assert.match(copies()[0]?.unknownProperties ?? '', /X-OWN:here/);
  });

  it('both, with an identical copy: nothing is kept twice', async () => {
    const id = await task();
    const text = todoText('a', 'SUMMARY:Theirs');
    await decide(record(id, { mine: text, theirs: text, copy }), 'both');
    assert.deepEqual(copies(), []);
  });

  it('mine, with a copy whose task was deleted: it becomes a task of its own, and the other one stays deleted', async () => {
    const id = await task({ isDeleted: true });
    const lost = { recurrenceId: null, field: 'title', lost: { title: 'Mine' }, kept: { title: 'Theirs' } } as const;
    await decide(record(id, { lost: [lost], copy }), 'mine');
    assert.equal(store.task(id)?.isDeleted, true);
    assert.deepEqual(
      copies().map(({ title }) => title),
      ['Mine'],
    );
  });

  it('mine, deleted here and changed there: it is deleted again without its subtasks', async () => {
    const id = await task();
    const child = await task({ uid: 'c', title: 'Child', href: '/shared/c.ics', parentId: id });
    await decide(record(id, { reason: 'keptDeleted' }), 'mine');
    assert.equal(store.task(id)?.isDeleted, true);
    assert.deepEqual(pick(store.task(child), 'parentId', 'isDirty'), { parentId: null, isDirty: true });
  });

  it('mine, deleted here and never on the server: it is removed', async () => {
    const id = await task({ href: null, etag: null });
    await decide(record(id, { reason: 'keptDeleted' }), 'mine');
    assert.equal(store.task(id), undefined);
  });

  it('mine in a read-only list: refused with a hint', async () => {
    const id = await task();
    await store.edit({ origin: 'sync' }, tx => tx.updateList(list, { isReadOnly: true }));
    await assert.rejects(decide(record(id), 'mine'), { kind: 'readOnly' });
  });

  const copies = () => store.selectTasks('t.uid = ?', ['copy']);

  it('both: mine is added beside theirs, under the same parent', async () => {
    const parent = await task({ uid: 'p', title: 'Parent', href: '/shared/p.ics' });
    const id = await task({ parentId: parent });
    await decide(record(id), 'both');
    const [copy] = copies();
    assert.deepEqual(
      {
        title: copy?.title,
        parentId: copy?.parentId,
        href: copy?.href,
        isDirty: copy?.isDirty,
        original: store.task(id)?.title,
      },
      { title: 'Mine', parentId: parent, href: null, isDirty: true, original: 'Theirs' },
    );
  });

  it('both, in a read-only list: mine goes into a local list, otherwise it is refused', async () => {
    const id = await task();
    await store.edit({ origin: 'sync' }, tx => tx.updateList(list, { isReadOnly: true }));
    await assert.rejects(decide(record(id), 'both'), /no list for the copy/);
    const local = await store.edit({ origin: 'user' }, tx => tx.insertList({ name: 'Local', color: 0 }));
    await decide(record(id), 'both');
    const [copy] = copies();
    assert.deepEqual(pick(copy, 'listId', 'parentId', 'isDirty'), { listId: local, parentId: null, isDirty: false });
  });

  it('both, without a version from here: refused', async () => {
    const id = await task();
    await assert.rejects(decide(record(id, { mine: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n' }), 'both'), {
      kind: 'notFound',
    });
  });

  it('mine, with the task deleted meanwhile: a copy is kept', async () => {
    const id = await task();
    await store.edit({ origin: 'sync' }, tx => tx.deleteTask(id));
    await decide(record(id), 'mine');
    assert.equal(copies().length, 1);
  });

  it('is shown without time stamps, so that only real differences stand out', () => {
    const theirs = todoText('a', 'DTSTAMP:20261119T080000Z', 'SUMMARY:Theirs', 'LAST-MODIFIED:20261119T080000Z');
    const shown = toConflict('1', record(1, { theirs, lost: [title('Mine', 'Theirs')] }));
    assert.equal(shown.mine, theirs.replace('SUMMARY:Theirs', 'SUMMARY:Mine'));
    assert.deepEqual(shown.lost, [{ field: 'title', mine: { title: 'Mine' }, server: { title: 'Theirs' } }]);
    // Without stamps of theirs to borrow, the text is shown as it is written.
    const bare = toConflict('1', record(1, { lost: [title('Mine', 'Theirs')] }));
    assert.match(bare.mine, /SUMMARY:Mine/);
    assert.equal(toConflict('1', record(1, { mine: calendar() })).title, '');
  });
});
