import type { DuelineEngine, ParsedQuickAdd, QuickAddLine, QuickAddOptions } from '../api';
import type { Anchor } from '../core/code/anchors';
import { type TaskBranch, withBranch } from '../core/code/branches';
import { firstDayFor, rowsOfTemplate, type TemplateRow } from '../core/exchange/template';
import { DuelineError } from '../core/kernel/errors';
import { type Id, Status, type Task, type TaskInput, type TaskList } from '../core/kernel/model';
import type { Range } from '../core/kernel/range';
import type { EngineSettings, Template } from '../core/kernel/settings';
import { parseQuickAdd } from '../core/quickAdd/parseQuickAdd';
import type { QuickAddResult, QuickAddToken, ReadDate } from '../core/quickAdd/types';
import { ruleOn } from '../core/recurrence/rrule';
import { defaultAlarms } from '../core/reminders/defaultAlarms';
import { addressOfLine, byAddress, linkOf } from '../core/text/issueLinks';
import { civilMs, dayOf, today } from '../core/time/dates';
import { changeBlockers } from './changeBlockers';
import { createList } from './listEditor';
import type { TaskEditor, TaskEdits } from './taskEditor';

export type CaptureOptions = Pick<
  DuelineEngine,
  'clock' | 'locale' | 'settings' | 'lists' | 'defaultListId' | 'taskNamed' | 'task'
>;

interface CaptureTarget extends QuickAddOptions {
  /** The list that a subtask is in; undefined if `parentId` decides it, or any may be named. */
  readonly inList?: Id | undefined;
}

/** A line as quick add reads it right now; `rejected` parts stay in the title. */
export function parseQuickAddText(
  engine: CaptureOptions,
  text: string,
  options: Pick<
    CaptureTarget,
    'rejected' | 'onlyDates' | 'parentId' | 'inList' | 'mayName' | 'defaults' | 'newList'
  > = {},
): Parsed & Pick<ParsedQuickAdd, 'listId' | 'noList' | 'noTask'> {
  const { clock, locale, settings } = engine;
  const { mayName = () => true, newList } = options;
  const lists: Pick<TaskList, 'id' | 'name' | 'isReadOnly'>[] = engine.lists().filter(({ id }) => mayName('list', id));
  if (newList) lists.push({ id: newListId, name: newList.name, isReadOnly: false });
  const taskNamed = (name: string) => engine.taskNamed(name, id => mayName('task', id));
  const { due, isAllDay } = options.defaults ?? {};
  const context = {
    ...(isAllDay && due != null ? { day: due } : {}),
    clock,
    locale,
    settings,
    lists: lists.map(list => list.name),
    templates: settings.templates.map(({ name }) => name),
    parseDates: options.onlyDates || settings.quickAddDates,
    onlyDates: options.onlyDates ?? false,
    syntax: settings.quickAddSyntax,
  };
  const parent = options.parentId === undefined ? undefined : engine.task(options.parentId);
  const inList = options.inList ?? parent?.listId;
  const rejected = [...(options.rejected ?? [])];
  let noList: ParsedQuickAdd['noList'];
  let noTask: ParsedQuickAdd['noTask'];
  for (;;) {
    const result = parseQuickAdd(text, { ...context, rejected });
    const list = result.listName === undefined ? undefined : listNamed(lists, result.listName);
    const isElsewhere = list !== undefined && inList !== undefined && list.id !== inList;
    const takesNone = ({ kind, value }: QuickAddToken) =>
      kind === 'list' ? !list || isElsewhere : kind === 'after' && taskNamed(value) === undefined;
    // Words that name no existing task or list stay in the title, as does the list of a subtask, which is in the list
    // of its parent. Without them, another name may be the one that counts.
    const words = result.tokens.filter(takesNone);
    if (words.length === 0) {
      const parsed = withTemplateTitle(engine, withTasks(engine, result, taskNamed));
      return { ...parsed, ...(list && { listId: list.id }), ...(noList && { noList }), ...(noTask && { noTask }) };
    }
    const after = words.find(({ kind }) => kind === 'after');
    if (after) noTask ??= { name: after.value, from: after.from, to: after.to };
    const named = words.find(({ kind }) => kind === 'list');
    if (named) {
      const { value: name, from, to } = named;
      const isReadOnly = lists.some(list => isNamed(list, name));
      noList ??= { name, from, to, why: isElsewhere ? 'subtask' : isReadOnly ? 'readOnly' : 'unknown' };
    }
    const others = named ? (result.otherLists ?? []) : [];
    const isTaken = ({ name }: (typeof others)[number]) => {
      const other = listNamed(lists, name);
      return other !== undefined && (inList === undefined || other.id === inList);
    };
    const unknown = others.slice(others.findLastIndex(isTaken) + 1);
    rejected.push(...[...words, ...unknown].map(({ from, to }): Range => [from, to]));
  }
}

