import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isGood, joinResults } from '../results.mjs';

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

describe('window files that failed', () => {
  it('run once more, and the results say so', () => {
    const folder = mkdtempSync(join(tmpdir(), 'dueline-again-'));
    // Fails as often as it says; each run writes its results as a suite does.
    const file = (name: string, fails: number) => {
      const results = join(folder, `${name}.json`);
      const program = `const { existsSync, appendFileSync, readFileSync, writeFileSync } = require('fs');
        appendFileSync('${results}.runs', 'x');
        const failures = readFileSync('${results}.runs').length <= ${fails} ? 1 : 0;
        const stats = { passes: 1 - failures, failures, pending: 0, tests: 1, duration: 1 };
        const failed = [{ fullTitle: 'the test of ${name}', err: { message: 'wrong' } }];
        writeFileSync('${results}', JSON.stringify({ stats, failures: failures ? failed : [] }));`;
      return { title: name, args: ['-e', program], results };
    };
    const jobs = [file('good', 0), file('slipped', 1), file('broken', 2), { ...file('left', 0), mayLack: true }];
    const script = `import { runJobs } from './scripts/jobs.mjs';
      import { runFailedAgain } from './scripts/again.mjs';
      const jobs = ${JSON.stringify(jobs)};
      await runJobs(jobs.slice(0, 3), 2);
      await runFailedAgain(jobs);`;
    try {
      const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
      assert.match(stdout, /slipped passed at its second try\. The first one:\nthe test of slipped\nwrong/);
      const target = join(folder, 'all.json');
      const all = joinResults(
        jobs.slice(0, 3).map(({ title, results }) => ({ name: title, results })),
        { start: Date.now(), target },
      );
      assert.deepEqual({ passed: all.passed, failed: all.failed }, { passed: 2, failed: 1 });
      assert.deepEqual(all.again, [
        'slipped passed at its second try; at the first failed: the test of slipped',
        'broken failed twice; at the first failed: the test of broken',
      ]);
      assert.equal(existsSync(jobs[3]!.results), false);
    } finally {
      rmSync(folder, { recursive: true });
    }
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

  /** Whether three jobs run to their end, each of which ends once all have begun. */
  const threeAtATime = (lastWaits: boolean, more: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'dueline-jobs-'));
    const program = (name: string) =>
      `const { readdirSync, writeFileSync } = require('fs'); writeFileSync('${join(folder, name)}', '');
       setInterval(() => readdirSync('${folder}').length === 3 && process.exit(0), 10);`;
    const jobs = ['one', 'two', 'three'].map((name, at) => ({
      title: name,
      args: ['-e', program(name)],
      waits: lastWaits && at === 2,
    }));
    const script = `import { runJobs } from './scripts/jobs.mjs';
      console.log('good', await runJobs(${JSON.stringify(jobs)}, 2, ${more}));`;
    try {
      const node = ['--input-type=module', '-e', script];
      assert.match(spawnSync(process.execPath, node, { encoding: 'utf8', timeout: 30_000 }).stdout, /good true\n$/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  it('are one more where one mostly waits', () => threeAtATime(true, '0'));

  it('are one more where processors are idle', () => threeAtATime(false, '1, async () => true'));

  it('are good where each of them is', () => {
    assert.match(run(3, [0, 0]), /good true\n$/);
    assert.match(run(1, [0]), /^\njob 0\nbegin 0\nend 0\ngood true\n$/);
  });
});
