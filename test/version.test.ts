import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

describe('version', () => {
  it('has the code that its name gives: major, minor, patch, and 99 for a final release', () => {
    const [major, minor, patch] = manifest.version.split('.').map(Number);
    assert.equal(manifest.versionCode, major * 1_000_000 + minor * 10_000 + patch * 100 + 99);
  });

  it('has a section in the changelog', () => {
    assert.match(
      readFileSync('CHANGELOG.md', 'utf8'),
      new RegExp(`^## \\[?${manifest.version.replaceAll('.', '\\.')}`, 'm'),
    );
  });
});
