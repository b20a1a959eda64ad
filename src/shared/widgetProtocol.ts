/**
 * What a widget's page and its host say to each other. The page is thrown away and recreated at will: it says `ready`,
 * and the host answers with everything; later `show` messages carry only rows and groups that changed. Rows that the page
 * has not drawn yet come without their words; it asks for these as they come into sight.
 * Free of vscode and node, since both sides are built from it.
 */
import type { WidgetDefinition, WidgetKind } from '../core/agenda/widgets';
import type { Id } from '../core/model';
import type { KnownRow, RowView } from './widgetRow';

export interface GroupView {
  readonly key: string;
  readonly label: string;
  /** The label for a screen reader, where that one is short: a day with its date. */
  readonly accessibleLabel?: string;
  /** Beside the label: a day's number. */
  readonly detail?: string;
  readonly tone: 'plain' | 'overdue' | 'accent' | 'warning';
  /** Folded away until the person opens it. */
  readonly folded: boolean;
  /** Quick add in this group, and drops onto it, mean this. */
  readonly place?: { readonly day?: string; readonly listId?: Id };
  readonly color?: string;
  readonly progress?: { readonly done: number; readonly total: number };
  /** The number of the week that begins with this day. */
  readonly week?: number;
  /** Of another month than the one that is shown. */
  readonly isOutside?: true;
  /** Beside the days: tasks that have none of them. */
  readonly tray?: true;
  readonly rows: readonly string[];
}

/** A button of the head: the lists, the filter, the weeks. */
export interface Control {
  readonly act: WidgetAct;
  readonly label: string;
  readonly glyph?: 'menu' | 'previous' | 'next';
}

export interface Frame {
  readonly controls: readonly Control[];
  /** Absent where the pane around the page says it already. */
  readonly heading?: string;
  readonly label: string;
  readonly aside: string;
  readonly layout: WidgetDefinition['layout'];
  /** Its days have cards, which are as high as their words. */
  readonly hasCards: boolean;
  readonly placeholder: string;
  readonly empty?: {
    readonly text: string;
    readonly link?: { readonly label: string; readonly act: WidgetAct };
    /** What comes after what the widget shows. */
    readonly next?: string;
  };
  /** A query that cannot be read: what is wrong with it. */
  readonly problem?: string;
  /** Where rows can be dragged to an hour of a day: the names of the hours, from the first one on. */
  readonly hours?: readonly string[];
  /** The rows stand in the person's own order, which dragging and Alt with the arrows change. */
  readonly byHand?: true;
}

/** What one widget shows, as it is chosen in place. The settings hold it by list names: ids differ from machine to machine. */
export interface SetupView {
  readonly title: string;
  /** Names; all visible lists where empty. */
  readonly lists: readonly string[];
  /** A saved filter's name, or a query. */
  readonly filter: string;
  /** As `sort:` of a query takes it; empty for the usual order. */
  readonly sort: string;
  readonly group: string;
  /** Lists: below each other instead of side by side. */
  readonly stacked: boolean;
}

