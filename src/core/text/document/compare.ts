import { groupBy } from '../../kernel/groupBy';
import { numberedBlockers, type OutlineLine, type ReadText } from './readText';

/** Why a line is not taken as it is. */
type ProblemKind = 'changed' | 'gone' | 'doubled' | 'unknown' | 'heading';

/** A line of the text that stands for a task, and what differs from the text that was read before. */
export interface LineChange {
  readonly line: OutlineLine;
  readonly base: OutlineLine;
  readonly theirs: OutlineLine;
  readonly words: boolean;
  readonly box: boolean;
  /** It has another parent, or is below another heading. */
  readonly isMoved: boolean;
}

/** The changes in a text that no change to the tasks meanwhile contradicts. */
export interface TextChanges {
  readonly changed: readonly LineChange[];
  readonly created: readonly OutlineLine[];
  /** Lines of tasks that are not in the text any more. */
  readonly vanished: readonly OutlineLine[];
  readonly problems: readonly {
    readonly line: OutlineLine;
    readonly kind: ProblemKind;
    readonly theirs?: OutlineLine;
  }[];
  /** Lines that are the beginning of another sequence among their siblings than before. */
  readonly order: readonly (readonly OutlineLine[])[];
  /** The ID of the task of each line, of those too that had none. */
  readonly ids: ReadonlyMap<OutlineLine, string>;
  /** The lines that each line waits for by its number, and waited for before. */
  readonly rows: readonly {
    readonly line: OutlineLine;
    readonly before: string | undefined;
    readonly now: OutlineLine | undefined;
  }[];
}

type Lines = ReadonlyMap<string, OutlineLine>;

const known = new WeakMap<ReadText, Lines>();

/** Kept with the text: most are compared again with each key that is typed. */
function byId(text: ReadText): Lines {
  let found = known.get(text);
  if (!found) {
    const lines = new Map<string, OutlineLine>();
    for (const task of text.tasks) if (task.id !== undefined && !lines.has(task.id)) lines.set(task.id, task);
    known.set(text, lines);
    found = lines;
  }
  return found;
}

/**
 * Compares a text with the one that was opened (`base`) and with the current tasks (`theirs`). A line that was changed
 * on both sides is reported as a problem, and not applied. A line of a task that the opened text did not have is compared
 * with the task as it is. `typed` has the words, by ID, of lines that became tasks: a text that continues from there has
 * them without their IDs. Without it, lines are matched by their IDs alone.
 */
export function compareTexts(
  base: ReadText,
  mine: ReadText,
  theirs: ReadText,
  typed: ReadonlyMap<string, string> | undefined,
): TextChanges {
  const [before, now] = [byId(base), byId(theirs)];
  const { ids, doubles } = matched(base, mine, id => before.has(id) || now.has(id), typed);
  const changed: LineChange[] = [];
  const created: OutlineLine[] = [];
  const problems: { line: OutlineLine; kind: ProblemKind; theirs?: OutlineLine }[] = [];
  const named = new Set(ids.values());
  const parentNow = parentsIn(ids);
  for (const line of mine.tasks) {
    const id = ids.get(line);
    if (id === undefined) {
      created.push(line);
      const kind = doubles.has(line) ? 'doubled' : line.id === undefined ? undefined : 'unknown';
      if (kind) problems.push({ line, kind });
      continue;
    }
    const to = now.get(id);
    const from = (before.get(id) ?? to)!;
    const words = line.words !== from.words;
    const box = line.box !== from.box;
    const isMoved = parentNow(line) !== parentKey(from);
    if (!words && !box && !isMoved) continue;
    if (!to) {
      problems.push({ line, kind: 'gone' });
      continue;
    }
    const clash =
      (words && to.words !== from.words && to.words !== line.words) ||
      (box && to.box !== from.box && to.box !== line.box) ||
      (isMoved && parentKey(to) !== parentKey(from) && parentKey(to) !== parentNow(line));
    if (clash) problems.push({ line, kind: 'changed', theirs: to });
    else
      changed.push({
        line,
        base: from,
        theirs: to,
        words: words && to.words !== line.words,
        box: box && to.box !== line.box,
        isMoved: isMoved && parentKey(to) !== parentNow(line),
      });
  }
  const vanished = [...before.keys()].flatMap(id => (named.has(id) ? [] : (now.get(id) ?? [])));
  return {
    changed,
    created,
    vanished,
    problems,
    ids,
    order: orderOf(base, mine, theirs, ids),
    rows: rowChanges(base, mine, ids),
  };
}

