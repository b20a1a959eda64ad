// Writes docs/quality.md: `node scripts/quality.mjs [source or part ...]`. Without a word everything is measured, which
// takes more than an hour; `page` measures nothing. The page is put together from what is kept in out/quality; what was
// never measured there stays as the page has it.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { manifest, root } from './paths.mjs';
import { page } from './quality/page.mjs';
import { bench, keepTests, kept, sources } from './quality/sources.mjs';

const { positionals: words } = parseArgs({ allowPositionals: true });
const asked = words.length === 0 ? Object.keys(sources) : words.filter(word => word !== 'page');
if (asked.length > 0) {
  for (const which of [[], ['--tests']]) {
    const built = spawnSync(process.execPath, ['esbuild.js', ...which], { cwd: root, stdio: 'inherit' });
    if (built.status !== 0) process.exit(1);
  }
}
const parts = asked.filter(word => !sources[word]);
if (parts.length > 0) bench(...parts);
for (const word of asked) await sources[word]?.();

keepTests();
const reasons = JSON.parse(readFileSync(join(root, 'scripts/quality/reasons.json'), 'utf8'));
const file = join(root, 'docs/quality.md');
const { text, unexplained } = page(kept(), reasons, manifest(), readFileSync(file, 'utf8'));
writeFileSync(file, text);
for (const name of unexplained) console.log(`Missed, and no reason given in scripts/quality/reasons.json: ${name}`);
process.exit(unexplained.length === 0 ? 0 : 1);