/** Stands for the list that is created with the task. */
const newListId: Id = 0;

/** The words are only read as a task's if there is a title; this one is not kept. */
const titleStub = 'x';

/** A whole line as one date. */
export function readDate(engine: CaptureOptions, text: string): ReadDate | undefined {
  const parsed = parseQuickAddText(engine, `${titleStub} ${text}`, { onlyDates: true });
  const { input, title, tokens, isAmount = false } = parsed;
  const [token] = tokens;
  // A date that repeats is more than a date, and only the first one would be taken.
  const isDate = tokens.every(({ kind }) => kind === 'due') && title === titleStub;
  if (!token || !isDate || input.due == null) return undefined;
  const { due, isAllDay = false, timezone = null } = input;
  return { due, isAllDay, timezone, label: token.label, isAmount };
}

type Parsed = Omit<QuickAddResult, 'after'> & Pick<ParsedQuickAdd, 'after'>;

/** Without a title of its own, a task is called as in its template. */
function withTemplateTitle(engine: CaptureOptions, result: Parsed): Parsed {
  const title = result.title === '' ? templateNamed(engine, result.template)?.title : undefined;
  if (!title) return result;
  const { problem: _noTitle, ...rest } = result;
  return { ...rest, title, input: { ...result.input, title } };
}

const templateNamed = ({ settings }: CaptureOptions, name: string | undefined): Template | undefined =>
  settings.templates.find(one => one.name.toLowerCase() === name?.toLowerCase());

/** The result with the tasks that the words name, so that they can be shown. */
function withTasks(
  engine: CaptureOptions,
  { after, ...result }: QuickAddResult,
  taskNamed: (name: string) => Id | undefined,
): Parsed {
  if (!after) return result;
  const titleOf = (name: string) => engine.task(taskNamed(name) ?? 0)?.title ?? name;
  const tokens = result.tokens.map(token =>
    token.kind === 'after' ? { ...token, label: titleOf(token.value) } : token,
  );
  return { ...result, tokens, after: after.flatMap(name => taskNamed(name) ?? []) };
}

type Capturing = CaptureOptions & Pick<DuelineEngine, 'query'> & TaskEdits;

export async function captureTask(engine: Capturing, text: string, options: QuickAddOptions = {}): Promise<Id> {
  if (typeof text !== 'string') throw new DuelineError('invalid', 'Quick add takes a line of text.');
  const captured = capturedTask(engine, text, options);
  const count = Math.max(1, captured.template.length);
  return engine.editTasks({ key: 'create', count, title: captured.input.title ?? undefined }, editor => {
    const { newList } = options;
    if (captured.listId !== newListId || !newList) return createCaptured(editor, captured);
    // Another window may have been faster.
    const listId = listNamed(editor.tx.lists(), newList.name)?.id ?? createList(editor.tx, newList);
    return createCaptured(editor, { ...captured, listId });
  });
}

/** A series is left out: it may have no occurrence left, and a link that is added then is a task of its own. */
const openWithUrl =
  't.is_deleted = 0 AND t.master_id IS NULL AND t.rrule IS NULL AND t.rdate IS NULL AND t.status < 2 AND t.url IS NOT NULL';

/** The open task of each address, in every list. */
export function openByAddress(
  engine: Pick<DuelineEngine, 'query' | 'lists' | 'task'>,
  isVisible: (task: Task) => boolean,
): Map<string, Task> {
  const found = engine.query('has:url', { lists: engine.lists().map(({ id }) => id), isVisible });
  return byAddress(found.map(({ task }) => engine.task(task.masterId ?? task.id)!));
}

/**
 * Adds the lines in one undo step, and returns the new tasks. A line without a title left becomes the title as a whole; a
 * line below another one becomes its subtask; a line that is a link becomes a task with that address, unless an open task
 * has it.
 */
