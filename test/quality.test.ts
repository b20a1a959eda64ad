import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
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

  it('names the command for whatever was not measured', () => {
    const { text } = page({}, reasons, manifest);
    for (const command of ['npm run chaos -- --minutes 15', 'npm test', 'npm run coverage', 'npm run package'])
      assert.ok(text.includes(`Not measured yet: \`${command}\``), command);
  });
});
