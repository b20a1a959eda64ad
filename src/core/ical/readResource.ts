import { percentDecoded } from '../fields/percent';
import { type ContentLine, readLines, unescapeText } from '../lines/contentLines';
import { cleanText } from '../lines/text';
import { type Component, componentsNamed, frameOf } from './components';
import { icalMessage } from './messages';
import { readTodo, type SeriesCoding, type TodoReading } from './readTodo';
import type { Fault, ReadContext, Resource } from './row';
import { type Zones, zonesOf } from './zoneTable';

/**
 * In bytes or characters. One attachment may be large; a text of only lines of this size takes a second to read, and
 * everything else waits.
 */
export const largestResource = 16 * 2 ** 20;
/** One a day for 27 years. Each is a row of its own. */
const maxTodos = 10_000;

/** True if reading the text would take too long. Callers ask before they read it. */
export function isTooLarge(text: string): boolean {
  if (text.length > largestResource) return true;
  let todos = 0;
  for (let at = text.indexOf(todoStart); at >= 0 && todos <= maxTodos; at = text.indexOf(todoStart, at + 1)) todos++;
  return todos > maxTodos;
}

const todoStart = 'BEGIN:VTODO';

/** False if a text ends before its calendar does: the rest is missing. */
export const isWhole = (text: string): boolean => /^END:VCALENDAR\s*$/im.test(text.slice(-200));

/** A text taken apart as far as reading and patching it need. */
export interface OpenedResource {
  readonly lines: readonly ContentLine[];
  readonly roots: readonly Component[];
  readonly zones: Zones;
  /** The VCALENDAR that the task is in. */
  readonly calendar: Component | undefined;
  readonly uid: string | undefined;
  readonly master?: OpenedTodo;
  readonly overrides: readonly OpenedTodo[];
  readonly faults: readonly Fault[];
  readonly otherUids: readonly string[];
  readonly hasOthers: boolean;
  readonly prodid: string | null;
}

export interface OpenedTodo extends Omit<TodoReading, 'faults'> {
  readonly component: Component;
}

/**
 * The tasks of one CalDAV resource, or of any iCalendar text: the master and the overrides of one UID. Damaged lines
 * cost only themselves. Never throws: if nothing can be read, `uid` is undefined and `faults` says why; a text that is
 * sound and merely has no task (an event) has neither rows nor faults.
 *
 * @example
 * readResource('BEGIN:VTODO\nUID:1\nSUMMARY:Pay rent\nEND:VTODO').master?.fields.title // 'Pay rent'
 */
export function readResource(text: string, context: ReadContext = {}): Resource {
  const { uid, master, overrides, faults, otherUids, hasOthers, prodid } = openResource(text, context);
  return {
    uid,
    master: master?.row,
    overrides: overrides.map(({ row }) => row),
    faults,
    prodid,
    otherUids,
    hasOthers,
  };
}

export function openResource(text: string, context: ReadContext): OpenedResource {
  const lines = readLines(text);
  const { roots, strays } = frameOf(lines);
  const zones = zonesOf(lines, roots);
  const faults: Fault[] = frameFaults(lines, roots, strays);
  const byUid = new Map<string, Component[]>();
  for (const todo of componentsNamed(roots, 'VTODO')) {
    if (!todo.closed) {
      faults.push({ kind: 'component', line: lines[todo.first]!.number, message: icalMessage('todoNotClosed') });
    }
    const uid = uidOf(lines, todo) ?? context.uid ?? uidOfHref(context.href) ?? '';
    if (uid === '')
      faults.push({ kind: 'component', line: lines[todo.first]!.number, message: icalMessage('todoWithoutUid') });
    else if (byUid.has(uid)) byUid.get(uid)!.push(todo);
    else byUid.set(uid, [todo]);
  }

  const [firstUid] = byUid.keys();
  const uid = context.uid !== undefined && byUid.has(context.uid) ? context.uid : firstUid;
  const otherUids = [...byUid.keys()].filter(other => other !== uid);
  const isOurs = (root: Component) =>
    root.name === 'VCALENDAR' && (uid === undefined || root.first < byUid.get(uid)![0]!.first);
  const calendar = roots.findLast(isOurs);
  const [master, overrides] =
    uid === undefined ? [undefined, []] : openTodos(lines, byUid.get(uid)!, uid, zones, faults);
  const written = calendar?.own.map(index => lines[index]!).find(line => line.name === 'PRODID');
  const prodid = written ? cleanText(unescapeText(written.value)) : null;
  const isDamaged = faults.some(({ kind }) => kind === 'frame' || kind === 'component');
  const hasOthers = otherUids.length > 0 || isDamaged || hasStrangers(roots);
  return { lines, roots, zones, calendar, uid, master, overrides, faults, otherUids, hasOthers, prodid };
}

