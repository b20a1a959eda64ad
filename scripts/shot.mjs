// A quick look: `node scripts/shot.mjs [name] [--theme light|dark|hc|hc-light] [--size 1280x800] [--scale 2]
// [--do steps.mjs] [--version oldest] [--timezone Europe/Berlin] [--locale de]`
// steps.mjs: `export default async ({ window, session, page, shot }) => { await window.view(); await shot('lists'); }`
// The bundles of dist and out are used as they are: run `node esbuild.js && node esbuild.js --tests` before.
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { root } from './paths.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    theme: { type: 'string' },
    size: { type: 'string' },
    scale: { type: 'string' },
    do: { type: 'string' },
    version: { type: 'string' },
    timezone: { type: 'string' },
    locale: { type: 'string' },
  },
});
const { withSession } = createRequire(import.meta.url)(join(root, 'out/test/ui/support/driver.js'));
const [width, height] = (values.size ?? '1280x800').split('x').map(Number);
const { do: steps, theme, version, timezone, locale } = values;
const options = { theme, version, timezone, locale, size: { width, height }, scale: Number(values.scale ?? 1) };
await withSession(options, async (/** @type {any} */ session) => {
  const { window } = session;
  const shot = async (/** @type {string} */ name) => console.log(await window.shot(name));
  if (steps)
    await (await import(pathToFileURL(resolve(steps)).href)).default({ window, session, page: window.page, shot });
  else await window.view().catch(() => console.log('There is no view container named Dueline.'));
  if (!steps || positionals[0]) await shot(positionals[0] ?? 'shot');
});
