// The manifest and its words for a flavor. The offline one is made from package.json by leaving out what
// src/contributions/manifest.ts says is the full flavor's own.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isFullOnly, manifestParts } from '../src/contributions/manifest';
import { type Json, manifest, root } from './paths';

export type Flavor = 'full' | 'offline';

/** Words that only a program with accounts has a use for. */
export const syncWords = /sync|account|server|caldav|nextcloud|webdav|password/i;

/** Fields that the build needs, and a shipped manifest does not. */
const buildOnly = ['scripts', 'devDependencies', 'dependencies', 'overrides', 'private', 'flavors'];

/** The manifest as it is shipped. */
export function manifestOf(flavor: Flavor): Json {
  const source = manifest();
  const made = Object.fromEntries(Object.entries(source).filter(([key]) => !buildOnly.includes(key)));
  if (flavor === 'full') return made;
  return {
    ...made,
    ...source.flavors.offline,
    keywords: (source.keywords ?? []).filter(
      (word: string) => !/mcp|agent|command line/.test(word) && !syncWords.test(word),
    ),
    contributes: offlineContributes(),
  };
}

/**
 * The words of a shipped manifest, by the names that VS Code reads: `package.nls.json`, `package.nls.de.json` … Only
 * those that it uses.
 */
export function wordFiles(shipped: Json): Record<string, Record<string, string>> {
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
 * A command's name has no frame: that would be between its category and its words when the palette searches for what is
 * typed: a mark at its end alone keeps the dots on their side.
 */
const rightToLeft = (key: string, word: string) =>
  key.startsWith('command.') ? word.replace(/…$/, '…\u200f') : framed(word);

/**
 * Keeps sentences that run from right to left in their order: the editor lays its own parts out from left to right,
 * which puts the words around a name in Latin letters, and the last stop, on the wrong sides. Each line has a frame of
 * its own. If a line is nothing but a link, the frame goes inside the brackets, since the editor makes a button of such
 * a line only; a line of plain words needs none.
 */
export const framed = (text: string) =>
  text
    .split('\n')
    .map(line => {
      const [, words, target] = /^\[([^\]]*)\](\([^)]*\))$/.exec(line) ?? [];
      return words === undefined ? inFrame(line) : `[${inFrame(words)}]${target}`;
    })
    .join('\n');

const inFrame = (words: string) => (/[^\p{L}\p{M}\s]|\p{Script=Latin}/u.test(words) ? `\u2067${words}\u2069` : words);

/** Keys of package.nls.json. */
export const usedWords = (shipped: Json): Set<string> =>
  new Set([...JSON.stringify(shipped).matchAll(wordKey)].map(match => match[1] ?? ''));

/** `"%command.sync.title%"` in package.json. */
const wordKey = /"%([\w.-]+)%"/g;

/** Without the points at which a manifest offers something to a model, which is a way to a network. */
function offlineContributes() {
  const { mcpServerDefinitionProviders, chatSkills, ...made } = manifestParts(id => !isFullOnly(id)).contributes;
  const words = manifestWords();
  const stays = (entry: Json) => !fullOnlyIn(spoken(entry, words));
  return {
    ...made,
    viewsWelcome: made.viewsWelcome.filter(stays),
    walkthroughs: made.walkthroughs.map(guide => ({ ...guide, steps: guide.steps.filter(stays) })),
  };
}

const fullOnlyIn = (text: string) =>
  [...text.matchAll(/\bdueline\.[\w.]+/g)].some(([id]) => isFullOnly(id.replace(/\.$/, '')));

const spoken = (entry: Json, words: Record<string, string>) =>
  JSON.stringify(entry).replace(/%([\w.-]+)%/g, (whole, key) => words[key] ?? whole);

const read = (name: string): Record<string, string> => JSON.parse(readFileSync(join(root, name), 'utf8'));

export const manifestWords = () => read('package.nls.json');
