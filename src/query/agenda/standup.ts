import { anchorsOf } from '../../core/code/anchors';
import { shortRepositoryName } from '../../core/code/repository';
import { isPartOfPrivate } from '../../core/fields/privacy';
import { isClosed } from '../../core/fields/status';
import type { Id, Occurrence, Task, TaskList } from '../../core/kernel/model';
import { Status } from '../../core/kernel/model';
import type { EngineSettings } from '../../core/kernel/settings';
import { literalMarkdown } from '../../core/text/literalMarkdown';
import type { Clock } from '../../core/time/clock';
import { addDays, type Day, today, weekday } from '../../core/time/dates';

/** The source of a standup, such as the engine. */
interface Source {
  readonly clock: Clock;
  readonly settings: Pick<EngineSettings, 'dayStartHour'>;
  query(text: string): readonly Occurrence[];
  task(id: Id): Task | undefined;
  blockersOf(task: Task): readonly { readonly task: Task | undefined }[];
  lists(): readonly Pick<TaskList, 'id' | 'name'>[];
}

interface StandupPart {
  readonly key: 'yesterday' | 'today' | 'blocked';
  readonly items: readonly Occurrence[];
}

interface Standup {
  readonly parts: readonly StandupPart[];
  /** The name of the last working day, if that is not yesterday. */
  readonly since: string | undefined;
  /** The number of private tasks that it would have, too: it is made to be read by others. */
  readonly hiddenCount: number;
}

/** The last day before that is neither Saturday nor Sunday. */
function lastWorkday(day: Day): Day {
  let last = addDays(day, -1);
  while (weekday(last) % 6 === 0) last = addDays(last, -1);
  return last;
}

/** Tasks that were done since the last working day, those to be done today, and those that wait for others. */
export function standupOf(engine: Source, language: string): Standup {
  const now = today(engine.clock, engine.settings.dayStartHour);
  const last = lastWorkday(now);
  const yesterday = addDays(now, -1);
  const open = '(is:started OR due:<=today OR start:today)';
  const dayName = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' });
  const all: readonly StandupPart[] = [
    { key: 'yesterday', items: engine.query(`is:done done:${last}..${yesterday} sort:done`) },
    {
      key: 'today',
      items: [...engine.query('is:done done:today sort:done'), ...engine.query(`is:ready ${open} sort:priority,due`)],
    },
    { key: 'blocked', items: engine.query('is:blocked sort:due') },
  ];
  const isShown = ({ task }: Occurrence) => !isPartOfPrivate(task, engine.task);
  const hidden = all.flatMap(({ items }) => items.filter(item => !isShown(item)));
  return {
    parts: all.map(({ key, items }) => ({ key, items: items.filter(isShown) })),
    since: last === yesterday ? undefined : dayName.format(Date.parse(last)),
    hiddenCount: new Set(hidden.map(({ task }) => task.id)).size,
  };
}

interface StandupWords {
  readonly headings: Readonly<Record<StandupPart['key'], string>>;
  readonly nothing: string;
  readonly untitled: string;
  inProgress(title: string): string;
  after(titles: string): string;
  /** Makes a title safe for the program that shows the text. */
  clean(text: string): string;
}

/**
 * The standup as Markdown: by repository if the tasks are linked to several of `repositories`, which has names by the
 * ids of anchors; else by list if there are several. A task without such a link is in its list.
 */
export function standupText(
  engine: Source,
  { parts }: Standup,
  words: StandupWords,
  repositories: ReadonlyMap<string, string> = new Map(),
): string {
  const names = new Map<Id, string>(engine.lists().map(({ id, name }) => [id, name]));
  const repositoryOf = (task: Task) => anchorsOf(task).flatMap(({ repo }) => repositories.get(repo) ?? [])[0];
  const isByRepository =
    new Set(parts.flatMap(({ items }) => items.flatMap(({ task }) => repositoryOf(task) ?? []))).size > 1;
  const groupOf = (task: Task) => (isByRepository ? repositoryOf(task) : undefined) ?? task.listId;
  const groupName = (group: string | Id) =>
    title(typeof group === 'string' ? shortRepositoryName(group) : (names.get(group) ?? ''));
  const title = (text: string | null) => literalMarkdown(words.clean(text ?? ''));
  const line = ({ task }: Occurrence) => {
    const blockers = engine
      .blockersOf(task)
      .flatMap(({ task: one }) => (one && !isClosed(one) && !isPartOfPrivate(one, engine.task) ? one : []));
    const after = isClosed(task) ? [] : blockers.map(blocker => title(blocker.title));
    const name = title(task.title) || words.untitled;
    const text = task.status === Status.inProcess ? words.inProgress(name) : name;
    return `- [${isClosed(task) ? 'x' : ' '}] ${text}${after.length > 0 ? `, ${words.after(after.join(', '))}` : ''}`;
  };
  return parts
    .map(({ key, items }) => {
      const groups = [...new Set(items.map(({ task }) => groupOf(task)))];
      const ofGroup = (group: string | Id) =>
        items.filter(({ task }) => groupOf(task) === group).map(item => `  ${line(item)}`);
      const lines =
        groups.length < 2 && !isByRepository
          ? items.map(line)
          : groups.flatMap(group => [`- ${groupName(group)}`, ...ofGroup(group)]);
      return [`**${words.headings[key]}**`, '', ...(lines.length > 0 ? lines : [`- ${words.nothing}`])].join('\n');
    })
    .join('\n\n');
}
