import { safeJson, sanitize } from '../../core/text/cleanText';
import { locationAddress } from '../../programs/codeAround';
import { taskId, tasksJson } from '../../programs/tasks';
import { padded, widthOf } from '../output';
import type { Command, Session } from '../session';

function table(session: Session, rows: readonly (readonly [name: string, count: number])[]): void {
  const width = Math.max(0, ...rows.map(([name]) => widthOf(name)));
  session.out.print(rows.map(([name, count]) => `${padded(name, width)}  ${count}`).join('\n'));
}

async function lists(session: Session): Promise<void> {
  const engine = await session.open({ printsTasks: false });
  const counts = new Map<number, number>();
  for (const { task } of engine.query('')) counts.set(task.listId, (counts.get(task.listId) ?? 0) + 1);
  const all = engine.lists().map(({ id, name }) => ({ id, name, open: counts.get(id) ?? 0 }));
  if (session.is('json')) session.out.print(safeJson({ version: 1, lists: all }, 2));
  else
    table(
      session,
      all.map(({ name, open }) => [sanitize(name), open]),
    );
}

async function tags(session: Session): Promise<void> {
  const engine = await session.open({ printsTasks: false });
  const counts = new Map<string, number>();
  for (const { task } of engine.query('')) for (const tag of task.tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const all = [...counts]
    .map(([name, open]) => ({ name, open }))
    .sort((a, b) => b.open - a.open || (a.name < b.name ? -1 : 1));
  if (session.is('json')) session.out.print(safeJson({ version: 1, tags: all }, 2));
  else
    table(
      session,
      all.map(({ name, open }) => [`#${sanitize(name)}`, open]),
    );
}

/** The program starts no other: a click in the terminal, or a program of the system, follows the link. */
async function open(session: Session): Promise<void> {
  const [word] = session.needWords('The ID of a task');
  const engine = await session.open({ printsTasks: false });
  const shortId = engine.shortIdOf(engine.task(taskId(engine, word!))!);
  const address = `${session.out.scheme}://dueline.dueline/task?id=${shortId}`;
  if (session.is('json')) session.out.print(safeJson({ version: 1, url: address }, 2));
  else session.out.print(session.out.link(address, address));
}

/** One line for each code location. */
async function here(session: Session): Promise<void> {
  const engine = await session.open();
  const items = engine.query('in:here');
  if (session.is('json')) return session.out.print(safeJson(tasksJson(engine, items, session), 2));
  const lines = items.flatMap(({ task }) => {
    const locations = session.code.locationsOf(task).map(locationAddress);
    const title = `${engine.shortIdOf(task)}  ${sanitize(task.title ?? '') || '(no title)'}`;
    return (locations.length > 0 ? locations : ['']).map(location =>
      location === '' ? title : `${sanitize(location)}  ${title}`,
    );
  });
  session.out.print(lines.join('\n'));
}

export const overviewCommands: Readonly<Record<string, Command>> = {
  here: {
    usage: '',
    summary: 'List the tasks linked to code in this folder or to its branch, with their locations',
    examples: ['dueline here'],
    run: here,
  },
  lists: {
    usage: '',
    summary: 'List the lists with their numbers of open tasks',
    examples: ['dueline lists'],
    run: lists,
  },
  tags: {
    usage: '',
    summary: 'List the tags of open tasks with their numbers of tasks',
    examples: ['dueline tags'],
    run: tags,
  },
  open: {
    usage: 'ID',
    most: 1,
    summary: 'Print the link that opens a task in the editor',
    examples: ['dueline open dl-k3f9', 'xdg-open "$(dueline open dl-k3f9)"'],
    run: open,
  },
};
