import { emptyFields } from '../../../src/core/ical/row';
import type { Alarm, Task } from '../../../src/core/kernel/model';
import { type RowEdit, resolveLinks } from '../../../src/core/kernel/rowEdit';
import { nextOpenOccurrence } from '../../../src/core/recurrence/instances';
import type { SeriesContext, SeriesRows } from '../../../src/core/recurrence/seriesRows';
import { fromWall, wallOf } from '../../../src/core/time/dates';

export const aTask = (patch: Partial<Task> = {}): Task => ({
  ...emptyFields('uid-1'),
  id: 1,
  listId: 7,
  href: null,
  etag: null,
  masterId: null,
  parentId: null,
  isDirty: false,
  isDeleted: false,
  alarms: [],
  ...patch,
});

export const civil = (text: string) => Date.parse(text.length === 10 ? text : `${text}:00Z`);
export const inZone = (zone: string, text: string) => fromWall(civil(text), zone);
export const anAlarm = (minutesBefore: number, patch: Partial<Alarm> = {}): Alarm => ({
  id: 1,
  taskId: 1,
  reference: 'DUE',
  message: null,
  minutesBefore,
  ...patch,
});

/** The rows after an edit, as the store would hold them. */
export function after(rows: readonly Task[], edits: readonly RowEdit[]): Task[] {
  const found = new Map(rows.map(row => [row.id, row]));
  const inserted = new Map<string, number>();
  let nextId = Math.max(99, ...rows.map(({ id }) => id)) + 1;
  for (const edit of edits) {
    if (edit.type === 'delete') found.delete(edit.id);
    else if (edit.type === 'update') {
      const patch = { ...edit.patch, ...resolveLinks(edit.links, inserted) } as Partial<Task>;
      found.set(edit.id, { ...found.get(edit.id)!, ...patch });
    } else {
      const id = nextId++;
      if (edit.name) inserted.set(edit.name, id);
      found.set(id, { ...aTask(), ...(edit.row as Partial<Task>), ...resolveLinks(edit.links, inserted), id });
    }
  }
  return [...found.values()];
}

/** A row's dates as the user reads them. */
export function shown(task: Pick<Task, 'timezone' | 'isAllDay'>, value: number | null): string | null {
  if (value === null) return null;
  const wall = task.timezone === null ? value : wallOf(value, task.timezone);
  return new Date(wall).toISOString().slice(0, task.isAllDay ? 10 : 16);
}

export const now = Date.UTC(2025, 0, 8, 15);
export const context = (patch: Partial<SeriesContext> = {}): SeriesContext => ({
  now,
  zone: 'Europe/Berlin',
  mode: 'auto',
  resetSubtasks: true,
  ...patch,
});

export const weekly = aTask({ due: civil('2025-01-06'), isAllDay: true, rrule: 'FREQ=WEEKLY', title: 'Bins' });
export const rowsOf = (master: Task, rest: Partial<SeriesRows> = {}): SeriesRows => ({
  master,
  overrides: [],
  subtasks: [],
  ...rest,
});

/** Runs an act and gives the series as it then is. */
export function acted(series: SeriesRows, act: (series: SeriesRows) => RowEdit[]): SeriesRows {
  const rows = after([series.master, ...series.overrides, ...series.subtasks], act(series));
  return {
    master: rows.find(({ id }) => id === series.master.id)!,
    overrides: rows.filter(({ masterId }) => masterId === series.master.id),
    subtasks: rows.filter(({ parentId }) => parentId !== null),
  };
}

export const nextDue = ({ master, overrides }: SeriesRows, zone = 'Europe/Berlin') => {
  const next = nextOpenOccurrence(master, overrides, zone);
  return next && shown(next.override ?? master, next.due);
};
