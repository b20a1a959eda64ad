import { uniqueTags } from '../fields/tags';
import { emptyFields } from '../ical/row';
import type { StatusCode } from '../kernel/model';
import { addressOf, issueName } from '../text/issueLinks';
import { firstMs, lastMs, wallOf } from '../time/dates';
import { dayMs } from '../time/units';
import type { ImportContext, ImportedFields, ImportedTask } from './types';

/**
 * Tasks of programs with a JSON format of their own, which their fields identify: `task export` of Taskwarrior,
 * `issues.jsonl` of beads, and the issues that `gh`, `glab` and `jira` list.
 */

type Entry = Readonly<Record<string, unknown>>;
type Read = (entry: Entry, context: ImportContext) => Omit<ImportedTask, 'line'> | undefined;

const isText = (value: unknown): value is string => typeof value === 'string';
const textOf = (value: unknown): string => (isText(value) ? value.trim() : '');
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const isWebAddress = (text: string) => /^https?:\/\/\S+$/i.test(text);

/** Undefined for an entry of another program; null for an entry that is not a task. */
export function readOfTracker(entry: Entry, context: ImportContext): Omit<ImportedTask, 'line'> | null | undefined {
  const kinds = [
    [isTaskwarrior, readTaskwarrior],
    [isBeads, readBeads],
    [isIssue, readIssue],
  ] as const;
  const [, read] = kinds.find(([isOne]) => isOne(entry)) ?? [];
  const found = read?.(entry, context);
  return read && (found ? { ...found, isOfTracker: true } : null);
}

const isTaskwarrior = (entry: Entry): boolean =>
  isText(entry.uuid) && isText(entry.description) && isText(entry.status);

const isBeads = (entry: Entry): boolean =>
  isText(entry.id) && isText(entry.title) && (isText(entry.issue_type) || isText(entry.status));

/** ISO 8601, also in the short form that Taskwarrior has: `20261124T083000Z`. Null for anything else. */
function timeOf(value: unknown): number | null {
  const long = textOf(value).replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
  const time = /^\d{4}-\d\d-\d\dT/.test(long) ? Date.parse(long) : Number.NaN;
  return time >= firstMs && time <= lastMs ? time : null;
}

const inSeconds = (time: number | null) => time && Math.floor(time / 1000) * 1000;

/**
 * A date that begins its day here is a day: these programs have no others. Beads has parts of a second, which no date of
 * a task has: the next import compares the two.
 */
function datesOf(dueTime: number | null, startTime: number | null, zone: string): Partial<ImportedFields> {
  const [due, start] = [inSeconds(dueTime), inSeconds(startTime)];
  const [wallDue, wallStart] = [due, start].map(time => (time === null ? null : wallOf(time, zone))) as (
    | number
    | null
  )[];
  const walls = [wallDue, wallStart].filter(wall => wall !== null);
  const isAllDay = walls.length > 0 && walls.every(wall => wall! % dayMs === 0);
  return isAllDay
    ? { due: wallDue!, dtstart: wallStart!, isAllDay, timezone: null }
    : { due, dtstart: start, isAllDay, timezone: walls.length > 0 ? 'UTC' : null };
}

const stateOf = (status: StatusCode, completedAt: number | null): Partial<ImportedFields> => ({
  status,
  ...(status === 2 ? { completedAt, percentComplete: 100 } : { completedAt: null }),
});

const taskwarriorPriorities = new Map([
  ['H', 1],
  ['M', 5],
  ['L', 9],
]);

/** Deleted entries and templates of recurring entries are not tasks. */
const readTaskwarrior: Read = (entry, { clock }) => {
  const status = textOf(entry.status);
  if (status === 'deleted' || status === 'recurring') return undefined;
  const notes = listOf(entry.annotations).map(note => textOf((note as Entry | null)?.description));
  const depends = isText(entry.depends) ? entry.depends.split(',') : listOf(entry.depends).filter(isText);
  const project = textOf(entry.project);
  const code = status === 'completed' ? 2 : entry.start === undefined ? 0 : 1;
  return {
    fields: {
      uid: textOf(entry.uuid),
      title: textOf(entry.description),
      tags: uniqueTags([...(project === '' ? [] : [project]), ...listOf(entry.tags).filter(isText)]),
      priority: taskwarriorPriorities.get(textOf(entry.priority)) ?? 0,
      createdAt: timeOf(entry.entry),
      ...stateOf(code, timeOf(entry.end)),
      ...datesOf(timeOf(entry.due), timeOf(entry.scheduled) ?? timeOf(entry.wait), clock.timeZone),
      ...textsOf(notes, notes.find(isWebAddress)),
    },
    after: depends.map(uid => uid.trim()).filter(uid => uid !== ''),
  };
};

