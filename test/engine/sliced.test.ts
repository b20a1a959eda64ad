import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { DuelineEngine } from '../../src/api';
import { runQuery } from '../../src/query/eval/run';
import { countSliced, runSliced, type Turns } from '../../src/query/eval/sliced';
import { LatestOnly } from '../../src/shared/latestOnly';
import { aContext, aFilledStore, type Filled } from '../core/support/filterStore';
import { taskRow } from '../core/support/randomTasks';
import { engines } from './support/engine';

/** More than the first slice takes. */
const count = 9000;

const queries = [
  'is:open',
  'title sort:title',
  'café sort:-created',
  'due:<=today',
  'is:recurring show:occurrences sort:due,priority',
  'show:done has:due sort:list,-priority limit:30',
  '/t.tle/ sort:urgency',
  'has:child show:subtasks',
];

describe('queries in slices', () => {
  let filled: Filled;
  before(async function () {
    this.timeout(60_000);
    filled = await aFilledStore();
    const list = await filled.list('Work');
    const rows = fc.sample(taskRow, { numRuns: 300, seed: 3 });
    await filled.tasks(
      list,
      ...Array.from({ length: count }, (_, at) => ({ ...rows[at % 300], rrule: null, title: `title ${at}` })),
      ...rows.map(row => ({ ...row, title: row.title ?? '' })),
    );
  });
  after(() => filled.close());

  const turns = (next: () => void = () => {}): Turns => ({
    spent: () => 0,
    next: async () => next(),
    version: () => 0,
  });

  for (const query of queries)
    it(`return what one query returns: ${query}`, async function () {
      this.timeout(60_000);
      const context = aContext({ limit: 50 });
      const whole = aContext();
      assert.deepEqual(await runSliced(filled.store, query, context, turns()), runQuery(filled.store, query, context));
      assert.equal(await countSliced(filled.store, query, whole, turns()), runQuery(filled.store, query, whole).length);
    });

  it('let other work run between the slices', async () => {
    let rounds = 0;
    await runSliced(
      filled.store,
      'is:open',
      aContext({ limit: 50 }),
      turns(() => rounds++),
    );
    assert.ok(rounds >= 2, `${rounds} turns`);
  });

  it('take fewer rows at a time if these take long', async () => {
    let [rounds, time] = [0, 0];
    await countSliced(filled.store, 'is:open', aContext(), {
      spent: () => (time += 50),
      next: async () => void rounds++,
      version: () => 0,
    });
    assert.ok(rounds >= 5, `${rounds} turns`);
  });

  it('start over if a row has changed, and run at once if rows change all the time', async () => {
    let version = 0;
    const context = aContext({ limit: 50 });
    const changing = { ...turns(), version: () => version++ };
    const found = await runSliced(filled.store, 'is:open', context, changing);
    assert.deepEqual(found, runQuery(filled.store, 'is:open', context));
    let changes = 1;
    const changed = turns(async () => {
      if (changes-- <= 0) return;
      version = 100;
    });
    version = 99;
    assert.equal(
      await countSliced(filled.store, 'is:open', aContext(), { ...changed, version: () => version }),
      runQuery(filled.store, 'is:open', aContext()).length,
    );
  });
});

describe('a search while the user types', () => {
  const made = engines();
  let engine: DuelineEngine;
  beforeEach(async () => {
    engine = await made.open();
  });

  it('is canceled by the next one', async () => {
    const newest = new LatestOnly();
    const signals: AbortSignal[] = [];
    const ask = (text: string) =>
      newest.ask(signal => {
        signals.push(signal);
        return engine.find(text, { limit: 5, signal });
      });
    const [first, second] = await Promise.all([ask('is:open'), ask('is:open sort:title')]);
    assert.equal(first, undefined);
    assert.ok(Array.isArray(second));
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, false],
    );
    await assert.rejects(engine.count('is:open', { signal: AbortSignal.abort() }), { name: 'AbortError' });
    await assert.rejects(engine.find('due:soonish'), { kind: 'query' });
    await assert.rejects(
      newest.ask(signal => engine.find('due:soonish', { signal })),
      { kind: 'query' },
    );
  });

  it('finds the words of the tasks', async () => {
    const list = await engine.createList({ name: 'Work' });
    await engine.createTask(list, { title: 'Größe messen', tags: ['Käufe'] });
    const words = await engine.wordsIn('');
    for (const word of ['grosse', 'messen', 'kaufe']) assert.ok(words.has(word), word);
  });
});
