import { isClosed } from '../../core/fields/status';
import { readResource } from '../../core/ical/readResource';
import type { TaskFields } from '../../core/ical/row';
import { anchorOf, occurrencesOf } from '../../core/recurrence/instances';
import { withPart } from '../../core/recurrence/rrule';

/**
 * True if someone completed a series by moving it on: it begins at one of its later dates, is as open as before, and
 * has no occurrence of its own on either side. PRODID does not show this if several programs write one list.
 */
export function isMovedOn(before: string, after: string): boolean {
  if (!/^RRULE[;:]/im.test(before) || !/^RRULE[;:]/im.test(after)) return false;
  const [old, now] = [readResource(before), readResource(after)];
  if (!old.master || !now.master || old.overrides.length + now.overrides.length > 0) return false;
  return beginsLater(old.master.fields, now.master.fields);
}

function beginsLater(before: TaskFields, after: TaskFields): boolean {
  const [from, to] = [anchorOf(before), anchorOf(after)];
  if (from === null || to === null || to <= from || isClosed(before) || isClosed(after)) return false;
  const isSameSeries =
    before.timezone === after.timezone &&
    before.isAllDay === after.isAllDay &&
    uncounted(before.rrule) === uncounted(after.rrule);
  if (!isSameSeries) return false;
  for (const { recurrenceId } of occurrencesOf(before, { zone: 'UTC', from: to, to: to + 1 }))
    if (recurrenceId === to) return true;
  return false;
}

/** COUNT decreases with each completed occurrence. */
const uncounted = (rrule: string | null) => rrule && withPart(rrule, 'COUNT', undefined);
