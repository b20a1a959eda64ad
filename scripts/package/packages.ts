// The npm packages inside a bundle: their licences for the package, and a bill of materials for those who check it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../paths';

interface Bundled {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly resolved?: string;
  readonly integrity?: string;
}

/** The packages that files of a build come from, as the lock file has them, by name. */
function packagesIn(inputs: readonly string[]): Bundled[] {
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
 * Every package with its licence and the address of its source, as MPL-2.0 asks. Throws if one ships no licence text.
 */
export function noticesFor(inputs: readonly string[]): string {
  const parts = packagesIn(inputs).map(
    ({ name, version, license }) =>
      `${name} ${version} (${license})\nSource: ${sourceOf(name)}\n\n${licenceText(name)}\n`,
  );
  return `Dueline contains the following packages.\n\n${parts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

function licenceText(name: string) {
  const folder = join(root, 'node_modules', name);
  const file = readdirSync(folder).find(entry => /^(licen[cs]e|copying)/i.test(entry));
  if (!file) throw new Error(`${name} ships no licence text.`);
  return readFileSync(join(folder, file), 'utf8').trim();
}

function sourceOf(name: string) {
  const { repository } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'));
  const url = String(repository?.url ?? repository).replace(/\.git$/, '');
  const named = /(?:^|github\.com\/)([\w-]+\/[\w.-]+)$/.exec(url)?.[1];
  return named ? `https://github.com/${named}` : url;
}

/** CycloneDX 1.5 of the extension. Without a serial number and a time, so that the same source makes the same bytes. */
export function billOfMaterials({ name, version }: Pick<Bundled, 'name' | 'version'>, inputs: readonly string[]) {
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

const purl = ({ name, version }: Bundled) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** An SPDX id, or an expression of several. */
const licence = (license: string) => (/[ ()]/.test(license) ? { expression: license } : { license: { id: license } });

/** Reads what npm writes: `sha512-` and base64. */
function hashOf(integrity: string) {
  const [algorithm, value] = integrity.split('-');
  return {
    alg: algorithm?.toUpperCase().replace('SHA', 'SHA-'),
    content: Buffer.from(value ?? '', 'base64').toString('hex'),
  };
}
