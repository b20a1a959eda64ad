import assert from 'node:assert/strict';
import type { DuelineEngine } from '../../src/api';
import { type Id, Status } from '../../src/core/kernel/model';
import type { TextTarget } from '../../src/core/text/document/types';
import { newRandom, seedOr } from '../interop/support/random';
import { engines } from './support/engine';
import { Typist } from './support/typist';

const files = Number(process.env.DUELINE_RUNS ?? 1000) / 100;

describe('a text in a file', () => {
  const lab = engines();
  let engine: DuelineEngine;
  let work: Id;
  let home: Id;

  beforeEach(async () => {
    engine = await lab.open();
    work = await engine.createList({ name: 'Work' });
    home = await engine.createList({ name: 'Home' });
  });

  const rows = () => engine.lists().flatMap(({ id }) => engine.rows(id).filter(({ isDeleted }) => !isDeleted));
  /** All of the store that a user could miss. */
  const state = () =>
    rows()
      .map(({ lastModified: _modified, ...row }) => JSON.stringify(row))
      .sort();
  const named = (title: string, listId = work) => {
    const found = rows().filter(task => task.title === title && task.listId === listId);
    assert.equal(found.length, 1, title);
    return found[0]!;
  };
  const save = async (text: string, target: TextTarget = { listId: work }) => {
    const tasks = engine.asText(target);
    const { added, changed, completed, cancelled, problems } = await tasks.saveFile(text);
    tasks.dispose();
    return { added, changed, completed, cancelled, problems: problems.map(({ kind }) => kind) };
  };
  const nothing = { added: 0, changed: 0, completed: 0, cancelled: 0, problems: [] };
  const titlesOf = (listId: Id) => engine.rows(listId).map(({ title, status }) => `${title} ${status}`);

  it('changes nothing the second time, however its lines are written', async () => {
    engine.configure({
      defaultPriority: 5,
      defaultAlarms: [{ minutesBefore: 10 }],
      templates: [{ name: 'Trip', title: 'Trip', tags: ['away'], subtasks: [{ title: 'Pack' }] }],
    });
    const text = [
      'First 1.12.2030 #a // with care',
      '  [x] Second !high',
      '    Third friday 9:00 *2 hours',
      '[-] Fourth ~90m https://example.com/a',
      '[x] Fourth',
      'Fourth',
      '- [ ] Fifth every week',
      ':Trip tomorrow',
      '  1. Sixth \\#b',
      '  2. Sixth',
      '',
    ].join('\n');
    for (const target of [{ listId: work }, { query: '' }, { listId: home }] as const) {
      const first = await save(text, target);
      assert.deepEqual([first.added, first.problems], [10, []]);
      const before = state();
      assert.deepEqual(await save(text, target), nothing);
      assert.deepEqual(state(), before);
    }
  });

  it('completes the task of a ticked line, and adds an open one beside a closed one', async () => {
    await save('Milk\nBread\n');
    assert.deepEqual(await save('[x] Milk\nBread\n'), { ...nothing, completed: 1 });
    assert.deepEqual(await save('[x] Milk\nBread\n'), nothing);
    assert.deepEqual(await save('[x] Milk\nBread\nMilk\n'), { ...nothing, added: 1 });
    assert.deepEqual(await save('[x] Milk\nBread\nMilk\n'), nothing);
    assert.deepEqual(titlesOf(work), ['Milk 2', 'Bread 0', 'Milk 0']);
  });

  // This takes two minutes if each line is compared with the task of every other one.
  it('finds each of very many equal lines again', async () => {
    const text = 'Same #a\n'.repeat(5000);
    await save(text);
    assert.deepEqual(await save(text), nothing);
  });

  it('never stands for a task of another list, or below another task', async () => {
    await save('[x] Milk\nBread\nRome\n  Pack\n  [x] Book\n', { listId: home });
    const before = engine.rows(home);
    const text = '[x] Milk\nBread\nOslo\n  Pack\n  [x] Book\nPack\n';
    assert.equal((await save(text)).added, 6);
    assert.deepEqual(await save(text), nothing);
    assert.deepEqual(engine.rows(home), before);
    assert.equal((await save(text.replace(/^/gm, '  ').replace('  ', 'Home\n  '), { all: true })).added, 4);
    assert.deepEqual(
      engine.rows(home).filter(({ id }) => before.some(task => task.id === id)),
      before,
    );
  });

  it('adds a line of which anything is not true of the task', async () => {
    await save('Milk 2030-12-01 #shop // whole\n');
    for (const text of [
      'Milk 2030-12-02',
      'Milk #other',
      'Milk // skimmed',
      'Milk !low',
      'Milk after:Bread',
      'Milk *1 day',
    ])
      assert.equal((await save(`${text}\n`)).added, 1, text);
    const before = state();
    assert.deepEqual(await save('Milk #shop\n'), nothing);
    assert.deepEqual(state(), before);
  });

  it('stands for the task that a line with an ID became, if that was of another list or store, or there twice', async () => {
    await save('Milk\n');
    const id = engine.shortIdOf(named('Milk'));
    await save('Rent\n', { listId: home });
    const other = engine.shortIdOf(named('Rent', home));
    const text = `Milk  ${id}\nBread  ${id}\nCheese  dl-0000\nRent  ${other}\n`;
    assert.equal((await save(text)).added, 3);
    assert.deepEqual([(await save(text)).added, rows().length], [0, 5]);
  });

  it('leaves a subtask below its parent if the file has only the subtask', async () => {
    await save('Trip\n  Pack #x\n');
    const target = { query: 'tag:x' };
    const tasks = engine.asText(target);
    const { text } = tasks.write();
    tasks.dispose();
    assert.match(text, /^Pack #x @Work {2}dl-/);
    for (const into of [{ query: '' }, { listId: work }, target]) assert.deepEqual(await save(text, into), nothing);
    assert.equal(named('Pack').parentId, named('Trip').id);
    assert.equal((await save(text.replace('Pack', '[x] Packed'), { query: '' })).completed, 1);
    assert.deepEqual([named('Packed').parentId, named('Packed').status], [named('Trip').id, Status.completed]);
  });

  it('leaves a subtask below its parent if the line of the parent is removed, and another line is above', async () => {
    await save('One\nTwo\n  Below\n');
    const tasks = engine.asText({ listId: work });
    const { text } = tasks.write();
    tasks.dispose();
    assert.deepEqual(await save(text.replace(/Two.*\n/, '')), nothing);
    assert.equal(named('Below').parentId, named('Two').id);
  });

  it('lets a task wait that a line without a number stands for', async () => {
    await save('One\nTwo\n');
    await engine.apply([{ type: 'blockers', id: named('Two').id, add: [named('One').id] }]);
    for (const text of ['One\nTwo\n', 'One\nNew\nTwo\n']) {
      await save(text);
      assert.deepEqual(
        engine.blockersOf(named('Two')).map(({ task }) => task?.title),
        ['One'],
      );
    }
  });

  it('adds a series once whose line is ticked, and completes no other occurrence of it', async () => {
    const text = '[x] Water every 3 days\n[x] Mow 2026-11-21 every! week\n[x] Water\n';
    const first = await save(text);
    assert.deepEqual([first.added, first.completed], [3, 3]);
    const before = state();
    assert.deepEqual(await save(text), nothing);
    assert.deepEqual(state(), before);
  });

  it('adds each random text once', async () => {
    const typist = new Typist(newRandom(seedOr(62)));
    for (let file = 0; file < files; file++) {
      const lines: string[] = [];
      for (let count = 0; count < 40; count++) typist.edit(lines);
      const text = lines.join('\n');
      await save(text);
      const before = state();
      assert.deepEqual(await save(text), nothing, text);
      assert.deepEqual(state(), before, text);
    }
  });
});
