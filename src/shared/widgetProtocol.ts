/**
 * The messages between a widget's page and its host. The page is thrown away and recreated at will: it sends `ready`,
 * and the host answers with everything; later `show` messages carry only rows and groups that changed. Rows that the
 * page has not drawn yet come without their details; it requests these as they come into sight. Free of vscode and
 * node, since both sides are built from it.
 */

import type { Id, Task } from '../core/kernel/model';
import type { HourSlot } from '../core/meetings/hourSlots';
import type { WidgetDefinition, WidgetKind } from '../query/agenda/widgets';
import type { KnownRow, RowDetails } from './widgetRow';

/** The fields that a task gets by being added or moved somewhere. */
export interface DropValues {
  /** When it is due; null: at no time. */
  readonly day?: string | null;
  readonly listId?: Id;
  readonly status?: Task['status'];
  readonly priority?: number;
  /** Replaces the tag of the group that the task comes from; null: none. */
  readonly tag?: string | null;
}

/** The position of a group in a board. */
interface BoardCell {
  /** The name of its column on this page. */
  readonly key: string;
  /** The name of its column in the settings, the same on every machine and day. */
  readonly id: string;
  readonly column: string;
  readonly row?: { readonly key: string; readonly label: string; readonly color?: string };
  readonly limit?: number;
  readonly isCollapsed?: true;
}

/** A meeting as a page shows it. Its texts come from the calendar. */
export interface MeetingView {
  readonly key: string;
  /** When it begins, or ends if it began on a day before; absent if it lasts the whole day. */
  readonly time?: string;
  /** When it begins and ends, if its slot is known. */
  readonly range?: string;
  /** If absent, it is above all rows. */
  readonly slot?: HourSlot;
  readonly title: string;
  /** Its time, location, link and text, in lines. */
  readonly hover: string;
  readonly color?: string;
  /** It leaves time for other things. */
  readonly isFree?: true;
}

export interface DayMeetings {
  readonly shown: readonly MeetingView[];
  /** How many more there are. */
  readonly more?: number;
}

/** How long tasks take together. */
export interface LoadView {
  /** "4 h 20 min", or with the hours of the day "4 h 20 min · 3 h 40 min free". */
  readonly label: string;
  /** The part of the day that is taken, 0 to 1; absent if its hours are not set. */
  readonly share?: number;
}

/** A group of rows with its heading: a day of Week, a list of Lists, a cell of Board. */
export interface GroupView {
  readonly key: string;
  readonly label: string;
  /** The label for a screen reader, if the visible one is short: a day with its date. */
  readonly accessibleLabel?: string;
  /** Next to the label: a day's number. */
  readonly detail?: string;
  readonly tone: 'plain' | 'overdue' | 'accent' | 'warning';
  /** Folded away until the user opens it. */
  readonly folded: boolean;
  /** The values of tasks that are added to this group or dropped onto it. */
  readonly dropValues?: DropValues;
  readonly color?: string;
  readonly progress?: { readonly done: number; readonly total: number };
  readonly load?: LoadView;
  /** The number of the week that begins with this day. */
  readonly week?: number;
  /** True for a day outside the month that is shown. */
  readonly isOutside?: true;
  /** The group next to the days, for tasks that are on none of them. */
  readonly isUnscheduled?: true;
  readonly board?: BoardCell;
  readonly meetings?: DayMeetings;
  readonly rows: readonly string[];
  /** How many rows it has besides, which the page can ask for. */
  readonly more?: number;
}

/** A button of the head: the lists, the filter, the weeks. */
export interface Control {
  readonly act: WidgetAct;
  readonly label: string;
  readonly glyph?: 'menu' | 'previous' | 'next';
  /** Set for a button that turns something on and off. */
  readonly isPressed?: boolean;
  /** Why not all is shown that it stands for, in lines. */
  readonly problem?: string;
}

/** The tasks that were done on each day of whole weeks, the last one this week. */
export interface DoneMap {
  readonly label: string;
  /** Their names in the order of a week. */
  readonly weekdays: readonly string[];
  readonly weeks: readonly {
    readonly label: string;
    /** The month that begins in it. */
    readonly month?: string;
    readonly days: readonly {
      readonly count: number;
      /** The number of steps of its mark, 0 to 4. */
      readonly level: number;
      /** Its date and count, if there is anything to count. */
      readonly label?: string;
    }[];
  }[];
}

export interface Frame {
  readonly controls: readonly Control[];
  /** Absent if the pane around the page has the title already. */
  readonly heading?: string;
  readonly label: string;
  readonly aside: string;
  readonly layout: WidgetDefinition['layout'];
  /** Its days have cards, whose height depends on their text. */
  readonly hasCards: boolean;
  readonly placeholder: string;
  readonly empty?: {
    readonly text: string;
    readonly link?: { readonly label: string; readonly act: WidgetAct };
    /** The first task after those that the widget shows. */
    readonly next?: string;
  };
  /** The error in a query that cannot be parsed. */
  readonly problem?: string;
  /** The names of the hours of a day, from the first one on, if rows can be dragged to them. */
  readonly hours?: readonly string[];
  /** The rows are in the user's own order, which dragging and Alt with the arrows change. */
  readonly byHand?: true;
  readonly map?: DoneMap;
  /** The meeting that is now or next today, and in words when there is time after it. */
  readonly meeting?: { readonly view: MeetingView; readonly after: string };
  /** The load of the whole widget. */
  readonly load?: LoadView;
}

