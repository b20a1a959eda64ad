// What package.json says to the editor, from src/contributions: `node scripts/contributions.mjs` writes it,
// `--check` only says whether it is there.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadSource } from './loadSource.mjs';
import { root } from './paths.mjs';

const { manifestParts } = /** @type {typeof import('../src/contributions/manifest')} */ (
  loadSource('src/contributions/manifest.ts')
);

/**
 * @param {string} text of package.json
 * @returns {string} the same with what is generated of it
 */
export const withContributions = text => `${JSON.stringify({ ...JSON.parse(text), ...manifestParts() }, null, 2)}\n`;

if (process.argv[1]?.endsWith('scripts/contributions.mjs')) {
  const file = join(root, 'package.json');
  const before = readFileSync(file, 'utf8');
  const after = withContributions(before);
  const { values } = parseArgs({ options: { check: { type: 'boolean' } } });
  if (!values.check) writeFileSync(file, after);
  else if (after !== before) {
    console.error('package.json differs from src/contributions: npm run docs');
    process.exit(1);
  }
}
