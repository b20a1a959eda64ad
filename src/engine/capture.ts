import type { DuelineEngine, QuickAddOptions, Understood } from '../api';
import { DuelineError } from '../core/errors';
import type { Id, TaskInput, TaskList } from '../core/model';
import { parseQuickAdd } from '../core/quickAdd/parseQuickAdd';
import type { QuickAddContext, QuickAddResult } from '../core/quickAdd/types';
import { defaultAlarms } from '../core/reminders/defaultAlarms';
import type { EngineSettings } from '../core/settings';
import type { TaskService } from './taskService';

type CaptureOptions = Pick<DuelineEngine, 'clock' | 'locale' | 'settings' | 'lists' | 'defaultListId'>;

/** What quick add understands right now; `rejected` parts stay in the title. */
export function parseQuickAddText(
  engine: CaptureOptions,
  text: string,
  options: Pick<QuickAddOptions, 'rejected' | 'onlyDates'> = {},
): QuickAddResult & Pick<Understood, 'listId' | 'noList'> {
  const { clock, locale, settings } = engine;
  const lists = engine.lists();
  const rejected: QuickAddContext['rejected'] = options.rejected ?? [];
  const context = {
    clock,
    locale,
    settings,
    lists: lists.map(list => list.name),
    parseDates: options.onlyDates || settings.quickAddDates,
    syntax: settings.quickAddSyntax,
  };
  const result = parseQuickAdd(text, { ...context, rejected });
  if (result.listName === undefined) return result;
  const list = listNamed(lists, result.listName);
  if (list) return { ...result, listId: list.id };
  // A list that is not there is no list: the words stay in the title.
  const { from, to } = result.tokens.find(({ kind }) => kind === 'list')!;
  const words = parseQuickAdd(text, { ...context, rejected: [...rejected, [from, to]] });
  const isReadOnly = lists.some(list => isNamed(list, result.listName!));
  return { ...words, noList: { name: result.listName, from, to, isReadOnly } };
}

export async function captureTask(
  engine: CaptureOptions & Pick<TaskService, 'editTasks'>,
  text: string,
  options: QuickAddOptions = {},
): Promise<Id> {
  if (typeof text !== 'string') throw new DuelineError('invalid', 'Quick add takes a line of text.');
  const result = parseQuickAddText(engine, text, options);
  if (result.problem) throw result.problem;
  const { settings } = engine;
  const listId = result.listId ?? options.listId ?? engine.defaultListId();
  const under = options.parentId === undefined ? {} : { parentId: options.parentId };
  const isDated = result.input.due != null || result.input.dtstart != null;
  const said = { ...(isDated ? undated(options.defaults) : options.defaults), ...result.input, ...under };
  const input: TaskInput = {
    ...(settings.defaultPriority ? { priority: settings.defaultPriority } : {}),
    ...(result.isSpan ? alarmsOfSpan(result.input, settings) : {}),
    ...said,
  };
  return engine.editTasks({ key: 'create', count: 1, title: result.title }, editor => {
    const id = editor.create(listId, input);
    if (result.fromCompletion) editor.repeatFrom(id, 'completion');
    return id;
  });
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
