import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ElementHandle, Frame, Locator } from 'playwright-core';
import UPNG from 'upng-js';
import type { WidgetKind } from '../../src/query/agenda/widgets';
import { Session, type SessionOptions } from '../../test/ui/support/driver';
import type { Window } from '../../test/ui/support/window';

/** The part that a picture shows: an element, or a clip of the window. */
export type Part = Locator | ElementHandle | { x: number; y: number; width: number; height: number };

/** Takes a picture of a part of the window, under the name that it has in docs/images. */
export type Draw = (window: Window, part: Part, name: string) => Promise<void>;

export async function withSession(options: SessionOptions, work: (session: Session) => Promise<void>): Promise<void> {
  const session = await Session.open(options);
  try {
    await work(session);
  } finally {
    await session.close();
  }
}

/** A question with a line as the user types it, and a row below it. */
export async function typed(window: Window, command: string, text: string, row: string): Promise<Locator> {
  void window.command(command, text).catch(() => {}); // answered only once the line closes
  await window.picks(row).first().waitFor();
  await window.page.keyboard.press('End'); // what a line is opened with is selected
  await window.page.waitForTimeout(500);
  return window.quickInput;
}

export async function leaveQuestion({ page, quickInput }: Window): Promise<void> {
  await page.keyboard.press('Escape');
  await quickInput.waitFor({ state: 'hidden' });
}

/** Opens a widget as the only tab, of that size. */
export async function widget(window: Window, kind: WidgetKind, width: number, height: number, shown = '.row, .card') {
  await window.command('workbench.action.closeAllEditors');
  await window.resize(width, height + 35);
  await window.command('dueline.openWidget', kind);
  return settled(await window.frame(`body[data-boot*='"kind":"${kind}"'] dueline-widget .bottom`), shown);
}

/** The element of a page that shows the selector, without the focus in it. */
export async function settled(page: Frame, selector: string): Promise<ElementHandle> {
  await page.locator(selector).first().waitFor();
  await page.evaluate('document.activeElement?.blur()');
  return page.frameElement();
}

export const boxOf = async (part: Part) => ('boundingBox' in part ? (await part.boundingBox())! : part);

/** Makes a picture small by a palette of `colors` colors; if these are few, it has a pixel for each of CSS. */
export async function save({ page }: Window, part: Part, file: string, colors = 256): Promise<void> {
  const scale = colors < 256 ? 'css' : 'device';
  const png = await page.screenshot({ clip: await boxOf(part), animations: 'disabled', scale });
  const image = UPNG.decode(Uint8Array.from(png).buffer);
  const packed = UPNG.encode(UPNG.toRGBA8(image).slice(0, 1), image.width, image.height, colors);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, new Uint8Array(packed));
  console.log(file, image.width, image.height);
}
