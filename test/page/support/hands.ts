import type { Frame, Locator } from 'playwright-core';

/** In pixels of the window. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/** A drag by hand, held for a moment over its end, so that the page can show where it would land. */
export async function drag(from: Locator, to: Point, work?: () => Promise<void>, shift = false): Promise<void> {
  const { mouse, keyboard } = from.page();
  const start = (await from.boundingBox())!;
  await mouse.move(start.x + 60, start.y + 10);
  await mouse.down();
  await mouse.move(start.x + 70, start.y + 16, { steps: 3 });
  if (shift) await keyboard.down('Shift');
  await mouse.move(to.x, to.y, { steps: 8 });
  await mouse.move(to.x + 1, to.y + 1, { steps: 2 });
  await work?.();
  await mouse.up();
  if (shift) await keyboard.up('Shift');
}

/** A place inside, left of the middle. */
export async function middleOf(place: Locator): Promise<Point> {
  const { x, y, width, height } = (await place.boundingBox())!;
  return { x: x + width / 3, y: y + height / 2 };
}

/** Rows or cards that are in sight as a whole. */
export const wholeIn = (page: Frame, area: string, item: string) =>
  page.evaluate(`(() => {
    const bounds = document.querySelector('${area}').getBoundingClientRect();
    const isWhole = one => {
      const { top, bottom } = one.getBoundingClientRect();
      return top >= bounds.top && bottom <= Math.min(bounds.bottom, innerHeight);
    };
    return [...document.querySelectorAll('${area} ${item}')].filter(isWhole).length;
  })()`) as Promise<number>;

export const boxOf = (page: Frame, selector: string) =>
  page.evaluate(`document.querySelector('${selector}').getBoundingClientRect().toJSON()`) as Promise<{
    readonly width: number;
    readonly height: number;
    readonly right: number;
    readonly top: number;
    readonly bottom: number;
  }>;
