import type { DuelineEngine } from '../../api';
import { type FieldKind, isField, taskFields } from '../../core/fields/table';
import { columnsIn, withLineTexts } from '../../core/fields/values';
import { emptyFields } from '../../core/ical/row';
import type { Id, Task, TaskInput } from '../../core/kernel/model';
import { withRepeatFrom } from '../../core/recurrence/repeatFrom';
import { alarmsGained } from '../../core/reminders/defaultAlarms';
import type { DraftInput } from '../../shared/taskEditorProtocol';

/** A task that has no title yet: its input waits here until it has one. */
export class Draft {
  #input: DraftInput;

  constructor(
    private readonly engine: DuelineEngine,
    public listId: Id,
    state: unknown = undefined,
  ) {
    this.#input = readInput(state);
  }

  /** The input for the page to keep, so that it survives the window. */
  get input(): DraftInput {
    return this.#input;
  }

  get task(): Task {
    const { title = null, tags = [], alarms, from = 'due', ...rest } = columnsIn(this.#input);
    const task = {
      ...blank,
      ...(rest as Partial<Task>),
      unknownProperties: withLineTexts({ unknownProperties: withRepeatFrom(blank, from) }, this.#input),
      title,
      tags,
      listId: this.listId,
      alarms: [],
    };
    return {
      ...task,
      // If the input has no reminders, those that the task gets when it is created.
      alarms: (alarms ?? alarmsGained(blank, task, this.engine.settings)).map((alarm, at) => ({
        id: at,
        taskId: 0,
        minutesBefore: alarm.minutesBefore,
        reference: alarm.reference ?? 'DUE',
        message: alarm.message ?? null,
      })),
    };
  }

  /** Takes in a patch; returns the id of the task if this created one. */
  async take(patch: DraftInput): Promise<Id | undefined> {
    this.#input = { ...this.#input, ...patch, ...dropDueOrDuration(patch) };
    const { from = 'due', ...input } = this.#input;
    if ((input.title ?? '') === '') return undefined;
    const [id] = await this.engine.apply([{ type: 'create', listId: this.listId, input, from }]);
    return id;
  }
}

/** A due date and a duration exclude each other (RFC 5545 3.6.2): the one that was entered last counts. */
const dropDueOrDuration = ({ due, duration }: TaskInput): TaskInput =>
  due != null ? { duration: null } : duration != null ? { due: null } : {};

const isText = (value: unknown) => value === null || typeof value === 'string';
const isNumber = (value: unknown) => value === null || Number.isSafeInteger(value);

/** The type that each kind of field must have; the engine checks the rest when the task is created. */
const checks: Readonly<Record<FieldKind, (value: unknown) => boolean>> = {
  text: isText,
  number: isNumber,
  time: isNumber,
  flag: value => typeof value === 'boolean',
  tags: value => Array.isArray(value) && value.every(tag => typeof tag === 'string'),
  // No form sets these of a task that is not stored.
  id: () => false,
  alarms: () => false,
};

const isKept = (name: string, value: unknown): boolean => {
  if (name === 'from') return value === 'due' || value === 'completion';
  return isField(name) && checks[taskFields[name].kind](value);
};

/** An input as a page kept it; what it cannot be is left out. */
function readInput(state: unknown): DraftInput {
  if (typeof state !== 'object' || state === null) return {};
  const entries = Object.entries(state).filter(([name, value]) => isKept(name, value));
  return Object.fromEntries(entries) as DraftInput;
}

const { title: _title, tags: _tags, alarms: _alarms, ...nothing } = emptyFields('');

const blank: Omit<Task, 'listId' | 'title' | 'tags' | 'alarms'> = {
  ...nothing,
  id: 0,
  href: null,
  etag: null,
  masterId: null,
  parentId: null,
  isDirty: false,
  isDeleted: false,
};
