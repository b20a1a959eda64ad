import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Sync was built against 64 numbered cases, A1 to A64; the title of a test names its case. */
describe('the acceptance cases of sync', () => {
  const titles = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.test.ts'))
    .flatMap(name => [...readFileSync(join('test', name), 'utf8').matchAll(/\bit\(\s*['"`](A\d+) /g)])
    .map(([, number]) => number!);

  it('each have a test', () => {
    const numbers = Array.from({ length: 64 }, (_, at) => `A${at + 1}`);
    assert.deepEqual(
      numbers.filter(number => !titles.includes(number)),
      [],
    );
    assert.deepEqual(
      titles.filter(title => !numbers.includes(title)),
      [],
    );
  });
});
