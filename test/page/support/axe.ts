import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Frame } from 'playwright-core';
import type { Editor } from '../../support/vscode/editor';
import type { Theme } from '../../support/vscode/webviews';

/** The rules that read colors: the others find the same in each theme. */
const colorRules = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };

/** The violations that axe-core finds in a page; evaluated through the debugger, so the page's policy stays as it is. */
export async function axe(page: Frame, only = {}): Promise<string[]> {
  const isThere = await page.evaluate<boolean>(`'axe' in globalThis`);
  if (!isThere) await page.evaluate(readFileSync(resolve('node_modules/axe-core/axe.min.js'), 'utf8'));
  // Rules that pass are not listed one by one.
  const options = JSON.stringify({ ...only, resultTypes: ['violations'] });
  return page.evaluate(
    `axe.run(document, ${options}).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ' ' + nodes[0].html.slice(0, 160)))`,
  );
}

/** The violations in a page as it is, in each theme: of all rules in the first, of those that read colors in the others. */
export async function axeInThemes(
  editor: Editor,
  page: Frame,
  themes: readonly Theme[] = ['light', 'dark', 'hc', 'hc-light'],
): Promise<string[]> {
  const faults: string[] = [];
  for (const theme of themes) {
    await editor.theme(theme);
    const found = await axe(page, theme === themes[0] ? {} : colorRules);
    faults.push(...found.map(fault => `${theme}: ${fault}`));
  }
  return faults;
}
