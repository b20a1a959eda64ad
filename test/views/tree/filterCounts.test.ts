import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { FilterCounts } from '../../../src/views/tree/filterCounts';
import { engines } from '../../engine/support/engine';

describe('the numbers of the filters', () => {
  const lab = engines();
  const drawn: string[][] = [];
  let counts: FilterCounts;
  const open = async () => {
    const engine = await lab.open();
    drawn.length = 0;
    counts = new FilterCounts(engine, ids => drawn.push([...ids]));
    return engine;
  };
  afterEach(() => counts.dispose());
  const calm = () => pause(250);

  it('come after the rows, and again after a change, for those that differ alone', async () => {
    const engine = await open();
    await engine.quickAdd('One #work');
    assert.equal(counts.of('work', '#work'), undefined);
    assert.equal(counts.of('high', '!high'), undefined);
    await calm();
    assert.equal(counts.of('work', '#work'), 1);
    assert.equal(counts.of('high', '!high'), 0);
    assert.deepEqual(drawn, [['work', 'high']]);
    await engine.quickAdd('Two #work');
    counts.recount();
    await calm();
    assert.equal(counts.of('work', '#work'), 2);
    assert.deepEqual(drawn[1], ['work']);
  });

  it('are of the query as it is now, and none where it cannot be read', async () => {
    const engine = await open();
    await engine.quickAdd('One #work');
    counts.of('mine', '#work');
    await calm();
    assert.equal(counts.of('mine', 'dew:today'), undefined);
    await calm();
    assert.equal(counts.of('mine', 'dew:today'), undefined);
    counts.forget();
    counts.of('mine', '#work');
    await calm();
    assert.equal(counts.of('mine', '#work'), 1);
  });

  it('lose none where a change comes in the middle of the counting', async () => {
    const engine = await open();
    await engine.quickAdd('One #work !high');
    for (let at = 0; at < 16; at++) counts.of(`f${at}`, `#work limit:${at + 1}`);
    assert.equal(counts.of('too many', '#work'), undefined);
    await pause(101);
    counts.recount();
    await calm();
    assert.deepEqual([...new Set(drawn.flat())].length, 16);
    assert.equal(counts.of('too many', '#work'), undefined, 'more than the engine keeps');
  });
});
