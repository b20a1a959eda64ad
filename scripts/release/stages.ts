// The stages in which a version without a tag becomes a release.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { readPackage } from '../package/check';
import { makePackage, writeSums } from '../package/make';
import { manifest, root } from '../paths';
import { locales, notesFile, notesFor, releaseOf, unreleasedFaults, versionFaults } from './version';

/** Starts what changes something outside. */
export type Run = (program: string, args: string[], input?: string) => void;

const { version, tag } = releaseOf();

/** True if a repository has the tag: in its folder, if `remote` is `.`, or at the remote. */
export const hasTag = (folder: string, remote: string) =>
  execFileSync('git', ['ls-remote', '--tags', remote, `refs/tags/${tag}`], { cwd: folder }).length > 0;

/** Stage 1: the tag that is still to be made, if there is one. Throws if something disagrees with the version. */
export function detect(isTagged: boolean, faults = [...versionFaults(), ...unreleasedFaults()]): string | undefined {
  if (isTagged) return undefined;
  if (faults.length > 0) throw new Error(`${version} cannot be released:\n- ${faults.join('\n- ')}`);
  return tag;
}

/**
 * Stage 2: both flavors, each built twice. GitHub makes the tag when everything is attached: a release that was broken off has
 * none, and is detected again. The folder `out` gets the files.
 */
export async function release(out: string, run: Run, pack = makePackage) {
  const again = mkdtempSync(join(tmpdir(), 'dueline-again-'));
  const files: string[] = [];
  try {
    for (const flavor of ['full', 'offline'] as const) {
      const first = await pack(flavor, out);
      const second = await pack(flavor, again);
      for (const part of ['file', 'bill'] as const) {
        if (!readFileSync(first[part]).equals(new Uint8Array(readFileSync(second[part]))))
          throw new Error(`Two builds of ${basename(first[part])} differ.`);
        files.push(first[part]);
      }
    }
  } finally {
    rmSync(again, { recursive: true, force: true });
  }
  console.log(`Built twice, the same bytes:\n${writeSums(files)}`);
  const head = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  const about = ['--target', head, '--title', `Dueline ${version}`, '--notes-file', '-'];
  run('gh', ['release', 'create', tag, ...about, ...files, join(out, 'SHA256SUMS')], releaseNotes());
}

/** The notes in English, the same in the other languages below, and how to check the files. */
function releaseNotes() {
  const [source = '', ...others] = locales.map(locale => {
    const text = notesFor('full', readFileSync(join(root, notesFile(version, locale)), 'utf8')).trim();
    if (locale === 'en-US') return text;
    const name = new Intl.DisplayNames([locale], { type: 'language' }).of(locale);
    return `<details lang="${locale}"${locale === 'ar' ? ' dir="rtl"' : ''}><summary>${name}</summary>\n\n${text}\n\n</details>`;
  });
  const check =
    'Check the files with `sha256sum --check SHA256SUMS`; the bills of materials are the `.cdx.json` files.';
  return `${[source, ...others, check].join('\n\n')}\n`;
}

/** The programs are those of the lock file: each is handed a token that can publish in Dueline's name. */
export const stores = [
  ['VSCE_PAT', 'node_modules/@vscode/vsce/vsce'],
  ['OVSX_PAT', 'node_modules/ovsx/bin/ovsx'],
] as const;

/**
 * Stage 3: the full flavor goes to the extension stores, the offline one to none. A file's name proves nothing: the
 * manifest inside the package decides.
 */
export function publish(folder: string, run: Run) {
  const file = join(folder, `${manifest().name}-${version}.vsix`);
  const { name } = JSON.parse(new TextDecoder().decode(readPackage(file).get('extension/package.json')));
  if (name !== manifest().name)
    throw new Error(`${basename(file)} is ${name}: only ${manifest().name} goes to a store.`);
  for (const [, program] of stores)
    run(process.execPath, [program, 'publish', '--packagePath', file, '--skip-duplicate']);
  for (const other of readdirSync(folder).filter(each => each.endsWith('.vsix') && each !== basename(file)))
    console.log(`${other} goes to no store.`);
}