const ofTasks = new Set(['VTODO', 'VTIMEZONE']);

/** True if a text has components that belong to no task, such as an event. */
const hasStrangers = (roots: readonly Component[]): boolean =>
  roots.some(({ name, children }) => (name === 'VCALENDAR' ? hasStrangers(children) : !ofTasks.has(name)));

function openTodos(
  lines: readonly ContentLine[],
  todos: readonly Component[],
  uid: string,
  zones: Zones,
  faults: Fault[],
): [OpenedTodo | undefined, OpenedTodo[]] {
  const isOverride = (todo: Component) => todo.own.some(index => lines[index]!.name === 'RECURRENCE-ID');
  const open = (component: Component, series?: SeriesCoding): OpenedTodo => {
    const { faults: found, ...reading } = readTodo(lines, component, uid, zones, series);
    for (const fault of found) faults.push(fault);
    return { component, ...reading };
  };
  const twice = (todo: Component) =>
    faults.push({
      kind: 'component',
      line: lines[todo.first]!.number,
      message: icalMessage('repeatedTodo'),
    });

  const masters = todos.filter(todo => !isOverride(todo));
  const master = masters[0] && open(masters[0]);
  masters.slice(1).forEach(twice);

  const overrides = new Map<number, OpenedTodo>();
  for (const todo of todos.filter(isOverride)) {
    const override = open(todo, master?.coding);
    const id = override.row.fields.recurrenceId;
    // An unreadable RECURRENCE-ID is a fault already; such a VTODO is carried along and belongs to no row.
    if (id === null) continue;
    if (overrides.has(id)) twice(todo);
    else overrides.set(id, override);
  }
  return [master, [...overrides.values()]];
}

function frameFaults(lines: readonly ContentLine[], roots: readonly Component[], strays: readonly number[]): Fault[] {
  const faults: Fault[] = strays.map(index => ({
    kind: 'line' as const,
    line: lines[index]!.number,
    message: icalMessage('lineOutsideCalendar'),
  }));
  if (lines.length === 0) faults.push({ kind: 'frame', message: icalMessage('emptyText') });
  else if (roots.length === 0) faults.push({ kind: 'frame', message: icalMessage('notCalendarData') });
  else if (!roots.some(root => root.name === 'VCALENDAR')) {
    const kind = componentsNamed(roots, 'VTODO').length > 0 ? 'component' : 'frame';
    faults.push({ kind, line: 1, message: icalMessage('noCalendar') });
  }
  return faults;
}

function uidOf(lines: readonly ContentLine[], todo: Component): string | undefined {
  const line = todo.own.map(index => lines[index]!).find(own => own.name === 'UID');
  return line && (cleanText(unescapeText(line.value.trim())) || undefined);
}

/** A resource without UID is known by its file name. */
function uidOfHref(href: string | undefined): string | undefined {
  const name = href?.split('/').findLast(part => part !== '');
  return name && percentDecoded(name).replace(/\.ics$/i, '');
}