export async function captureLines(
  engine: Capturing,
  lines: readonly QuickAddLine[],
  options: QuickAddOptions = {},
): Promise<readonly Id[]> {
  const rules = [...new Set(lines.map(({ own }) => own?.mayName ?? options.mayName))];
  const isVisible = ({ id }: Task) => rules.every(mayName => mayName?.('task', id) ?? true);
  const hasAddress = lines.some(line => addressOfLine(line) !== '');
  const open = hasAddress ? openByAddress(engine, isVisible) : new Map<string, Task>();
  const known = new Map<string, Task | Captured>(open);
  const targets: (Task | Captured)[] = [];
  const readOnly = new Set(engine.lists().flatMap(({ id, isReadOnly }) => (isReadOnly ? id : [])));
  // A task in a read-only list gets no subtasks: what is below it stands for itself.
  const parentOf = ({ parent }: QuickAddLine) => {
    const target = parent === undefined ? undefined : targets[parent];
    return target && ('input' in target || !readOnly.has(target.listId)) ? target : undefined;
  };
  for (const line of lines) {
    const address = addressOfLine(line);
    const parent = parentOf(line);
    const target = known.get(address) ?? capturedLine(engine, line, parent?.listId, options);
    if (address !== '') known.set(address, target);
    targets.push(target);
  }
  const [first, ...others] = new Set(targets.filter(target => 'input' in target));
  if (!first) return [];
  const title = first.input.title ?? undefined;
  return engine.editTasks({ key: 'create', count: others.length + 1, title }, editor => {
    // The edit starts again if another process writes meanwhile, which may have added a task with one of the addresses.
    const ids = new Map<Task | Captured, Id>([...open.values()].map(task => [task, task.id]));
    const openNow = byAddress(hasAddress ? editor.tx.selectTasks(openWithUrl).filter(isVisible) : []);
    for (const [at, target] of targets.entries()) {
      const there = openNow.get(addressOfLine(lines[at]!));
      if (there && 'input' in target) ids.set(target, there.id);
    }
    const made: Id[] = [];
    for (const [at, target] of targets.entries()) {
      if (!('input' in target) || ids.has(target)) continue;
      const line = lines[at]!;
      const [parent, isDone] = [parentOf(line), line.isDone];
      const parentId = parent && ids.get(parent);
      // Another process may have added the parent to another list.
      const listId = editor.tx.task(parentId ?? 0)?.listId ?? target.listId;
      const fields = { ...(parentId !== undefined && { parentId }), ...(isDone && { status: Status.completed }) };
      const id = createCaptured(editor, { ...target, listId, input: { ...target.input, ...fields } });
      ids.set(target, id);
      made.push(id);
    }
    return made;
  });
}

/** `inList`: the list of the task that it becomes a subtask of. */
function capturedLine(engine: Capturing, line: QuickAddLine, inList: Id | undefined, options: QuickAddOptions) {
  const link = linkOf(line);
  const title = link?.title ?? line.text;
  const fields = { ...options, ...line.own, ...(inList !== undefined && { listId: inList, inList }) };
  const target = link
    ? { ...fields, defaults: { ...fields.defaults, url: link.url }, rejected: [[0, title.length] as const] }
    : fields;
  return capturedTask(engine, title, target, title);
}

export interface Captured {
  readonly listId: Id;
  readonly input: TaskInput;
  readonly fromCompletion: boolean;
  readonly after: readonly Id[];
  readonly anchors: readonly Anchor[];
  readonly branch: TaskBranch | undefined;
  /** The tasks of its template, with its own first. */
  readonly template: readonly TemplateRow[];
}

/** `untitled`: the title of a line that has no other. */
export function capturedTask(
  engine: CaptureOptions,
  text: string,
  options: CaptureTarget,
  untitled?: string,
): Captured {
  const result = parseQuickAddText(engine, text, options);
  const { settings } = engine;
  const { anchors = [], branch } = options;
  if (result.problem) {
    if (untitled === undefined) throw result.problem;
    const input = { ...options.defaults, title: untitled, ...under(options) };
    const listId = options.listId ?? engine.defaultListId();
    return { listId, input, fromCompletion: false, after: options.after ?? [], anchors, branch, template: [] };
  }
  const isDated = result.input.due != null || result.input.dtstart != null;
  const tags = [...(options.defaults?.tags ?? []), ...(result.input.tags ?? [])];
  const fields = {
    ...(isDated ? withoutAnyDate(options.defaults) : options.defaults),
    ...result.input,
    ...(tags.length > 0 ? { tags } : {}),
    ...under(options),
  };
  const plain: TaskInput = {
    ...(settings.defaultPriority ? { priority: settings.defaultPriority } : {}),
    ...(result.isSpan ? alarmsOfSpan(result.input, settings) : {}),
    ...fields,
  };
  const named = templateNamed(engine, result.template);
  const { input, template, isFromCompletion } = named
    ? fromTemplate(engine, named, fields, plain)
    : { input: plain, template: [], isFromCompletion: false };
  const listId = result.listId ?? options.listId ?? engine.defaultListId();
  const after = [...(options.after ?? []), ...(result.after ?? [])];
  return { listId, input, fromCompletion: result.fromCompletion || isFromCompletion, after, anchors, branch, template };
}

