import assert from 'node:assert/strict';
import type { DuelineEngine } from '../../src/api';
import type { Id } from '../../src/core/kernel/model';
import { planOf } from '../../src/core/text/planSteps';
import { engines } from './support/engine';

/** One plan each, as agents write them: a checklist, a numbered list, what a terminal shows, and nested entries. */
const plans = [
  '## Plan: sessions\n\n- [x] Read `session.ts`\n- [ ] Find the race\n  - [ ] Write a failing test\n  - [ ] Log the locks\n- [ ] Fix it\n',
  'I will do this:\n\n1. Reproduce the **timeout**\n2. Measure\n   - on Linux\n   - on macOS\n3. Shorten the timeout\n4. Measure\n',
  '  ☒ Look at the schema\n  ☐ Add the column\n  ☐ Write the migration\n',
  '* Docs\n    * Describe the option\n    * Describe the option again\n* Changelog\n',
];

describe('a plan that is kept', () => {
  const started = engines();

  const keep = (engine: DuelineEngine, text: string, parentId: Id) => engine.keepPlan(planOf(text).steps, { parentId });

  /** Every task with its place, its tick and what it waits for, without anything that a second row could hide. */
  const rowsOf = (engine: DuelineEngine) =>
    engine.rows(engine.defaultListId()).map(({ id, title, status, parentId, sortOrder, lastModified }) => {
      const after = engine.blockersOf(id).map(({ task }) => task!.id);
      return { id, title, status, parentId, sortOrder, lastModified, after };
    });

  it('becomes subtasks with ticks, and numbered steps wait for the one before', async () => {
    const engine = await started.open();
    const parentId = await engine.createTask(engine.defaultListId(), { title: 'Sessions' });
    const { added, completed } = await keep(engine, plans[0]!, parentId);
    assert.deepEqual([added.length, completed], [5, 0]);
    const shown = (id: Id, depth = 0): string[] =>
      engine
        .rows(engine.defaultListId())
        .filter(row => row.parentId === id)
        .flatMap(({ id, title, status }) => {
          const after = engine.blockersOf(id).map(({ task }) => task!.title);
          const line = `${'  '.repeat(depth)}${status === 2 ? 'x' : '-'} ${title}${after.length ? ` after ${after}` : ''}`;
          return [line, ...shown(id, depth + 1)];
        });
    assert.deepEqual(shown(parentId), [
      'x Read `session.ts`',
      '- Find the race',
      '  - Write a failing test',
      '  - Log the locks',
      '- Fix it',
    ]);
    await engine.undo();
    assert.equal(engine.rows(engine.defaultListId()).length, 1, 'one step of undo');
    const numbered = await keep(engine, plans[1]!, parentId);
    assert.equal(numbered.added.length, 5, 'a step of the same name is the same step');
    assert.deepEqual(shown(parentId), [
      '- Reproduce the timeout',
      '- Measure after Reproduce the timeout',
      '  - on Linux',
      '  - on macOS',
      '- Shorten the timeout after Measure',
    ]);
  });

  it('adds steps and ticks when it is kept again, and keeps what the user has completed or renamed', async () => {
    const engine = await started.open();
    const parentId = await engine.createTask(engine.defaultListId(), { title: 'Sessions' });
    const { added } = await keep(engine, '1. One\n2. Two\n3. Three', parentId);
    const [one, two] = added as [Id, Id, Id];
    await engine.completeTask(one);
    await engine.updateTask(two, { title: 'Second' });
    const again = `- [ ] One\n- [x] Two (${engine.shortIdOf(two)})\n- [ ] New\n- [ ] three`;
    const { added: more, completed } = await keep(engine, again, parentId);
    assert.deepEqual([more.length, completed], [1, 1]);
    assert.deepEqual([engine.task(one)!.status, engine.task(two)!.status], [2, 2]);
    assert.equal(engine.task(two)!.title, 'Second');
    assert.equal(engine.task(more[0]!)!.title, 'New');
    // The name of a task elsewhere means no step.
    const other = await engine.createTask(engine.defaultListId(), { title: 'Elsewhere' });
    await keep(engine, `- [x] Elsewhere ${engine.shortIdOf(other)}`, parentId);
    assert.equal(engine.task(other)!.status, 0);
  });

  it('changes nothing when it is kept a hundred times, in any order, cut or doubled', async () => {
    const engine = await started.open();
    const parentId = await engine.createTask(engine.defaultListId(), { title: 'Sessions' });
    for (const plan of plans) await keep(engine, plan, parentId);
    const before = rowsOf(engine);
    const steps = (await engine.undoSteps()).length;
    const below = (count: number) => Math.floor(Math.random() * count);
    for (let time = 0; time < 100; time++)
      for (const plan of [...plans].sort(() => Math.random() - 0.5)) {
        const lines = plan.split('\n');
        const from = below(lines.length);
        const cut = lines.slice(from, from + 1 + below(lines.length - from)).join('\n');
        const text = [plan, cut, `${cut}\n\n${cut}`][below(3)]!;
        const { added, completed } = await keep(engine, text, parentId);
        assert.deepEqual([added, completed], [[], 0], text);
      }
    assert.deepEqual(rowsOf(engine), before);
    assert.equal((await engine.undoSteps()).length, steps, 'what changes nothing is no step');
  });

  /** Titles below a task, indented by their depth, with the ticks. */
  const shownBelow = (engine: DuelineEngine, id: Id, depth = 0): string[] =>
    engine
      .rows(engine.defaultListId())
      .filter(row => row.parentId === id)
      .flatMap(row => [
        `${'  '.repeat(depth)}${row.status === 2 ? 'x' : '-'} ${row.title}`,
        ...shownBelow(engine, row.id, depth + 1),
      ]);
  const planIn = async (engine: DuelineEngine) => engine.createTask(engine.defaultListId(), { title: 'Sessions' });

  it('ticks a step below its own parent, not one with the same title below another', async () => {
    const engine = await started.open();
    const parentId = await planIn(engine);
    await keep(engine, '- A\n  - Test\n- B', parentId);
    await keep(engine, '- [ ] A\n  - [ ] Test\n- [ ] B\n  - [x] Test', parentId);
    assert.deepEqual(shownBelow(engine, parentId), ['- A', '  - Test', '- B', '  x Test']);
    await keep(engine, '- [x] Test\n- [ ] A\n  - [ ] Test', parentId);
    assert.deepEqual(shownBelow(engine, parentId), ['- A', '  - Test', '- B', '  x Test', 'x Test']);
  });

  it('keeps words that look like a short ID unless a task of the plan has it', async () => {
    const engine = await started.open();
    const parentId = await planIn(engine);
    const { added } = await keep(engine, '- One', parentId);
    const name = engine.shortIdOf(added[0]!);
    await keep(engine, `- [x] Check that ${name} still works\n- [ ] Fix dl-horizontal`, parentId);
    assert.deepEqual(shownBelow(engine, parentId), [
      '- One',
      `x Check that ${name} still works`,
      '- Fix dl-horizontal',
    ]);
  });

  it('does not change a repeating step', async () => {
    const engine = await started.open();
    const parentId = await planIn(engine);
    const { added } = await keep(engine, '- [ ] Water', parentId);
    const due = Date.UTC(2026, 11, 1);
    await engine.updateTask(added[0]!, { due, isAllDay: true, rrule: 'FREQ=DAILY' });
    const { completed } = await keep(engine, '- [x] Water', parentId);
    assert.deepEqual([completed, engine.task(added[0]!)!.due], [0, due]);
  });

  it('recognizes renamed, deleted and moved steps by their first title', async () => {
    const engine = await started.open();
    const parentId = await planIn(engine);
    const plan = '- One\n- Two\n- Three\n  - Part\n- Four\n- Five';
    const { added } = await keep(engine, plan, parentId);
    const [, two, three, , four, five] = added as Id[];
    const list = await engine.createList({ name: 'Elsewhere' });
    await engine.updateTask(two!, { title: 'Second' });
    await engine.deleteTask(three!, { children: 'delete' });
    await engine.moveTask(four!, { listId: list, parentId: null });
    await engine.moveTask(five!, { parentId: added[0]! });
    const before = shownBelow(engine, parentId);
    assert.deepEqual(before, ['- One', '  - Five', '- Second']);
    assert.deepEqual((await keep(engine, `${plan}\n`, parentId)).added, []);
    assert.deepEqual(shownBelow(engine, parentId), before);
    const ticked = await keep(engine, '- [x] Two\n- [x] Four\n  - [ ] New', parentId);
    assert.deepEqual([ticked.completed, ticked.added.length], [2, 1]);
    const fresh = engine.task(ticked.added[0]!)!;
    assert.deepEqual([fresh.title, fresh.listId, engine.task(fresh.parentId!)!.title], ['New', list, 'Four']);
  });

  it('is kept in reasonable time even with thousands of numbered steps', async () => {
    const engine = await started.open();
    const text = Array.from({ length: 2000 }, (_, at) => `${at + 1}. Step ${at + 1}`).join('\n');
    assert.equal((await keep(engine, text, await planIn(engine))).added.length, 2000);
  });
});
