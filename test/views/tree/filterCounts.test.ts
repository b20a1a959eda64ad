import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { FilterCounts } from '../../../src/views/tree/filterCounts';
import { engines } from '../../engine/support/engine';

describe('the counts of the filters', () => {
  const lab = engines();
  const drawn: string[][] = [];
  const events = new EventEmitter();
  let counts: FilterCounts;
  const open = async () => {
    const engine = await lab.open();
    drawn.length = 0;
    const lines = (query: string) => {
      events.emit('counts');
      return engine.lines(query);
    };
    const draw = (ids: readonly string[]) => {
      drawn.push([...ids]);
      events.emit('draws');
    };
    counts = new FilterCounts({ lines }, draw);
    return engine;
  };
  afterEach(() => counts.dispose());
  const drawing = () => once(events, 'draws');

  it('follow the rows, and again after a change, only for those that differ', async () => {
    const engine = await open();
    await engine.quickAdd('One #work');
    assert.equal(counts.of('work', '#work'), undefined);
    assert.equal(counts.of('high', '!high'), undefined);
    await drawing();
    assert.equal(counts.of('work', '#work'), 1);
    assert.equal(counts.of('high', '!high'), 0);
    assert.deepEqual(drawn, [['work', 'high']]);
    await engine.quickAdd('Two #work');
    counts.recount();
    await drawing();
    assert.equal(counts.of('work', '#work'), 2);
    assert.deepEqual(drawn[1], ['work']);
  });

  it('are those of the current query, and missing if it cannot be read', async () => {
    const engine = await open();
    await engine.quickAdd('One #work');
    counts.of('mine', '#work');
    await drawing();
    assert.equal(counts.of('mine', 'dew:today'), undefined);
    await drawing();
    assert.equal(counts.of('mine', 'dew:today'), undefined);
    counts.forget();
    counts.of('mine', '#work');
    await drawing();
    assert.equal(counts.of('mine', '#work'), 1);
  });

  it('are complete even if a change arrives during the counting', async () => {
    const engine = await open();
    await engine.quickAdd('One #work !high');
    const waiting: (() => void)[] = [];
    const { setTimeout } = globalThis;
    globalThis.setTimeout = ((work: () => void) => waiting.push(work)) as unknown as typeof setTimeout;
    try {
      for (let at = 0; at < 16; at++) counts.of(`f${at}`, `#work limit:${at + 1}`);
      assert.equal(counts.of('too many', '#work'), undefined);
      const isCounting = once(events, 'counts');
      waiting.at(-1)!();
      await isCounting;
      counts.recount();
    } finally {
      globalThis.setTimeout = setTimeout;
    }
    const isDrawn = drawing();
    waiting.at(-1)!();
    await isDrawn;
    assert.equal(drawn.length, 1, 'the round that was overtaken draws nothing');
    assert.deepEqual([...new Set(drawn.flat())].length, 16);
    assert.equal(counts.of('too many', '#work'), undefined, 'more than the engine keeps');
  });
});