const textsOf = (notes: readonly string[], url: string | undefined): Partial<ImportedFields> => {
  const description = notes.filter(note => note !== '' && note !== url).join('\n\n');
  return { description: description || null, url: url ?? null };
};

/** From critical to backlog. */
const beadsPriorities = new Map<unknown, number>([1, 3, 5, 7, 9].entries());

/** Several repositories may have the same short IDs, but each begins them with a name of its own. */
const beadsUid = (id: string) => `${id}@beads`;

const readBeads: Read = (entry, { clock }) => {
  const status = textOf(entry.status);
  if (status === 'tombstone') return undefined;
  const relations = listOf(entry.dependencies).map(relation => Object(relation) as Entry);
  const others = (type: string) =>
    relations.flatMap(relation =>
      relation.type === type && isText(relation.depends_on_id) ? [beadsUid(relation.depends_on_id)] : [],
    );
  const type = textOf(entry.issue_type);
  const code = status === 'closed' ? 2 : status === 'in_progress' ? 1 : 0;
  const address = textOf(entry.external_ref);
  const notes = ['description', 'design', 'acceptance_criteria', 'notes'].map(name => textOf(entry[name]));
  const comments = listOf(entry.comments).map(comment => textOf((Object(comment) as Entry).text));
  return {
    fields: {
      uid: beadsUid(textOf(entry.id)),
      title: textOf(entry.title),
      tags: uniqueTags([...(/^(task)?$/.test(type) ? [] : [type]), ...listOf(entry.labels).filter(isText)]),
      priority: beadsPriorities.get(entry.priority) ?? 0,
      createdAt: timeOf(entry.created_at),
      ...stateOf(code, timeOf(entry.closed_at)),
      ...datesOf(timeOf(entry.due_at), null, clock.timeZone),
      ...textsOf([...notes, ...comments], isWebAddress(address) ? address : undefined),
    },
    parentUid: others('parent-child')[0] ?? null,
    after: others('blocks'),
  };
};

/** Names of fields that Dueline's own entries have, and those of no tracker; `createdAt` is GitHub's, too. */
const ownNames = Object.keys(emptyFields('')).filter(name => !['title', 'url', 'createdAt'].includes(name));

/** The title and the address of an issue: of GitHub or Gitea, of GitLab, or of Jira, whose list has only the address of its API. */
function issueOf(entry: Entry): { readonly title: string; readonly url: string } | undefined {
  if (entry.uid !== undefined) return undefined;
  const { summary } = Object(entry.fields) as Entry;
  const [, site] = /^(https?:\/\/.+)\/rest\/api\//.exec(textOf(entry.self)) ?? [];
  const key = textOf(entry.key);
  if (isText(summary) && site && key !== '') return { title: `${key} ${summary.trim()}`, url: `${site}/browse/${key}` };
  const url = textOf(entry.web_url) || textOf(entry.html_url) || issueAddressOf(entry);
  return isText(entry.title) && isWebAddress(url) ? { title: entry.title.trim(), url } : undefined;
}

/** Any task may have an address, so an entry only counts as an issue if it looks like one and nothing would be lost. */
function issueAddressOf(entry: Entry): string {
  const url = textOf(entry.url);
  return issueName(url) === undefined || ownNames.some(name => name in entry) ? '' : url;
}

const isIssue = (entry: Entry): boolean => issueOf(entry) !== undefined;

/** Only the fields that the tracker owns, so that the user's dates, tags and ticks survive the next import. */
const readIssue: Read = entry => {
  const { title, url } = issueOf(entry)!;
  return { fields: { uid: addressOf(url), title, url } };
};
