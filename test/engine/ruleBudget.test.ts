import assert from 'node:assert/strict';
import { engines } from './support/engine';

describe('a result with tasks that repeat very often', () => {
  const suite = engines();

  it('reports that dates were left out, and the log names the row once', async () => {
    const logged: string[] = [];
    const engine = await suite.open({ log: (_, message) => logged.push(message) });
    const [list] = engine.lists();
    const due = suite.clock.time;
    for (let index = 0; index < 12; index++)
      await engine.createTask(list!.id, { title: 't', due, timezone: 'UTC', rrule: 'FREQ=SECONDLY' });
    const ask = () => engine.query('is:open show:occurrences due:<=+7d');
    assert.equal(engine.isCut(ask()), true);
    assert.equal(engine.isCut(ask()), true);
    assert.equal(engine.isCut(engine.query('is:open')), false);
    assert.equal(engine.widget('week').isCut, true);
    const warnings = logged.filter(line => /^Task \d+ repeats so often/.test(line));
    assert.ok(warnings.length > 0);
    assert.equal(new Set(warnings).size, warnings.length);
  });
});
