/**
 * What the task form and its host say to each other. The form sends one field at a time, as it is left; the host
 * answers with the whole task whenever it changes, from here or from elsewhere. Free of vscode and node.
 */
import { type DetailName, detailNames } from '../core/fields/table';
import type { TaskEdit } from '../core/fields/values';
import type { ClassificationCode, EpochMs, Id } from '../core/model';
import type { EditScope } from '../core/recurrence/seriesEdit';
import { readFromPage } from './readFromPage';
import type { FromPage, ToPage } from './widgetProtocol';
import type { RowView } from './widgetRow';

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
  /** Wall dates `YYYY-MM-DD` and times `HH:MM` of the clock that `timezone` names; empty where there is none. */
  readonly dueDate: string;
  readonly dueTime: string;
  readonly startDate: string;
  readonly startTime: string;
  /** As people write it, `1h 30m`. */
  readonly duration: string;
  /** Empty: the same wall time everywhere. `UTC`: a fixed moment, shown on the person's own clock. */
  readonly timezone: string;
  readonly rrule: string;
}

export interface FormRepeat {
  /** The rule in words; empty where the task does not repeat. */
  readonly label: string;
  readonly next: readonly string[];
  readonly from: 'due' | 'completion';
}

/** What the page shows as chips, each of which is changed by a line of text. */
const chipKinds = ['due', 'start', 'repeat', 'priority', 'listId', 'tags', 'alarm', 'after'] as const;
export type ChipKind = (typeof chipKinds)[number];

/** A line below the text of a chip. */
export interface ChipOffer {
  readonly label: string;
  readonly detail?: string;
  /** What the page says back where a person takes it. */
  readonly says: readonly FormChange[];
  /** It is what the text means: taken also where the text is left. */
  readonly isReading?: true;
}

export interface ChipOffers {
  readonly items: readonly ChipOffer[];
  /** Enter takes the first of them. */
  readonly isFirstTaken: boolean;
  readonly hint?: string;
  readonly problem?: string;
}

/** A line that is open, with what is typed in it. */
export interface OpenLine {
  readonly chip: ChipKind;
  readonly text: string;
}

/** Which of a task's reminders; two that are alike in all of this are one to a person. */
export interface FormAlarm {
  readonly minutesBefore: number;
  readonly reference: string;
  readonly message: string | null;
}

export interface FormSubtask extends Pick<RowView, 'title' | 'state' | 'priority' | 'overdue' | 'recurring' | 'tags'> {
  readonly id: Id;
  /** Its date, or empty. */
  readonly when: string;
}

/** A place in code that the task is about. */
export interface FormPlace {
  readonly source: string;
  /** `session.ts:118` */
  readonly label: string;
  readonly folder: string;
  /** `gone`: the comment that the task was made from was removed. */
  readonly standing: 'sure' | 'probable' | 'stale' | 'gone';
}

/** What the task depends on; without an ID where no task here has the UID. */
export interface FormBlocker extends FormSubtask {
  readonly uid: string;
}

export interface FormState {
  readonly task: FormTask;
  /** What the commands of its menu mean; null where it is not stored yet. */
  readonly menu: { readonly taskId: Id; readonly occurrence: EpochMs | null } | null;
  /** The dates in words, by the clock that the form shows; empty where there is none. */
  readonly labels: { readonly due: string; readonly start: string; readonly priority: string };
  readonly overdue: boolean;
  /** Its time is being tracked. */
  readonly active: boolean;
  readonly today: string;
  /** 0 Sunday … 6 Saturday. */
  readonly firstDay: number;
  readonly readOnly: boolean;
  readonly lists: readonly { readonly id: Id; readonly name: string; readonly color: string }[];
  /** The person's own zone. */
  readonly zone: string;
  /** What the dates are on the person's own clock, where the form shows another one. */
  readonly here: string | null;
  /** Which occurrence of a series the dates are of, where one was opened. */
  readonly occurrence: string | null;
  /** Where the series has this occurrence, which has a date of its own. */
  readonly movedFrom: string | null;
  /** Of a series: for which occurrences new dates hold. */
  readonly scope: EditScope | null;
  readonly repeat: FormRepeat;
  readonly alarms: readonly (FormAlarm & { readonly label: string })[];
  readonly subtasks: readonly FormSubtask[];
  readonly places: readonly FormPlace[];
  /** The line of code that it can be linked to: `session.ts:118`. */
  readonly cursor: string | null;
  /** What it depends on, open or not. */
  readonly blockers: readonly FormBlocker[];
  /** Empty where it is not stored yet. */
  readonly shortId: string;
  /** Small print: created, changed, waiting for its server. */
  readonly facts: readonly string[];
}

