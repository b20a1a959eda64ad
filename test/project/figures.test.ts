import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parts, withFigures } from '../../bench/reference/page';

describe('the table of figures', () => {
  const page = readFileSync('docs/quality.md', 'utf8');
  const rowsOf = (text: string) => text.split('\n').filter(line => line.startsWith('| '));

  it('has the new figures of a part, and keeps those of others', () => {
    const figures = [
      { name: 'an edit', ratio: 3, goal: 2, detail: '6 ms to 2 ms' },
      { name: 'a read', ratio: 0.05 },
      { name: 'a peer that is not installed', ratio: Number.NaN, goal: 1 },
    ];
    const after = withFigures(page, 'store', figures, '12345678');
    const isOfStore = (row: string) => row.startsWith('| Store |');
    assert.deepEqual(rowsOf(after).filter(isOfStore), [
      '| Store | an edit | 3.00 | ≤ 2 | **missed** | 6 ms to 2 ms | 12345678 |',
      '| Store | a read | 0.0500 |  |  |  | 12345678 |',
      '| Store | a peer that is not installed | – | ≤ 1 | not measured |  | 12345678 |',
    ]);
    const others = (text: string) => rowsOf(text).filter(row => !isOfStore(row));
    assert.deepEqual(others(after), others(page));
    assert.equal(withFigures(after, 'store', figures, '12345678'), after);
  });

  it('has every part of the benchmark', () => {
    const files = readdirSync('bench').filter(name => name.endsWith('.ts') && name !== 'main.ts');
    assert.deepEqual(files.map(name => name.replace('.ts', '')).sort(), Object.keys(parts).sort());
    for (const title of Object.values(parts)) assert.ok(page.includes(`| ${title} | `), title);
  });

  it('has every part that a page tells the reader to measure', () => {
    for (const name of readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.md')))
      for (const [command, words] of readFileSync(join('docs', name), 'utf8').matchAll(/npm run bench -- ([\w ]+)/g))
        for (const word of words!.split(' '))
          assert.ok(
            Object.keys(parts).some(part => part.startsWith(word)),
            `${command} in ${name}`,
          );
  });

  it('requires its markers in the page', () => {
    assert.throws(() => withFigures('# Nothing', 'store', [], '12345678'), /no marks/);
  });
});

describe('the page of packages', () => {
  const page = readFileSync('docs/design/dependencies.md', 'utf8');

  it('explains each package, and no other', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
    const [packages = ''] = page.split('## Written by hand');
    const named = [...packages.matchAll(/^\| `([^`]+)` \| \S/gm)].map(([, name]) => name);
    assert.deepEqual(named.sort(), Object.keys({ ...dependencies, ...devDependencies }).sort());
  });

  it('refers to existing files', () => {
    const [, byHand = ''] = page.split('## Written by hand');
    const paths = [...byHand.matchAll(/`((?:src|media|scripts)\/[^`]+)`/g)].map(([, path]) => path!);
    assert.ok(paths.length > 10);
    assert.deepEqual(
      paths.filter(path => !existsSync(path)),
      [],
    );
  });
});
