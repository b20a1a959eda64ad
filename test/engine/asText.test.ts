import assert from 'node:assert/strict';
import type { DuelineEngine } from '../../src/api';
import type { TextTarget } from '../../src/core/text/document/types';
import { openTaskStore } from '../../src/store/taskStore';
import type { Writer } from '../../src/store/types';
import { engines } from './support/engine';

describe('tasks as text', () => {
  const lab = engines();
  let folder: string;
  let engine: DuelineEngine;
  let work: number;

  beforeEach(async () => {
    folder = lab.folder();
    engine = await lab.open({ folder });
    work = await engine.createList({ name: 'Work' });
  });

  const named = (title: string) => {
    const found = engine
      .lists()
      .flatMap(({ id }) => engine.rows(id))
      .find(task => task.title === title && !task.isDeleted && task.masterId === null);
    assert.ok(found, title);
    return found;
  };
  const dl = (title: string) => engine.shortIdOf(named(title));
  const add = (...texts: string[]) =>
    engine.quickAddLines(
      texts.map(text => ({ text })),
      { listId: work },
    );
  /** Edits the store as sync does. */
  const synced = async (edit: (tx: Writer) => unknown) => {
    const store = await openTaskStore({ folder, clock: lab.clock });
    await store.edit({ origin: 'sync' }, edit);
    await store.close();
    await engine.refresh();
  };
  const listText = (target: TextTarget = { listId: work }) => {
    const text = engine.asText(target);
    after(() => text.dispose());
    return text;
  };
  /** Saves a text that was made of what is there. */
  const save = async (edit: (text: string) => string, more: { vanished?: 'complete' | 'cancel' | 'delete' } = {}) => {
    const text = listText();
    const base = text.write().text;
    const saved = await text.save({ base, mine: edit(base), ...more });
    text.dispose();
    return { ...saved, before: base };
  };

  it('are written with their dates, priorities, tags, order and IDs, below their lists', async () => {
    await engine.quickAddLines(
      [
        { text: 'Ship 2.0 2026-12-04 !high #release' },
        { text: 'Write the changelog', parent: 0 },
        { text: 'Tag it', parent: 0 },
        { text: 'Answer Ana', isDone: true },
      ],
      { listId: work },
    );
    await engine.quickAdd('Water plants every 3 days');
    await engine.apply([{ type: 'blockers', id: named('Tag it').id, add: [named('Write the changelog').id] }]);
    const text = listText({ all: true });
    assert.equal(
      text.write().text,
      [
        'Inbox',
        `  Water plants 2026-11-21 every 3 days  ${dl('Water plants')}`,
        'Work',
        `  Ship 2.0 2026-12-04 !high #release  ${dl('Ship 2.0')}`,
        `    1. Write the changelog  ${dl('Write the changelog')}`,
        `    2. Tag it  ${dl('Tag it')}`,
        '',
      ].join('\n'),
    );
    assert.match(listText({ query: 'ship' }).write().text, /^Ship 2\.0 2026-12-04 !high #release @Work {2}dl-\w+\n$/);
    assert.match(listText({ taskId: named('Ship 2.0').id }).write().text, /^Ship.*\n {2}1\. Write.*\n {2}2\. Tag/);
  });

  it('become what the text says, in one undo step', async () => {
    await add('One', 'Two tomorrow', 'Three', 'Four');
    const saved = await save(text =>
      text
        .replace('One', 'One !high #new')
        .replace('2026-11-22', '2026-11-30 09:00')
        .replace('Three', '  [x] Three')
        .replace(/.*Four.*\n/, '$&Five friday\n  Six\n'),
    );
    assert.deepEqual([saved.added, saved.changed, saved.completed, saved.problems.length], [2, 3, 1, 0]);
    assert.deepEqual([named('One').priority, named('One').tags], [1, ['new']]);
    assert.equal(named('Two').due, Date.UTC(2026, 10, 30, 8));
    assert.deepEqual([named('Three').parentId, named('Three').status], [named('Two').id, 2]);
    assert.equal(named('Six').parentId, named('Five').id);
    assert.equal(await engine.undo(), true);
    assert.deepEqual([named('One').priority, named('Three').status, named('Three').parentId], [0, 0, null]);
    assert.equal(listText().write().text, saved.before);
  });

  it('keep what words cannot express, and what was not touched', async () => {
    const input = {
      title: 'Whole',
      description: 'Notes',
      location: 'Home',
      due: Date.UTC(2026, 11, 4, 9, 30, 15),
      timezone: 'America/New_York',
      tags: ['say "x"', 'plain'],
      alarms: [{ minutesBefore: -5, reference: 'START' as const, message: 'x' }],
      rrule: 'FREQ=YEARLY;BYDAY=MO;BYWEEKNO=20',
    };
    const id = await engine.createTask(work, input);
    const before = engine.task(id)!;
    const saved = await save(text => text.replace('Whole', 'Whole thing').replace('#plain', '#other'));
    assert.equal(saved.changed, 1);
    const { title, tags, lastModified, sequence, ...rest } = engine.task(id)!;
    const { title: _title, tags: _tags, lastModified: _modified, sequence: _sequence, ...untouched } = before;
    assert.deepEqual([title, [...tags].sort()], ['Whole thing', ['other', 'say "x"']]);
    assert.deepEqual(rest, untouched);
  });

  it('are kept if their lines are removed, unless the user chooses otherwise', async () => {
    await add('One', 'Two', 'Three');
    const text = listText();
    const base = text.write().text;
    const mine = base.replace(/.*Two.*\n/, '');
    assert.deepEqual(text.check(base, mine).vanished, ['Two']);
    const kept = await text.save({ base, mine });
    assert.equal(kept.text, base);
    assert.equal(named('Two').status, 0);
    const cancelled = await save(now => now.replace(/.*Two.*\n/, ''), { vanished: 'cancel' });
    assert.equal(named('Two').status, 3);
    assert.doesNotMatch(cancelled.text, /Two/, 'the line does not come back');
    const deleted = await save(now => now.replace(/.*Three.*\n/, ''), { vanished: 'delete' });
    assert.equal(deleted.deleted, 1);
    assert.equal((await engine.trash())[0]!.task.title, 'Three');
  });

  it('are deleted with their subtasks if the lines of both are removed', async () => {
    await add('One', 'Two', 'Three');
    await engine.createTask(work, { title: 'Below', parentId: named('Two').id });
    const saved = await save(text => text.replace(/.*Two.*\n.*Below.*\n/, ''), { vanished: 'delete' });
    assert.equal(saved.deleted, 2);
    assert.match(saved.text, /^One {2}dl-\w+\nThree {2}dl-\w+\n$/);
    assert.equal(await engine.undo(), true);
    assert.equal(named('Below').parentId, named('Two').id);
  });

  it('are matched by title if their line has lost its ID, and are new if an ID appears twice', async () => {
    await add('One', 'Two');
    const lost = await save(text => text.replace(/ {2}dl-\w+/g, ''));
    assert.deepEqual([lost.added, lost.changed, lost.text], [0, 0, lost.before]);
    const twice = await save(text => text + text.replace(/\n.*/, '\n').replace('One', 'One again'));
    assert.deepEqual([twice.added, twice.problems.map(({ kind }) => kind)], [1, ['doubled']]);
    assert.notEqual(named('One').id, named('One again').id);
  });

  it('take the words that are typed after their ID', async () => {
    await add('Call Ana', 'Pay rent');
    const id = named('Call Ana').id;
    const text = listText();
    const base = text.write().text;
    const mine = base.replace(dl('Call Ana'), `${dl('Call Ana')} by phone !high @Nowhere`);
    const { problems, vanished } = text.check(base, mine);
    assert.deepEqual(vanished, []);
    const column = mine.indexOf('@Nowhere');
    assert.deepEqual(
      problems.map(({ kind, from, to }) => [kind, from, to]),
      [['noList', column, column + 8]],
    );
    const saved = await save(made => made.replace(dl('Call Ana'), `${dl('Call Ana')} by phone !high`));
    assert.deepEqual([saved.added, saved.changed, saved.deleted], [0, 1, 0]);
    assert.deepEqual([engine.task(id)!.title, engine.task(id)!.priority], ['Call Ana by phone', 1]);
    assert.match(saved.text, /^Call Ana by phone !high {2}dl-\w+\nPay rent {2}dl-\w+\n$/);
  });

  it('merge concurrent changes line by line, and never overwrite one unseen', async () => {
    await add('One', 'Two', 'Three');
    const text = listText();
    const base = text.write().text;
    const mine = base.replace('One', 'One mine').replace('Two', 'Two mine');
    await engine.updateTask(named('Two').id, { title: 'Two theirs' });
    await engine.updateTask(named('Three').id, { priority: 1 });
    const saved = await text.save({ base, mine });
    assert.equal(named('One mine').status, 0);
    assert.equal(named('Two theirs').priority, 0);
    assert.equal(named('Three').priority, 1);
    assert.deepEqual(
      saved.problems.map(({ at, kind, theirs }) => [at, kind, theirs]),
      [[1, 'changed', 'Two theirs']],
    );
    assert.match(saved.text, /Two mine.*\nThree !high/);
    const again = await text.save({ base: saved.base, mine: saved.text });
    assert.deepEqual(again.problems, []);
    assert.equal(named('Two mine').status, 0);
  });

  it('are saved even if one line cannot be read', async () => {
    await add('One', 'Two');
    const saved = await save(text => text.replace(/.*Two/, '!high\n  Below @Nowhere\n$&').replace('One', 'First'));
    assert.deepEqual(
      saved.problems.map(({ at, kind }) => [at, kind]),
      [
        [1, 'unread'],
        [2, 'noList'],
      ],
    );
    assert.equal(named('First').status, 0);
    assert.match(saved.text, /^First {2}dl-\w+\n!high\n {2}Below @Nowhere\nTwo {2}dl-\w+\n$/);
  });

  it('are made of a template by new lines only, which in the line of a task is held', async () => {
    engine.configure({ templates: [{ name: 'Packing', title: 'Packing', subtasks: [{ title: 'Socks' }] }] });
    await add('Trip', 'Rent');
    const saved = await save(text => text.replace('Trip', 'Trip :packing !high').replace('Rent', 'Rent of May'));
    assert.deepEqual(
      saved.problems.map(({ at, kind, isHeld, from, to }) => [at, kind, isHeld, saved.text.slice(from, to)]),
      [[0, 'template', true, ':packing']],
    );
    assert.match(saved.text, /^Trip :packing !high {2}dl-\w+\nRent of May {2}dl-\w+\n$/);
    assert.equal(named('Trip').priority, 0);
    const below = await save(text => text.replace(/Trip.*\n/, '$&  :packing\n'));
    assert.deepEqual([below.problems, named('Packing').parentId], [[], named('Trip').id]);
    assert.equal(named('Socks').parentId, named('Packing').id);
    // A new line that is saved again before the editor reads its ID is no such line.
    const text = listText();
    const base = text.write().text;
    const first = await text.save({ base, mine: `${base}Tour :packing\n` });
    const second = await text.save({ base: first.base, mine: `${base}Tour :packing\n` });
    assert.deepEqual([first.added, second.added, second.problems], [1, 0, []]);
  });

  it('keep subtasks in the list of their parent, whatever list their lines name', async () => {
    await engine.createList({ name: 'Home' });
    await add('Parent', 'Other');
    const id = await engine.createTask(work, { title: 'Child', parentId: named('Parent').id });
    const asKinds = ({ problems }: { problems: readonly { at: number; kind: string; from?: number; to?: number }[] }) =>
      problems.map(({ at, kind, from, to }) => [at, kind, from, to]);
    const saved = await save(text =>
      text.replace('Child', 'Child @Home').replace(/.*Other/, '  Second @Home\n$& @Home'),
    );
    assert.deepEqual(asKinds(saved), [
      [1, 'noList', 8, 13],
      [2, 'noList', 9, 14],
    ]);
    assert.match(saved.text, /^Parent.*\n {2}Child @Home {2}dl-\w+\n {2}Second @Home\n$/);
    assert.deepEqual([engine.task(id)!.listId, engine.task(id)!.title], [work, 'Child']);
    // Its own list may be named, also below a line that becomes a task, and in words.
    const own = await save(text =>
      text.replace('Child', 'Child @Work').replace(/$/, 'New\n  Below @Work\n  Literal \\@Home\n'),
    );
    assert.deepEqual(own.problems, []);
    assert.equal(named('Below').parentId, named('New').id);
    assert.equal(named('Literal @Home').listId, work);
    const below = await save(text => text.replace(/$/, 'Next\n  Deeper @Home\n'));
    assert.deepEqual(asKinds(below), [[6, 'noList', 9, 14]]);
  });

  it('take a line below a line of another list, although it still names its own one', async () => {
    const home = await engine.createList({ name: 'Home' });
    await add('One #x');
    await engine.quickAdd('Two #x', { listId: home });
    const text = listText({ query: 'tag:x' });
    const base = text.write().text;
    const saved = await text.save({ base, mine: base.replace(/^Two(?= #x @Home)/m, '  Second') });
    assert.deepEqual(saved.problems, []);
    const { listId, parentId } = named('Second');
    assert.deepEqual([listId, parentId], [work, named('One').id]);
    assert.match(saved.text, /^One #x @Work {2}dl-\w+\n {2}Second #x {2}dl-\w+\n$/);
    const mine = saved.text.replace('@Work', '@Home').replace(/$/, '  Third #x @Home\n');
    assert.deepEqual((await text.save({ base: saved.base, mine })).problems, []);
    assert.deepEqual([named('One').listId, named('Third').listId], [home, home]);
  });

  it('move between lists by their headings, and among their siblings', async () => {
    await add('One', 'Two', 'Three');
    await engine.quickAdd('Elsewhere');
    const text = listText({ all: true });
    const base = text.write().text;
    const [inbox, elsewhere, head, one, two, three] = base.split('\n');
    const mine = [inbox, two, elsewhere, head, three, '  New', one].join('\r\n');
    const saved = await text.save({ base, mine });
    assert.deepEqual(saved.problems, []);
    assert.deepEqual(
      saved.text.split('\n').map(line => line.replace(/ {2}dl-.*/, '')),
      ['Inbox', '  Two', '  Elsewhere', 'Work', '  Three', '  New', '  One', ''],
    );
    assert.equal(await engine.undo(), true);
    assert.equal(listText({ all: true }).write().text, base);
  });

  it('depend on each other by their numbers', async () => {
    await add('One', 'Two', 'Three');
    await save(text =>
      text.replace('One', '1. One').replace('Two', '2. Two').replace('Three', '3. Three after:nobody'),
    );
    const waits = (title: string) => engine.blockersOf(named(title)).map(({ task }) => task?.title);
    assert.deepEqual([waits('Two'), waits('Three after:nobody')], [['One'], ['Two']]);
    const circle = await save(text => text.replace('1. One', `1. One after:${dl('Two')}`));
    assert.deepEqual([...new Set(circle.problems.map(({ kind }) => kind))], ['circle']);
    await save(text => text.replace('3. ', ''));
    assert.deepEqual([waits('Two'), waits('Three after:nobody')], [['One'], []]);
    // A line between them has nothing to do with it.
    const between = await save(text => text.replace('2. Two', 'Between\n2. Two'));
    assert.deepEqual([waits('Two'), waits('Between')], [['One'], []]);
    assert.match(between.text, /Two after:dl-/);
    await save(text => text.replace('Between', 'In between'));
    assert.deepEqual(waits('Two'), ['One']);
  });

  // If each line follows the row that is above it, this takes minutes.
  it('depend on each other by very many numbers', async () => {
    const lines = Array.from({ length: 2500 }, (_, at) => `${at + 1}. Step ${at}`);
    const saved = await save(text => `${text}${lines.join('\n')}\n`);
    assert.deepEqual([saved.added, saved.problems], [2500, []]);
    assert.match(saved.text, /^2500\. Step 2499 /m);
  });

  it('are in the order of their lines, as is the changed occurrence that lists show for a series', async () => {
    const [, id] = await add('Alpha', 'Water 2027-12-01 every day');
    const due = Date.UTC(2027, 11, 1);
    await engine.editOccurrence(id!, due, 'this', { due: Date.UTC(2027, 11, 3) });
    const order = () => engine.query('sort:manual', { lists: [work] }).map(({ task }) => task.title);
    assert.deepEqual(order(), ['Alpha', 'Water']);
    await save(text => text.replace(/(Alpha.*\n)(Water.*\n)/, '$2$1'));
    assert.deepEqual(order(), ['Water', 'Alpha']);
  });

  it('depend on each other in the other order once their numbers are turned around', async () => {
    await add('One', 'Two', 'Three', 'Four');
    const numbered = (lines: readonly string[]) =>
      lines.map((line, at) => `${at + 1}. ${line.replace(/^\d+\. /, '')}\n`).join('');
    const linesOf = (text: string) => text.trim().split('\n');
    await save(text => numbered(linesOf(text)));
    const turned = await save(text => numbered(linesOf(text).toReversed()));
    assert.deepEqual(turned.problems, []);
    assert.deepEqual(
      linesOf(turned.text).map(line => line.replace(/ {2}dl-.*/, '')),
      ['1. Four', '2. Three', '3. Two', '4. One'],
    );
  });

  it('of a series get dates and completions on the next occurrence', async () => {
    await engine.quickAdd('Water every 3 days 2026-11-22', { listId: work });
    await save(text => text.replace('2026-11-22', '2026-11-23'));
    assert.match(listText().write().text, /^Water 2026-11-23 every 3 days/);
    await save(text => text.replace('Water', '[x] Water'));
    assert.match(listText().write().text, /^Water 2026-11-25 every 3 days/);
    await save(text => text.replace('every 3 days', 'every week'));
    assert.match(named('Water').rrule!, /WEEKLY/);
  });

  it('report invalid dates', async () => {
    await add('One');
    const text = listText();
    const base = text.write().text;
    const saved = await text.save({ base, mine: base.replace('One', 'One 2026-02-30') });
    assert.deepEqual(
      saved.problems.map(({ kind, from, to }) => [kind, from, to]),
      [['noDate', 4, 14]],
    );
    assert.equal(named('One 2026-02-30').due, null);
  });

  it('hold lines that are nested too deep, and write deep tasks with the deepest indentation', async () => {
    const chain = (levels: number) =>
      Array.from({ length: levels }, (_, at) => `${' '.repeat(at)}Level ${at}\n`).join('');
    const text = listText();
    const { problems } = text.check('', chain(9000));
    assert.deepEqual([problems.length, problems[0]!.at, problems[0]!.kind], [8900, 100, 'deep']);
    const saved = await text.save({ base: '', mine: `${chain(102)}Flat\n` });
    assert.deepEqual([saved.added, saved.problems.map(({ at }) => at)], [101, [100, 101]]);
    assert.equal(named('Level 99').parentId, named('Level 98').id);
    await engine.createTask(work, { title: 'Deeper', parentId: named('Level 99').id });
    const base = text.write().text;
    assert.match(base, /\n( +)Level 99 .*\n\1Deeper /);
    const changed = await text.save({ base, mine: base.replace('Deeper', 'Deepest') });
    assert.deepEqual([changed.changed, changed.problems], [1, []]);
    assert.equal(named('Deepest').parentId, named('Level 99').id);
  });

  it('in a circle of parents, which other programs can make, are written once each', async () => {
    await add('One', 'Two', 'Other');
    const [one, two] = [named('One'), named('Two')];
    await synced(tx => {
      tx.updateTask(one.id, { parentId: two.id });
      tx.updateTask(two.id, { parentId: one.id });
    });
    const saved = await save(text => text.replace('Two', 'Second'));
    assert.match(saved.text, /^Other {2}dl-\w+\nOne {2}dl-\w+\n {2}Second {2}dl-\w+\n$/);
    assert.deepEqual([saved.changed, named('One').parentId], [1, two.id]);
  });
});
