import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import type { Id, TaskInput } from '../../../src/core/kernel/model';
import type { Editor } from '../../support/vscode/editor';
import { resizeWindow } from './widgets';

/** Makes a task in the first list. */
export const newTask = ({ engine }: Editor, input: TaskInput): Promise<Id> =>
  engine.createTask(engine.lists()[0]!.id, input);

/** The page of a task, or of one occurrence, as the tab in front. */
export async function openTask(editor: Editor, target: Id | { taskId: Id; occurrence: number }): Promise<Frame> {
  await editor.command('dueline.open', target);
  return editor.frame('dueline-task #title');
}

/** Until the element has the focus. */
export const focusIsOn = (page: Frame, selector: string): Promise<void> =>
  page.locator(selector).and(page.locator(':focus')).waitFor({ state: 'attached' });

const line = (page: Frame) => page.locator('dueline-chip-input input[role=combobox]');

const labels: Readonly<Record<string, string>> = {
  start: 'Start',
  repeat: 'Repeat',
  alarm: 'Reminder',
  estimate: 'Estimate',
};

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
  await page.locator('dueline-chip-input').press('Escape');
  await page.locator('dueline-chip-input').waitFor({ state: 'detached' });
}

/** Types into the line of a chip and takes what is read. */
export async function setChip(page: Frame, chip: string, text: string): Promise<void> {
  await openChip(page, chip);
  await line(page).fill(text);
  await line(page).press('Enter');
  if (chip === 'tags') await closeChip(page);
  else await page.locator('dueline-chip-input').waitFor({ state: 'detached' });
}

export const chipText = async (page: Frame, chip: string): Promise<string> =>
  (await page.locator(`[data-chip="${chip}"] bdi`).textContent()) ?? '';

export async function openDetails(page: Frame): Promise<void> {
  const summary = page.locator('.details summary');
  if ((await page.locator('.details[open]').count()) === 0) await summary.click();
  await page.locator('#location').waitFor();
}

/** In a small window, in a narrow one and in a side group nothing is cut off. */
export async function fitsEverySize(editor: Editor, page: Frame): Promise<void> {
  const before = editor.page.viewportSize()!;
  for (const [width, height] of [
    [933, 600],
    [290, 900],
    [240, 900],
  ] as const) {
    await resizeWindow(editor, width, height);
    const [wide, room] = await page.evaluate<[number, number]>(
      `[document.querySelector('dueline-task').scrollWidth, document.documentElement.clientWidth]`,
    );
    assert.ok(wide <= room, `${wide} in ${room} of a window of ${width}`);
  }
  await editor.resize(before.width, before.height);
}
