// The manifest and its words for a flavor. The offline one is made from package.json by leaving out what
// src/contributions/manifest.ts says is the full flavor's own.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSource } from './loadSource.mjs';
import { manifest, root } from './paths.mjs';

/** @typedef {'full' | 'offline'} Flavor */
/** @typedef {Record<string, any>} Json */

const { isFullOnly } = /** @type {typeof import('../src/contributions/manifest')} */ (
  loadSource('src/contributions/manifest.ts')
);

/** Words that only a program with accounts has a use for. */
export const syncWords = /sync|account|server|caldav|nextcloud|webdav|password/i;

/** What building needs, and a shipped manifest does not. */
const buildOnly = ['scripts', 'devDependencies', 'dependencies', 'private', 'flavors'];

/**
 * @param {Flavor} flavor
 * @returns {Json} package.json as it is shipped
 */
export function manifestOf(flavor) {
  const source = manifest();
  const made = Object.fromEntries(Object.entries(source).filter(([key]) => !buildOnly.includes(key)));
  if (flavor === 'full') return made;
  return {
    ...made,
    ...source.flavors.offline,
    keywords: (source.keywords ?? []).filter(
      (/** @type {string} */ word) => !/mcp|agent|command line/.test(word) && !syncWords.test(word),
    ),
    contributes: withoutFullOnly(source.contributes, manifestWords()),
  };
}

/**
 * The words of a shipped manifest, by the names that VS Code looks for: `package.nls.json`, `package.nls.de.json` …
 * @param {Json} shipped of {@link manifestOf}
 * @returns {Record<string, Record<string, string>>} only the words that this manifest uses
 */
export function wordFiles(shipped) {
  const used = usedWords(shipped);
  const names = readdirSync(root).filter(name => /^package\.nls(\.[\w-]+)?\.json$/.test(name));
  return Object.fromEntries(
    names.sort().map(name => {
      const words = Object.entries(read(name)).filter(([key]) => used.has(key));
      const shown = name === 'package.nls.ar.json' ? words.map(([key, word]) => [key, rightToLeft(key, word)]) : words;
      return [name, Object.fromEntries(shown)];
    }),
  );
}

/**
 * A command's name has no frame, which would be between its category and its words where the palette looks for what is
 * typed: a mark at its end alone keeps the dots on their side.
 * @param {string} key
 * @param {string} word
 */
const rightToLeft = (key, word) => (key.startsWith('command.') ? word.replace(/…$/, '…\u200f') : framed(word));

/**
 * Keeps sentences that run from right to left in their order: the editor lays its own parts out from left to right, which
 * puts the words around a name in Latin letters, and the last stop, on the wrong sides. Each line has a frame of its own.
 * Where a line is nothing but a link, it goes inside the brackets, since the editor makes a button of such a line only;
 * a line of plain words needs none.
 * @param {string} text
 */
export const framed = text =>
  text
    .split('\n')
    .map(line => {
      const [, words, target] = /^\[([^\]]*)\](\([^)]*\))$/.exec(line) ?? [];
      return words === undefined ? inFrame(line) : `[${inFrame(words)}]${target}`;
    })
    .join('\n');

/** @param {string} words */
const inFrame = words => (/[^\p{L}\p{M}\s]|\p{Script=Latin}/u.test(words) ? `\u2067${words}\u2069` : words);

/**
 * @param {Json} shipped
 * @returns {Set<string>} keys of package.nls.json
 */
export const usedWords = shipped =>
  new Set([...JSON.stringify(shipped).matchAll(wordKey)].map(match => match[1] ?? ''));

const wordKey = /"%([\w.-]+)%"/g;

/** Where a manifest offers something to a model, which is a way to a network. */
const agentPoints = /^(?:mcp|languageModel|chat)/;

/**
 * @param {Json} contributes
 * @param {Record<string, string>} words
 */
function withoutFullOnly(contributes, words) {
  /** @param {Json} entry */
  const stays = entry => {
    const id = entry.command ?? entry.id ?? entry.name ?? entry.view ?? '';
    if (isFullOnly(id)) return false;
    if (entry.command && fullOnlyIn(entry.when ?? ''))
      throw new Error(`${id} is in both flavors, but shows by a condition that only the full one has: ${entry.when}`);
    return !fullOnlyIn(spoken(entry, words));
  };
  const made = Object.fromEntries(
    Object.entries(contributes)
      .filter(([point]) => point !== 'configuration' && !agentPoints.test(point))
      .map(([point, entries]) => [point, filterEntries(entries, stays)])
      .filter(([, entries]) => !Array.isArray(entries) || entries.length > 0),
  );
  const filled = new Set(Object.keys(made.menus ?? {}));
  made.submenus = (made.submenus ?? []).filter((/** @type {Json} */ { id }) => filled.has(id));
  const offered = new Set(made.submenus.map((/** @type {Json} */ { id }) => id));
  if (made.menus) made.menus = filterEntries(made.menus, entry => !entry.submenu || offered.has(entry.submenu));
  for (const guide of made.walkthroughs ?? []) guide.steps = guide.steps.filter(stays);
  return { ...made, configuration: [contributes.configuration ?? []].flat().flatMap(offlineSettings) };
}

/** @param {Json} section */
function offlineSettings(section) {
  const properties = Object.entries(section.properties).filter(([id]) => !isFullOnly(id));
  return properties.length === 0 ? [] : [{ ...section, properties: Object.fromEntries(properties) }];
}

/**
 * A contribution point is a list of entries, or lists by place; a place that is left without any goes.
 * @param {any} entries
 * @param {(entry: Json) => boolean} stays
 */
function filterEntries(entries, stays) {
  // A walkthrough is a list of steps: those are judged one by one.
  const judge = (/** @type {Json} */ entry) => Boolean(entry.steps) || stays(entry);
  if (Array.isArray(entries)) return structuredClone(entries.filter(judge));
  const places = Object.entries(entries).map(([place, list]) => [place, list.filter(judge)]);
  return Object.fromEntries(places.filter(([, list]) => list.length > 0));
}

/** @param {string} text */
const fullOnlyIn = text => [...text.matchAll(/\bdueline\.[\w.]+/g)].some(([id]) => isFullOnly(id.replace(/\.$/, '')));

/**
 * @param {Json} entry
 * @param {Record<string, string>} words
 */
const spoken = (entry, words) => JSON.stringify(entry).replace(/%([\w.-]+)%/g, (whole, key) => words[key] ?? whole);

/** @param {string} name @returns {Record<string, string>} */
const read = name => JSON.parse(readFileSync(join(root, name), 'utf8'));

export const manifestWords = () => read('package.nls.json');
