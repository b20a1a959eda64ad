/**
 * What a widget's page and its host say to each other. The page is thrown away and made anew at will: it says `ready`,
 * and the host answers with everything; later `show` messages carry only rows and groups that changed.
 * Free of vscode and node, since both sides are built from it.
 */
import type { EpochMs, Id } from '../core/model';
import type { PriorityBucket } from './describe';

export interface RowView {
  /** Unique within the widget, stable while the row is shown. */
  readonly key: string;
  readonly taskId: Id;
  readonly occurrence: EpochMs | null;
  readonly title: string;
  readonly state: 'open' | 'doing' | 'done' | 'cancelled';
  readonly priority: PriorityBucket;
  /** The one time that matters here. */
  readonly when?: string;
  readonly overdue: boolean;
  readonly recurring: boolean;
  readonly alarm: boolean;
  readonly dirty: boolean;
  readonly readOnly: boolean;
  readonly list?: { readonly name: string; readonly color: string };
  readonly tags: readonly string[];
  readonly progress?: string;
  readonly depth: number;
  /** The whole row for a screen reader. */
  readonly spoken: string;
}

export interface GroupView {
  readonly key: string;
  readonly label: string;
  /** Beside the label: a day's number. */
  readonly detail?: string;
  readonly tone: 'plain' | 'overdue' | 'accent';
  /** Folded away until the person opens it. */
  readonly folded: boolean;
  /** Quick add in this group, and drops onto it, mean this. */
  readonly place?: { readonly day?: string; readonly listId?: Id };
  readonly color?: string;
  readonly progress?: { readonly done: number; readonly total: number };
  readonly rows: readonly string[];
}

export type Layout = 'list' | 'columns' | 'week';

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
  readonly layout: Layout;
  readonly placeholder: string;
  readonly footer: string;
  readonly empty?: { readonly text: string; readonly link?: { readonly label: string; readonly act: WidgetAct } };
  /** A query that cannot be read: what is wrong with it. */
  readonly problem?: string;
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
      readonly rows: readonly RowView[];
      /** Forget every row known before. */
      readonly fresh: boolean;
    }
  | {
      readonly type: 'understood';
      readonly request: number;
      readonly chips: readonly Chip[];
      readonly problem?: string;
    }
  | { readonly type: 'added'; readonly request: number; readonly title: string }
  | { readonly type: 'remember'; readonly setup: unknown }
  | { readonly type: 'failed'; readonly request?: number; readonly message: string };

/** What can be done to rows from a page; each is a command of the extension. */
export const rowActs = ['complete', 'open', 'rename', 'delete', 'due', 'tags', 'priority', 'list', 'postpone'] as const;
export type RowAct = (typeof rowActs)[number];
/** What a page may ask for without naming a row. */
export const widgetActs = [
  'undo',
  'redo',
  'planTomorrow',
  'quickAdd',
  'newList',
  'pickLists',
  'pickFilter',
  'previous',
  'next',
  'now',
] as const;
export type WidgetAct = (typeof widgetActs)[number];

export type Range = readonly [from: number, to: number];

export type FromPage =
  | { readonly type: 'ready' }
  | { readonly type: 'rows'; readonly act: RowAct; readonly keys: readonly string[] }
  | { readonly type: 'widget'; readonly act: WidgetAct }
  /** Rows dragged, or sent by keyboard, into a group. */
  | { readonly type: 'move'; readonly keys: readonly string[]; readonly group: string }
  | {
      readonly type: 'understand';
      readonly request: number;
      readonly text: string;
      readonly rejected: readonly Range[];
    }
  | {
      readonly type: 'add';
      readonly request: number;
      readonly text: string;
      readonly rejected: readonly Range[];
      readonly group?: string;
    };

/** What the host puts into the page at its birth. */
export interface Boot {
  readonly kind: string;
  readonly locale: string;
  readonly words: Readonly<Record<string, string>>;
  /** What the page keeps for its host across reloads. */
  readonly setup?: unknown;
}

const longestText = 10_000;
const mostKeys = 20_000;

/** A message of the page as it must be, or undefined: a page is not trusted more than a stranger. */
export function readFromPage(message: unknown): FromPage | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const said = message as Record<string, unknown>;
  switch (said.type) {
    case 'ready':
      return { type: 'ready' };
    case 'rows':
      return isOneOf(rowActs, said.act) && isKeys(said.keys)
        ? { type: 'rows', act: said.act, keys: said.keys }
        : undefined;
    case 'move':
      return isKeys(said.keys) && typeof said.group === 'string'
        ? { type: 'move', keys: said.keys, group: said.group }
        : undefined;
    case 'widget':
      return isOneOf(widgetActs, said.act) ? { type: 'widget', act: said.act } : undefined;
    case 'understand':
    case 'add': {
      const { type, request, text, rejected, group } = said;
      if (!Number.isSafeInteger(request) || typeof text !== 'string' || text.length > longestText) return undefined;
      if (!isRanges(rejected) || !(group === undefined || typeof group === 'string')) return undefined;
      const line = { request: request as number, text, rejected };
      return type === 'add' ? { type, ...line, ...(group === undefined ? {} : { group }) } : { type, ...line };
    }
    default:
      return undefined;
  }
}

const isOneOf = <T extends string>(all: readonly T[], value: unknown): value is T => all.includes(value as T);

const isKeys = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length <= mostKeys && value.every(key => typeof key === 'string');

const isRanges = (value: unknown): value is Range[] =>
  Array.isArray(value) &&
  value.length <= 100 &&
  value.every(range => Array.isArray(range) && range.length === 2 && range.every(at => Number.isSafeInteger(at)));