/** The task of each line: the one with its ID, or else, unless an ID is there twice, one with the same words whose line is gone. */
function matched(
  base: ReadText,
  mine: ReadText,
  isKnown: (id: string) => boolean,
  typed?: ReadonlyMap<string, string>,
) {
  const ids = new Map<OutlineLine, string>();
  const doubles = new Set<OutlineLine>();
  const taken = new Set<string>();
  // An ID amid words may be a mention of the task whose line ends with it.
  for (const line of [...mine.tasks.filter(({ gap }) => !gap), ...mine.tasks.filter(({ gap }) => gap)]) {
    if (line.id === undefined || !isKnown(line.id)) continue;
    if (taken.has(line.id)) doubles.add(line);
    else {
      taken.add(line.id);
      ids.set(line, line.id);
    }
  }
  if (!typed) return { ids, doubles };
  // The free lines by their words, alone and with their parents; the first line is the last of each array.
  const left = new Map<string, string[]>();
  const note = (key: string, id: string) => {
    const known = left.get(key);
    if (known) known.push(id);
    else left.set(key, [id]);
  };
  for (const { id, words, parent } of base.tasks.toReversed())
    if (id !== undefined && !taken.has(id))
      for (const each of new Set([words, typed.get(id) ?? words])) {
        note(each, id);
        note(`${parent?.id}\n${each}`, id);
      }
  if (left.size === 0) return { ids, doubles };
  const firstFree = (key: string): string | undefined => {
    const found = left.get(key) ?? [];
    while (found.length > 0 && taken.has(found.at(-1)!)) found.pop();
    return found.at(-1);
  };
  for (const line of mine.tasks) {
    if (ids.has(line) || doubles.has(line)) continue;
    const parent = line.parent && ids.get(line.parent);
    const id = firstFree(`${parent}\n${line.words}`) ?? firstFree(line.words);
    if (id === undefined) continue;
    taken.add(id);
    ids.set(line, id);
  }
  return { ids, doubles };
}

const headingKey = ({ heading }: OutlineLine) => heading?.key ?? '';

/** The parent, else the heading, as a text that is the same in each of the texts. */
const parentKey = (line: OutlineLine): string => line.parent?.id ?? headingKey(line);

const parentsIn =
  (ids: ReadonlyMap<OutlineLine, string>) =>
  (line: OutlineLine): string =>
    line.parent ? (ids.get(line.parent) ?? `\r${line.parent.at}`) : headingKey(line);

/** The siblings whose order has to change. */
function orderOf(
  base: ReadText,
  mine: ReadText,
  theirs: ReadText,
  ids: ReadonlyMap<OutlineLine, string>,
): OutlineLine[][] {
  if (mine.layout === 'names' || isSameSequence(base, mine, ids)) return [];
  const parentNow = parentsIn(ids);
  const groups = groupBy(mine.tasks, parentNow);
  const sequence = (text: ReadText): ReadonlyMap<string, number> =>
    new Map(text.tasks.flatMap(({ id }, at) => (id === undefined ? [] : [[id, at] as const])));
  const [before, now] = [sequence(base), sequence(theirs)];
  const parentBefore = new Map(base.tasks.map(line => [line.id, parentKey(line)]));
  return [...groups].flatMap(([parent, lines]) => {
    const isHere = (line: OutlineLine) => parentBefore.get(ids.get(line)) === parent;
    const rises = (of: ReadonlyMap<string, number>, some: readonly OutlineLine[]) =>
      some.every((line, at) => at === 0 || of.get(ids.get(some[at - 1]!)!)! < of.get(ids.get(line)!)!);
    const stayed = lines.filter(isHere);
    const isAdded = lines.length > 1 && stayed.length < lines.length;
    const isSame =
      rises(before, stayed) ||
      rises(
        now,
        stayed.filter(line => now.has(ids.get(line)!)),
      );
    return isSame && !isAdded ? [] : [lines];
  });
}

/** True for most texts: every line is where it was. */
const isSameSequence = (base: ReadText, mine: ReadText, ids: ReadonlyMap<OutlineLine, string>) =>
  base.tasks.length === mine.tasks.length &&
  mine.tasks.every((line, at) => {
    const other = base.tasks[at]!;
    return other.id !== undefined && ids.get(line) === other.id && line.indent === other.indent;
  });

function rowChanges(base: ReadText, mine: ReadText, ids: ReadonlyMap<OutlineLine, string>): TextChanges['rows'] {
  const before = new Map([...numberedBlockers(base)].map(([line, other]) => [line.id, other.id]));
  const now = numberedBlockers(mine);
  if (before.size + now.size === 0) return [];
  return mine.tasks.flatMap(line => {
    const id = ids.get(line);
    const [was, is] = [id === undefined ? undefined : before.get(id), now.get(line)];
    return was === (is && ids.get(is)) && (was !== undefined || is === undefined)
      ? []
      : [{ line, before: was, now: is }];
  });
}
