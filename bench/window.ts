import type { Frame } from 'playwright-core';
import type { Session } from '../test/ui/support/driver';
import { openWidget } from '../test/ui/support/widgetPages';
import { median, type Report } from './reference/figure';
import { filledList, withInstalled } from './reference/installed';

const ticks = 15;
const line = 'Call Ann tomorrow 9am #one !high every week';
/** What a key, a click and the changes after them do is over by then. */
const restMs = 250;

/** What a person waits for in a window with 10 000 tasks: a key in Quick Add, a tick in the tree and in a widget. */
export const run = (report: Report): Promise<void> =>
  withInstalled([], async session => {
    await session.window.view();
    await filledList(session, 'Large', 10_000);
    await session.window.expand('Large');
    await quickAdd(report, session);
    report(figureOf('a tick to its row in the tree, 10 000 tasks, ms', await inTree(session)));
    report(figureOf('a tick to its row in a widget, 10 000 tasks, ms', await inWidget(session)));
  });

const figureOf = (name: string, times: readonly number[]) => ({
  name,
  ratio: median(times),
  goal: 50,
  detail: `${Math.round(Math.min(...times))} to ${Math.round(Math.max(...times))}, the write to disk included`,
});

async function quickAdd(report: Report, { window }: Session): Promise<void> {
  const { page } = window;
  void window.command('dueline.quickAdd');
  await window.quickText.waitFor();
  // The first line finds everything unread.
  await page.keyboard.type(line, { delay: 50 });
  await window.quickText.fill('');
  await page.evaluate(`
    window.keys = [];
    addEventListener('keydown', () => keys.push({ from: performance.now() }), true);
    new MutationObserver(() => { if (keys.length > 0) keys.at(-1).to = performance.now(); })
      .observe(document.querySelector('.quick-input-widget'), { subtree: true, childList: true, characterData: true });`);
  for (const key of line) {
    await page.keyboard.press(key === ' ' ? 'Space' : key);
    await page.waitForTimeout(restMs);
  }
  const keys = (await page.evaluate('keys')) as { from: number; to?: number }[];
  await page.keyboard.press('Escape');
  // A space at the end of a line changes nothing.
  const times = keys.flatMap(({ from, to }) => (to === undefined ? [] : [to - from])).sort((a, b) => a - b);
  report({
    name: 'a key in Quick Add to its chips, 95th percentile, ms',
    ratio: times[Math.ceil(times.length * 0.95) - 1]!,
    goal: 16,
    detail: `median ${median(times).toFixed(1)}, longest ${times.at(-1)!.toFixed(1)}, ${times.length} keys, until nothing changes any more`,
  });
}

/** Until the row is gone, since Lists shows open tasks. */
async function inTree({ window }: Session): Promise<number[]> {
  const { page } = window;
  const times: number[] = [];
  for (let turn = 0; turn < ticks; turn++) {
    const row = window.rows(/Large task/).first();
    const title = /Large task \d+/.exec((await row.textContent()) ?? '')![0];
    await page.evaluate(watchFor('.part.sidebar', `!/${title}(?!\\d)/.test(root.textContent)`));
    await window.checkbox(new RegExp(`${title}(?!\\d)`)).click();
    times.push((await page.evaluate('window.took')) as number);
    await page.waitForTimeout(restMs);
  }
  return times;
}

/** Until the row is drawn as completed. */
async function inWidget({ window }: Session): Promise<number[]> {
  const frame: Frame = await openWidget(window, 'tasks', 'Large task');
  const times: number[] = [];
  for (let turn = 0; turn < ticks; turn++) {
    const row = frame.locator('.row.open').filter({ hasText: 'Large task' }).first();
    const id = await row.getAttribute('data-key');
    await frame.evaluate(watchFor('body', `root.querySelector('.row.done[data-key="${id}"]')`));
    await row.locator('.check').click();
    times.push((await frame.evaluate('window.took')) as number);
    await window.page.waitForTimeout(restMs);
  }
  return times;
}

/** From the next click until the condition holds of `root`; the promise is in the page. */
const watchFor = (selector: string, condition: string) => `void (window.took = new Promise(done => {
  const root = document.querySelector('${selector}');
  let start;
  addEventListener('pointerdown', () => { start = performance.now(); }, { capture: true, once: true });
  const watch = new MutationObserver(() => {
    if (start === undefined || !(${condition})) return;
    watch.disconnect();
    done(performance.now() - start);
  });
  watch.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
}))`;