/** All that was said of a task without a title yet. `from`: what the next date of its repeat counts from. */
export interface DraftInput extends TaskEdit {
  from?: FormRepeat['from'];
}

/** Which task a form is of; for one without a title yet, all that was said of it. */
export interface FormSetup {
  readonly taskId: Id | null;
  readonly occurrence?: EpochMs | null;
  readonly listId?: Id;
  readonly draft?: DraftInput;
}

export type ToForm =
  /** `setup` is what the page keeps, to be given back when the window is reloaded; `line` is to be open again. */
  | { readonly type: 'show'; readonly state: FormState; readonly setup: FormSetup; readonly line?: OpenLine }
  /** The user has opened the task to edit it: the focus begins in the title. */
  | { readonly type: 'edit' }
  /** The task was deleted; `inTrash` where it can be restored. */
  | { readonly type: 'gone'; readonly inTrash: boolean }
  /** How the text of a chip can be meant. */
  | ({ readonly type: 'offers'; readonly request: number } & ChipOffers)
  /** What becomes of a line that adds subtasks. */
  | Extract<ToPage, { type: 'understood' | 'added' | 'failed' }>
  /** What was done or undone, for a screen reader. */
  | { readonly type: 'said'; readonly text: string }
  /** Each field that was sent has this or a problem for an answer; `merged` with what was written elsewhere. */
  | { readonly type: 'saved'; readonly field: FormField; readonly merged: boolean }
  | { readonly type: 'problem'; readonly field: string; readonly message: string };

const ownFields = [
  'title',
  'notes',
  'listId',
  'tags',
  'status',
  'progress',
  'priority',
  'classification',
  'color',
  'due',
  'start',
  'times',
  'timezone',
  'duration',
] as const;
export type FormField = (typeof ownFields)[number] | DetailName;
export const formFields: readonly FormField[] = [...ownFields, ...detailNames];

const formActs = [
  'complete',
  'editNotes',
  'openLink',
  'duplicate',
  'delete',
  'copyLink',
  'copyShortId',
  'pinHere',
  'undo',
  'redo',
  'showKeys',
] as const;
export type FormAct = (typeof formActs)[number];

type Line = Extract<FromPage, { type: 'understand' | 'newList' | 'add' }>;

/** One change of the task. */
export type FormChange =
  | { readonly type: 'dropLastTag' }
  /**
   * Tags come a line each, `due` and `start` as `YYYY-MM-DD` or `YYYY-MM-DDTHH:MM`; empty clears, `times` those of both
   * dates. `base`: the notes that these were written from.
   */
  | { readonly type: 'field'; readonly field: FormField; readonly value: string; readonly base?: string }
  /** An empty rule ends the repeat. */
  | { readonly type: 'repeat'; readonly rule: string; readonly from: 'due' | 'completion' }
  /** By what it is, not by its place: others may have come before it meanwhile. */
  | { readonly type: 'addAlarm' | 'dropAlarm'; readonly alarm: FormAlarm }
  /** To those that the task has, whatever they are by now. */
  | { readonly type: 'addTags'; readonly tags: readonly string[] }
  /** Whatever other tags it has by now. */
  | { readonly type: 'dropTag'; readonly tag: string }
  | { readonly type: 'addBlocker'; readonly id: Id }
  /** It is not to depend on this any more, whatever else it depends on by now. */
  | { readonly type: 'dropBlocker'; readonly uid: string };

