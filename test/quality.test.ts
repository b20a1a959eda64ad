import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { page } from '../scripts/quality/page.mjs';

const reasons = JSON.parse(readFileSync('scripts/quality/reasons.json', 'utf8'));
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const stamp = { at: '2026-11-21T10:00:00.000Z', commit: '1234567' };

describe('the page of figures', () => {
  it('has a reason for each dependency, and for nothing else', () => {
    const named = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
    assert.deepEqual(Object.keys(reasons.dependencies).sort(), named.sort());
  });

  it('says which goal is missed and why, and names those that nobody explained', () => {
    const figures = [
      { name: 'explained', ratio: 3, goal: 2, verdict: 'MISSED' },
      { name: 'unexplained', ratio: 3, goal: 2, verdict: 'MISSED' },
      { name: 'reached', ratio: 1, goal: 2, verdict: 'ok' },
    ];
    const missed = { explained: { why: 'The disk is slow.', reach: 'a faster one.' } };
    const { text, unexplained } = page(
      { 'bench-store': { ...stamp, part: 'store', figures } },
      { ...reasons, missed },
      manifest,
    );
    assert.deepEqual(unexplained, ['unexplained']);
    assert.match(text, /\*\*explained\*\*: The disk is slow. What would reach it: a faster one./);
    assert.doesNotMatch(text, /- \*\*reached/);
  });

  it('says of a soak what it did, how memory went, and what was wrong', () => {
    const memory = [{ name: 'window 1: page, heap', first: 50, second: 75, ratio: 1.5, goal: 1.15 }];
    const soak = { ...stamp, minutes: 30, seed: 7, rounds: 9, created: 4, acts: { add: 3, tick: 2 }, missed: ['drag'] };
    const { text } = page({ soak: { ...soak, memory, problems: ['a is lost'] } }, reasons, manifest);
    assert.match(text, /5 acts of 2 kinds in 9 rounds, 4 tasks made; 1 acts by hand/);
    assert.match(text, /What was wrong: a is lost/);
    assert.match(text, /window 1: page, heap, MB \| 50\.0 \| 75\.0 \| 1\.50 \| ≤ 1\.15 \| \*\*missed\*\*/);
  });

  it('names the files of tests that take long, with the reason', () => {
    const files = [
      { name: 'quick', seconds: 5 },
      { name: 'waits', seconds: 90 },
    ];
    const suite = { suite: 'ui', passes: 7, failures: 0, pending: 0, seconds: 95, at: stamp.at, files };
    const slow = { waits: 'The interval is a minute.' };
    const { text } = page({ tests: { ...stamp, suites: [suite] } }, { ...reasons, slow }, manifest);
    assert.match(text, /\| ui waits \| 90 \| The interval is a minute. \|/);
    assert.doesNotMatch(text, /ui quick/);
  });

  it('gives reasons for files of tests that there are', () => {
    for (const name of Object.keys(reasons.slow)) assert.ok(existsSync(`test/ui/${name}.test.ts`), name);
  });

  it('names the command for whatever was not measured', () => {
    const { text } = page({}, reasons, manifest);
    const long = ['npm run chaos -- --minutes 15', 'npm run soak -- --minutes 30'];
    for (const command of [...long, 'npm test', 'npm run coverage', 'npm run package'])
      assert.ok(text.includes(`Not measured yet: \`${command}\``), command);
  });
});
