import assert from 'node:assert/strict';
import { isDuelineError } from '../../src/core/kernel/errors';
import { systemClock } from '../../src/core/time/clock';
import { openTaskStore } from '../../src/store/taskStore';
import { engines } from './support/engine';

describe('short IDs through the engine', () => {
  const lab = engines();

  it('name every task, including later ones, and stay the same while the store is open', async () => {
    const engine = await lab.open();
    const first = await engine.quickAdd('First');
    const id = engine.shortIdOf(first);
    assert.match(id, /^dl-\w{4}$/);
    assert.equal(engine.findByShortId(id), first);
    const second = await engine.quickAdd('Second');
    assert.equal(engine.findByShortId(engine.shortIdOf(second).slice(3).toUpperCase()), second);
    await engine.deleteTask(first);
    assert.throws(
      () => engine.findByShortId(id),
      error => isDuelineError(error, 'notFound'),
    );
    await engine.undo();
    assert.equal(engine.findByShortId(id), first);
    assert.throws(() => engine.findByShortId('no ID'), /No task has the ID “no ID”/);
  });

  it('list the tasks that they could mean if they are ambiguous', async () => {
    const engine = await lab.open();
    const inbox = engine.lists()[0]!.id;
    await engine.quickAddLines(Array.from({ length: 60 }, (_, at) => ({ text: `Task ${at}` })));
    const [task] = engine.query('"Task 0"');
    // UIDs whose hashes begin with the same four digits.
    const todo = (uid: string) => `BEGIN:VTODO\nUID:${uid}\nSUMMARY:${uid}\nEND:VTODO\n`;
    const file = `BEGIN:VCALENDAR\n${todo('task-522')}${todo('task-1136')}END:VCALENDAR\n`;
    await engine.importTasks('ics', file, inbox);
    assert.throws(() => engine.findByShortId('0q58'), {
      kind: 'invalid',
      message:
        /Several tasks have an ID that starts with “0q58”: dl-0q58m \(task-522\), dl-0q583 \(task-1136\)\. Enter more characters/,
    });
    assert.deepEqual(
      ['0q58', 'dl-0q58', '0q58m', 'dl-0q583', '0q583t'].map(name => engine.task(engine.taskNamed(name) ?? 0)?.title),
      [undefined, undefined, 'task-522', 'task-1136', undefined],
    );
    // The same task in two lists has one UID, and so one ID.
    const other = await engine.createList({ name: 'Other' });
    const { uid, id } = task!.task;
    await engine.importTasks('json', engine.exportTasks('json', '"Task 0"'), other);
    assert.equal(engine.rows(other).length, 1);
    assert.notEqual(engine.rows(other)[0]!.uid, uid);
    assert.equal(engine.findByShortId(engine.shortIdOf(id)), id);
    assert.equal(inbox, engine.task(id)!.listId);
  });

  it('are looked up in bulk, each on its own, whatever a file is full of', async () => {
    const engine = await lab.open();
    const ids = await engine.quickAddLines(Array.from({ length: 300 }, (_, at) => ({ text: `Task ${at}` })));
    const shortIds = ids.map(id => engine.shortIdOf(id));
    // A megabyte of words: those of the tasks, and others that no task has.
    const others = Array.from({ length: 60_000 }, (_, at) => `dl-${`${at}`.padStart(12, '0')}`);
    const words = Array.from({ length: 200 }, () => shortIds)
      .flat()
      .concat(others, 'no ID', 'dl-', '');
    const named = () => [...engine.tasksByShortIds(words)].map(([word, { id }]) => [word, id]);
    const all = shortIds.map((word, at) => [word, ids[at]]);
    assert.deepEqual(named(), all);
    await engine.deleteTask(ids[0]!);
    assert.deepEqual(named(), all.slice(1));
    // Two tasks whose hashes begin with the same digits, as above.
    const todo = (uid: string) => `BEGIN:VTODO\nUID:${uid}\nSUMMARY:${uid}\nEND:VTODO\n`;
    await engine.importTasks('ics', `${todo('task-522')}${todo('task-1136')}`, engine.lists()[0]!.id);
    const titles = [...engine.tasksByShortIds(['dl-0q58', 'dl-0q58m', 'DL-0Q583'])].map(([, { title }]) => title);
    assert.deepEqual(titles, ['task-522', 'task-1136']);
  });

  it('keep naming the task that had them first, whatever is added to a list later', async () => {
    const engine = await lab.open();
    const inbox = engine.lists()[0]!.id;
    // UIDs whose hashes begin with the same four digits.
    const add = (uid: string, created: string) =>
      engine.importTasks(
        'ics',
        `BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:${uid}\nSUMMARY:${uid}\n${created}END:VTODO\nEND:VCALENDAR\n`,
        inbox,
      );
    const titleFor = (id: string) => engine.task(engine.findByShortId(id))!.title;
    await add('task-522', 'CREATED:20260101T000000Z\n');
    assert.equal(engine.shortIdOf(engine.findByShortId('dl-0q58')), 'dl-0q58');
    await add('task-1136', '');
    assert.equal(titleFor('dl-0q58'), 'task-522');
    assert.equal(engine.tasksByShortIds(['dl-0q58']).get('dl-0q58')?.title, 'task-522');
    assert.equal(engine.task(engine.taskNamed('dl-0q58')!)!.title, 'task-522');
    // An ID that is shown names one task alone, even if that one was not the first.
    assert.deepEqual([titleFor('dl-0q58m'), titleFor('dl-0q583')], ['task-522', 'task-1136']);
    const other = engine.findByShortId('dl-0q583');
    assert.equal(engine.shortIdOf(other), 'dl-0q583');
    assert.equal(
      engine.findByShortId('dl-0q58', task => task.id === other),
      other,
    );
    assert.throws(() => engine.findByShortId('dl-0q58', () => false), { kind: 'notFound' });
    // A task that says it is older than the one that was here before may be lying.
    await engine.updateTask(other, { title: 'Later' });
    await engine.deleteTask(other);
    await add('task-1136', 'CREATED:19700101T000000Z\n');
    assert.throws(() => engine.findByShortId('dl-0q58'), {
      kind: 'invalid',
      message: /dl-0q58m \(task-522\), dl-0q583/,
    });
  });

  it('prefer a task in your own list to one that others have created', async () => {
    const folder = lab.folder();
    const rows = await openTaskStore({ folder, clock: systemClock });
    const ids = await rows.edit({ origin: 'sync' }, tx => {
      const accountId = tx.insertAccount({ displayName: 'Cloud', principalUrl: 'https://cloud/me/' });
      const shared = tx.insertList({ name: 'Club', color: 0, accountId, href: '/club/', owner: '/bob/' });
      const own = tx.insertList({ name: 'Own', color: 0, accountId, href: '/own/', owner: '/me/' });
      const theirs = tx.insertTask({ listId: shared, uid: 'task-522', title: 'Theirs', createdAt: 1 });
      return { theirs, mine: tx.insertTask({ listId: own, uid: 'task-1136', title: 'Mine' }), shared, own };
    });
    await rows.close();
    const engine = await lab.open({ folder });
    assert.equal(engine.findByShortId('dl-0q58'), ids.mine);
    const inbox = await engine.createList({ name: 'Here' });
    await engine.close();
    // A UID that was copied has the same ID in full.
    const again = await openTaskStore({ folder, clock: systemClock });
    const copies = await again.edit({ origin: 'sync' }, tx => ({
      theirs: tx.insertTask({ listId: ids.shared, uid: 'task-1136', title: 'Copy' }),
      twice: [ids.own, inbox].map(listId => tx.insertTask({ listId, uid: 'twice', title: 'Twice' })),
    }));
    await again.close();
    const reopened = await lab.open({ folder });
    assert.equal(reopened.findByShortId(reopened.shortIdOf(copies.theirs)), ids.mine);
    // More characters do not distinguish these; their numbers do.
    const [one, two] = copies.twice;
    assert.throws(() => reopened.findByShortId(reopened.shortIdOf(one!)), {
      kind: 'invalid',
      message: new RegExp(`: ${one} \\(Twice\\), ${two} \\(Twice\\)\\.`),
    });
  });

  it('are found by queries, whatever the status of the task', async () => {
    const engine = await lab.open();
    const id = await engine.quickAdd('Wanted');
    await engine.quickAdd('Other');
    const query = `id:${engine.shortIdOf(id)}`;
    const titles = () => engine.query(query).map(({ task }) => task.title);
    assert.deepEqual(titles(), ['Wanted']);
    await engine.completeTask(id);
    assert.deepEqual(titles(), ['Wanted']);
    assert.deepEqual(
      engine.explain(query, text => text).lines.map(({ words }) => words),
      ['Short ID: {0}'],
    );
    assert.throws(
      () => engine.query('id:what?'),
      error => isDuelineError(error, 'query'),
    );
  });
});