export type FromForm =
  | FormChange
  /** All that one line says, as one step of undo. */
  | { readonly type: 'take'; readonly changes: readonly FormChange[] }
  /** Back to where the task was opened from. */
  | { readonly type: 'leave'; readonly closes: boolean }
  | { readonly type: 'ready' | 'restore' }
  | { readonly type: 'act'; readonly act: FormAct }
  /** What a line can mean; without a text also that it is closed. */
  | ({ readonly type: 'suggest'; readonly request: number } & OpenLine)
  /** For which occurrences new dates hold. */
  | { readonly type: 'scope'; readonly scope: EditScope }
  /** A file of the workspace, `src/file.ts:12`, or the URI of one. */
  | { readonly type: 'openFile'; readonly file: string }
  /** A place in code, by its source. */
  | { readonly type: 'openPlace' | 'dropPlace'; readonly source: string }
  /** To the line of the cursor in the last text editor. */
  | { readonly type: 'linkHere' }
  | { readonly type: 'toggle' | 'open'; readonly id: Id }
  /** The line that adds subtasks, as in a widget. */
  | Line;

const scopes: readonly EditScope[] = ['this', 'following', 'all'];
const longest = 1_000_000;
const isText = (said: unknown): said is string => typeof said === 'string' && said.length <= longest;

/** A message of the form as it must be, or undefined. */
export function readFromForm(message: unknown): FromForm | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const { type, act, id, request, scope, file, source, closes, changes } = message as Record<string, unknown>;
  switch (type) {
    case 'ready':
    case 'restore':
    case 'linkHere':
      return { type };
    case 'take': {
      const read = Array.isArray(changes) ? changes.map(readChange) : [undefined];
      return read.every(change => change !== undefined) ? { type, changes: read } : undefined;
    }
    case 'act':
      return formActs.includes(act as FormAct) ? { type, act: act as FormAct } : undefined;
    case 'suggest':
      return isLine(message) && Number.isSafeInteger(request)
        ? { type, request: request as number, chip: message.chip, text: message.text }
        : undefined;
    case 'scope':
      return scopes.includes(scope as EditScope) ? { type, scope: scope as EditScope } : undefined;
    case 'leave':
      return typeof closes === 'boolean' ? { type, closes } : undefined;
    case 'openFile':
      return isText(file) ? { type, file } : undefined;
    case 'openPlace':
    case 'dropPlace':
      return isText(source) ? { type, source } : undefined;
    case 'toggle':
    case 'open':
      return Number.isSafeInteger(id) ? { type, id: id as Id } : undefined;
    case 'understand':
    case 'newList':
    case 'add':
      return readFromPage(message) as Line | undefined;
    default:
      return readChange(message);
  }
}

/** The field of a message that is refused. */
export function fieldRefused(message: unknown): FormField | undefined {
  const { type, field } = (message ?? {}) as Record<string, unknown>;
  return type === 'field' ? formFields.find(name => name === field) : undefined;
}

function readChange(change: unknown): FormChange | undefined {
  const { type, field, value, base, alarm, rule, from, tag, tags, id, uid } = (change ?? {}) as Record<string, unknown>;
  switch (type) {
    case 'dropLastTag':
      return { type };
    case 'field':
      return formFields.includes(field as FormField) && isText(value)
        ? { type, field: field as FormField, value, ...(isText(base) ? { base } : {}) }
        : undefined;
    case 'repeat':
      return isText(rule) && (from === 'due' || from === 'completion') ? { type, rule, from } : undefined;
    case 'addAlarm':
    case 'dropAlarm':
      return isAlarm(alarm) ? { type, alarm } : undefined;
    case 'addTags':
      return Array.isArray(tags) && tags.every(isText) ? { type, tags } : undefined;
    case 'dropTag':
      return isText(tag) ? { type, tag } : undefined;
    case 'addBlocker':
      return Number.isSafeInteger(id) ? { type, id: id as Id } : undefined;
    case 'dropBlocker':
      return isText(uid) ? { type, uid } : undefined;
    default:
      return undefined;
  }
}

function isLine(value: unknown): value is OpenLine {
  const { chip, text } = (value ?? {}) as Record<string, unknown>;
  return chipKinds.includes(chip as ChipKind) && isText(text);
}

function isAlarm(value: unknown): value is FormAlarm {
  if (typeof value !== 'object' || value === null) return false;
  const { minutesBefore, reference, message } = value as Record<string, unknown>;
  return (
    Number.isSafeInteger(minutesBefore) &&
    typeof reference === 'string' &&
    (message === null || typeof message === 'string')
  );
}
