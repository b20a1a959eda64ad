// The npm packages inside a bundle: their licences for the package, and a bill of materials for those who check it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../paths.mjs';

/**
 * @typedef {{name: string, version: string, license: string, resolved?: string, integrity?: string}} Bundled
 * @param {string[]} inputs files of a build, relative to the project
 * @returns {Bundled[]} the packages that they come from, as the lock file has them, by name
 */
function packagesIn(inputs) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const names = inputs.flatMap(file => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
  return [...new Set(names)].sort().map(name => {
    const locked = packages[`node_modules/${name}`];
    if (!locked) throw new Error(`${name} is bundled, and package-lock.json does not know it.`);
    const { version, license, resolved, integrity } = locked;
    return { name, version, license: license ?? 'UNKNOWN', resolved, integrity };
  });
}

/**
 * @param {string[]} inputs
 * @returns {string} every package with its licence, and where its source is, as MPL-2.0 asks
 * @throws {Error} where a package ships no licence text
 */
export function noticesFor(inputs) {
  const parts = packagesIn(inputs).map(
    ({ name, version, license }) =>
      `${name} ${version} (${license})\nSource: ${sourceOf(name)}\n\n${license === 'MPL-2.0' ? mozilla : licenceText(name)}\n`,
  );
  return `Dueline contains the following packages.\n\n${parts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

/** What is shipped is no source, so the licence is named with its address (MPL-2.0, 3.2 and Exhibit A). */
const mozilla = `Mozilla Public License Version 2.0

The source code form of this package is subject to the terms of the Mozilla Public License, v. 2.0.
You can obtain a copy of the licence at https://mozilla.org/MPL/2.0/, and the source at the address above.`;

/** @param {string} name */
function licenceText(name) {
  const folder = join(root, 'node_modules', name);
  const file = readdirSync(folder).find(entry => /^(licen[cs]e|copying)/i.test(entry));
  if (!file) throw new Error(`${name} ships no licence text.`);
  return readFileSync(join(folder, file), 'utf8').trim();
}

/** @param {string} name */
function sourceOf(name) {
  const { repository } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'));
  const url = String(repository?.url ?? repository).replace(/\.git$/, '');
  const named = /(?:^|github\.com\/)([\w-]+\/[\w.-]+)$/.exec(url)?.[1];
  return named ? `https://github.com/${named}` : url;
}

/**
 * CycloneDX 1.5. Without a serial number and a time, so that the same source gives the same bytes.
 * @param {{name: string, version: string}} shipped the extension
 * @param {string[]} inputs
 */
export function billOfMaterials({ name, version }, inputs) {
  const components = packagesIn(inputs).map(found => ({
    type: 'library',
    'bom-ref': purl(found),
    name: found.name,
    version: found.version,
    purl: purl(found),
    licenses: [licence(found.license)],
    ...(found.integrity && { hashes: [hashOf(found.integrity)] }),
    ...(found.resolved && { externalReferences: [{ type: 'distribution', url: found.resolved }] }),
  }));
  const own = `pkg:npm/${name}@${version}`;
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': own, name, version, purl: own } },
    components,
    dependencies: [{ ref: own, dependsOn: components.map(({ purl: ref }) => ref) }],
  };
}

/** @param {Bundled} found */
const purl = ({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** @param {string} license an SPDX id, or an expression of several */
const licence = license => (/[ ()]/.test(license) ? { expression: license } : { license: { id: license } });

/** @param {string} integrity as npm writes it: `sha512-` and base64 */
function hashOf(integrity) {
  const [algorithm, value] = integrity.split('-');
  return {
    alg: algorithm?.toUpperCase().replace('SHA', 'SHA-'),
    content: Buffer.from(value ?? '', 'base64').toString('hex'),
  };
}
