import type { Frame, Page } from 'playwright-core';
import { firstPage } from '../src/views/tree/pagination';
import type { Session } from '../test/ui/support/driver';
import { openWidget } from '../test/ui/support/widgetPages';
import { compared, inTurns, ofSeveral, type Report } from './reference/figure';
import { filledList, rest, watchFor, withInstalled } from './reference/installed';

const ticks = 15;
const line = 'Call Ann tomorrow 9am #one !high every week';

/** The waits of a user in a window with 10 000 tasks: a key in Quick Add, a tick in the tree and in a widget, a list. */
export const run = (report: Report): Promise<void> =>
  withInstalled([], async session => {
    await session.window.view();
    await filledList(session, 'Small', 10);
    await filledList(session, 'Large', 10_000);
    await session.window.expand('Large');
    report({ name: 'a key in Quick Add to its chips, 95th percentile, ms', ratio: await keys(session), goal: 16 });
    const note = 'the write to disk included';
    report(ofSeveral('a tick to its row in the tree, 10 000 tasks, ms', await inTree(session), 50, note));
    report(ofSeveral('a tick to its row in a widget, 10 000 tasks, ms', await inWidget(session), 50, note));
    const times = await inTurns(15, {
      small: round => open(session, 'Small', round),
      large: round => open(session, 'Large', round),
    });
    const pages = `ten rows to the first page of ${firstPage}`;
    const act = 'opening a list that has changed, to its first row: 10 000 tasks to 10';
    report(compared(act, times.large, times.small, 10, pages));
  });

/** Milliseconds of a key until nothing changes any more. */
async function keys({ window }: Session): Promise<number> {
  const { page } = window;
  void window.command('dueline.quickAdd');
  await window.quickText.waitFor();
  // The first line finds everything unread.
  await page.keyboard.type(line, { delay: 50 });
  await window.quickText.fill('');
  await rest(page);
  await page.evaluate(`
    window.keys = [];
    const note = () => keys.push({ from: performance.now() });
    const watch = new MutationObserver(() => { if (keys.length > 0) keys.at(-1).to = performance.now(); });
    window.stop = () => { removeEventListener('keydown', note, true); watch.disconnect(); };
    addEventListener('keydown', note, true);
    watch.observe(document.querySelector('.quick-input-widget'), { subtree: true, childList: true, characterData: true });`);
  for (const key of line) {
    await page.keyboard.press(key === ' ' ? 'Space' : key);
    await rest(page);
  }
  const keys = (await page.evaluate('stop(), keys')) as { from: number; to?: number }[];
  await page.keyboard.press('Escape');
  await window.quickText.waitFor({ state: 'hidden' });
  // A space at the end of a line changes nothing.
  const times = keys.flatMap(({ from, to }) => (to === undefined ? [] : [to - from])).sort((a, b) => a - b);
  return times[Math.ceil(times.length * 0.95) - 1]!;
}

/** Until the row is gone, since Lists shows open tasks. */
const inTree = ({ window }: Session): Promise<number[]> =>
  tick(window.page, async () => {
    const row = window.rows('Large task').first();
    const title = /Large task \d+/.exec((await row.textContent()) ?? '')![0];
    const isGone = await watchFor(window.page, '.part.sidebar', `!/${title}(?!\\d)/.test(root.textContent)`);
    await window.checkbox(new RegExp(`${title}(?!\\d)`)).click();
    return isGone;
  });

/** Until the row is drawn as completed. */
async function inWidget({ window }: Session): Promise<number[]> {
  const frame: Frame = await openWidget(window, 'tasks', 'Large task');
  return tick(window.page, async () => {
    const row = frame.locator('.row.open').filter({ hasText: 'Large task' }).first();
    const id = await row.getAttribute('data-key');
    const isDone = await watchFor(frame, 'body', `root.querySelector('.row.done[data-key="${id}"]')`);
    await row.locator('.check').click();
    return isDone;
  });
}

async function tick(page: Page, act: () => ReturnType<typeof watchFor>): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < ticks; round++) {
    const { pressed, seen } = await (await act())();
    times.push(seen - pressed);
    await rest(page);
  }
  return times;
}

/** Closes a list of the tree, changes the title of its first task, and opens it. */
async function open({ window }: Session, list: string, round: number): Promise<number> {
  const { page } = window;
  const title = `Again ${list} ${round}`;
  const row = window.rows(list).first();
  if ((await row.getAttribute('aria-expanded')) === 'true') await row.click();
  await row.and(page.locator('[aria-expanded=false]')).waitFor();
  const [{ task }] = await window.api('query', `list:${list} sort:manual`, { limit: 1 });
  await window.api('updateTask', task.id, { title });
  await rest(page);
  const isSeen = await watchFor(page, '.part.sidebar', `root.textContent.includes(${JSON.stringify(title)})`);
  await row.click();
  const { pressed, seen } = await isSeen();
  return seen - pressed;
}
