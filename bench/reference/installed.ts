import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { forgetPackages, packageOnce } from '../../scripts/package/once';
import { Session } from '../../test/ui/support/driver';
import { inFolder } from './figure';

/** A small extension beside Dueline: when it starts, and its code. */
export interface Neighbor {
  readonly name: string;
  readonly event: string;
  readonly code: string;
  /** The `contributes` of its manifest. */
  readonly contributes?: object;
}

/** A window with the package as people install it. */
export const withInstalled = (neighbors: readonly Neighbor[], work: (session: Session) => Promise<void>) =>
  inFolder(async folder => {
    const data = join(folder, 'data');
    // One that an earlier run left would be installed in place of this code.
    forgetPackages();
    for (const neighbor of neighbors) write(data, neighbor);
    const session = await Session.open({
      vsix: [await packageOnce('full')],
      data,
      size: { width: 1280, height: 1400 },
    });
    try {
      await work(session);
    } finally {
      await session.close();
    }
  });

function write(data: string, { name, event, code, contributes = {} }: Neighbor): void {
  const folder = join(data, `extensions/dueline-tests.${name}-1.0.0`);
  mkdirSync(folder, { recursive: true });
  const engines = { vscode: '^1.90.0' };
  const manifest = { name, publisher: 'dueline-tests', version: '1.0.0', engines, main: 'index.js' };
  const rest = { activationEvents: [event], extensionKind: ['workspace'], contributes };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, ...rest }));
  writeFileSync(join(folder, 'index.js'), `${code}\n`);
}

/** Makes a list with `count` tasks. */
export async function filledList({ window }: Session, name: string, count: number): Promise<void> {
  const listId = await window.api('createList', { name });
  const tasks = Array.from({ length: count }, (_, index) => {
    const input = { title: `${name} task ${index}`, priority: index % 10, tags: index % 3 === 0 ? ['one'] : [] };
    return { type: 'create', listId, input };
  });
  await window.api('apply', tasks);
}

/** An act and the changes after it are over by then, in the tree and in other views. */
export const rest = (page: Page): Promise<void> => page.waitForTimeout(300);

/** When the mouse was last pressed in a page, and when a condition began to hold after that: milliseconds of the day's clock. */
interface Seen {
  readonly pressed: number;
  readonly seen: number;
}

/** Watches `root` for a condition, from before the act that leads to it; the answer waits until it holds. */
export async function watchFor(page: Page | Frame, selector: string, condition: string): Promise<() => Promise<Seen>> {
  await page.evaluate(`void (window.watched = new Promise(done => {
    const root = document.querySelector(${JSON.stringify(selector)});
    const now = () => performance.timeOrigin + performance.now();
    let pressed = 0;
    addEventListener('pointerdown', () => { pressed = now(); }, { capture: true, once: true });
    const watch = new MutationObserver(() => {
      if (!(${condition})) return;
      watch.disconnect();
      done({ pressed, seen: now() });
    });
    watch.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
  }))`);
  return () => page.evaluate('window.watched') as Promise<Seen>;
}
