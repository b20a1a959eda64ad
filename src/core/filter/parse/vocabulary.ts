import { Status, type StatusCode } from '../../model';
import { listMeaning, serverHasValues, serverIsValues, serverNameFields, stateFields, syncValues } from './serverWords';
import type {
  DateField,
  GroupField,
  HasValue,
  IsValue,
  NameField,
  NumberField,
  Place,
  RepeatValue,
  Show,
  SortField,
  Term,
  TextField,
} from './syntax';

/** Every word of the language with what it means, for errors, completion and the editor's help. */

type Words<T extends string> = Readonly<Record<T, string>>;

export const isValues: Words<IsValue> = {
  open: 'Not done and not cancelled',
  done: 'Completed',
  cancelled: 'Cancelled',
  started: 'In progress',
  overdue: 'Due time or day has passed',
  allday: 'Has dates without a time',
  recurring: 'Repeats',
  subtask: 'Has a parent',
  parent: 'Has sub-tasks',
  root: 'Has no parent',
  snoozed: 'Reminder was put off',
  ...serverIsValues,
  deleted: 'In the trash',
  readonly: 'In a list that may not be changed',
  private: 'Marked private or confidential',
};

export const dateFields: Words<DateField> = {
  due: 'Due date',
  start: 'Start date',
  done: 'Date of completion',
  created: 'Date of creation',
  modified: 'Date of the last change',
  alarm: 'When a reminder fires',
};

export const textFields: Words<TextField> = {
  title: 'Text in the title',
  notes: 'Text in the notes',
  location: 'Text in the location',
  url: 'Text in the link address',
  uid: 'Identifier of the task',
};

export const nameFields: Words<NameField> = {
  tag: 'Has the tag',
  list: listMeaning,
  ...serverNameFields,
  parent: 'Directly under the task with this title',
  child: 'Has a sub-task with this title',
};

export const numberFields: Words<NumberField> = {
  priority: 'Priority: high, medium, low, none or 1 to 9',
  progress: 'Percent done, 0 to 100',
};

export const hasValues: Words<HasValue> = {
  due: 'A due date',
  start: 'A start date',
  done: 'A date of completion',
  created: 'A date of creation',
  modified: 'A date of change',
  tag: 'A tag',
  title: 'A title',
  notes: 'Notes',
  alarm: 'A reminder',
  link: 'A link to code',
  location: 'A location',
  url: 'A link address',
  ...serverHasValues,
  child: 'A sub-task',
  parent: 'A parent',
  repeat: 'A repetition',
  priority: 'A priority',
  progress: 'A percentage',
};

export { syncValues };

export const places: Words<Place> = {
  workspace: 'Linked to this workspace',
  folder: 'Linked to the folder of this file',
  file: 'Linked to this file',
  branch: 'Linked to this branch',
  here: 'Linked to this file, folder or branch',
};

export const repeatValues: Words<RepeatValue> = {
  hourly: 'Repeats by hours or less',
  daily: 'Repeats by days',
  weekly: 'Repeats by weeks',
  monthly: 'Repeats by months',
  yearly: 'Repeats by years',
};

export const linkValues = {
  any: 'Linked to code',
  stale: 'Linked code moved or vanished',
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
  priority: 'Most important first',
  title: 'Title, A to Z',
  list: 'Order of the lists',
  created: 'Oldest first',
  modified: 'Longest untouched first',
  done: 'Completed earliest first',
  manual: 'Your own order',
  urgency: 'Most urgent first, by due date, priority and state',
};

export const groupFields: Words<GroupField> = {
  due: 'By due day',
  list: 'By list',
  priority: 'By priority',
  tag: 'By tag',
  status: 'By state',
  link: 'By linked file',
  done: 'By day of completion',
  none: 'No groups',
};

export const showValues: Words<Show> = {
  subtasks: 'Also the sub-tasks of what matches',
  flat: 'Sub-tasks not nested',
  occurrences: 'Every coming occurrence of repeating tasks',
  done: 'Closed tasks too',
};

/** Fields whose terms are of a kind of their own, named as they are. */
const otherFields: Words<Exclude<Term['kind'], 'date' | 'text' | 'name' | 'number'> | 'no'> = {
  is: 'State of the task',
  has: 'Something is set',
  no: 'Something is not set',
  status: 'State: open, todo, started, done or cancelled',
  repeat: 'How often it repeats',
  in: 'Linked to where you are',
  link: 'Links to code',
  ...stateFields,
};

export const directives = {
  sort: 'Order of the result',
  group: 'Groups in the result',
  limit: 'At most this many',
  show: 'What else to show, and how',
} as const;

export const keywordMeanings: Readonly<Record<string, string>> = {
  OR: 'Either side',
  NOT: 'Not what follows',
  AND: 'Both sides',
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
