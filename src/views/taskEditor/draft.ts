import type { DuelineEngine } from '../../api';
import type { Id, Task, TaskInput } from '../../core/model';

/** A task that has no title yet: what was said of it waits here until it has one. */
export class Draft {
  #input: TaskInput = {};

  constructor(
    private readonly engine: DuelineEngine,
    public listId: Id,
  ) {}

  get task(): Task {
    const { title = null, tags = [], alarms = [], ...rest } = this.#input;
    return {
      ...blank,
      ...(rest as Partial<Task>),
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
  async take(patch: TaskInput): Promise<Id | undefined> {
    this.#input = { ...this.#input, ...patch };
    if ((this.#input.title ?? '') === '') return undefined;
    return this.engine.createTask(this.listId, this.#input);
  }
}

const blank: Omit<Task, 'listId' | 'title' | 'tags' | 'alarms'> = {
  id: 0,
  uid: '',
  href: null,
  etag: null,
  description: null,
  location: null,
  url: null,
  color: null,
  status: 0,
  percentComplete: null,
  completedAt: null,
  priority: 0,
  classification: null,
  dtstart: null,
  due: null,
  duration: null,
  isAllDay: false,
  timezone: null,
  rrule: null,
  rdate: null,
  exdate: null,
  recurrenceId: null,
  masterId: null,
  parentId: null,
  sortOrder: 0,
  createdAt: null,
  lastModified: null,
  sequence: 0,
  isDirty: false,
  isDeleted: false,
  unknownProperties: null,
};
