// A quick look: `node scripts/run.mjs shot [name] [--theme light|dark|hc|hc-light] [--size 1280x800] [--do steps.mjs]`
// steps.mjs: `export default async ({ window, session, page, shot }) => { await window.view(); await shot('lists'); }`
// The bundles of dist are used as they are: run `node esbuild.js` before.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { Theme } from '../test/ui/support/themes';
import { withSession } from './pictures/window';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { theme: { type: 'string' }, size: { type: 'string' }, do: { type: 'string' } },
});
const [width = 1280, height = 800] = (values.size ?? '1280x800').split('x').map(Number);
await withSession({ theme: values.theme as Theme, size: { width, height } }, async session => {
  const { window } = session;
  const shot = async (name: string) => console.log(await window.shot(name));
  if (!values.do) await window.view();
  else
    await (await import(pathToFileURL(resolve(values.do)).href)).default({ window, session, page: window.page, shot });
  if (!values.do || positionals[0]) await shot(positionals[0] ?? 'shot');
});
