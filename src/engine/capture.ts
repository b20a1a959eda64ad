import type { DuelineEngine, QuickAddOptions, Understood } from '../api';
import { DuelineError } from '../core/errors';
import type { Id, TaskInput, TaskList } from '../core/model';
import { parseQuickAdd } from '../core/quickAdd/parseQuickAdd';
import type { QuickAddResult } from '../core/quickAdd/types';
import { defaultAlarms } from '../core/reminders/defaultAlarms';
import type { EngineSettings } from '../core/settings';
import type { TaskLine } from '../core/taskLines';
import { changeBlockers } from './dependencies';
import type { TaskEditor } from './taskEditor';
import type { TaskService } from './taskService';

type CaptureOptions = Pick<
  DuelineEngine,
  'clock' | 'locale' | 'settings' | 'lists' | 'defaultListId' | 'taskNamed' | 'task'
>;

/** What quick add understands right now; `rejected` parts stay in the title. */
export function parseQuickAddText(
  engine: CaptureOptions,
  text: string,
  options: Pick<QuickAddOptions, 'rejected' | 'onlyDates' | 'parentId'> = {},
): Parsed & Pick<Understood, 'listId' | 'noList'> {
  const { clock, locale, settings } = engine;
  const lists = engine.lists();
  const context = {
    clock,
    locale,
    settings,
    lists: lists.map(list => list.name),
    parseDates: options.onlyDates || settings.quickAddDates,
    syntax: settings.quickAddSyntax,
  };
  const read = (rejected: readonly Range[]) => parseQuickAdd(text, { ...context, rejected });
  const first = read(options.rejected ?? []);
  // What no task is called is no name: the words stay in the title.
  const unnamed = first.tokens.filter(({ kind, value }) => kind === 'after' && engine.taskNamed(value) === undefined);
  const rejected = [...(options.rejected ?? []), ...unnamed.map(({ from, to }): Range => [from, to])];
  const result = withTasks(engine, unnamed.length > 0 ? read(rejected) : first);
  if (result.listName === undefined) return result;
  const list = listNamed(lists, result.listName);
  const parent = options.parentId === undefined ? undefined : engine.task(options.parentId);
  const isElsewhere = list !== undefined && parent !== undefined && parent.listId !== list.id;
  if (list && !isElsewhere) return { ...result, listId: list.id };
  // A list that is not there is no list, and a subtask is in that of its parent: the words stay in the title.
  const { from, to } = result.tokens.find(({ kind }) => kind === 'list')!;
  const words = withTasks(engine, read([...rejected, [from, to]]));
  const isReadOnly = lists.some(list => isNamed(list, result.listName!));
  const why = isElsewhere ? 'subtask' : isReadOnly ? 'readOnly' : 'unknown';
  return { ...words, noList: { name: result.listName, from, to, why } };
}

type Range = readonly [from: number, to: number];
type Parsed = Omit<QuickAddResult, 'after'> & Pick<Understood, 'after'>;

/** The tasks that the words name, by which they are shown. */
function withTasks(engine: CaptureOptions, { after, ...result }: QuickAddResult): Parsed {
  if (!after) return result;
  const titleOf = (name: string) => engine.task(engine.taskNamed(name) ?? 0)?.title ?? name;
  const tokens = result.tokens.map(token =>
    token.kind === 'after' ? { ...token, label: titleOf(token.value) } : token,
  );
  return { ...result, tokens, after: after.flatMap(name => engine.taskNamed(name) ?? []) };
}

type Capturing = CaptureOptions & Pick<TaskService, 'editTasks'>;

export async function captureTask(engine: Capturing, text: string, options: QuickAddOptions = {}): Promise<Id> {
  if (typeof text !== 'string') throw new DuelineError('invalid', 'Quick add takes a line of text.');
  const captured = capturedTask(engine, text, options);
  return engine.editTasks({ key: 'create', count: 1, title: captured.input.title ?? undefined }, editor =>
    createCaptured(editor, captured),
  );
}

/** One undo step. A line in which nothing is left for a title is all title; one below another is its subtask. */
export function captureLines(
  engine: Capturing,
  lines: readonly TaskLine[],
  options: QuickAddOptions = {},
): Promise<readonly Id[]> {
  const captured = lines.map(({ text }) => capturedTask(engine, text, options, text));
  return engine.editTasks(
    { key: 'create', count: lines.length, title: captured[0]?.input.title ?? undefined },
    editor => {
      const made: { readonly id: Id; readonly listId: Id }[] = [];
      lines.forEach(({ parent }, at) => {
        const { input, listId, ...rest } = captured[at]!;
        const above = parent === undefined ? undefined : made[parent];
        const place = above ? { input: { ...input, parentId: above.id }, listId: above.listId } : { input, listId };
        made.push({ id: createCaptured(editor, { ...rest, ...place }), listId: place.listId });
      });
      return made.map(({ id }) => id);
    },
  );
}

interface Captured {
  readonly listId: Id;
  readonly input: TaskInput;
  readonly fromCompletion: boolean;
  readonly after: readonly Id[];
}

/** `untitled`: the title of a line that has no other. */
function capturedTask(engine: CaptureOptions, text: string, options: QuickAddOptions, untitled?: string): Captured {
  const result = parseQuickAddText(engine, text, options);
  const { settings } = engine;
  if (result.problem) {
    if (untitled === undefined) throw result.problem;
    const input = { ...options.defaults, title: untitled, ...under(options) };
    const listId = options.listId ?? engine.defaultListId();
    return { listId, input, fromCompletion: false, after: options.after ?? [] };
  }
  const isDated = result.input.due != null || result.input.dtstart != null;
  const tags = [...(options.defaults?.tags ?? []), ...(result.input.tags ?? [])];
  const fields = {
    ...(isDated ? undated(options.defaults) : options.defaults),
    ...result.input,
    ...(tags.length > 0 ? { tags } : {}),
    ...under(options),
  };
  const input: TaskInput = {
    ...(settings.defaultPriority ? { priority: settings.defaultPriority } : {}),
    ...(result.isSpan ? alarmsOfSpan(result.input, settings) : {}),
    ...fields,
  };
  const listId = result.listId ?? options.listId ?? engine.defaultListId();
  const after = [...(options.after ?? []), ...(result.after ?? [])];
  return { listId, input, fromCompletion: result.fromCompletion, after };
}

const under = ({ parentId }: QuickAddOptions) => (parentId === undefined ? {} : { parentId });

function createCaptured(editor: TaskEditor, { listId, input, fromCompletion, after }: Captured): Id {
  const id = editor.create(listId, input);
  if (fromCompletion) editor.repeatFrom(id, 'completion');
  if (after.length > 0) changeBlockers(editor, id, { add: after });
  return id;
}

/** What has a begin and an end is remembered before it begins. */
function alarmsOfSpan({ isAllDay = false }: TaskInput, settings: EngineSettings): TaskInput {
  const alarms = defaultAlarms({ isAllDay }, settings).map(alarm => ({ ...alarm, reference: 'START' as const }));
  return alarms.length > 0 ? { alarms } : {};
}

const undated = ({ due: _due, isAllDay: _allDay, timezone: _zone, ...rest }: TaskInput = {}) => rest;

function listNamed(lists: readonly TaskList[], name: string): TaskList | undefined {
  return lists.find(list => !list.isReadOnly && isNamed(list, name));
}

const isNamed = (list: TaskList, name: string) => list.name.toLocaleLowerCase() === name.toLocaleLowerCase();
