// Lays out the files of a flavor as they are packed. `.vscodeignore` says which of them go into the package.
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundlesFor } from '../l10n/bundles.mjs';
import { manifestOf, wordFiles } from '../manifest.mjs';
import { root } from '../paths.mjs';
import { notesFor } from '../release/version.mjs';
import { isListed } from './check.mjs';
import { noticesFor } from './packages.mjs';

/**
 * @param {import('../manifest.mjs').Flavor} flavor
 * @param {{folder: string, inputs: Record<string, string[]>, site?: string | undefined}} from `folder`: it has `dist` and gets the rest;
 *   `inputs`: what went into each script, as esbuild.js writes it; `site`: the repository's address, where it is known
 */
export function layOut(flavor, { folder, inputs, site }) {
  const write = (/** @type {string} */ path, /** @type {string | Uint8Array} */ content) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  const source = (/** @type {string} */ path) => new Uint8Array(readFileSync(join(root, path)));
  const textOf = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8');
  /** @type {import('../manifest.mjs').Json} */
  const manifest = { ...manifestOf(flavor), ...(site && addresses(site)) };
  write('package.json', json(manifest));
  for (const [name, words] of Object.entries(wordFiles(manifest))) write(name, json(words));
  for (const name of ['LICENSE', '.vscodeignore']) write(name, source(name));
  write('README.md', source(flavor === 'full' ? 'README.md' : 'docs/offline/README.md'));
  write('CHANGELOG.md', notesFor(flavor, textOf('CHANGELOG.md')));
  const shipped = Object.entries(inputs).filter(([output]) => isListed(output.slice(output.lastIndexOf('dist/'))));
  const files = shipped.flatMap(([, names]) => names);
  write('THIRD-PARTY-NOTICES.txt', noticesFor(files));
  for (const [name, words] of Object.entries(bundlesFor(files.filter(name => /^(src|media)\/.*\.ts$/.test(name)))))
    write(`l10n/${name}`, json(words));
  const shown = JSON.stringify(manifest);
  for (const name of readdirSync(join(root, 'media'), { recursive: true, encoding: 'utf8' })) {
    const path = `media/${name.replaceAll('\\', '/')}`;
    // A picture of a walkthrough goes with its step.
    if (isListed(path) && (!path.includes('walkthrough') || shown.includes(path))) write(path, source(path));
  }
  for (const { path } of manifest.contributes.chatSkills ?? []) write(path, source(path));
  const notes = Object.entries(JSON.parse(readFileSync(join(folder, 'dist/whatsNew.json'), 'utf8')));
  write(
    'dist/whatsNew.json',
    json(Object.fromEntries(notes.map(([locale, text]) => [locale, notesFor(flavor, text)]))),
  );
  // The modes of files must not depend on this machine.
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (statSync(join(folder, name)).isFile()) chmodSync(join(folder, name), 0o644);
}

/** @param {string} site */
const addresses = site => ({
  repository: { type: 'git', url: `${site}.git` },
  bugs: { url: `${site}/issues` },
  homepage: `${site}#readme`,
});

/** @param {unknown} value */
const json = value => `${JSON.stringify(value)}\n`;
