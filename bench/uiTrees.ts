import { firstPage } from '../src/views/tree/pagination';
import type { Session } from '../test/ui/support/driver';
import { compared, inTurns, type Report } from './reference/figure';
import { filledList, rest, watchFor, withInstalled } from './reference/installed';

const sizes = { small: 10, large: 10_000 } as const;
type Size = keyof typeof sizes;

interface List {
  readonly size: Size;
  /** The first row that the tree shows. */
  readonly taskId: number;
}

/** The Lists tree with ten tasks in a list and with 10 000, turn by turn in one window. */
export const run = (report: Report): Promise<void> =>
  withInstalled([], async session => {
    await session.window.view();
    // Both lists have to be in sight.
    for (const other of ['Today', 'Filters']) await session.window.pane(other).locator('.pane-header').click();
    const [small, large] = [await open(session, 'small'), await open(session, 'large')];
    const compare = async (what: string, act: typeof edit, goal: number, note: string) => {
      const times = await inTurns(15, {
        small: turn => act(session, small, turn),
        large: turn => act(session, large, turn),
      });
      report(compared(`${what}: 10 000 tasks to 10`, times.large, times.small, goal, note));
    };
    const all = 'the write to disk and the 20 ms of gathering included';
    await compare('an edit to its row in the tree', edit, 3, all);
    const pages = `ten rows to the first page of ${firstPage}`;
    await compare('opening a list that has changed, to its first row', reopen, 10, pages);
  });

async function open(session: Session, size: Size): Promise<List> {
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
  return { size, taskId };
}

const header = ({ window }: Session, size: Size) => window.rows(new RegExp(`^\\u2068?${size}\\u2069?[\\d,]*$`)).first();

const watchForTitle = ({ window }: Session, title: string) =>
  watchFor(window.page, '.part.sidebar', `root.textContent.includes(${JSON.stringify(title)})`);

/** Renames the first task; returns when it began to. */
const rename = ({ window }: Session, { taskId }: List, title: string): Promise<number> =>
  window.run(
    async (vscode, id, title) => {
      const start = performance.timeOrigin + performance.now();
      await vscode.extensions.getExtension('dueline.dueline')?.exports.updateTask(id, { title });
      return start;
    },
    taskId,
    title,
  );

async function edit(session: Session, list: List, turn: number): Promise<number> {
  const title = `Turn ${list.size} ${turn}`;
  await rest(session.window.page);
  const isSeen = await watchForTitle(session, title);
  const start = await rename(session, list, title);
  return (await isSeen()).seen - start;
}

async function reopen(session: Session, list: List, turn: number): Promise<number> {
  const { page } = session.window;
  const title = `Again ${list.size} ${turn}`;
  const row = header(session, list.size);
  await row.click();
  await row.and(page.locator('[aria-expanded=false]')).waitFor();
  await rename(session, list, title);
  await rest(page);
  const isSeen = await watchForTitle(session, title);
  await row.click();
  const { pressed, seen } = await isSeen();
  return seen - pressed;
}
