import type { DuelineApi } from '../api';
import { DuelineError } from '../core/kernel/errors';
import { widgetKinds } from '../query/agenda/widgets';
import { engineMessage } from './messages';

/** Returns the required type of an argument; undefined if the argument has it. */
type Check = (value: unknown) => string | undefined;

const is =
  (words: string, isValid: (value: unknown) => boolean): Check =>
  value =>
    isValid(value) ? undefined : words;
const oneOf = (...words: readonly string[]): Check =>
  is(`one of ${words.join(', ')}`, value => words.includes(value as string));
const optional =
  (check: Check): Check =>
  value =>
    value === undefined ? undefined : check(value);
const nullable =
  (check: Check): Check =>
  value =>
    value === null ? undefined : check(value);
const listOf =
  (check: Check): Check =>
  value => {
    if (!Array.isArray(value)) return 'a list';
    const wrong = value.map(check).find(words => words !== undefined);
    return wrong && `a list, each of it ${wrong}`;
  };

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const record = is('an object', isRecord);
/** An object whose named fields are checked; others are left alone. */
const shape =
  (fields: Readonly<Record<string, Check>>): Check =>
  value => {
    if (!isRecord(value)) return 'an object';
    for (const [field, check] of Object.entries(fields)) {
      const words = check(value[field]);
      if (words !== undefined) return `an object whose "${field}" is ${words}`;
    }
    return undefined;
  };

const text = is('text', value => typeof value === 'string');
const yesOrNo = is('true or false', value => typeof value === 'boolean');
const whole = is('a whole number', Number.isSafeInteger);
const moment = is('a number', value => typeof value === 'number' && !Number.isNaN(value));
const limit = is('a number from 0', value => typeof value === 'number' && value >= 0);
const act = is('a function', value => typeof value === 'function');
const format = oneOf('ics', 'json', 'csv', 'todotxt', 'markdown');
const position = { listId: optional(whole), parentId: optional(nullable(whole)), before: optional(nullable(whole)) };
const scope = { lists: optional(listOf(whole)), limit: optional(limit) };

const editScope = oneOf('this', 'following', 'all');
const anchor = shape({ repo: text, path: text, line: optional(whole), fingerprint: optional(record) });
const anchorEdit = shape({
  add: optional(listOf(anchor)),
  remove: optional(listOf(text)),
  replace: optional(listOf(shape({ source: text, by: anchor }))),
});

const changes: Readonly<Record<string, Check>> = {
  create: shape({ listId: whole, input: record, anchors: optional(listOf(anchor)) }),
  update: shape({ id: whole, patch: record }),
  updateOccurrence: shape({
    id: whole,
    occurrence: whole,
    scope: optional(editScope),
    patch: record,
    listId: optional(whole),
  }),
  repeat: shape({ id: whole, rrule: nullable(text) }),
  blockers: shape({ id: whole, add: optional(listOf(whole)), remove: optional(listOf(text)) }),
  anchors: shape({ id: whole, edit: anchorEdit }),
  branch: shape({ id: whole, branch: shape({ repo: text, name: text }) }),
  complete: shape({ id: whole, occurrence: optional(whole) }),
  reopen: shape({ id: whole }),
  delete: shape({ id: whole }),
  deleteOccurrence: shape({ id: whole, occurrence: whole }),
  move: shape({ id: whole, to: shape(position) }),
};
const change: Check = value => {
  if (!isRecord(value)) return 'an object';
  const check = typeof value.type === 'string' && Object.hasOwn(changes, value.type) && changes[value.type];
  return check ? check(value) : `an object whose "type" is one of ${Object.keys(changes).join(', ')}`;
};

/** By method, its arguments in order. Those of a task's input are checked when it is parsed. */
const reading: Partial<Record<keyof DuelineApi, readonly Check[]>> = {
  task: [whole],
  rows: [whole],
  query: [text, optional(shape(scope))],
  widget: [oneOf(...widgetKinds), optional(shape({ ...scope, filter: optional(text) }))],
  alarmsBetween: [moment, moment],
  exportTasks: [format, optional(text)],
  onDidChange: [act],
};
const acting: Partial<Record<keyof DuelineApi, readonly Check[]>> = {
  createList: [shape({ name: text, color: optional(whole), accountId: optional(nullable(whole)) })],
  updateList: [
    whole,
    shape({
      name: optional(text),
      color: optional(whole),
      isVisible: optional(yesOrNo),
      isSynced: optional(yesOrNo),
      sortOrder: optional(whole),
    }),
  ],
  deleteList: [whole],
  createTask: [whole, record],
  quickAdd: [text, optional(shape({ listId: optional(whole) }))],
  updateTask: [whole, record],
  completeTask: [whole, optional(shape({ occurrence: optional(whole) }))],
  reopenTask: [whole],
  deleteTask: [whole, optional(shape({ children: optional(oneOf('keep', 'delete')) }))],
  moveTask: [whole, shape(position)],
  apply: [listOf(change)],
  importTasks: [format, text, whole],
  exportDatabase: [text],
};
/** The flavor without a server refuses these for any arguments. */
const syncing: Partial<Record<keyof DuelineApi, readonly Check[]>> = {
  addAccount: [shape({ serverUrl: text, username: text, password: text, displayName: optional(text) })],
  removeAccount: [whole],
  sync: [optional(shape({ accountId: optional(whole), listId: optional(whole), onProgress: optional(act) }))],
};

type Method = (this: unknown, ...args: readonly unknown[]) => unknown;

/** Has the methods of the public interface refuse arguments of the wrong type: they throw or reject with `invalid`. */
export function checkArguments(api: DuelineApi): void {
  const methods = Object.entries({ ...reading, ...acting, ...(api.flavor === 'full' && syncing) });
  for (const [name, checks] of methods) {
    const method = api[name as keyof DuelineApi] as Method;
    const checked: Method = (...args) => {
      const fault = faultOf(name, args, checks);
      if (!fault) return method.call(api, ...args);
      if (Object.hasOwn(reading, name)) throw fault;
      return Promise.reject(fault);
    };
    Object.defineProperty(api, name, { value: checked, writable: true, configurable: true });
  }
}

function faultOf(name: string, args: readonly unknown[], checks: readonly Check[]): DuelineError | undefined {
  for (const [at, check] of checks.entries()) {
    const words = check(args[at]);
    if (words !== undefined) return new DuelineError('invalid', engineMessage('argumentInvalid', at + 1, name, words));
  }
  return undefined;
}
