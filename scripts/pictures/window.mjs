// The parts that pictures of a real window have in common. The window is that of test/ui/support.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import UPNG from 'upng-js';
import { root } from '../paths.mjs';

/**
 * @param {object} options of a session of test/ui/support/driver.ts
 * @param {(session: any) => Promise<void>} work after which the session is closed
 */
export async function withSession(options, work) {
  const { Session } = createRequire(import.meta.url)(join(root, 'out/test/ui/support/driver.js'));
  const session = await Session.open(options);
  try {
    await work(session);
  } finally {
    await session.close();
  }
}

/** Calls the API in the window. @param {any} window @param {string} method @param {...unknown} args */
export function api(window, method, ...args) {
  const call = async (/** @type {any} */ vscode, /** @type {string} */ method, /** @type {unknown[]} */ args) =>
    (await vscode.extensions.getExtension('dueline.dueline').activate())[method](...args);
  return window.run(call, method, args);
}

/** A question with a line as a person types it, and a row below it. @param {any} window @param {string} command @param {string} text @param {string} row */
export async function typed(window, command, text, row) {
  void window.command(command, text).catch(() => {}); // answered only once the line closes
  await window.picks(row).first().waitFor();
  await window.page.keyboard.press('End'); // what a line is opened with is selected
  await window.page.waitForTimeout(500);
  return window.quickInput;
}

/** Opens one as a tab. @param {any} window @param {string} kind @param {number} width @param {number} height */
export async function widget(window, kind, width, height, shown = '.row, .card') {
  await window.command('workbench.action.closeAllEditors');
  await window.resize(width, height + 35);
  await window.command('dueline.openWidget', kind);
  return settled(await window.frame(`body[data-boot*='"kind":"${kind}"'] dueline-widget .bottom`), shown);
}

/** The element of a page that shows the selector, without the focus in it. @param {any} page @param {string} selector */
export async function settled(page, selector) {
  await page.locator(selector).first().waitFor();
  await page.evaluate('document.activeElement?.blur()');
  return page.frameElement();
}

/**
 * @param {any} window
 * @param {any} part an element, or a clip of the window
 * @param {string} file
 * @param {number} [colors] if there are few, a pixel for each of CSS
 */
export async function save(window, part, file, colors = 256) {
  const clip = typeof part.boundingBox === 'function' ? await part.boundingBox() : part;
  const scale = colors < 256 ? 'css' : 'device';
  write(file, await window.page.screenshot({ clip, animations: 'disabled', scale }), colors);
}

/**
 * Makes a picture small by a palette: pictures of a user interface have few colors anyway.
 * @param {string} file
 * @param {Buffer} png
 * @param {number} colors at most so many
 */
export function write(file, png, colors) {
  const image = UPNG.decode(Uint8Array.from(png).buffer);
  const packed = UPNG.encode(UPNG.toRGBA8(image).slice(0, 1), image.width, image.height, colors);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, new Uint8Array(packed));
  console.log(file, image.width, image.height);
}
