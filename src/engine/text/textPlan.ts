import type { DuelineEngine, ParsedQuickAdd } from '../../api';
import type { Id, Task } from '../../core/kernel/model';
import { isRecurring } from '../../core/recurrence/instances';
import { compareTexts, type LineChange, type TextChanges } from '../../core/text/document/compare';
import { withoutBackslashes } from '../../core/text/document/literal';
import { type Layout, maxLevels, type OutlineLine, type ReadText, readText } from '../../core/text/document/readText';
import type { EditedText, TextProblem, TextTarget } from '../../core/text/document/types';
import { type LineEdit, lineEdit } from './lineEdit';
import { TextNames } from './textNames';
import { circlesOf, type FoundProblem, inCircle, noHeading, problemMessage, problemsOf, tooDeep } from './textProblems';
import type { ShownTask, TextEngine } from './textTarget';
import { type WrittenTasks, writeTasks } from './writeTasks';

type PlanEngine = TextEngine & Pick<DuelineEngine, 'parseQuickAdd'>;

/** A line and the changes to its task. */
export interface PlannedLine extends LineChange {
  readonly shown: ShownTask;
  readonly edit?: LineEdit;
  /** The list that its heading names; undefined without one. */
  readonly listId?: Id;
}

export interface TextPlan {
  readonly written: WrittenTasks;
  readonly mine: ReadText;
  readonly isFile: boolean;
  readonly changes: TextChanges;
  readonly changed: readonly PlannedLine[];
  readonly created: readonly OutlineLine[];
  /** The tasks of lines that an earlier save took out of the text: the editor has not read it since. */
  readonly taken: ReadonlyMap<OutlineLine, Id>;
  /**
   * Lines of open tasks that are no longer in the text; the line of a closed task may be removed without a question.
   */
  readonly vanished: readonly OutlineLine[];
  readonly problems: readonly TextProblem[];
}

interface WrittenAndRead {
  readonly written: WrittenTasks;
  readonly theirs: ReadText;
}

type TakenLines = readonly (readonly [line: OutlineLine, task: Id])[];

/** Compares texts with the tasks. Parsed lines are cached, since most lines of a text are those of the one before. */
export class TextPlanner {
  readonly #parsed = new Map<string, ParsedQuickAdd>();
  #base: { readonly text: string; readonly read: ReadText } | undefined;
  #written: WrittenTasks | undefined;
  #theirs: ReadText | undefined;
  /** The words, by ID, of the lines that saves have made tasks of, until a line with that ID has others. */
  readonly #typed = new Map<string, string>();
  /** These words also after that: undo in the editor leads back to them. */
  readonly #everTyped = new Map<string, string>();
  /** The lines that saves have made tasks of that are not in the text, as those that name another list. */
  #taken: TakenLines = [];
  /** Both with tasks that the text names besides: by their rows. */
  #withOthers: (WrittenAndRead & { readonly key: string }) | undefined;
  readonly names: TextNames;

  constructor(
    readonly engine: PlanEngine,
    readonly target: TextTarget,
  ) {
    this.names = new TextNames(engine);
  }

  /** "In 3 hours" counts from now. */
  readAgain(): void {
    this.#parsed.clear();
  }

  /** Until the editor reads the text with the IDs, it saves this line without one. */
  noteTyped(id: string, words: string): void {
    this.#typed.set(id, words);
    this.#everTyped.set(id, words);
  }

  /** A line that was changed by its ID: the words that it had before may be typed for another task. */
  forgetTyped(id: string): void {
    this.#typed.delete(id);
  }

  /** Until the editor reads the text without these lines, it saves them again. */
  noteTaken(lines: TakenLines): void {
    this.#taken = lines;
  }

  /** The lines of a text that were taken out. Those that it no longer has are forgotten. */
  #takenIn({ tasks }: ReadText): ReadonlyMap<OutlineLine, Id> {
    const left = [...this.#taken];
    const found: [OutlineLine, Id][] = [];
    for (const line of left.length > 0 ? tasks : []) {
      const at = left.findIndex(([{ words, id }]) => words === line.words && id === line.id);
      if (at >= 0) found.push([line, left.splice(at, 1)[0]![1]]);
    }
    this.#taken = found;
    return new Map(found);
  }

