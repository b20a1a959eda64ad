import { firstPage } from '../src/views/tree/pagination';
import type { Session } from '../test/ui/support/driver';
import { median, type Report } from './reference/figure';
import { filledList, withInstalled } from './reference/installed';

const turns = 15;
const sizes = { small: 10, large: 10_000 } as const;
type Size = keyof typeof sizes;

/** The Lists tree with ten tasks in a list and with 10 000, turn by turn in one window. */
export const run = (report: Report): Promise<void> =>
  withInstalled([], async session => {
    await session.window.view();
    // Both lists have to be in sight.
    for (const other of ['Today', 'Filters']) await session.window.pane(other).locator('.pane-header').click();
    const lists = {
      small: await open(session, 'small'),
      large: await open(session, 'large'),
    };
    await compare(report, 'an edit to its row in the tree', turn => edit(session, lists, turn), {
      goal: 3,
      note: 'the write to disk and the 20 ms of gathering included',
    });
    await compare(report, 'opening a list that has changed, to its first row', turn => reopen(session, lists, turn), {
      goal: 10,
      note: `ten rows to the first page of ${firstPage}`,
    });
  });

interface Large {
  readonly listId: number;
  /** Of the first row that the tree shows. */
  readonly taskId: number;
}
type Lists = Readonly<Record<Size, Large>>;

async function open(session: Session, size: Size): Promise<Large> {
  const { window } = session;
  const listId = await filledList(session, size, sizes[size]);
  await header(session, size).click();
  await window.rows(`${size} task 0`).first().waitFor({ timeout: 60_000 });
  const taskId = await window.run(
    (vscode, listId) =>
      vscode.extensions.getExtension('dueline.dueline')?.exports.query('sort:manual', { lists: [listId], limit: 1 })[0]
        .task.id as number,
    listId,
  );
  return { listId, taskId };
}

const header = ({ window }: Session, size: Size) => window.rows(new RegExp(`^\\u2068?${size}\\u2069?[\\d,]*$`)).first();

/** When the page shows a text that it does not show yet; the promise is in the page. */
const watchFor = ({ window }: Session, text: string) =>
  window.page.evaluate(
    `void (window.seen = new Promise(done => {
      const look = () => document.querySelector('.part.sidebar').textContent.includes(${JSON.stringify(text)}) && (watch.disconnect(), done(Date.now()));
      const watch = new MutationObserver(look);
      watch.observe(document.querySelector('.part.sidebar'), { subtree: true, childList: true, characterData: true });
    }))`,
  );
const seen = ({ window }: Session) => window.page.evaluate('window.seen') as Promise<number>;

/** Renames the first task; gives when it began to. */
const rename = ({ window }: Session, { taskId }: Large, title: string) =>
  window.run(
    async (vscode, id, title) => {
      const start = Date.now();
      await vscode.extensions.getExtension('dueline.dueline')?.exports.updateTask(id, { title });
      return start;
    },
    taskId,
    title,
  );

async function edit(session: Session, lists: Lists, turn: number): Promise<Record<Size, number>> {
  const took = { small: 0, large: 0 };
  for (const size of order(turn)) {
    const title = `Turn ${size} ${turn}`;
    await rest(session);
    await watchFor(session, title);
    const start = await rename(session, lists[size], title);
    took[size] = (await seen(session)) - start;
  }
  return took;
}

async function reopen(session: Session, lists: Lists, turn: number): Promise<Record<Size, number>> {
  const took = { small: 0, large: 0 };
  for (const size of order(turn)) {
    const title = `Again ${size} ${turn}`;
    await header(session, size).click();
    await header(session, size).and(session.window.page.locator('[aria-expanded=false]')).waitFor();
    await rename(session, lists[size], title);
    await rest(session);
    await watchFor(session, title);
    const box = (await header(session, size).boundingBox())!;
    const start = Date.now();
    await session.window.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    took[size] = (await seen(session)) - start;
  }
  return took;
}

/** What the turn before set going, in the tree and in other views, has come to its end. */
const rest = ({ window }: Session) => window.page.waitForTimeout(300);

/** The first one finds the machine calmer, or not yet awake. */
const order = (turn: number): readonly Size[] => (turn % 2 === 0 ? ['small', 'large'] : ['large', 'small']);

async function compare(
  report: Report,
  what: string,
  once: (turn: number) => Promise<Record<Size, number>>,
  { goal, note }: { goal: number; note: string },
): Promise<void> {
  const times: Record<Size, number>[] = [];
  for (let turn = 0; turn < turns; turn++) times.push(await once(turn));
  const [small, large] = [median(times.map(one => one.small)), median(times.map(one => one.large))];
  report({
    name: `${what}: 10 000 tasks to 10`,
    ratio: large / small,
    goal,
    detail: `${large} ms to ${small} ms, ${note}`,
  });
}