/** What one widget shows. */
export interface WidgetSetup extends SetupView {
  readonly kind: WidgetKind;
  readonly limit?: number;
  /** Week: weeks away from this one; Month: months. */
  readonly weeksAway: number;
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** What the setup of a widget can be made of. */
export interface Choices {
  readonly lists: readonly { readonly name: string; readonly color: string }[];
  readonly sorts: readonly Choice[];
  /** Empty where the widget's kind says how it is grouped. */
  readonly groups: readonly Choice[];
  readonly mayStack: boolean;
  /** What the widget is called without a title of its own. */
  readonly name: string;
}

export interface Suggestion {
  readonly text: string;
  readonly detail: string;
  /** What of the query it takes the place of. */
  readonly from: number;
  readonly to: number;
}

/** Names that can take the place of the one that is being typed. */
export interface NameOffers {
  readonly from: number;
  readonly to: number;
  readonly items: readonly { readonly label: string; readonly detail: string; readonly text: string }[];
  /** Enter takes the first of them. */
  readonly isFirstTaken: boolean;
}

export interface Chip {
  readonly from: number;
  readonly to: number;
  readonly kind: string;
  readonly label: string;
}

export type ToPage =
  | {
      readonly type: 'show';
      readonly frame: Frame;
      /** In order; one without `rows` is as it was. */
      readonly groups: readonly (GroupView | { readonly key: string })[];
      /** New and changed ones. */
      readonly rows: readonly KnownRow[];
      /** Forget every row known before. */
      readonly fresh: boolean;
    }
  /** Rows that the page wanted; of those that are gone, none. */
  | { readonly type: 'words'; readonly rows: readonly RowView[] }
  | {
      readonly type: 'understood';
      readonly request: number;
      readonly chips: readonly Chip[];
      /** What was meant as more than words, but means nothing. */
      readonly hint?: string;
      readonly names?: NameOffers;
      /** Named by the line, and not there. */
      readonly unknownList?: { readonly name: string; readonly from: number; readonly to: number };
    }
  /** What was added where, in words. */
  | { readonly type: 'added'; readonly request: number; readonly text: string }
  | { readonly type: 'remember'; readonly setup: unknown }
  /** Something was done that can be undone. */
  | { readonly type: 'did'; readonly text: string; readonly undo: boolean }
  /** Rows that were ticked and stay open: the person left the question, or it failed. */
  | { readonly type: 'notDone'; readonly keys: readonly string[] }
  | { readonly type: 'choices'; readonly choices: Choices; readonly setup: SetupView }
  /** A question that the page led to has ended, and the person goes on in it. */
  | { readonly type: 'focus' }
  /** Changed by a picker. */
  | { readonly type: 'chosen'; readonly setup: Partial<SetupView> }
  /** `problem`: the query cannot be read as it stands; else so many tasks match it. */
  | {
      readonly type: 'suggestions';
      readonly request: number;
      readonly items: readonly Suggestion[];
      /** Enter takes the first of them. */
      readonly isFirstTaken: boolean;
      readonly problem?: string;
      readonly count?: string;
    }
  | { readonly type: 'failed'; readonly request?: number; readonly message: string };

/** What can be done to rows from a page; each is a command of the extension. */
const rowActs = [
  'complete',
  'open',
  'preview',
  'rename',
  'delete',
  'due',
  'tags',
  'priority',
  'list',
  'postpone',
  'snooze',
] as const;
export type RowAct = (typeof rowActs)[number];
/** What a page may ask for without naming a row. */
const widgetActs = [
  'undo',
  'redo',
  'planTomorrow',
  'quickAdd',
  'search',
  'newList',
  'pickLists',
  'pickFilter',
  'configure',
  'previous',
  'next',
  'now',
] as const;
export type WidgetAct = (typeof widgetActs)[number];

export type Side = 'before' | 'after';

export type Range = readonly [from: number, to: number];

export type FromPage =
  | { readonly type: 'ready' }
  /** Of a page in the sidebar, in pixels. */
  | { readonly type: 'width'; readonly width: number }
  /** The answer to `focus` of a page that does not have it. */
  | { readonly type: 'unfocused' }
  | { readonly type: 'rows'; readonly act: RowAct; readonly keys: readonly string[] }
  | { readonly type: 'widget'; readonly act: WidgetAct }
  /** Rows that come into sight, to be put into words. */
  | { readonly type: 'wanted'; readonly keys: readonly string[] }
  /** Rows dragged, or sent by keyboard, into a group. */
  | { readonly type: 'move'; readonly keys: readonly string[]; readonly group: string; readonly hour?: number }
  /** Tasks dragged there out of a tree, which the host knows. */
  | { readonly type: 'moveDragged'; readonly group: string; readonly hour?: number }
  /** Where the person is: what a command without a row means. */
  | { readonly type: 'selected'; readonly keys: readonly string[] }
  /** Rows put beside another one, in the person's own order. */
  | { readonly type: 'order'; readonly keys: readonly string[]; readonly beside: string; readonly side: Side }
  | { readonly type: 'priority'; readonly keys: readonly string[]; readonly priority: number }
  /** What the form has changed. */
  | { readonly type: 'setup'; readonly setup: Partial<SetupView> }
  | { readonly type: 'suggest'; readonly request: number; readonly text: string; readonly position: number }
  | {
      readonly type: 'understand';
      readonly request: number;
      readonly text: string;
      readonly rejected: readonly Range[];
      readonly caret?: number;
    }
  /** Makes a list, and reads the line again that names it. */
  | {
      readonly type: 'newList';
      readonly request: number;
      readonly name: string;
      readonly text: string;
      readonly rejected: readonly Range[];
    }
  | {
      readonly type: 'add';
      readonly request: number;
      readonly text: string;
      readonly rejected: readonly Range[];
      readonly group?: string;
      /** Of several lines: a task of each, or one whose notes they are. */
      readonly as?: 'lines' | 'notes';
    };

/** What the host puts into the page at its birth. */
export interface Boot {
  readonly kind: string;
  /** Of dates and numbers. */
  readonly locale: string;
  /** Of the words. */
  readonly language: string;
  readonly words: Readonly<Record<string, string>>;
  /** What the page keeps for its host across reloads. */
  readonly setup?: unknown;
}

const longestText = 10_000;
const longestQuery = 2000;
const longestKey = 1000;
const longestName = 200;
const mostKeys = 20_000;

/** A message of the page as it must be, or undefined: a page is not trusted more than any other sender. */
export function readFromPage(message: unknown): FromPage | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const value = message as Record<string, unknown>;
  switch (value.type) {
    case 'ready':
    case 'unfocused':
      return { type: value.type };
    case 'width':
      return Number.isSafeInteger(value.width) ? { type: 'width', width: value.width as number } : undefined;
    case 'rows':
      return isOneOf(rowActs, value.act) && isKeys(value.keys)
        ? { type: 'rows', act: value.act, keys: value.keys }
        : undefined;
    case 'move':
    case 'moveDragged':
      return readMove(value);
    case 'selected':
    case 'wanted':
      return isKeys(value.keys) ? { type: value.type, keys: value.keys } : undefined;
    case 'order':
      return isKeys(value.keys) && isKey(value.beside) && isOneOf(sides, value.side)
        ? { type: 'order', keys: value.keys, beside: value.beside, side: value.side }
        : undefined;
    case 'priority':
      return isKeys(value.keys) && isOneOf(priorities, value.priority)
        ? { type: 'priority', keys: value.keys, priority: value.priority }
        : undefined;
    case 'setup': {
      const setup = readSetupChange(value.setup);
      return setup && { type: 'setup', setup };
    }
    case 'suggest': {
      const { request, text, position } = value;
      if (!Number.isSafeInteger(request) || !isText(text, longestQuery) || !Number.isSafeInteger(position))
        return undefined;
      return { type: 'suggest', request: request as number, text, position: position as number };
    }
    case 'widget':
      return isOneOf(widgetActs, value.act) ? { type: 'widget', act: value.act } : undefined;
    case 'understand':
    case 'newList':
    case 'add':
      return readLine(value);
    default:
      return undefined;
  }
}

