// media/icon.png, the extension's icon in the stores, out of docs/images/icon.svg: `node scripts/icon.mjs`
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { shrink } from './png.mjs';
import { launchBrowser } from './vscode/window.mjs';

const size = 256;
const svg = readFileSync(join(root, 'docs/images/icon.svg'), 'utf8');
const browser = await launchBrowser();
try {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${svg}`);
  // Its curves have no more shades than these.
  const packed = shrink(await page.screenshot({ omitBackground: true }), 32);
  writeFileSync(join(root, 'media/icon.png'), new Uint8Array(packed));
} finally {
  await browser.close();
}
