import type { DuelineEngine } from '../../api';
import { emptyFields } from '../../core/ical/row';
import type { Id, Task, TaskInput } from '../../core/model';
import { withRepeatFrom } from '../../core/recurrence/repeatFrom';
import type { DraftInput } from '../../shared/taskEditorProtocol';

/** A task that has no title yet: what was said of it waits here until it has one. */
export class Draft {
  #input: DraftInput;

  constructor(
    private readonly engine: DuelineEngine,
    public listId: Id,
    kept: unknown = undefined,
  ) {
    this.#input = readInput(kept);
  }

  /** What the page keeps, so that nothing said is lost with the window. */
  get input(): DraftInput {
    return this.#input;
  }

  get task(): Task {
    const { title = null, tags = [], alarms = [], from = 'due', ...rest } = this.#input;
    return {
      ...blank,
      ...(rest as Partial<Task>),
      unknownProperties: withRepeatFrom(blank, from),
      title,
      tags,
      listId: this.listId,
      alarms: alarms.map((alarm, at) => ({
        id: at,
        taskId: 0,
        minutesBefore: alarm.minutesBefore,
        reference: alarm.reference ?? 'DUE',
        message: alarm.message ?? null,
      })),
    };
  }

  /** Takes in a patch; gives the id of the task where this made one. */
  async take(patch: DraftInput): Promise<Id | undefined> {
    this.#input = { ...this.#input, ...patch, ...givesWay(patch) };
    const { from = 'due', ...input } = this.#input;
    if ((input.title ?? '') === '') return undefined;
    const [id] = await this.engine.apply([{ type: 'create', listId: this.listId, input, from }]);
    return id;
  }
}

/** A due date and a duration exclude each other (RFC 5545 3.6.2): what was said last counts. */
const givesWay = ({ due, duration }: TaskInput): TaskInput =>
  due != null ? { duration: null } : duration != null ? { due: null } : {};

const isText = (value: unknown) => value === null || typeof value === 'string';
const isNumber = (value: unknown) => value === null || Number.isSafeInteger(value);

/** What a form sets, and what each must be; the rest is the engine's to check when the task is made. */
const kinds: Readonly<Record<Exclude<keyof DraftInput, 'parentId' | 'alarms'>, (value: unknown) => boolean>> = {
  title: isText,
  description: isText,
  location: isText,
  url: isText,
  duration: isText,
  timezone: isText,
  rrule: isText,
  color: isNumber,
  percentComplete: isNumber,
  priority: isNumber,
  classification: isNumber,
  status: isNumber,
  dtstart: isNumber,
  due: isNumber,
  isAllDay: value => typeof value === 'boolean',
  from: value => value === 'due' || value === 'completion',
  tags: value => Array.isArray(value) && value.every(tag => typeof tag === 'string'),
};

/** An input as a page kept it; what it cannot be is left out. */
function readInput(kept: unknown): DraftInput {
  if (typeof kept !== 'object' || kept === null) return {};
  const entries = Object.entries(kept).filter(([key, value]) => kinds[key as keyof typeof kinds]?.(value));
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
