// Stage 3: the full flavor goes to the extension stores. The offline one reaches none of them.
// `node scripts/release/publish.mjs [--from folder] [--stores folder]`
import { readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readPackage } from '../package/check.mjs';
import { manifest, root } from '../paths.mjs';
import { folderStore, marketplace, openVsx } from './stores.mjs';

/**
 * @param {{from: string, stores: import('./stores.mjs').Store[], log?: (line: string) => void}} options `from`: the
 *   folder with the release's packages
 * @returns {Promise<string>} the package that was published
 */
export async function publish({ from, stores, log = console.log }) {
  const names = readdirSync(from).filter(name => name.endsWith('.vsix'));
  const full = `${manifest().name}-${manifest().version}.vsix`;
  if (!names.includes(full)) throw new Error(`${full} is not in ${from}.`);
  const file = join(from, full);
  await refuseOffline(file);
  for (const store of stores) {
    store.publish(file);
    log(`${full} is in ${store.name}.`);
  }
  for (const name of names.filter(other => other !== full)) log(`${name} goes to no store.`);
  return file;
}

/**
 * What a file is called proves nothing: the package itself says what it is.
 * @param {string} file
 */
export async function refuseOffline(file) {
  const text = readPackage(file).get('extension/package.json');
  const { name } = JSON.parse(new TextDecoder().decode(text));
  if (name !== manifest().name)
    throw new Error(`${basename(file)} is ${name}: only ${manifest().name} goes to a store.`);
}

async function main() {
  const { values } = parseArgs({ options: { from: { type: 'string' }, stores: { type: 'string' } } });
  const standIn = values.stores && resolve(values.stores);
  const stores = standIn
    ? ['marketplace', 'open-vsx'].map(name => folderStore(name, join(standIn, name)))
    : [marketplace, openVsx];
  await publish({ from: resolve(values.from ?? join(root, 'packages')), stores });
}

if (process.argv[1]?.endsWith('release/publish.mjs')) {
  main().catch(error => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  });
}
