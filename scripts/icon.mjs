// media/icon.png, the extension's icon in the stores, out of docs/images/icon.svg: `node scripts/icon.mjs`
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { launchBrowser } from './vscode/window.mjs';

const size = 256;
const svg = readFileSync(join(root, 'docs/images/icon.svg'), 'utf8');
const browser = await launchBrowser();
try {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${svg}`);
  await page.screenshot({ path: join(root, 'media/icon.png'), omitBackground: true });
} finally {
  await browser.close();
}
