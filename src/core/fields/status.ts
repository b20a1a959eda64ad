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
  const target = status ?? impliedStatus(percentComplete, current.status);
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

function impliedStatus(percent: number | null | undefined, current: Task['status']): Task['status'] | undefined {
  if (percent === undefined || percent === null) return undefined;
  if (percent === 100) return 2;
  if (percent > 0) return 1;
  return current === 2 ? 0 : undefined;
}