/**
 * The line overrides the template. With a date, the task is due on it, at the time that the template has; without one,
 * the first date of all is today's.
 */
function fromTemplate({ clock, settings }: CaptureOptions, template: Template, typed: TaskInput, plain: TaskInput) {
  const { timeZone } = clock;
  const value = typed.due ?? typed.dtstart ?? null;
  const base =
    value === null
      ? today(clock, settings.dayStartHour)
      : firstDayFor(template, dayOf(value, typed.timezone ?? null, timeZone, settings.dayStartHour));
  const rows = rowsOfTemplate(template, base, timeZone);
  const { input, fromCompletion } = rows[0]!;
  const isDated = input.due !== undefined || input.dtstart !== undefined;
  const keepsDates = isDated && (value === null || (typed.isAllDay === true && typed.dtstart == null));
  const { dtstart, due, isAllDay, timezone: zone } = keepsDates ? input : typed;
  // A series follows the local clock, like a repeat that Quick Add reads.
  const timezone = zone === 'UTC' && input.rrule ? timeZone : zone;
  const tags = [...(input.tags ?? []), ...(typed.tags ?? [])];
  const first = dtstart ?? due;
  // A rule with a weekday takes the weekday of the date in the line, or the task would be due on another day.
  const rule =
    value === null || first == null || !input.rrule
      ? undefined
      : ruleOn(input.rrule, civilMs(dayOf(first, timezone ?? null, timeZone)));
  const dates = {
    ...(dtstart == null ? {} : { dtstart }),
    ...(due == null ? {} : { due }),
    ...(isAllDay === undefined ? {} : { isAllDay }),
    ...(timezone === undefined ? {} : { timezone }),
  };
  return {
    input: {
      ...withoutDates(plain),
      ...withoutDates(input),
      ...(rule === undefined ? {} : { rrule: rule }),
      ...withoutDates(typed),
      ...dates,
      ...(tags.length > 0 ? { tags } : {}),
    },
    template: rows,
    isFromCompletion: fromCompletion,
  };
}

const withoutDates = ({ dtstart: _start, ...input }: TaskInput): TaskInput => withoutAnyDate(input);

const under = ({ parentId }: QuickAddOptions) => (parentId === undefined ? {} : { parentId });

export function createCaptured(
  editor: TaskEditor,
  { listId, input, fromCompletion, after, anchors, branch, template }: Captured,
): Id {
  const id = editor.create(listId, input);
  if (anchors.length > 0) editor.editAnchors(id, { add: anchors });
  if (branch) editor.setLines(id, task => withBranch(task, branch));
  if (fromCompletion) editor.repeatFrom(id, 'completion');
  if (after.length > 0) changeBlockers(editor, id, { add: after });
  const made = [id];
  for (const row of template.slice(1)) {
    const child = editor.create(listId, { ...row.input, parentId: made[row.parent!]! });
    if (row.fromCompletion) editor.repeatFrom(child, 'completion');
    made.push(child);
  }
  for (const [at, { after }] of template.entries())
    if (after.length > 0) changeBlockers(editor, made[at]!, { add: after.map(other => made[other]!) });
  return id;
}

/** The reminders of a task with a start and an end: before the start. */
function alarmsOfSpan({ isAllDay = false }: TaskInput, settings: EngineSettings): TaskInput {
  const alarms = defaultAlarms({ isAllDay }, settings).map(alarm => ({ ...alarm, reference: 'START' as const }));
  return alarms.length > 0 ? { alarms } : {};
}

const withoutAnyDate = ({ due: _due, isAllDay: _allDay, timezone: _zone, ...rest }: TaskInput = {}) => rest;

type Named = Pick<TaskList, 'name' | 'isReadOnly'>;

function listNamed<List extends Named>(lists: readonly List[], name: string): List | undefined {
  return lists.find(list => !list.isReadOnly && isNamed(list, name));
}

const isNamed = (list: Named, name: string) => list.name.toLocaleLowerCase() === name.toLocaleLowerCase();
