import type { Task } from '../../core/kernel/model';
import { wallOf } from '../../core/time/dates';
import { dayMs } from '../../core/time/units';

/** Midnight of an all-day value, as if in UTC; other programs store some of them as instants of their zone. */
export const civilDay = (value: number, { timezone }: Pick<Task, 'timezone'>): number =>
  timezone === null ? value : Math.floor(wallOf(value, timezone) / dayMs) * dayMs;