function readMove({ type, keys, group, hour }: Record<string, unknown>): FromPage | undefined {
  if (!isKey(group) || !(hour === undefined || isOneOf(hours, hour))) return undefined;
  const place = { group, ...(hour === undefined ? {} : { hour }) };
  if (type === 'moveDragged') return { type, ...place };
  return isKeys(keys) ? { type: 'move', keys, ...place } : undefined;
}

/** A line of quick add, and what is to be done with it. */
function readLine(value: Record<string, unknown>): FromPage | undefined {
  const { type, request, text, rejected, group, caret, name, as } = value;
  if (!Number.isSafeInteger(request) || !isText(text, longestText) || !isRanges(rejected)) return undefined;
  const line = { request: request as number, text, rejected };
  if (type === 'newList') return isText(name, longestName) ? { type, ...line, name } : undefined;
  if (type === 'understand') {
    if (caret !== undefined && !Number.isSafeInteger(caret)) return undefined;
    return { type, ...line, ...(caret === undefined ? {} : { caret: caret as number }) };
  }
  if (!(group === undefined || isKey(group)) || !(as === undefined || isOneOf(linesAs, as))) return undefined;
  return { type: 'add', ...line, ...(group === undefined ? {} : { group }), ...(as === undefined ? {} : { as }) };
}

const linesAs = ['lines', 'notes'] as const;
const sides = ['before', 'after'] as const;
/** Of a day, those that a page offers. */
export const hours: readonly number[] = Array.from({ length: 17 }, (_, index) => index + 6);
const priorities = [0, 1, 5, 9] as const;

/** Of bounded size, whatever the page says; what does not fit makes all of it unfit. */
function readSetupChange(said: unknown): Partial<SetupView> | undefined {
  if (typeof said !== 'object' || said === null) return undefined;
  const fields = Object.entries(said).filter(([field]) => Object.hasOwn(setupFields, field));
  return fields.every(([field, value]) => setupFields[field as keyof SetupView](value))
    ? Object.fromEntries(fields)
    : undefined;
}

const setupFields: Readonly<Record<keyof SetupView, (value: unknown) => boolean>> = {
  title: value => isText(value, 200),
  lists: value => Array.isArray(value) && value.length <= 500 && value.every(name => isText(name, longestText)),
  filter: value => isText(value, longestQuery),
  sort: value => isText(value, 200),
  group: value => isText(value, 40),
  stacked: value => typeof value === 'boolean',
};

const isText = (value: unknown, most: number): value is string => typeof value === 'string' && value.length <= most;

const isKey = (value: unknown): value is string => isText(value, longestKey);

const isOneOf = <T extends string | number>(all: readonly T[], value: unknown): value is T => all.includes(value as T);

const isKeys = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length <= mostKeys && value.every(isKey);

const isRanges = (value: unknown): value is Range[] =>
  Array.isArray(value) &&
  value.length <= 100 &&
  value.every(range => Array.isArray(range) && range.length === 2 && range.every(at => Number.isSafeInteger(at)));
