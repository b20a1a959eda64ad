/**
 * The messages between the task form and its host. The form sends one field at a time, as it is left; the host answers
 * with the whole task whenever it changes, from here or from elsewhere. Free of vscode and node.
 */
import type { DetailName } from '../core/fields/table';
import type { TaskEdit } from '../core/fields/values';
import type { ClassificationCode, EpochMs, Id } from '../core/kernel/model';
import type { EditScope } from '../core/recurrence/seriesEdit';
import type { ChipKind, FormField } from './formNames';
import type { FormChange } from './readFromForm';
import type { ToPage } from './widgetProtocol';
import type { RowDetails } from './widgetRow';

export type { ChipKind, FormAct, FormField } from './formNames';
export type { FormChange, FromForm } from './readFromForm';

export interface FormTask extends Readonly<Record<DetailName, string>> {
  /** 0 for a task that has no title yet and is not stored. */
  readonly id: Id;
  readonly title: string;
  readonly notes: string;
  readonly listId: Id;
  readonly tags: readonly string[];
  readonly status: number;
  readonly progress: number;
  readonly priority: number;
  readonly classification: ClassificationCode | null;
  /** `#rrggbb`, or empty. */
  readonly color: string;
  /** Wall dates `YYYY-MM-DD` and times `HH:MM` of the clock that `timezone` names; empty if there is none. */
  readonly dueDate: string;
  readonly dueTime: string;
  readonly startDate: string;
  readonly startTime: string;
  /** The duration in words, `1h 30m`. */
  readonly duration: string;
  /** `1h30m`, or empty. */
  readonly estimate: string;
  /** Empty: the same wall time everywhere. `UTC`: a fixed moment, shown on the user's own clock. */
  readonly timezone: string;
  readonly rrule: string;
}

export interface FormRepeat {
  /** The rule in words; empty if the task does not repeat. */
  readonly label: string;
  readonly next: readonly string[];
  readonly from: 'due' | 'completion';
}

/** A suggestion below the text of a chip. */
export interface ChipSuggestion {
  readonly label: string;
  readonly detail?: string;
  /** The changes that the page sends if a user takes it. */
  readonly changes: readonly FormChange[];
  /** It is the meaning of the text: also applied when the line is left. */
  readonly isReading?: true;
}

export interface ChipSuggestions {
  readonly items: readonly ChipSuggestion[];
  /** Enter takes the first of them. */
  readonly preselectsFirst: boolean;
  readonly hint?: string;
  readonly problem?: string;
}

/** An open chip input, with its text. */
export interface ChipInputState {
  readonly chip: ChipKind;
  readonly text: string;
  /** The reminder that the new one takes the place of. */
  readonly replaces?: FormAlarm | undefined;
}

/** The name of one of a task's reminders; two that are alike in all of this are one to a user. */
export interface FormAlarm {
  readonly minutesBefore: number;
  readonly reference: string;
  readonly message: string | null;
}

export interface FormSubtask
  extends Pick<RowDetails, 'title' | 'state' | 'priority' | 'overdue' | 'recurring' | 'tags'> {
  readonly id: Id;
  /** Its date, or empty. */
  readonly when: string;
}

/** A link of the task to code. */
export interface FormCodeLink {
  readonly source: string;
  /** `session.ts:118` */
  readonly label: string;
  readonly folder: string;
  /** `gone`: the comment that the task was made from was removed. */
  readonly state: 'sure' | 'probable' | 'stale' | 'gone';
}

/** A task that the task depends on; without an ID if no task here has the UID. */
export interface FormBlocker extends FormSubtask {
  readonly uid: string;
}

export interface FormState {
  readonly task: FormTask;
  /** The target of the commands of its menu; null if it is not stored yet. */
  readonly menu: { readonly taskId: Id; readonly occurrence: EpochMs | null } | null;
  /** The dates in words, by the clock that the form shows; empty if there is none. */
  readonly labels: {
    readonly due: string;
    readonly start: string;
    readonly priority: string;
    readonly estimate: string;
  };
  readonly overdue: boolean;
  /** Its time is being tracked. */
  readonly active: boolean;
  /** The agent that has claimed it, in words. */
  readonly claimed: string | null;
  readonly today: string;
  /** 0 Sunday … 6 Saturday. */
  readonly firstDay: number;
  readonly readOnly: boolean;
  readonly lists: readonly { readonly id: Id; readonly name: string; readonly color: string }[];
  /** The user's own zone. */
  readonly zone: string;
  /** The dates on the user's own clock, if the form shows another one. */
  readonly localTime: string | null;
  /** The occurrence of a series that the dates belong to, if one was opened. */
  readonly occurrence: string | null;
  /** The date of this occurrence in the series, if it has one of its own. */
  readonly movedFrom: string | null;
  /** For a series: the occurrences that new dates hold for. */
  readonly scope: EditScope | null;
  readonly repeat: FormRepeat;
  readonly alarms: readonly (FormAlarm & { readonly label: string })[];
  /** The task that it is a subtask of; `words` say so. */
  readonly parent: { readonly id: Id; readonly title: string; readonly words: string } | null;
  readonly subtasks: readonly FormSubtask[];
  readonly codeLinks: readonly FormCodeLink[];
  /** The line of code that it can be linked to: `session.ts:118`. */
  readonly cursor: string | null;
  /** The tasks it depends on, open or not. */
  readonly blockers: readonly FormBlocker[];
  /** Empty if it is not stored yet. */
  readonly shortId: string;
  /** Small print: created, changed, waiting for its server. */
  readonly facts: readonly string[];
}

/** The whole input of a task without a title yet. `from`: the date that its repeat counts from. */
export interface DraftInput extends TaskEdit {
  from?: FormRepeat['from'];
}

/** The task of a form; for one without a title yet, all that was entered. */
export interface FormSetup {
  readonly taskId: Id | null;
  readonly occurrence?: EpochMs | null;
  readonly listId?: Id;
  readonly draft?: DraftInput;
}

export type ToForm =
  /** `setup` is for the page to keep, and comes back when the window is reloaded; `line` is the line to open again. */
  | { readonly type: 'show'; readonly state: FormState; readonly setup: FormSetup; readonly line?: ChipInputState }
  /** The user has opened the task to edit it: the focus begins in the title. */
  | { readonly type: 'edit' }
  /** The task was deleted; `inTrash` if it can be restored. */
  | { readonly type: 'gone'; readonly inTrash: boolean }
  /** The possible meanings of a chip's text. */
  | ({ readonly type: 'suggestions'; readonly request: number } & ChipSuggestions)
  /** The fate of a line that adds subtasks. */
  | Extract<ToPage, { type: 'parsed' | 'added' | 'failed' }>
  /** An announcement for a screen reader. */
  | { readonly type: 'announced'; readonly text: string }
  /**
   * The answer to each field that was sent is this or a problem; `merged` if it was merged with a change from
   * elsewhere.
   */
  | { readonly type: 'saved'; readonly field: FormField; readonly merged: boolean }
  | { readonly type: 'problem'; readonly field: string; readonly message: string };
