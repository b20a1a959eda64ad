import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { codeOf, locales, notesFile, releaseOf, unreleasedFaults, versionFaults } from '../../scripts/release/version';
import { schemaVersion } from '../../src/store/sql/schema';

const { version, versionCode, schemaVersion: stated, previousSchemaVersion } = releaseOf();

describe('the version', () => {
  it('is that of the contract', () => {
    assert.deepEqual(releaseOf(), {
      version: '1.1.0',
      versionCode: 1010099,
      schemaVersion: 2,
      previousSchemaVersion: 1,
      tag: 'v1.1.0',
    });
  });

  it('has the code that its name determines: major, minor, patch, and 99 for a final release', () => {
    assert.equal(versionCode, codeOf(version));
    assert.equal(codeOf('1.1.0', 3), 1010003);
    assert.equal(codeOf('2.13.4'), 2130499);
  });

  it('agrees with the lock file, the changelog, the recipe, the schemas and the release notes', () => {
    assert.deepEqual(versionFaults(), []);
  });

  it('names the current schema of the store', () => {
    assert.equal(stated, schemaVersion);
    assert.equal(previousSchemaVersion, schemaVersion - 1);
    const described = readdirSync('schemas').filter(name => /^\d+\.json$/.test(name));
    assert.deepEqual(described.sort(), [`${previousSchemaVersion}.json`, `${stated}.json`]);
  });

  it('is the newest in the changelog, above 1.0.0', () => {
    const sections = [...readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## \[(\d[^\]]*)\]/gm)].map(([, name]) => name);
    assert.deepEqual(sections, [version, '1.0.0']);
  });

  it('is not released while the project’s changelog has entries above its section', () => {
    const changelog = readFileSync('CHANGELOG.md', 'utf8');
    const at = changelog.indexOf(`## [${version}]`);
    const [above, section] = [changelog.slice(0, at), changelog.slice(at)];
    const noEntries = above.replace(/^- .*\n(?: +\S.*\n)*/gm, '');
    assert.deepEqual(unreleasedFaults(noEntries + section), []);
    assert.match(unreleasedFaults(`${noEntries}- New\n\n${section}`).join(), /above the section of 1\.1\.0/);
    assert.equal(unreleasedFaults().length, /^- /m.test(above) ? 1 : 0);
  });

  it('has release notes in every locale, and in no other', () => {
    assert.deepEqual(readdirSync('docs/whatsnew').sort(), [...locales].sort());
    for (const locale of locales)
      assert.match(readFileSync(notesFile(version, locale), 'utf8'), /^# .*Dueline 1\.1\.0$/m, locale);
  });

  it('has equally many notes in every locale', () => {
    const count = (locale: string) => readFileSync(notesFile(version, locale), 'utf8').match(/^- \*\*/gm)?.length;
    assert.deepEqual(
      locales.map(count),
      locales.map(() => 5),
    );
  });
});
