// The version is in package.json: name, code, and the two versions of the stored schema. All else is held against it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifest, root } from '../paths.mjs';
import { readRecipe } from '../recipe.mjs';

/** The locales that release notes are written in, source first. */
export const locales = ['en-US', 'en-GB', 'de-DE', 'pt-BR', 'fr-FR', 'ar'];

/**
 * @typedef {object} Release
 * @property {string} version `major.minor.patch`
 * @property {number} versionCode
 * @property {number} schemaVersion
 * @property {number} previousSchemaVersion
 * @property {string} tag
 *
 * @returns {Release}
 */
export function releaseOf() {
  const { version, versionCode, schemaVersion, previousSchemaVersion } = manifest();
  return { version, versionCode, schemaVersion, previousSchemaVersion, tag: `v${version}` };
}

/**
 * @param {string} version
 * @param {number} [step] 0 to 98 of a pre-release; 99 is the release itself
 */
export function codeOf(version, step = 99) {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return major * 1_000_000 + minor * 10_000 + patch * 100 + step;
}

/** @param {string} version @param {string} locale */
export const notesFile = (version, locale) => join('docs/whatsnew', locale, `${version}.md`);

/**
 * Lines of release notes and of the changelog that end in `<!-- full -->` are about the full flavor alone, and so are
 * the lines further in that go on from them.
 * @param {'full' | 'offline'} flavor
 * @param {string} notes
 */
export const notesFor = (flavor, notes) =>
  flavor === 'full'
    ? notes.replace(/ *<!-- full -->/g, '')
    : notes.replace(/^( *)\S.*<!-- full -->\n(?:\1 +\S.*\n)*/gm, '');

/** @returns {string[]} what disagrees with package.json; empty where a release may be made */
export function versionFaults() {
  const { version, versionCode, schemaVersion, previousSchemaVersion, tag } = releaseOf();
  const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8');
  const lock = JSON.parse(read('package-lock.json'));
  const recipe = readRecipe();
  const entry = recipe.entries.find(({ versionName }) => versionName === version);
  const faults = [
    versionCode !== codeOf(version) && `package.json: the code of ${version} is ${codeOf(version)}, not ${versionCode}`,
    lock.version !== version && `package-lock.json says ${lock.version}`,
    lock.packages[''].version !== version && `package-lock.json says ${lock.packages[''].version} of the package`,
    !sectionOf(version).test(read('CHANGELOG.md')) && `CHANGELOG.md has no section ${version}`,
    !entry && `the recipe has no entry for ${version}`,
    entry && entry.versionCode !== versionCode && `the recipe gives ${version} the code ${entry.versionCode}`,
    entry && entry.commit !== tag && `the recipe builds ${version} from ${entry.commit}, not ${tag}`,
    entry && entry.flavor !== 'full' && `the recipe builds the ${entry.flavor} flavor`,
    recipe.current.versionName !== version && `the recipe's current version is ${recipe.current.versionName}`,
    recipe.current.versionCode !== versionCode && `the recipe's current code is ${recipe.current.versionCode}`,
    previousSchemaVersion !== schemaVersion - 1 &&
      `schema ${previousSchemaVersion} does not come before ${schemaVersion}`,
    ...[previousSchemaVersion, schemaVersion].map(number => schemaFault(number)),
    ...locales
      .map(locale => notesFile(version, locale))
      .map(file => !existsSync(join(root, file)) && `${file} is missing`),
  ];
  return faults.filter(fault => typeof fault === 'string');
}

/** @param {string} version */
const sectionOf = version => new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\]`, 'm');

/**
 * A version's section is told to its users. An entry above it, under whatever heading, would be in the release and told to nobody.
 * @param {string} [changelog]
 * @returns {string[]}
 */
export function untoldFaults(changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')) {
  const { version } = releaseOf();
  const [above = ''] = changelog.split(sectionOf(version));
  return /^- /m.test(above) ? [`CHANGELOG.md has entries above the section of ${version}: they belong to it`] : [];
}

/** @param {number} number */
function schemaFault(number) {
  const file = `schemas/${number}.json`;
  if (!existsSync(join(root, file))) return `${file} is missing`;
  const { formatVersion, database } = JSON.parse(readFileSync(join(root, file), 'utf8'));
  if (formatVersion !== 1) return `${file} has the format ${formatVersion}, not 1`;
  if (!/^[0-9a-f]{32}$/.test(database.identityHash)) return `${file} has no identity hash`;
  return database.version !== number && `${file} describes version ${database.version}`;
}
