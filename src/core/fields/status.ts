import { type EpochMs, Status, type Task, type TaskInput } from '../kernel/model';
import type { RowPatch } from '../kernel/rowEdit';

/**
 * Completed or canceled (STATUS, RFC 5545 3.8.1.11).
 *
 * @example
 * isClosed({ status: Status.cancelled }) // true
 */
export const isClosed = ({ status }: Pick<Task, 'status'>): boolean =>
  status === Status.completed || status === Status.cancelled;

/**
 * The three fields that move together if a user changes status or percent: completing fills percent and the time,
 * reopening clears them, 1–99 percent is work in process, cancelling keeps percent.
 */
export function transition(
  { status, percentComplete }: Pick<TaskInput, 'status' | 'percentComplete'>,
  current: Pick<Task, 'status' | 'percentComplete' | 'completedAt'>,
  now: EpochMs,
): RowPatch {
  const target = statusAfter({ status, percentComplete }, current);
  const percent = percentComplete === undefined ? current.percentComplete : percentComplete;
  if (target === undefined) return percentComplete === undefined ? {} : { percentComplete };
  switch (target) {
    case 2:
      return current.status === 2 ? {} : { status: 2, percentComplete: 100, completedAt: now };
    case 3:
      return { status: 3, percentComplete: percent, completedAt: null };
    case 1:
    case 0:
      return { status: target, percentComplete: percent === 100 ? null : percent, completedAt: null };
  }
}

/** The status that an input leads to; undefined if it leaves it. */
export function statusAfter(
  { status, percentComplete: percent }: Pick<TaskInput, 'status' | 'percentComplete'>,
  current: Pick<Task, 'status'>,
): Task['status'] | undefined {
  if (status !== undefined) return status;
  if (percent === undefined || percent === null) return undefined;
  if (percent === 100) return Status.completed;
  if (percent > 0) return Status.inProcess;
  return current.status === Status.completed ? Status.needsAction : undefined;
}
