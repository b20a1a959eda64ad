import { valuesOf, withLine } from '../fields/lines';
import { isClosed } from '../fields/status';
import { emptyFields } from '../ical/row';
import type { Task } from '../kernel/model';
import { uuidOf } from './stableUid';
import type { ImportedTask } from './types';

/** The line with what a tracker said about a task at the last import, as hashes: they repeat no text. */
const property = 'X-DUELINE-IMPORTED';

type Content = Pick<
  Task,
  | 'title'
  | 'description'
  | 'url'
  | 'tags'
  | 'priority'
  | 'due'
  | 'dtstart'
  | 'isAllDay'
  | 'timezone'
  | 'status'
  | 'completedAt'
  | 'percentComplete'
>;
type Column = keyof Content;

interface Part {
  /** The columns that follow the tracker together. */
  readonly columns: readonly Column[];
  readonly of: (content: Content) => unknown;
}

const alone = (column: Column): Part => ({ columns: [column], of: content => content[column] });
const completion = ['status', 'completedAt', 'percentComplete'] as const;

/** A task that was only started here is still completed by the tracker, so whether it is closed counts by itself. */
const parts: Readonly<Record<string, Part>> = {
  title: alone('title'),
  notes: alone('description'),
  url: alone('url'),
  tags: alone('tags'),
  priority: alone('priority'),
  dates: {
    columns: ['due', 'dtstart', 'isAllDay', 'timezone'],
    of: ({ due, dtstart, isAllDay, timezone }) => [due, dtstart, isAllDay, timezone],
  },
  closed: { columns: completion, of: isClosed },
  status: { columns: completion, of: ({ status }) => status },
};

type Note = Readonly<Record<string, string>>;

const hashOf = (value: unknown): string => uuidOf(JSON.stringify(value ?? null)).slice(0, 8);

type Entry = Pick<ImportedTask, 'fields' | 'parentUid' | 'after'>;

/** The values that an entry has. */
function noteOf({ fields, parentUid, after }: Entry): Note {
  const content = { ...emptyFields(fields.uid), ...fields };
  const own = Object.entries(parts).filter(([, { columns }]) => columns.some(column => fields[column] !== undefined));
  return {
    ...Object.fromEntries(own.map(([name, part]) => [name, hashOf(part.of(content))])),
    ...(parentUid !== undefined && { parent: hashOf(parentUid) }),
    ...(after !== undefined && { after: hashOf(after) }),
  };
}

type Raw = Pick<Task, 'unknownProperties'>;

function lastNote(task: Raw): Note | undefined {
  const [text] = valuesOf(task, property);
  return text === undefined ? undefined : Object.fromEntries(text.split(' ').map(each => each.split('=')));
}

/** `unknownProperties` with what the entry says. */
export const withEntry = (row: Raw, entry: Entry): string | null =>
  withLine(
    row,
    property,
    Object.entries({ ...lastNote(row), ...noteOf(entry) })
      .map(each => each.join('='))
      .join(' '),
  );

interface Followed {
  /** The fields to write. */
  readonly fields: Partial<Content>;
  readonly parent: boolean;
  readonly after: boolean;
}

/**
 * The values that a task takes from an entry: those that have changed in the tracker since the last import, and not here.
 * A task that no import has written only takes the title.
 */
export function changesOf(entry: Entry, task: Task, parentUid: string | null): Followed {
  const [now, before] = [noteOf(entry), lastNote(task)];
  const hasChanged = (name: string, value: unknown) =>
    before ? now[name] !== before[name] && before[name] === hashOf(value) : name === 'title';
  const columns = Object.entries(parts)
    .filter(([name, part]) => now[name] !== undefined && hasChanged(name, part.of(task)))
    .flatMap(([, part]) => part.columns);
  // A task that is opened again has no progress.
  const content = { ...(isClosed(task) && { percentComplete: null }), ...entry.fields };
  return {
    fields: Object.fromEntries(columns.flatMap(name => (name in content ? [[name, content[name]]] : []))),
    parent: entry.parentUid !== undefined && hasChanged('parent', parentUid),
    after: before !== undefined && now.after !== before.after,
  };
}
