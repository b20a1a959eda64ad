import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import type { Window } from './window';

/** What a person does on the page of a task. */
const line = (page: Frame) => page.locator('dueline-chip-line input[role=combobox]');

const labels: Readonly<Record<string, string>> = { start: 'Start', repeat: 'Repeat', alarm: 'Reminder' };

/** Opens the line of a chip; of what is not set, by **More**. */
export async function openChip(page: Frame, chip: string): Promise<void> {
  const own = page.locator(`[data-chip="${chip}"]`);
  if ((await own.count()) > 0) await own.click();
  else {
    await page.locator('[data-chip=more]').click();
    await line(page).fill(labels[chip]!);
    await line(page).press('Enter');
  }
  await line(page).waitFor();
}

export async function closeChip(page: Frame): Promise<void> {
  await page.locator('dueline-chip-line').press('Escape');
  await page.locator('dueline-chip-line').waitFor({ state: 'detached' });
}

/** Types into the line of a chip and takes what is read. */
export async function setChip(page: Frame, chip: string, text: string): Promise<void> {
  await openChip(page, chip);
  await line(page).fill(text);
  await line(page).press('Enter');
  if (chip === 'tags') await closeChip(page);
  else await page.locator('dueline-chip-line').waitFor({ state: 'detached' });
}

export const chipText = async (page: Frame, chip: string): Promise<string> =>
  (await page.locator(`[data-chip="${chip}"] bdi`).textContent()) ?? '';

export async function openDetails(page: Frame): Promise<void> {
  const summary = page.locator('.details summary');
  if ((await page.locator('.details[open]').count()) === 0) await summary.click();
  await page.locator('#location').waitFor();
}

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
