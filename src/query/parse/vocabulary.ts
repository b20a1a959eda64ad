import {
  detailNames,
  isNumber,
  type NumberName,
  numberNames,
  type TextName,
  taskFields,
  textNames,
  type WordOf,
} from '../../core/fields/table';
import { Status, type StatusCode } from '../../core/kernel/model';
import { listMeaning, serverHasValues, serverIsValues, serverNameFields, stateFields, syncValues } from './serverWords';
import type {
  CodeScope,
  DateField,
  GroupField,
  HasValue,
  IsValue,
  NameField,
  NumberField,
  RepeatValue,
  Show,
  SortField,
  SourceValue,
  Term,
  TextField,
} from './syntax';

/** Every word of the language with its meaning, for errors, completion and the editor's help. */

type Words<T extends string> = Readonly<Record<T, string>>;

const fieldWords = <Name extends TextName | NumberName>(key: 'meaning' | 'presence', names: readonly Name[]) =>
  Object.fromEntries(names.map(name => [taskFields[name].filter.word, taskFields[name].filter[key]])) as Words<
    WordOf<Name>
  >;

export const isValues: Words<IsValue> = {
  open: 'Not completed or canceled',
  done: 'Completed',
  cancelled: 'Canceled',
  started: 'In progress',
  active: 'Time is being tracked',
  overdue: 'Due date or time has passed',
  allday: 'Has dates without a time',
  recurring: 'Repeats',
  subtask: 'Has a parent',
  parent: 'Has subtasks',
  root: 'Has no parent',
  snoozed: 'Reminder is snoozed',
  ...serverIsValues,
  deleted: 'In the trash',
  readonly: 'In a read-only list',
  private: 'Marked private or confidential',
  ready: 'Open, and not blocked',
  blocked: 'Depends on an open task',
};

/** How a sentence about a filter names a date. */
export const dateNames: Words<DateField> = {
  due: 'Due',
  start: 'Starts',
  done: 'Done',
  created: 'Created',
  modified: 'Modified',
  alarm: 'Reminder',
};

export const dateFields: Words<DateField> = {
  due: 'Due date',
  start: 'Start date',
  done: 'Completion date',
  created: 'Creation date',
  modified: 'Modified date',
  alarm: 'Reminder time',
};

export const textFields: Words<TextField> = {
  ...fieldWords(
    'meaning',
    textNames.filter((name): name is Exclude<TextName, NumberName> => !isNumber(name)),
  ),
  uid: 'Task UID',
};

export const nameFields: Words<NameField> = {
  tag: 'Has the tag',
  list: listMeaning,
  ...serverNameFields,
  parent: 'Direct subtask of the task with this title',
  child: 'Has a subtask with this title',
  after: 'Depends on the task with this title or short ID',
  blocks: 'Blocks the task with this title or short ID',
};

export const numberFields: Words<NumberField> = {
  ...fieldWords('meaning', numberNames),
};

export const hasValues: Words<HasValue> = {
  due: 'A due date',
  start: 'A start date',
  done: 'A completion date',
  created: 'A creation date',
  modified: 'A modified date',
  tag: 'A tag',
  ...fieldWords('presence', ['title', 'description']),
  alarm: 'A reminder',
  link: 'A link to code',
  ...fieldWords('presence', detailNames),
  ...serverHasValues,
  child: 'A subtask',
  parent: 'A parent',
  after: 'A task that it depends on',
  blocks: 'A task that it blocks',
  repeat: 'A repeat',
  ...fieldWords('presence', numberNames),
};

export { syncValues };

export const codeScopes: Words<CodeScope> = {
  workspace: 'Linked to this workspace',
  repo: 'Linked to this repository',
  folder: 'Linked to the folder of this file',
  file: 'Linked to this file',
  branch: 'Linked to this branch',
  here: 'Linked to this file, folder or branch',
};

export const repeatValues: Words<RepeatValue> = {
  hourly: 'Repeats hourly or more often',
  daily: 'Repeats daily',
  weekly: 'Repeats weekly',
  monthly: 'Repeats monthly',
  yearly: 'Repeats yearly',
};

export const sourceValues: Words<SourceValue> = {
  todo: 'Created from a TODO comment',
};

export const linkValues = {
  any: 'Linked to code',
  stale: 'Linked code was moved or deleted',
  'file:': 'Linked to a file',
};

export const priorityValues: Readonly<Record<string, readonly [from: number, to: number]>> = {
  high: [1, 4],
  medium: [5, 5],
  low: [6, 9],
  none: [0, 0],
};

export const statusValues: Readonly<Record<string, readonly StatusCode[]>> = {
  open: [Status.needsAction, Status.inProcess],
  todo: [Status.needsAction],
  started: [Status.inProcess],
  done: [Status.completed],
  cancelled: [Status.cancelled],
  'needs-action': [Status.needsAction],
  'in-process': [Status.inProcess],
  completed: [Status.completed],
};

export const sortFields: Words<SortField> = {
  due: 'Due date, earliest first',
  start: 'Start date, earliest first',
  priority: 'Priority, highest first',
  title: 'Title, A to Z',
  list: 'List order',
  created: 'Creation date, earliest first',
  modified: 'Modified date, earliest first',
  done: 'Completion date, earliest first',
  manual: 'Manual order',
  est: 'Estimate, shortest first',
  urgency: 'Urgency, highest first (by due date, priority and status)',
};

export const groupFields: Words<GroupField> = {
  due: 'By due date',
  list: 'By list',
  priority: 'By priority',
  tag: 'By tag',
  status: 'By status',
  link: 'By linked file',
  done: 'By completion date',
  none: 'No grouping',
};

export const showValues: Words<Show> = {
  subtasks: 'Also subtasks of matching tasks',
  flat: 'Subtasks not nested',
  occurrences: 'All upcoming occurrences of repeating tasks',
  done: 'Also completed and canceled tasks',
};

/** Fields whose terms are of a kind of their own, named as they are. */
const otherFields: Words<Exclude<Term['kind'], 'date' | 'text' | 'name' | 'number'> | 'no'> = {
  is: 'State of a task',
  has: 'A field is set',
  no: 'A field is not set',
  status: 'Status: open, todo, started, done or cancelled',
  id: 'Short ID of a task',
  repeat: 'How often it repeats',
  in: 'Linked to the current workspace, folder, file or branch',
  link: 'Links to code',
  source: 'Where the task came from',
  ...stateFields,
};

export const directives = {
  sort: 'How results are sorted',
  group: 'How results are grouped',
  limit: 'Maximum number of results',
  show: 'Display options',
} as const;

export const keywordMeanings: Readonly<Record<string, string>> = {
  OR: 'Either condition matches',
  NOT: 'The condition that follows does not match',
  AND: 'Both conditions match',
};

export const presenceMeanings: Readonly<Record<string, string>> = { none: 'Not set', any: 'Set' };

export const fields = {
  ...otherFields,
  ...dateFields,
  ...nameFields,
  ...numberFields,
  ...textFields,
};

export type Field = keyof typeof fields;

export const has = <T extends object>(words: T, key: string): key is Extract<keyof T, string> =>
  Object.hasOwn(words, key);
