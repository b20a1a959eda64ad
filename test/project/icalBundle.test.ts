import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { build } from 'esbuild';
import { leanIcal } from '../../scripts/build/plugins.cjs';
import { rowWith } from '../../src/core/ical/contentGroups';
import { readResource } from '../../src/core/ical/readResource';
import { writeResource } from '../../src/core/ical/writeResource';

const fixtures = 'test/core/fixtures/ical';
const texts = readdirSync(fixtures, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ics'))
  .map(name => readFileSync(resolve(fixtures, name), 'utf8'));

describe('the part of ical.js in the bundles', () => {
  it('reads and writes lines as the whole package does', async () => {
    const files = ['readResource', 'writeResource'].map(name => `export * from './src/core/ical/${name}';`);
    const { outputFiles } = await build({
      stdin: { contents: files.join('\n'), resolveDir: resolve('.'), loader: 'ts' },
      bundle: true,
      write: false,
      platform: 'node',
      format: 'cjs',
      plugins: [leanIcal],
    });
    const text = outputFiles[0]!.text;
    assert.doesNotMatch(text, /RecurIterator/);
    const bundled = { exports: {} as { readResource: typeof readResource; writeResource: typeof writeResource } };
    new Function('module', 'exports', 'require', text)(bundled, bundled.exports, require);

    for (const base of texts) {
      const { master, overrides } = readResource(base);
      assert.deepEqual(bundled.exports.readResource(base), readResource(base));
      if (!master) continue;
      const zoned = { due: 1e12, timezone: 'Europe/Berlin', isAllDay: false };
      const edited = { master: rowWith(master, { title: `ä, "b"; c\n${'d'.repeat(99)}`, ...zoned }), overrides };
      assert.equal(bundled.exports.writeResource(edited, base, 0), writeResource(edited, base, 0));
    }
  });
});
