// Lays out the files of a flavor as they are packed. `.vscodeignore` says which of them go into the package.
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Metafile } from 'esbuild';
import { bundlesFor } from '../l10n/faults';
import { type Flavor, manifestOf, wordFiles } from '../manifest';
import { type Json, root } from '../paths';
import { notesFor } from '../release/version';
import { isListed } from './check';
import { noticesFor } from './packages';

interface Build {
  /** It has `dist`, and gets the rest. */
  readonly folder: string;
  /** The scripts and what went into each, as esbuild says it. */
  readonly outputs: Metafile['outputs'];
  /** The repository's address, if it is known. */
  readonly site: string | undefined;
}

/** Returns the files that went into what is packed. */
export function layOut(flavor: Flavor, { folder, outputs, site }: Build): string[] {
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  const source = (path: string) => new Uint8Array(readFileSync(join(root, path)));
  const textOf = (path: string) => readFileSync(join(root, path), 'utf8');
  const manifest: Json = { ...manifestOf(flavor), ...(site && addresses(site)) };
  write('package.json', json(manifest));
  for (const [name, words] of Object.entries(wordFiles(manifest))) write(name, json(words));
  for (const name of ['LICENSE', '.vscodeignore']) write(name, source(name));
  write('README.md', source(flavor === 'full' ? 'README.md' : 'docs/offline/README.md'));
  write('CHANGELOG.md', notesFor(flavor, textOf('CHANGELOG.md')));
  const shipped = Object.entries(outputs).filter(([output]) => isListed(output.slice(output.lastIndexOf('dist/'))));
  const files = shipped.flatMap(([, { inputs }]) => Object.keys(inputs));
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
  const notes = Object.entries<string>(JSON.parse(readFileSync(join(folder, 'dist/whatsNew.json'), 'utf8')));
  const shownNotes = notes.map(([locale, text]) => [locale, notesFor(flavor, text)]);
  write('dist/whatsNew.json', json(Object.fromEntries(shownNotes)));
  // The modes of files must not depend on this machine.
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (statSync(join(folder, name)).isFile()) chmodSync(join(folder, name), 0o644);
  return files;
}

const addresses = (site: string) => ({
  repository: { type: 'git', url: `${site}.git` },
  bugs: { url: `${site}/issues` },
  homepage: `${site}#readme`,
});

const json = (value: unknown) => `${JSON.stringify(value)}\n`;
