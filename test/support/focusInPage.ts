import type { Frame } from 'playwright-core';

/** The name of the element that has the focus in a page, with the text of the row that its keys mean. */
export const focused = (page: Frame): Promise<string> =>
  page.evaluate<string>(`(() => {
    const at = document.hasFocus() ? document.activeElement : null;
    const row = document.getElementById(at?.getAttribute('aria-activedescendant'));
    const name = at?.getAttribute('aria-label') || at?.id || at?.textContent.trim();
    return [name, row?.dataset.key && row.textContent].filter(Boolean).join(': ');
  })()`);
