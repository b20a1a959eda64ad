import { textOf } from '../../core/fields/values';
import { walkTree } from '../../core/kernel/descent';
import { type Id, Status, type Task } from '../../core/kernel/model';
import type { QuickAddContext } from '../../core/quickAdd/types';
import { repeatsFromCompletion } from '../../core/recurrence/repeatFrom';
import { sanitize } from '../../core/text/cleanText';
import type { Box } from '../../core/text/document/line';
import { keyOfHeading, type Layout, type TextNode, writeText } from '../../core/text/document/readText';
import type { TextTarget } from '../../core/text/document/types';
import { WordWriter } from '../../core/text/document/writeWords';
import { type ShownTask, type TextEngine, textContentOf } from './textTarget';

export interface WrittenTasks {
  readonly text: string;
  readonly layout: Layout;
  readonly isReadOnly: boolean;
  /** The list of tasks at the top level; undefined if their words or their headings name it. */
  readonly listId: Id | undefined;
  /** The parent of the tasks at the top. */
  readonly parentId: Id | undefined;
  /** The tasks by their short IDs. */
  readonly tasks: ReadonlyMap<string, ShownTask>;
  /** The other way round. */
  readonly ids: ReadonlyMap<Id, string>;
  /** The lists by the keys of their headings. */
  readonly lists: ReadonlyMap<string, Id>;
}

/** Tasks as text. `kept` has those that the text had before. */
export function writeTasks(engine: TextEngine, target: TextTarget, kept: Iterable<Id> = []): WrittenTasks {
  const { layout, sections, isReadOnly, listId, parentId } = textContentOf(engine, target, new Set(kept));
  const writing = new Writing(engine, layout, uidsOfSeveral(sections));
  const lists = new Map<string, Id>();
  const names = new Map<string, number>();
  const written = sections.map(({ list, tasks }) => {
    const nodes = writing.nodesOf(tasks);
    if (!list) return { tasks: nodes };
    // A heading that is empty would be none.
    const name = sanitize(list.name).trim() || '…';
    const nth = names.get(name) ?? 0;
    names.set(name, nth + 1);
    lists.set(keyOfHeading(name, nth), list.id);
    return { name, tasks: nodes };
  });
  const { tasks, ids } = writing;
  return { text: writeText(written), layout, isReadOnly, listId, parentId, tasks, ids, lists };
}

/** Two lists can have a task each of one UID, and both have one short ID. */
function uidsOfSeveral(sections: readonly { readonly tasks: readonly ShownTask[] }[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const several = new Set<string>();
  for (const { tasks } of sections)
    for (const { task } of tasks) {
      if (seen.has(task.uid)) several.add(task.uid);
      seen.add(task.uid);
    }
  return several;
}

const boxes: Partial<Record<Task['status'], Box>> = { [Status.completed]: 'x', [Status.cancelled]: '-' };

export const boxOf = ({ status }: Task): Box => boxes[status] ?? '';

class Writing {
  readonly tasks = new Map<string, ShownTask>();
  readonly ids = new Map<Id, string>();
  readonly #words: WordWriter;
  readonly #names: ReadonlyMap<Id, string>;

  constructor(
    private readonly engine: TextEngine,
    private readonly layout: Layout,
    private readonly several: ReadonlySet<string>,
  ) {
    this.#words = wordsOf(engine);
    this.#names = new Map(engine.lists().map(({ id, name }) => [id, name]));
  }

  /** The tasks as nodes of the text: a subtask is below its parent if the text has both. */
  nodesOf(shown: readonly ShownTask[]): TextNode[] {
    const here = new Set(shown.map(({ task }) => task.id));
    const children = new Map<Id | null, ShownTask[]>();
    const before = new Map<ShownTask, ShownTask>();
    for (const one of shown) {
      const { parentId } = one.task;
      const parent = parentId !== null && here.has(parentId) ? parentId : null;
      const siblings = children.get(parent);
      if (!siblings) children.set(parent, [one]);
      else {
        before.set(one, siblings.at(-1)!);
        siblings.push(one);
      }
    }
    const below = (id: Id | null) => children.get(id) ?? [];
    // A circle of parents, which other programs can make, has no top: its first task becomes one.
    const roots = [...below(null), ...shown];
    const steps = walkTree(
      roots,
      ({ task }) => below(task.id),
      ({ task }) => task.id,
    );
    return steps.map(({ item, depth }) => this.#node(item, before.get(item), depth));
  }

  #idOf = (task: Task): string => {
    const id = this.engine.shortIdOf(task);
    return this.several.has(task.uid) ? `${id}.${task.id}` : id;
  };

  #node(one: ShownTask, before: ShownTask | undefined, depth: number): TextNode {
    const { engine } = this;
    const { task } = one;
    const id = this.#idOf(task);
    this.tasks.set(id, one);
    this.ids.set(task.id, id);
    const blockers = engine.blockersOf(task);
    const waits = before !== undefined && blockers.some(({ uid }) => uid === before.task.uid);
    const after = blockers.flatMap(({ uid, task: other }) =>
      other && other.status < 2 && !(waits && uid === before.task.uid) ? [engine.shortIdOf(other)] : [],
    );
    const { tags, title, priority, url, rrule, isAllDay, timezone, alarms } = task;
    const words = this.#words.write({
      title,
      priority,
      tags,
      url,
      rrule,
      isAllDay,
      timezone,
      alarms,
      after,
      due: one.due,
      dtstart: one.dtstart,
      estimate: textOf(task, 'estimate'),
      fromCompletion: repeatsFromCompletion(task),
      listName: this.layout === 'names' && depth === 0 ? this.#names.get(task.listId) : undefined,
    });
    return { box: boxOf(task), words, id, waits, depth };
  }
}

const writers = new WeakMap<object, { readonly key: string; readonly writer: WordWriter }>();

/** The writer, which caches the words of titles from one text to the next. */
function wordsOf(engine: TextEngine): WordWriter {
  const context = quickAddContext(engine);
  const { clock: _clock, ...facts } = context;
  const key = JSON.stringify([facts, engine.clock.timeZone]);
  const known = writers.get(engine.lists);
  if (known?.key === key) return known.writer;
  const writer = new WordWriter(context);
  writers.set(engine.lists, { key, writer });
  return writer;
}

function quickAddContext({ clock, locale, settings, lists }: TextEngine): QuickAddContext {
  const { dayStartHour, firstDay, quickAddLanguage, allDayAlarmTime, dateFormat, timeFormat } = settings;
  return {
    clock,
    locale,
    settings: { dayStartHour, firstDay, quickAddLanguage, allDayAlarmTime, dateFormat, timeFormat },
    lists: lists().map(({ name }) => name),
    templates: settings.templates.map(({ name }) => name),
    parseDates: settings.quickAddDates,
    syntax: settings.quickAddSyntax,
  };
}
