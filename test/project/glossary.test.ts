import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wordsOf } from '../../scripts/l10n/extract';

const page = readFileSync('docs/glossary.md', 'utf8');
const table = page.slice(page.indexOf('## Words we do not use'));
const banned = [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell]) =>
  [...cell!.matchAll(/`([^`]+)`/g)].map(([, word]) => word!),
);

/** A word that is broken at the end of a line, in prose or in a comment, is the same word. */
const unbroken = (text: string) => text.replace(/\n[ \t]*(?:\*(?!\/)|\/\/)?[ \t]*/g, ' ');
const pattern = new RegExp(String.raw`(?<!\w)(?:${banned.join('|')})(?!\w)`, 'gi');
const foundIn = (text: string) => [...unbroken(text).matchAll(pattern)].map(([word]) => word.toLowerCase());

const filesIn = (folder: string, ending: RegExp) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => join(folder, name))
    .filter(name => ending.test(name));

/** Other languages, the words that users type in Quick Add, and the page that names the words. */
const exempt =
  /^docs\/(?:glossary\.md$|whatsnew\/(?!en-))|^src\/core\/quickAdd\/languages\/|^test\/project\/glossary\.test\.ts$/;

describe('the glossary', () => {
  it('lists words that are not used', () => assert.ok(banned.length > 30 && banned.includes('sub-task')));

  it('finds a word in any case and across line ends, and no part of a word', () => {
    assert.deepEqual(foundIn('Side\n   * Bar; // put\n// off'), ['side bar', 'put off']);
    assert.deepEqual(foundIn('input offset; twinned'), []);
  });

  it('is followed in code, comments, test titles, and docs', () => {
    const files = [
      ...['src', 'media', 'test', 'bench'].flatMap(folder => filesIn(folder, /\.(?:ts|css)$/)),
      ...filesIn('scripts', /\.(?:ts|mjs)$/),
      ...filesIn('docs', /\.md$/),
      ...readdirSync('.').filter(name => name.endsWith('.md')),
    ].filter(file => !exempt.test(file));
    assert.ok(files.length > 500);
    const hits = files.flatMap(file => foundIn(readFileSync(file, 'utf8')).map(word => `${file}: ${word}`));
    assert.deepEqual(hits, []);
  });

  it('is followed in the manifest and in every English text', () => {
    const words = (path: string): Record<string, unknown> => JSON.parse(readFileSync(path, 'utf8'));
    const texts = [
      ...Object.values(words('package.nls.json')),
      ...Object.values(words('package.nls.en-gb.json')),
      ...wordsOf().keys(),
      ...Object.values(words('l10n/bundle.l10n.en-gb.json')),
      readFileSync('package.json', 'utf8'),
    ].map(String);
    assert.ok(texts.length > 1000);
    assert.deepEqual(
      texts.flatMap(text => foundIn(text).map(word => `${word}: ${text.slice(0, 120)}`)),
      [],
    );
  });

  it('has American spelling in English, and British in its own bundle', () => {
    const words = (path: string): Record<string, string> => JSON.parse(readFileSync(path, 'utf8'));
    const bundle = words('l10n/bundle.l10n.en-gb.json');
    const spelled = (spelling: RegExp, ...texts: string[][]) => texts.flat().filter(text => spelling.test(text));
    assert.deepEqual(
      spelled(/cancelled|colour|recognise|towards/i, Object.values(words('package.nls.json')), [...wordsOf().keys()]),
      // The filter language has the word of RFC 5545.
      ['Status: open, todo, started, done or cancelled', 'cancelled'],
    );
    assert.deepEqual(
      spelled(
        /canceled|\bcolor|recognize|\btoward\b/i,
        Object.values({ ...words('package.nls.json'), ...words('package.nls.en-gb.json') }),
        [...wordsOf().keys()].map(english => bundle[english] ?? english),
      ),
      [],
    );
  });
});
