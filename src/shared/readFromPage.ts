// The messages of a page to its host, as schemas, from which their types come. No page reads this script.
import * as v from 'valibot';
import { maxLineLength } from '../core/quickAdd/types';
import { answerActs, hours, rowActs, type SetupView, widgetActs } from './widgetProtocol';

export const whole = v.pipe(v.number(), v.safeInteger());
export const textUpTo = (most: number) => v.pipe(v.string(), v.maxLength(most));
const key = textUpTo(1000);
/** The length is checked first, so that no more items are checked than are allowed. */
const list = <Of extends v.GenericSchema>(item: Of, most: number) =>
  v.pipe(v.array(v.unknown()), v.maxLength(most), v.array(item), v.readonly());
const keys = list(key, 20_000);
const query = textUpTo(2000);

type Limits = Record<string, number>;
/** Whole numbers from 1 on, by column. A record of valibot leaves out `constructor`, which a column may be called. */
export function isLimits(value: unknown): value is Limits {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const columns = Object.keys(value);
  const isLimit = (most: unknown) => Number.isSafeInteger(most) && (most as number) > 0;
  return columns.length <= 500 && columns.every(id => v.is(key, id) && isLimit((value as Limits)[id]));
}

const setup = {
  title: v.exactOptional(textUpTo(200)),
  lists: v.exactOptional(list(textUpTo(maxLineLength), 500)),
  filter: v.exactOptional(query),
  sort: v.exactOptional(textUpTo(200)),
  group: v.exactOptional(textUpTo(40)),
  stacked: v.exactOptional(v.boolean()),
  rows: v.exactOptional(textUpTo(40)),
  tags: v.exactOptional(query),
  limits: v.exactOptional(v.custom<Limits>(isLimits)),
  collapsed: v.exactOptional(keys),
} satisfies Record<keyof SetupView, unknown>;

const line = {
  request: whole,
  text: textUpTo(maxLineLength),
  rejected: list(v.pipe(v.strictTuple([whole, whole]), v.readonly()), 1000),
};
/** A line of quick add, with the request about it. */
export const lineFromPage = v.variant('type', [
  v.object({ type: v.literal('parse'), ...line, group: v.optional(key), caret: v.optional(whole) }),
  /** Makes a list, and reads the line again that names it. */
  v.object({ type: v.literal('newList'), ...line, group: v.optional(key), name: textUpTo(200) }),
  v.object({
    type: v.literal('add'),
    ...line,
    // Pasted lines may become the notes of a task.
    text: textUpTo(1_000_000),
    group: v.optional(key),
    /** Several lines become a task each, or the notes of one. */
    as: v.optional(v.picklist(['lines', 'notes'])),
  }),
]);

const dropTarget = { group: key, hour: v.optional(v.picklist(hours)) };
const fromPage = v.variant('type', [
  /** `unfocused`: the answer to `focus` of a page that does not have it. */
  v.object({ type: v.picklist(['ready', 'unfocused']) }),
  /** A page in the sidebar has this one, in pixels. */
  v.object({ type: v.literal('width'), width: whole }),
  v.object({ type: v.literal('rows'), act: v.picklist(rowActs), keys }),
  v.object({ type: v.literal('widget'), act: v.picklist(widgetActs) }),
  /** An answer to an announcement, by its step: undo just that, or apply it to more of the series. */
  v.object({ type: v.literal('answer'), act: v.picklist(answerActs), step: key }),
  /** Rows that come into sight, whose details the page needs. */
  v.object({ type: v.literal('requestDetails'), keys }),
  /** More rows of a group that has not shown all. */
  v.object({ type: v.literal('more'), group: key }),
  /** Rows dragged, or sent by keyboard, into a group. */
  v.object({ type: v.literal('move'), keys, ...dropTarget }),
  /** Tasks dragged there out of a tree, which the host knows. */
  v.object({ type: v.literal('moveDragged'), ...dropTarget }),
  /** The rows that the user is on: a command without a row means these. */
  v.object({ type: v.literal('selected'), keys }),
  /** Rows put next to another one, in the user's own order. */
  v.object({ type: v.literal('order'), keys, neighbor: key, side: v.picklist(['before', 'after']) }),
  v.object({ type: v.literal('priority'), keys, priority: v.picklist([0, 1, 5, 9] as readonly number[]) }),
  /** Collapses a column of a board, which its `id` names, or expands it. */
  v.object({ type: v.literal('collapse'), column: key }),
  /** The meetings that were clicked: all of a day, or one. */
  v.object({ type: v.literal('meetings'), keys: list(key, 100) }),
  /** Parts that the form has changed. */
  v.object({ type: v.literal('setup'), setup: v.object(setup) }),
  v.object({ type: v.literal('suggest'), request: whole, text: query, position: whole }),
  lineFromPage,
]);
export type FromPage = v.InferOutput<typeof fromPage>;

/** A message as it must be, or undefined: a page is not trusted more than any other sender. */
export function messageAs<Of extends v.GenericSchema>(schema: Of, message: unknown): v.InferOutput<Of> | undefined {
  const { success, output } = v.safeParse(schema, message, { abortEarly: true });
  return success ? output : undefined;
}

export const readFromPage = (message: unknown): FromPage | undefined => messageAs(fromPage, message);

const refusedLine = v.object({ type: v.picklist(['parse', 'newList', 'add']), request: whole });

/** The request of a line that is refused: the page has cleared its field, and waits for an answer. */
export const requestOfLine = (message: unknown): number | undefined => messageAs(refusedLine, message)?.request;
