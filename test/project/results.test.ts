import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faultOf, readResults } from '../../scripts/results';

describe('a suite of tests', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'dueline-results-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** The results as mocha writes them. */
  function resultsOf(passes: number, failures: object[] = []) {
    const file = join(folder, 'results.json');
    writeFileSync(file, JSON.stringify({ stats: { passes, failures: failures.length, pending: 0 }, failures }));
    return readResults(file);
  }
  const failure = { fullTitle: 'some test', err: { message: 'wrong', stack: 'Error: wrong\n    at it' } };

  it('covers every folder with tests', () => {
    const [spec] = JSON.parse(readFileSync('.mocharc.json', 'utf8')).spec as string[];
    const unit = /\{(.+)\}/.exec(spec!)![1]!.split(',');
    const suites = ['contract', 'host', 'interop', 'page', 'ui'];
    const tested = readdirSync('test', { withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .map(({ name }) => name)
      .filter(name =>
        readdirSync(join('test', name), { recursive: true, encoding: 'utf8' }).some(file => /\.test\.ts$/.test(file)),
      );
    assert.deepEqual(tested, [...unit, ...suites].sort());
  });

  it('passes with passed tests, no failed one and exit code 0', () =>
    assert.equal(faultOf(0, resultsOf(3)), undefined));

  it('fails with a failed test, whatever its exit code', () => {
    assert.match(faultOf(0, resultsOf(3, [failure]))!, /failed in 1/);
    assert.match(faultOf(1, resultsOf(3, [failure]), true)!, /failed in 1/);
  });

  it('fails if it hangs or breaks after its last test', () => {
    assert.match(faultOf(1, resultsOf(3))!, /ended with 1 after/);
    assert.match(faultOf(null, resultsOf(3))!, /ended with a signal after/);
  });

  it('fails without results: a killed extension host exits with 0', () => {
    assert.match(faultOf(0, readResults(join(folder, 'none.json')))!, /did not come to its end/);
    assert.match(faultOf(0, undefined, true)!, /did not come to its end/);
  });

  it('fails without a test, unless tests were selected by name', () => {
    assert.match(faultOf(0, resultsOf(0))!, /ran no test/);
    assert.equal(faultOf(0, resultsOf(0), true), undefined);
  });

  it('prints at most 120 lines about a failure', () => {
    const stack = Array.from({ length: 5000 }, (_, line) => `line ${line}`).join('\n');
    const [report] = resultsOf(0, [{ ...failure, err: { stack } }])!.failures;
    assert.equal(report!.split('\n').length, 121);
    assert.match(report!, /^some test\nline 0\n.*\nline 118\n…$/s);
    assert.deepEqual(resultsOf(0, [failure])!.failures, ['some test\nError: wrong\n    at it']);
  });
});
