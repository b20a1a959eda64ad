import type { DuelineEngine } from '../api';
import { bucketOf } from '../core/fields/priority';
import { timeOptions } from '../core/kernel/dateFormats';
import { walkTree } from '../core/kernel/descent';
import type { EpochMs, Id, Occurrence, Task } from '../core/kernel/model';
import { safeJson, sanitize } from '../core/text/cleanText';
import { civilMs, type Day, dayOf, daysBetween, today, wallOf } from '../core/time/dates';
import { lineOf, listNames, tasksJson } from '../programs/tasks';
import { cut, type Output, padded, type Style, widthOf } from './output';
import type { Session } from './session';

const signs = { high: '!!!', medium: '!!', low: '!', none: '' } as const;
const priorityStyles = { high: 'red', medium: 'yellow', low: 'dim', none: 'dim' } as const;
/** Before the title: done as Markdown has it, in process, canceled. */
const states = ['', '>', 'x', '-'] as const;

/** Formats dates as the editor does, in the locale of the environment. */
export class DateWords {
  readonly #formats = new Map<string, Intl.DateTimeFormat>();
  readonly #days = new Map<Day, string>();
  readonly #today: Day;

  constructor(readonly engine: Pick<DuelineEngine, 'clock' | 'locale' | 'settings'>) {
    this.#today = today(engine.clock, engine.settings.dayStartHour);
  }

  label(value: EpochMs | null, { isAllDay, timezone }: Pick<Task, 'isAllDay' | 'timezone'>): string {
    if (value === null) return '';
    const { clock, settings } = this.engine;
    const day = this.day(dayOf(value, timezone, clock.timeZone, isAllDay ? 0 : settings.dayStartHour));
    if (isAllDay) return day;
    const wall = timezone === null ? value : wallOf(value, clock.timeZone);
    return `${day} ${this.#format(wall, timeOptions(settings.timeFormat))}`;
  }

  day(day: Day): string {
    const words = this.#days.get(day) ?? this.#wordsOf(day);
    this.#days.set(day, words);
    return words;
  }

  #wordsOf(day: Day): string {
    const { dateFormat } = this.engine.settings;
    if (dateFormat === 'iso') return day;
    const away = dateFormat === 'relative' ? daysBetween(this.#today, day) : Number.NaN;
    if (Math.abs(away) <= 1)
      return new Intl.RelativeTimeFormat(this.engine.locale, { numeric: 'auto' }).format(away, 'day');
    if (away > 0 && away < 7) return this.#format(civilMs(day), { weekday: 'short' });
    const year = day.slice(0, 4) === this.#today.slice(0, 4) ? {} : ({ year: 'numeric' } as const);
    return this.#format(civilMs(day), { day: 'numeric', month: 'short', ...year });
  }

  #format(civil: number, options: Intl.DateTimeFormatOptions): string {
    const key = JSON.stringify(options);
    let format = this.#formats.get(key);
    if (!format) {
      format = new Intl.DateTimeFormat(this.engine.locale, { ...options, timeZone: 'UTC' });
      this.#formats.set(key, format);
    }
    return format.format(civil);
  }
}

/** Cells of one row, each with its style; the title comes last but for tags, so that no direction of it moves a date. */
function cellsOf(engine: DuelineEngine, words: DateWords, item: Occurrence) {
  const { task, due, dtstart, isOverdue } = item;
  const bucket = bucketOf(task.priority);
  return {
    id: engine.shortIdOf(task),
    when: sanitize(words.label(due ?? dtstart, task)),
    whenStyle: (isOverdue ? 'red' : 'cyan') as Style,
    sign: signs[bucket],
    signStyle: priorityStyles[bucket] as Style,
    state: states[task.status],
    title: sanitize(task.title ?? '') || '(no title)',
    tags: task.tags.map(tag => `#${sanitize(tag)}`),
    after: engine
      .blockersOf(task)
      .flatMap(({ task: blocker }) => (blocker && blocker.status < 2 ? [engine.shortIdOf(blocker)] : [])),
  };
}

/** A row, and how many rows it is below. */
interface TreeRow {
  readonly item: Occurrence;
  readonly depth: number;
}

/** Subtasks below their parents, if both are listed, in the order that the user gave them. */
export function asTree(items: readonly Occurrence[]): readonly TreeRow[] {
  const ids = new Set(items.map(({ task }) => task.id));
  const isSubtask = ({ task: { parentId } }: Occurrence) => parentId !== null && ids.has(parentId);
  const subtasks = items.filter(isSubtask);
  const childrenById = new Map<Id, Occurrence[]>();
  for (const child of subtasks.sort((a, b) => a.task.sortOrder - b.task.sortOrder || a.task.id - b.task.id)) {
    const parentId = child.task.parentId!;
    if (childrenById.get(parentId)?.push(child) === undefined) childrenById.set(parentId, [child]);
  }
  // Parents of each other have no first one, so they come last.
  const roots = [...items.filter(item => !isSubtask(item)), ...items];
  return walkTree(
    roots,
    ({ task }) => childrenById.get(task.id) ?? [],
    item => item,
  );
}

