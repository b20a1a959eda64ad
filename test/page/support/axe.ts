import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Frame } from 'playwright-core';

/** The violations that axe-core finds in a page; evaluated through the debugger, so the page's policy stays as it is. */
export async function axe(page: Frame): Promise<string[]> {
  const isThere = await page.evaluate<boolean>(`'axe' in globalThis`);
  if (!isThere) await page.evaluate(readFileSync(resolve('node_modules/axe-core/axe.min.js'), 'utf8'));
  // Rules that pass are not listed one by one.
  return page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ' ' + nodes[0].html.slice(0, 160)))`,
  );
}
