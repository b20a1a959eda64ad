import assert from 'node:assert/strict';
import type { DuelineEngine } from '../../src/api';
import { readText } from '../../src/core/text/document/readText';
import type { TasksAsText } from '../../src/core/text/document/types';
import { newRandom, seedOr } from '../interop/support/random';
import { engines } from './support/engine';
import { Typist } from './support/typist';

const edits = Number(process.env.DUELINE_RUNS ?? 1000);
const editsOfSave = 10;
/** A text without its IDs, put in order: what is to be there after a save. */
const shape = (text: string) =>
  readText(text, 'list').tasks.map(({ box, words, parent }) => {
    let depth = 0;
    for (let above = parent; above; above = above.parent) depth++;
    return `${'  '.repeat(depth)}${box} ${words}`;
  });

describe('random edits of a text', function () {
  this.timeout(600_000);
  const lab = engines();

  /** All of the store that a user could miss. */
  const state = (engine: DuelineEngine, listId: number) =>
    engine
      .rows(listId)
      .filter(({ isDeleted }) => !isDeleted)
      .toSorted((a, b) => a.sortOrder - b.sortOrder || a.id - b.id)
      .map(
        ({ title, parentId, status }) => `${title} ${status} ${parentId === null ? '' : engine.task(parentId)?.title}`,
      );

  it('leave the tasks that a model predicts, and are undone and redone', async () => {
    const engine = await lab.open();
    const listId = await engine.createList({ name: 'Work' });
    const typist = new Typist(newRandom(seedOr(26)));
    const text: TasksAsText = engine.asText({ listId });
    let base = text.write().text;
    const states = [state(engine, listId)];
    for (let saves = 0; saves < edits / editsOfSave; saves++) {
      const lines = base.split('\n').slice(0, -1);
      for (let count = 0; count < editsOfSave; count++) typist.edit(lines);
      const mine = lines.join('\n');
      const { result: saved, step } = await engine.stepOf(() => text.save({ base, mine, vanished: 'delete' }));
      assert.deepEqual(shape(saved.text), shape(mine), `save ${saves}`);
      assert.deepEqual(
        saved.problems.filter(({ isHeld }) => isHeld),
        [],
      );
      base = saved.base;
      if (step !== undefined) states.push(state(engine, listId));
      if (saves % 7 === 6) {
        const back = Math.min(typist.pick(4), states.length - 1);
        for (let step = 1; step <= back; step++) {
          await engine.undo();
          assert.deepEqual(state(engine, listId), states.at(-1 - step), `undo ${step} of save ${saves}`);
        }
        for (let step = back - 1; step >= 0; step--) {
          await engine.redo();
          assert.deepEqual(state(engine, listId), states.at(-1 - step), `redo ${step} of save ${saves}`);
        }
        base = text.write(base).text;
      }
    }
    text.dispose();
  });

  it('lose, double and delete nothing beside changes from elsewhere', async () => {
    const engine = await lab.open();
    const listId = await engine.createList({ name: 'Work' });
    const typist = new Typist(newRandom(seedOr(27)));
    const text = engine.asText({ listId });
    await engine.quickAddLines(
      Array.from({ length: 8 }, () => ({ text: typist.title() })),
      { listId },
    );
    let base = text.write().text;
    for (let saves = 0; saves < edits / editsOfSave / 2; saves++) {
      const lines = base.split('\n').slice(0, -1);
      for (let count = 0; count < editsOfSave; count++) typist.edit(lines);
      const mine = lines.join('\n');
      const all = engine.rows(listId).filter(({ isDeleted, status }) => !isDeleted && status < 2);
      const theirs = new Map<number, string>();
      let removed: number | undefined;
      for (const task of all.filter(() => typist.pick(4) === 0)) {
        if (removed === undefined && typist.pick(5) === 0) {
          removed = task.id;
          await engine.deleteTask(removed);
        } else {
          const title = `${typist.title()} theirs`;
          // Drawn words can be those that the task already had.
          if (title !== task.title) theirs.set(task.id, title);
          await engine.updateTask(task.id, { title });
        }
      }
      const [added] = await engine.quickAddLines([{ text: `${typist.title()} added` }], { listId });
      const before = engine.rows(listId).filter(({ isDeleted }) => !isDeleted);
      const saved = await text.save({ base, mine });
      const now = new Map(engine.rows(listId).flatMap(task => (task.isDeleted ? [] : ([[task.id, task]] as const))));
      for (const { id, title } of before) assert.ok(now.has(id), `${title} is still there after save ${saves}`);
      assert.equal(now.size, before.length + saved.added);
      for (const [id, title] of theirs) assert.equal(now.get(id)!.title, title, 'the change from elsewhere is there');
      assert.ok(now.has(added!) && (removed === undefined || !now.has(removed)));
      base = saved.base;
    }
    text.dispose();
  });
});
