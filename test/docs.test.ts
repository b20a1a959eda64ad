import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

describe('the documentation', () => {
  it('names every member that other extensions are promised', () => {
    const source = readFileSync('src/api.ts', 'utf8');
    const declared = /export interface DuelineApi \{([\s\S]*?)\n\}/.exec(source)![1]!;
    const members = [...declared.matchAll(/^ {2}(?:readonly )?(\w+)[(:]/gm)].map(match => match[1]!);
    const page = readFileSync('docs/api.md', 'utf8');
    const table = page.slice(page.indexOf('## Members'), page.indexOf('## Commands'));
    const named = new Set([...table.matchAll(/`(\w+)/g)].map(match => match[1]!));
    assert.ok(members.length > 20, 'members are found');
    assert.deepEqual(
      members.filter(member => !named.has(member)),
      [],
    );
  });

  it('names every kind of error', () => {
    const kinds = [...readFileSync('src/core/errors.ts', 'utf8').matchAll(/^ {2}\| '(\w+)'/gm)].map(match => match[1]!);
    const page = readFileSync('docs/api.md', 'utf8');
    assert.ok(kinds.length > 10, 'kinds are found');
    assert.deepEqual(
      kinds.filter(kind => !page.includes(`\`${kind}\``)),
      [],
    );
  });
});
