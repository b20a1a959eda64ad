import type { DuelineEngine } from '../../api';
import type { Occurrence } from '../../core/kernel/model';
import { safeJson, sanitize } from '../../core/text/cleanText';
import { CliError } from '../../programs/cliError';
import { tasksJson } from '../../programs/tasks';
import { openForQuery, withQueryErrors } from '../queries';
import { asTree, rows } from '../rows';
import type { Command, Option, Session } from '../session';
import { eventJson, eventRows, eventsOfToday } from './events';
import { showCommand } from './show';

const limit: Option = { type: 'string', takes: 'N', help: 'At most this many tasks' };

function limitOf(session: Session): { limit?: number } {
  const text = session.text('limit');
  if (text === undefined) return {};
  if (!/^\d+$/.test(text)) throw new CliError('usage', `--limit takes a number, not ${sanitize(text)}.`);
  return { limit: Number(text) };
}

function textOf(session: Session, engine: DuelineEngine, items: readonly Occurrence[], isTree = false): string {
  if (session.is('json')) return safeJson(tasksJson(engine, items, session), session.is('watch') ? undefined : 2);
  return rows(session, engine, isTree ? asTree(items) : items.map(item => ({ item, depth: 0 })));
}

function show(session: Session, engine: DuelineEngine, items: readonly Occurrence[]): void {
  print(session, textOf(session, engine, items));
}

function print({ out }: Session, text: string): void {
  if (text !== '') out.print(text);
  else if (out.isTerminal) out.note('No tasks.');
}

async function list(session: Session): Promise<void> {
  const query = session.words.join(' ');
  const engine = await openForQuery(session, query);
  const limit = limitOf(session);
  // If the query has an order or a limit, the tasks are not nested.
  const isTree = limit.limit === undefined && !/\b(?:sort|limit|group):/i.test(query);
  // The user may change the rules for an agent while it watches.
  const read = async () => {
    const now = await session.openAgain();
    return textOf(
      session,
      now,
      withQueryErrors(query, () => now.query(query, limit)),
      isTree,
    );
  };
  const first = await read();
  print(session, first);
  if (session.is('watch')) await watch(session, engine, read, first);
}

/**
 * Prints again whenever something in the text has changed, until the process is asked to end or its output is closed. A
 * change of other tasks is not shown, not even by its time.
 */
async function watch(session: Session, engine: DuelineEngine, read: () => Promise<string>, first: string) {
  const { surroundings, out } = session;
  if (out.isClosed) return;
  let close = () => {};
  const closed = new Promise<void>(resolve => {
    close = resolve;
  });
  let printing: NodeJS.Timeout | undefined;
  let waiting: NodeJS.Timeout | undefined;
  let work: Promise<unknown> = Promise.resolve();
  let shown = first;
  const printAgain = async () => {
    const text = await read();
    if (text !== shown) {
      shown = text;
      out.clear();
      if (!out.isTerminal && !session.is('json')) out.print('\n');
      print(session, text);
    }
    if (out.isClosed) close();
    else wake();
  };
  const printSoon = () => {
    clearTimeout(printing);
    printing = setTimeout(() => {
      work = printAgain();
    }, 50);
  };
  const wake = () => {
    clearTimeout(waiting);
    const wait = Math.min(Math.max(engine.nextBoundary() - engine.clock.now(), 1000), 3_600_000);
    waiting = setTimeout(printSoon, wait);
  };
  const listening = engine.onDidChange(printSoon);
  wake();
  // The watcher of the store lets the process end; this does not.
  const polling = setInterval(() => {
    work = engine.refresh();
    // No event announces a change of the setting for agents, since it is not a task.
    if (session.rules) printSoon();
  }, 2_000);
  await Promise.race([closed, surroundings.ended()]);
  listening.dispose();
  for (const timer of [polling, printing, waiting]) clearTimeout(timer);
  await work;
}

async function todayTasks(session: Session): Promise<void> {
  const engine = await session.open();
  const { groups } = engine.widget('today', limitOf(session));
  const items = groups.flatMap(group => group.items);
  const events = session.is('events') ? await eventsOfToday(engine) : undefined;
  const { out } = session;
  if (session.is('json')) {
    const more = events && { events: events.map(eventJson) };
    return out.print(safeJson(tasksJson(engine, items, session, more), 2));
  }
  const shown = groups.filter(group => group.items.length > 0);
  const heading = (key: string) => out.styled(key === 'overdue' ? 'Overdue' : 'Today', 'bold');
  const parts = shown.map(
    ({ key, items: own }) =>
      `${heading(key)}\n${rows(
        session,
        engine,
        own.map(item => ({ item, depth: 0 })),
      )}`,
  );
  if (events && events.length > 0)
    parts.unshift(`${out.styled('Meetings', 'bold')}\n${eventRows(engine, out, events)}`);
  if (parts.length > 0) out.print(parts.join('\n\n'));
  else if (out.isTerminal) out.note('Nothing for today.');
}

async function explain(session: Session): Promise<void> {
  const query = session.needWords('The query').join(' ');
  const engine = await openForQuery(session, query);
  if (!session.is('explain'))
    return show(
      session,
      engine,
      withQueryErrors(query, () => engine.query(query, limitOf(session))),
    );
  const fill = (text: string, ...values: (string | number)[]) =>
    text.replace(/\{(\d)\}/g, (place, at) => String(values[Number(at)] ?? place));
  const { lines, added, count } = withQueryErrors(query, () => engine.explain(query, fill));
  const { out } = session;
  if (session.is('json')) out.print(safeJson({ version: 1, lines, added, count }, 2));
  else {
    const tree = lines.map(line =>
      `${'  '.repeat(line.depth)}${sanitize(line.words)}  ${out.styled(`${line.count ?? ''}`, 'dim')}`.trimEnd(),
    );
    out.print(
      [
        ...tree,
        ...added.map(text => out.styled(sanitize(text), 'dim')),
        `${count} ${count === 1 ? 'task' : 'tasks'}`,
      ].join('\n'),
    );
  }
}

const common = { limit };

export const readCommands: Readonly<Record<string, Command>> = {
  list: {
    usage: '[QUERY]',
    summary: 'List open tasks, or those that match a query, with subtasks below their tasks unless sorted',
    options: { ...common, watch: { type: 'boolean', short: 'w', help: 'Watch, and list again after each change' } },
    examples: [
      'dueline list',
      "dueline list 'due:<=today #work sort:priority'",
      'dueline list is:ready --json',
      'dueline list --watch',
    ],
    run: list,
  },
  today: {
    usage: '',
    summary: 'List what is overdue, and what is due or starts today',
    options: { ...common, events: { type: 'boolean', help: 'Also list the meetings of today' } },
    examples: ['dueline today', 'dueline today --events --json'],
    run: todayTasks,
  },
  show: showCommand,
  query: {
    usage: 'QUERY',
    summary: 'List the tasks that match a query, or explain it',
    options: {
      ...common,
      explain: { type: 'boolean', help: 'Explain in words what the query means and what each part finds' },
    },
    examples: ["dueline query 'is:overdue OR !high'", "dueline query --explain 'due:week -#someday'"],
    run: explain,
  },
};
