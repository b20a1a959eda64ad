import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import type { Window } from './window';

/** In a small window, in a narrow one and in a side group nothing is cut off; pictures of each, where they are asked for. */
export async function fitsEverySize(window: Window, page: Frame, name: string): Promise<void> {
  const before = window.page.viewportSize()!;
  await window.command('workbench.action.closeSidebar');
  for (const [width, height] of [
    [933, 600],
    [290, 900],
    [240, 900],
  ] as const) {
    await window.resize(width, height);
    await window.pictures(`${name}-${width}`);
    const [wide, room] = await page.evaluate<[number, number]>(
      `[document.querySelector('dueline-task').scrollWidth, document.documentElement.clientWidth]`,
    );
    assert.ok(wide <= room, `${wide} in ${room} of a window of ${width}`);
  }
  await window.resize(before.width, before.height);
  await window.command('workbench.action.toggleSidebarVisibility');
}
