import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isGood, joinResults } from '../results.mjs';
import { makeScratch } from '../scratch.mjs';

const two = { tests: 2, passes: 2, pending: 0, failures: 0, duration: 1500 };

describe('the results of a suite of files', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dueline-results-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const written = (name: string, results: object) => {
    const file = join(folder, `${name}.json`);
    writeFileSync(file, JSON.stringify(results));
    return { name, results: file };
  };
  const joined = (...files: { name: string; results: string }[]) =>
    joinResults(files, { start: Date.now(), target: join(folder, 'all.json') });

  it('are the sums over its files', () => {
    const failed = { tests: 3, passes: 1, pending: 1, failures: 1, duration: 10 };
    const failures = [{ fullTitle: 'a test', err: { message: 'wrong' } }];
    const all = joined(written('one', { stats: two, failures: [] }), written('other', { stats: failed, failures }));
    assert.deepEqual(
      { passed: all.passed, failed: all.failed, skipped: all.skipped },
      { passed: 3, failed: 1, skipped: 1 },
    );
    assert.deepEqual(all.failures, [{ title: 'a test', error: 'wrong' }]);
  });

  it('count a file that did not come to its end as one that failed, whether it wrote nothing or half', () => {
    const half = { name: 'half', results: join(folder, 'half.json') };
    writeFileSync(half.results, '{"stats":{"tests":');
    const all = joined(
      written('one', { stats: two, failures: [] }),
      { name: 'lost', results: join(folder, 'no') },
      half,
    );
    assert.equal(isGood(all), false);
    assert.deepEqual(
      all.failures.map(({ title }) => title),
      ['lost', 'half'],
    );
  });
});

describe('programs that run at a time', () => {
  const run = (atATime: number, codes: readonly number[]) => {
    const program = (code: number) =>
      `console.log('begin ${code}'); setTimeout(() => { console.log('end ${code}'); process.exit(${code}); }, 50)`;
    const jobs = codes.map(code => ({ title: `job ${code}`, args: ['-e', program(code)] }));
    const script = `import { runJobs } from './scripts/jobs.mjs';
      console.log('good', await runJobs(${JSON.stringify(jobs)}, ${atATime}));`;
    return spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).stdout;
  };

  it('say what they say in one piece, under their titles', () => {
    const said = run(2, [0, 1, 2]);
    for (const code of [0, 1, 2]) assert.match(said, new RegExp(`job ${code}\nbegin ${code}\nend ${code}\n`));
    assert.match(said, /good false\n$/);
  });

  it('are good if each of them is', () => {
    assert.match(run(3, [0, 0]), /good true\n$/);
    assert.match(run(1, [0]), /^\njob 0\nbegin 0\nend 0\ngood true\n$/);
  });
});

describe('the folder for temporary files of a run', () => {
  it('is the one that TMPDIR names, and otherwise goes with the run', () => {
    assert.deepEqual(makeScratch({ TMPDIR: tmpdir() }).env, {});
    const { env, remove } = makeScratch({});
    // A system without room in memory has none.
    assert.ok(env.TMPDIR === undefined || existsSync(env.TMPDIR));
    // Some tests run programs as another user.
    if (env.TMPDIR) assert.equal(statSync(env.TMPDIR).mode & 0o777, 0o777);
    remove();
    assert.ok(env.TMPDIR === undefined || !existsSync(env.TMPDIR));
  });
});