/**
 * The setup of one widget's view, as it is chosen in place. The settings hold it by list names: ids differ from machine
 * to machine.
 */
export interface SetupView {
  readonly title: string;
  /** Names; all visible lists if empty. */
  readonly lists: readonly string[];
  /** A saved filter's name, or a query. */
  readonly filter: string;
  /** The order, as `sort:` of a query takes it; empty for the usual one. */
  readonly sort: string;
  readonly group: string;
  /** Lists: below each other instead of side by side. */
  readonly stacked: boolean;
  /** For a board: the grouping of its columns in rows, in the words of `group`; empty for none. */
  readonly rows: string;
  /** The tags that are its columns, `board/*` for all that begin so; empty for every tag. */
  readonly tags: string;
  /** How many tasks a column should have at most. */
  readonly limits: Readonly<Record<string, number>>;
  readonly collapsed: readonly string[];
}

/** The setup of one widget. */
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

/** The choices of a widget's setup. */
export interface Choices {
  readonly lists: readonly { readonly name: string; readonly color: string }[];
  readonly sorts: readonly Choice[];
  /** Empty if the widget's kind determines the groups. */
  readonly groups: readonly Choice[];
  readonly mayStack: boolean;
  /** Empty if there are no columns to arrange in rows. */
  readonly rows: readonly Choice[];
  /** The name of the widget if it has no title of its own. */
  readonly name: string;
}

export interface Suggestion {
  readonly text: string;
  readonly detail: string;
  /** The range of the query that it replaces. */
  readonly from: number;
  readonly to: number;
}

/** Names that can complete the one being typed in a line of quick add. */
export interface LineSuggestions {
  readonly from: number;
  readonly to: number;
  readonly items: readonly { readonly label: string; readonly detail: string; readonly text: string }[];
  /** Enter takes the first of them. */
  readonly preselectsFirst: boolean;
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
      /** In order; a group without `rows` has not changed. */
      readonly groups: readonly (GroupView | { readonly key: string })[];
      /** New and changed ones. */
      readonly rows: readonly KnownRow[];
      /** Forget every row known before. */
      readonly fresh: boolean;
    }
  /** Rows that the page requested, without those that are gone. */
  | { readonly type: 'rowDetails'; readonly rows: readonly RowDetails[] }
  | {
      readonly type: 'parsed';
      readonly request: number;
      readonly chips: readonly Chip[];
      /** A hint about words that look like a date or a name but are none. */
      readonly hint?: string;
      readonly suggestions?: LineSuggestions;
      /** Named by the line, and not there. */
      readonly unknownList?: { readonly name: string; readonly from: number; readonly to: number };
    }
  /** The announcement of an added task and its list; `step` as in `announced`. */
  | { readonly type: 'added'; readonly request: number; readonly text: string; readonly step?: string }
  | { readonly type: 'remember'; readonly setup: unknown }
  /**
   * An announcement, of a change or for information; `step` is the id of the step to undo. `more`: the change was made
   * to one occurrence of a series, and could be made to more of it. `quiet`: an agent made it, so it never takes the place
   * of what the user has done.
   */
  | {
      readonly type: 'announced';
      readonly text: string;
      readonly step?: string;
      readonly more?: true;
      readonly quiet?: true;
    }
  /** Rows that were ticked or moved and stay as they were: the user canceled the question, or nothing was to be done. */
  | { readonly type: 'unchanged'; readonly keys: readonly string[] }
  | { readonly type: 'choices'; readonly choices: Choices; readonly setup: SetupView }
  /** The user continues in the page; `afterQuestion` if a key or a click in it had led to a question. */
  | { readonly type: 'focus'; readonly afterQuestion?: true }
  /** Changed by a picker. */
  | { readonly type: 'chosen'; readonly setup: Partial<SetupView> }
  /** `problem`: the query cannot be read as it is; else `count`: how many tasks match it. */
  | {
      readonly type: 'suggestions';
      readonly request: number;
      readonly items: readonly Suggestion[];
      /** Enter takes the first of them. */
      readonly preselectsFirst: boolean;
      readonly problem?: string;
      readonly count?: string;
    }
  | { readonly type: 'failed'; readonly request?: number; readonly message: string };

/** Acts on rows that a page can ask for; each is a command of the extension. */
export const rowActs = [
  'complete',
  'open',
  'preview',
  'rename',
  'delete',
  'due',
  'repeat',
  'tags',
  'priority',
  'list',
  'postpone',
  'snooze',
  'openLink',
  'editAsText',
] as const;
export type RowAct = (typeof rowActs)[number];
/** Acts that a page can ask for without naming a row. */
export const widgetActs = [
  'undo',
  'redo',
  'planTomorrow',
  'quickAdd',
  'search',
  'newList',
  'pickLists',
  'pickFilter',
  'configure',
  'sortManually',
  'previous',
  'next',
  'now',
  'toggleMeetings',
] as const;
export type WidgetAct = (typeof widgetActs)[number];

export const answerActs = ['undo', 'applyToSeries'] as const;

export type Side = 'before' | 'after';

/** The values that the host puts into a new page. */
export interface Boot {
  readonly kind: string;
  /** The locale of dates and numbers. */
  readonly locale: string;
  /** The language of the texts. */
  readonly language: string;
  readonly words: Readonly<Record<string, string>>;
  /** The state that the page keeps for its host across reloads. */
  readonly setup?: unknown;
}

/** The hours of a day that a page offers. */
export const hours: readonly number[] = Array.from({ length: 17 }, (_, index) => index + 6);
