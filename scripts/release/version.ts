// The version is in package.json: name, code, and the two versions of the stored schema. All else is held against it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import type { Flavor } from '../manifest';
import { type Json, manifest, root } from '../paths';

/** The locales that release notes are written in, source first. */
export const locales = ['en-US', 'en-GB', 'de-DE', 'pt-BR', 'fr-FR', 'ar'];

const read = (path: string) => readFileSync(join(root, path), 'utf8');

type Numbers = Readonly<Record<'versionCode' | 'schemaVersion' | 'previousSchemaVersion', number>>;

export function releaseOf() {
  const { version, versionCode, schemaVersion, previousSchemaVersion } = manifest() as Numbers & { version: string };
  return { version, versionCode, schemaVersion, previousSchemaVersion, tag: `v${version}` };
}

/** The code of `major.minor.patch`; `step`: 0 to 98 of a pre-release, 99 is the release itself. */
export function codeOf(version: string, step = 99): number {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return major * 1_000_000 + minor * 10_000 + patch * 100 + step;
}

export const notesFile = (version: string, locale: string) => join('docs/whatsnew', locale, `${version}.md`);

/**
 * Lines of release notes and of the changelog that end in `<!-- full -->` are about the full flavor alone, and so are
 * the lines further in that go on from them.
 */
export const notesFor = (flavor: Flavor, notes: string): string =>
  flavor === 'full'
    ? notes.replace(/ *<!-- full -->/g, '')
    : notes.replace(/^( *)\S.*<!-- full -->\n(?:\1 +\S.*\n)*/gm, '');

/**
 * The entry of the downstream recipe, in F-Droid's form, that builds this version; F-Droid writes one flavor as a list or plainly.
 * Throws if there is none, or it names no flavor that there is.
 */
export function recipeEntry(text = read('metadata/dueline.yml')) {
  const { version } = releaseOf();
  const { Builds, CurrentVersion, CurrentVersionCode } = load(text) as Json;
  const entry = Builds.find(({ versionName }: Json) => String(versionName) === version);
  if (!entry) throw new Error(`The recipe has no entry for ${version}.`);
  const [flavor, ...more]: (Flavor | undefined)[] = [entry.gradle ?? []].flat();
  if (more.length > 0 || (flavor !== 'full' && flavor !== 'offline'))
    throw new Error(`The recipe's entry for ${version} needs "gradle: full" or "gradle: offline".`);
  const { versionCode, commit }: { versionCode: number; commit: string } = entry;
  return { versionCode, commit, flavor, current: [String(CurrentVersion), CurrentVersionCode] };
}

/** All that disagrees with package.json; a release may be made without a fault. */
export function versionFaults(): string[] {
  const { version, versionCode, schemaVersion, previousSchemaVersion, tag } = releaseOf();
  const lock = JSON.parse(read('package-lock.json'));
  const entry = recipeEntry();
  const files = [previousSchemaVersion, schemaVersion].map(number => `schemas/${number}.json`);
  const notes = locales.map(locale => notesFile(version, locale));
  const rules = {
    [`the code of ${version} is ${codeOf(version)}, not ${versionCode}`]: versionCode === codeOf(version),
    'package-lock.json has another version': lock.version === version && lock.packages[''].version === version,
    [`CHANGELOG.md has no section ${version}`]: sectionOf(version).test(read('CHANGELOG.md')),
    'the recipe has another code': entry.versionCode === versionCode && entry.current[1] === versionCode,
    [`the recipe's current version is ${entry.current[0]}`]: entry.current[0] === version,
    [`the recipe builds ${entry.commit}, not ${tag}`]: entry.commit === tag,
    'the recipe does not build the full flavor': entry.flavor === 'full',
    [`schema ${previousSchemaVersion} does not come before ${schemaVersion}`]:
      previousSchemaVersion === schemaVersion - 1,
    ...Object.fromEntries(files.map(file => [`${file} does not describe its version`, describes(file)])),
    ...Object.fromEntries(notes.map(file => [`${file} is missing`, existsSync(join(root, file))])),
  };
  return Object.entries(rules).flatMap(([fault, isKept]) => (isKept ? [] : fault));
}

/** True if the file of a schema is there and describes its version. */
function describes(file: string): boolean {
  if (!existsSync(join(root, file))) return false;
  const { formatVersion, database } = JSON.parse(read(file));
  const hasHash = /^[0-9a-f]{32}$/.test(database.identityHash);
  return formatVersion === 1 && hasHash && file === `schemas/${database.version}.json`;
}

const sectionOf = (version: string) => new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\]`, 'm');

/**
 * A version's section is shown to its users. An entry above it, under any heading, would be in the release and shown to
 * nobody.
 */
export function unreleasedFaults(changelog = read('CHANGELOG.md')): string[] {
  const { version } = releaseOf();
  const [above = ''] = changelog.split(sectionOf(version));
  return /^- /m.test(above) ? [`CHANGELOG.md has entries above the section of ${version}: they belong to it`] : [];
}
