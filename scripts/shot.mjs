// A quick look: `node scripts/shot.mjs [name] [--theme light|dark|hc|hc-light] [--size 1280x800] [--do steps.mjs]`
// steps.mjs: `export default async ({ window, session, page, shot }) => { await window.view(); await shot('lists'); }`
// The bundles of dist and out are used as they are: run `node esbuild.js && node esbuild.js --tests` before.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { withSession } from './pictures/window.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { theme: { type: 'string' }, size: { type: 'string', default: '1280x800' }, do: { type: 'string' } },
});
const [width, height] = String(values.size).split('x').map(Number);
await withSession({ theme: values.theme, size: { width, height } }, async session => {
  const { window } = session;
  const shot = async (/** @type {string} */ name) => console.log(await window.shot(name));
  if (!values.do) await window.view();
  else
    await (await import(pathToFileURL(resolve(values.do)).href)).default({ window, session, page: window.page, shot });
  if (!values.do || positionals[0]) await shot(positionals[0] ?? 'shot');
});
