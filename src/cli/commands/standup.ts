import type { DuelineEngine } from '../../api';
import type { Occurrence } from '../../core/model';
import { addDays, type Day, today, weekday } from '../../core/time/dates';
import { cleaned, safeJson } from '../cliError';
import type { Command, Session } from '../session';
import { listNames, taskJson } from '../tasks';

interface Part {
  readonly key: 'yesterday' | 'today' | 'blocked';
  readonly heading: string;
  readonly items: readonly Occurrence[];
}

/** The last day before that is neither Saturday nor Sunday. */
function lastWorkday(day: Day): Day {
  let last = addDays(day, -1);
  while (weekday(last) % 6 === 0) last = addDays(last, -1);
  return last;
}

/** What is done since the last working day, what is to be done today, and what waits for others. */
function standupOf(engine: DuelineEngine): readonly Part[] {
  const now = today(engine.clock, engine.settings.dayStartHour);
  const last = lastWorkday(now);
  const isYesterday = last === addDays(now, -1);
  const dayName = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(Date.parse(last));
  const open = '(is:started OR due:<=today OR start:today)';
  return [
    {
      key: 'yesterday',
      heading: isYesterday ? 'Yesterday' : `Since ${dayName}`,
      items: engine.query(`is:done done:${last}..${addDays(now, -1)} sort:done`),
    },
    {
      key: 'today',
      heading: 'Today',
      items: [...engine.query('is:done done:today sort:done'), ...engine.query(`is:ready ${open} sort:priority,due`)],
    },
    { key: 'blocked', heading: 'Blocked', items: engine.query('is:blocked sort:due') },
  ];
}

/** Markdown ends a title's own signs with a backslash. */
const escaped = (text: string) => cleaned(text).replace(/([\\`*_[\]<>#])/g, '\\$1');

function line(engine: DuelineEngine, { task }: Occurrence): string {
  const after = engine
    .blockersOf(task)
    .flatMap(({ task: blocker }) => (blocker && blocker.status < 2 ? [escaped(blocker.title ?? '')] : []));
  const state = task.status === 2 ? '[x] ' : task.status === 1 ? '[ ] in progress: ' : '[ ] ';
  return `- ${state}${escaped(task.title ?? '') || '(no title)'}${after.length > 0 ? `, after ${after.join(', ')}` : ''}`;
}

/** By list where there are several. */
function markdown(engine: DuelineEngine, parts: readonly Part[]): string {
  const names = listNames(engine);
  return parts
    .map(({ heading, items }) => {
      const lists = [...new Set(items.map(({ task }) => task.listId))];
      const lines =
        lists.length < 2
          ? items.map(item => line(engine, item))
          : lists.flatMap(list => [
              `- ${escaped(names.get(list) ?? '')}`,
              ...items.filter(({ task }) => task.listId === list).map(item => `  ${line(engine, item)}`),
            ]);
      return [`**${heading}**`, '', ...(lines.length > 0 ? lines : ['- nothing'])].join('\n');
    })
    .join('\n\n');
}

async function standup(session: Session): Promise<void> {
  const engine = await session.open();
  const parts = standupOf(engine);
  if (!session.is('json')) {
    session.out.print(markdown(engine, parts));
    return;
  }
  const entries = parts.map(({ key, items }) => [key, items.map(item => taskJson(engine, item))]);
  session.out.print(safeJson({ version: 1, ...Object.fromEntries(entries) }, 2));
}

export const standupCommands: Readonly<Record<string, Command>> = {
  standup: {
    usage: '',
    summary: 'Say as Markdown what was done since the last working day, what is for today, and what is blocked',
    examples: ['dueline standup', 'dueline standup | pbcopy'],
    run: standup,
  },
};