  /** The tasks have changed. */
  forget(): void {
    this.#parsed.clear();
    this.#written = undefined;
    this.#theirs = undefined;
    this.#withOthers = undefined;
  }

  parse(words: string, options: { readonly parentId?: Id; readonly inList?: Id } = {}): ParsedQuickAdd {
    const key = `${options.inList ?? ''}\n${words}`;
    let found = this.#parsed.get(key);
    if (!found) {
      const { text, ranges } = withoutBackslashes(words);
      found = this.engine.parseQuickAdd(text, { rejected: ranges, ...options });
      this.#parsed.set(key, found);
    }
    return found;
  }

  /** A text that was written is its own base. */
  write(base?: string): WrittenTasks {
    if (this.#written && (base === undefined || base === this.#written.text || base === this.#base?.text))
      return this.#written;
    const kept = base === undefined ? [] : this.names.rowsOf(idsOf(this.#read(base)));
    return this.writeWith(kept);
  }

  writeWith(kept: Iterable<Id>): WrittenTasks {
    this.#written = writeTasks(this.engine, this.target, kept);
    this.names.note(this.#written.tasks);
    this.#theirs = undefined;
    this.#withOthers = undefined;
    return this.#written;
  }

  #read(base: string): ReadText {
    if (this.#base?.text !== base) {
      this.#base = { text: base, read: readText(base, layoutOf(this.target)) };
      if (this.#written?.text !== base) this.#written = undefined;
    }
    return this.#base.read;
  }

  plan({ base, mine, isUndone = false, isFile = false }: EditedText): TextPlan {
    const layout = layoutOf(this.target);
    const read = this.#read(base);
    const names = this.#newNames(read, this.write(base));
    const before = names.size === 0 ? read : readText(base, layout, names);
    const now = readText(mine, layout, names);
    const { written, theirs } = this.#withTasksOf(now, before, base);
    const changes = compareTexts(before, now, theirs, isFile ? undefined : isUndone ? this.#everTyped : this.#typed);
    const taken = this.#takenIn(now);
    const problems: TextProblem[] = [];
    const held = new Set<OutlineLine>();
    const add = (line: OutlineLine, found: FoundProblem) => {
      const isHeld = !harmless.includes(found.kind);
      if (isHeld) held.add(line);
      problems.push({ at: line.at, isHeld, ...found });
    };
    for (const { line, kind, theirs } of changes.problems)
      if (!taken.has(line))
        add(line, { kind, message: problemMessage(kind, line), ...(theirs && { theirs: theirs.words }) });
    for (const { line, theirs } of changes.changed.filter(change => hasMovedOn(change, written)))
      add(line, { kind: 'changed', message: problemMessage('changed', line), theirs: theirs.words });
    for (const heading of now.headings)
      if (!written.lists.has(heading.key)) problems.push({ at: heading.at, isHeld: true, ...noHeading(heading) });
    const created = changes.created.filter(line => !taken.has(line));
    const moved = changes.changed.flatMap(({ line, isMoved }) => (isMoved ? line : []));
    for (const line of [...created, ...moved]) if (line.depth >= maxLevels) add(line, tooDeep());
    const rewritten = changes.changed.filter(({ words }) => words);
    for (const { line, base } of [...created.map(line => ({ line, base: undefined })), ...rewritten])
      if (!held.has(line))
        for (const found of problemsOf(
          line,
          this.#inItsList(line, base, changes, written),
          written.lists,
          base && this.parse(base.words),
        ))
          add(line, found);
    for (const line of circlesOf(changes, now)) add(line, inCircle());
    const changed = changes.changed.flatMap(change => (held.has(change.line) ? [] : this.#planned(change, written)));
    return {
      written,
      mine: now,
      isFile,
      changes,
      changed,
      created: created.filter(line => !held.has(line) && !isHeldBack(line, held)),
      taken,
      vanished: changes.vanished.filter(({ box, id }) => box === '' && !this.#isReadOnly(written.tasks.get(id!)?.task)),
      problems: problems.sort((one, other) => one.at - other.at),
    };
  }

  /** The tasks as they are, with those that lines of the text name by their IDs: one that was closed, or is in no filter. */
  #withTasksOf(now: ReadText, before: ReadText, base: string): WrittenAndRead {
    const written = this.write(base);
    const layout = layoutOf(this.target);
    this.#theirs ??= written.text === base ? before : readText(written.text, layout);
    const others = idsOf(now).filter(id => !written.tasks.has(id));
    const rows = others.length === 0 ? [] : this.names.rowsOf(others).filter(row => !written.ids.has(row));
    if (rows.length === 0) return { written, theirs: this.#theirs };
    const key = rows.join();
    if (this.#withOthers?.key !== key) {
      const more = writeTasks(this.engine, this.target, [...written.ids.keys(), ...rows]);
      this.#withOthers = { key, written: more, theirs: readText(more.text, layout) };
    }
    return this.#withOthers;
  }

  /**
   * A subtask is in the list of its parent: no other one can be named. A line that comes below another one may still name
   * the list that its task was in.
   */
  #inItsList(
    { words, parent }: OutlineLine,
    base: OutlineLine | undefined,
    changes: TextChanges,
    written: WrittenTasks,
  ): ParsedQuickAdd {
    const alone = this.parse(words);
    if (!parent || (base && this.parse(base.words).listId === alone.listId)) return alone;
    return this.parse(words, { inList: this.#listOf(parent, changes, written) });
  }

  /** The list that a line is in once the text is saved. */
  #listOf(below: OutlineLine, changes: TextChanges, written: WrittenTasks): Id {
    let line = below;
    while (line.parent) line = line.parent;
    const { heading, words } = line;
    const task = written.tasks.get(changes.ids.get(line) ?? '')?.task;
    const fallback = heading ? written.lists.get(heading.key) : (task?.listId ?? written.listId);
    return this.parse(words).listId ?? fallback ?? this.engine.defaultListId();
  }

  /** The IDs that tasks of a text have now, if they differ from those in the text. */
  #newNames(read: ReadText, { ids }: WrittenTasks): ReadonlyMap<string, string> {
    const names = new Map<string, string>();
    for (const { id } of read.tasks) {
      const row = id === undefined ? undefined : this.names.rowOf(id);
      const now = row === undefined ? undefined : ids.get(row);
      if (now !== undefined && now !== id) names.set(id!, now);
    }
    return names;
  }

  /** A task in a read-only list is not changed: its line is restored. */
  #isReadOnly = (task: Task | undefined): boolean =>
    this.engine.lists().some(({ id, isReadOnly }) => isReadOnly && id === task?.listId);

  #planned(change: LineChange, written: WrittenTasks): PlannedLine[] {
    const shown = written.tasks.get(change.base.id!);
    if (!shown) return [];
    const { line, base, words } = change;
    const edit = words ? this.#editOf(base, line, shown.task) : undefined;
    const listId = line.heading && written.lists.get(line.heading.key);
    return [{ ...change, shown, ...(edit && { edit }), ...(listId !== undefined && { listId }) }];
  }

  /** Undefined if other words mean the same. */
  #editOf(base: OutlineLine, line: OutlineLine, task: Task): LineEdit | undefined {
    const edit = lineEdit(this.parse(base.words), this.parse(line.words), task, this.engine.clock.timeZone);
    const { patch, after, ...others } = edit;
    const parts = [patch, after.add, after.remove, others];
    return parts.every(part => Object.keys(part).length === 0) ? undefined : edit;
  }
}

/** Lines with a duplicate or an unknown ID become new tasks, and an impossible date stays in the title. */
const harmless: readonly TextProblem['kind'][] = ['doubled', 'unknown', 'noDate'];

export const layoutOf = (target: TextTarget): Layout =>
  'query' in target ? 'names' : 'all' in target ? 'headings' : 'list';

/** The tick is for the date that was there. Once that is done, the line shows the next one. */
function hasMovedOn({ box, base, theirs }: LineChange, { tasks }: WrittenTasks): boolean {
  const shown = tasks.get(theirs.id!);
  return box && theirs.words !== base.words && shown !== undefined && isRecurring(shown.task);
}

const idsOf = ({ tasks }: ReadText): string[] => tasks.flatMap(({ id }) => id ?? []);

/** A line below a line that is not saved cannot be saved either. */
const isHeldBack = (line: OutlineLine, held: ReadonlySet<OutlineLine>): boolean => {
  for (let parent = line.parent; parent; parent = parent.parent)
    if (parent.id === undefined && held.has(parent)) return true;
  return false;
};