/** Deeper rows are not indented further: a list of someone else may be a chain of thousands. */
const maxIndent = 20;

/** In cells. */
const leastTitle = 20;

/** Rows in columns; without a terminal they are as wide as they are. */
export function rows({ out, holderOf }: Session, engine: DuelineEngine, items: readonly TreeRow[]): string {
  const words = new DateWords(engine);
  const all = items.map(({ item, depth }) => ({
    item,
    indent: '  '.repeat(Math.min(depth, maxIndent)),
    ...cellsOf(engine, words, item),
  }));
  const widest = (text: (row: (typeof all)[number]) => string) =>
    all.reduce((most, row) => Math.max(most, widthOf(text(row))), 0);
  const widths = {
    id: widest(row => row.id),
    when: widest(row => row.when),
    sign: widest(row => row.sign),
    state: widest(row => row.state),
  };
  const names = new Set(items.map(({ item }) => item.task.listId)).size > 1 ? listNames(engine) : undefined;
  const frontOf = (columns: readonly number[]) => columns.reduce((sum, width) => sum + (width && width + 2), 0);
  const front = frontOf(Object.values(widths));
  // If the columns leave no room for titles, each row is only as wide as its own content.
  const isNarrow = out.isCompact || (out.width !== undefined && out.width - front < leastTitle);
  const column = (text: string, widest: number, ...styles: Style[]) => {
    const width = isNarrow ? widthOf(text) : widest;
    return width === 0 ? '' : `${out.styled(text, ...styles)}${' '.repeat(Math.max(width - widthOf(text), 0))}  `;
  };
  const lines = all.map(row => {
    const { task } = row.item;
    const own = isNarrow ? frontOf([row.id, row.when, row.sign, row.state].map(widthOf)) : front;
    const list = names ? `@${sanitize(names.get(task.listId) ?? '')}` : '';
    const after = row.after.length > 0 ? `(after ${row.after.join(', ')})` : '';
    const holder = holderOf(task);
    const claim = holder === undefined ? '' : `(claimed by ${sanitize(holder)})`;
    const behind = [after, claim, ...row.tags, list].filter(text => text !== '').join(' ');
    const room = out.width === undefined ? Number.POSITIVE_INFINITY : Math.max(out.width - own, 6);
    const title = cut(row.indent + row.title, room);
    const left = room - widthOf(title) - 1;
    const shown = behind !== '' && left >= 4 ? ` ${out.styled(cut(behind, left), 'dim')}` : '';
    const isDim = row.after.length > 0 || task.status > 1;
    const id = out.link(row.id, `${out.scheme}://dueline.dueline/task?id=${row.id}`);
    return [
      `${out.styled(id, 'dim')}${' '.repeat(isNarrow ? 0 : widths.id - row.id.length)}  `,
      column(row.when, widths.when, row.whenStyle),
      column(row.sign, widths.sign, row.signStyle),
      column(row.state, widths.state, 'green'),
      out.styled(title, ...(isDim ? (['dim'] as const) : [])),
      shown,
    ].join('');
  });
  return lines.join('\n');
}

/** The line about a task after a command: `Done  dl-k3f9  Fix race`. */
export const report = (
  engine: DuelineEngine,
  out: Output,
  verb: string | ((id: Id) => string),
  items: readonly Occurrence[],
): string =>
  items
    .map(item => {
      const { task, due, dtstart } = item;
      const when = sanitize(new DateWords(engine).label(due ?? dtstart, task));
      const title = sanitize(task.title ?? '') || '(no title)';
      const tags = task.tags.map(tag => `#${sanitize(tag)}`);
      const end = [
        when,
        signs[bucketOf(task.priority)],
        ...tags,
        `@${sanitize(listNames(engine).get(task.listId) ?? '')}`,
      ]
        .filter(text => text !== '')
        .join(' ');
      const [id, verbColumn] = [engine.shortIdOf(task), padded(typeof verb === 'string' ? verb : verb(task.id), 7)];
      const room = (out.width ?? Number.POSITIVE_INFINITY) - widthOf(`${verbColumn} ${id}    `);
      const shown = cut(title, Math.max(room - widthOf(end), 20));
      return `${out.styled(verbColumn, 'green')} ${id}  ${shown}  ${out.styled(cut(end, room - widthOf(shown)), 'dim')}`;
    })
    .join('\n');

/** Prints what was done, with the current tasks. */
export function printResult(
  session: Session,
  engine: DuelineEngine,
  verb: string | ((id: Id) => string),
  ids: readonly Id[],
  more: object = {},
): void {
  const items = ids.map(id => lineOf(engine, id));
  if (session.is('json')) session.out.print(safeJson(tasksJson(engine, items, session, more), 2));
  else session.out.print(report(engine, session.out, verb, items));
}
