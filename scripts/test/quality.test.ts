import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { page } from '../quality/page.mjs';

const reasons = JSON.parse(readFileSync('scripts/quality/reasons.json', 'utf8'));
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const stamp = { at: '2026-11-21T10:00:00.000Z', commit: '1234567' };

const linesOf = (path: string): number =>
  statSync(path).isDirectory()
    ? readdirSync(path).reduce((sum, name) => sum + linesOf(join(path, name)), 0)
    : readFileSync(path, 'utf8').split('\n').length - 1;

describe('the page of figures', () => {
  it('has a reason for each dependency, and for nothing else', () => {
    const named = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
    assert.deepEqual(Object.keys(reasons.dependencies).sort(), named.sort());
  });

  it('says what is written by hand where it lies, and about how long it is', () => {
    const { handwritten } = reasons as { handwritten: { part: string; files: string[]; lines: number }[] };
    assert.ok(handwritten.length > 10);
    for (const { part, files, lines } of handwritten) {
      for (const file of files) assert.ok(existsSync(file), `${part}: there is no ${file}`);
      const found = files.reduce((sum, file) => sum + linesOf(file), 0);
      assert.ok(Math.abs(found - lines) <= lines / 4, `${part}: ${found} lines, reasons.json says ${lines}`);
    }
  });

  it('has its dependencies and reasons as they are now', () => {
    const before = readFileSync('docs/quality.md', 'utf8');
    const from = (text: string) => text.slice(text.indexOf('## Dependencies'));
    assert.equal(from(before), from(page({}, reasons, manifest, before).text), 'npm run quality -- page');
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

  it('says so too of a job that takes more keys than its goal', () => {
    const job = (name: string, good: boolean) => ({ name, goal: '1', measured: good ? '1 key' : '2 keys', good });
    const missed = { 'find and open': { why: 'Enter opens it.', reach: 'a preview.' } };
    const jobs = [job('find and open', false), job('add', false), job('complete', true)];
    const { text, unexplained } = page({ keys: { ...stamp, jobs } }, { ...reasons, missed }, manifest);
    assert.deepEqual(unexplained, ['add']);
    assert.match(text, /\*\*find and open\*\*: Enter opens it. What would reach it: a preview./);
  });

  it('says of a soak what it did, how memory went, and what was wrong', () => {
    const memory = [{ name: 'window 1: page, heap', first: 50, second: 75, ratio: 1.5, goal: 1.15 }];
    const soak = { ...stamp, minutes: 30, seed: 7, rounds: 9, created: 4, acts: { add: 3, tick: 2 }, missed: ['drag'] };
    const { text } = page({ soak: { ...soak, memory, problems: ['a is lost\nwhere'] } }, reasons, manifest);
    assert.match(text, /5 acts of 2 kinds in 9 rounds, 4 tasks made; 1 acts by hand/);
    assert.match(text, /What was wrong: a is lost\n/);
    const told = page(
      { soak: { ...soak, memory, problems: ['a is lost\nwhere'] } },
      { ...reasons, soak: { 'a is lost': 'It was found.' } },
      manifest,
    );
    assert.match(told.text, /What was wrong: a is lost It was found\.\n/);
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

  it('keeps what was measured elsewhere, missed goals included', () => {
    const figure = (name: string, verdict: string) => ({ name, ratio: 3, goal: 2, verdict });
    const stored = { ...stamp, part: 'store', figures: [figure('slow', 'MISSED'), figure('fast', 'ok')] };
    const counts = { minutes: 15, seed: 8, errors: 0, rounds: 4, kills: 9, stops: 1, faults: 2, problems: [] };
    const chaos = { ...stamp, ...counts, acknowledged: 1234, lost: 0, duplicated: 0, diverged: 0 };
    const missed = { slow: { why: 'The disk.', reach: 'another.' } };
    const some = { ...reasons, missed };
    const { text } = page({ 'bench-store': stored, chaos }, some, manifest);
    assert.equal(page({}, some, manifest, text).text, text);
    const quick = { ...stamp, part: 'coreCapture', figures: [figure('a line', 'ok')] };
    const more = page({ 'bench-coreCapture': quick }, some, manifest, text).text;
    for (const part of ['| a line |', '| slow |', '- **slow**: The disk.', '| 1234 |', 'seed 8'])
      assert.ok(more.includes(part), part);
    const faster = { ...stored, figures: [figure('slow', 'ok')] };
    assert.doesNotMatch(page({ 'bench-store': faster }, some, manifest, more).text, /\*\*slow/);
  });

  it('names the command for whatever was not measured', () => {
    const { text } = page({}, reasons, manifest);
    const long = ['npm run chaos -- --minutes 15', 'npm run soak -- --minutes 30'];
    for (const command of [...long, 'npm test', 'npm run coverage', 'npm run package'])
      assert.ok(text.includes(`Not measured yet: \`${command}\``), command);
  });
});
