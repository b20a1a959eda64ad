import type { DuelineEngine } from '../../api';
import type { EpochMs } from '../../core/kernel/model';
import type { ReadDate } from '../../core/quickAdd/types';
import { dateStyle } from '../../ui/settings/settings';
import { momentLabel } from '../../ui/text/dateText';
import { chipLabel } from '../../ui/text/taskText';

export interface ReadRepeat {
  readonly rrule: string;
  readonly from: 'due' | 'completion';
  /** The dates of a task that begins to repeat with it. */
  readonly first: Pick<ReadDate, 'due' | 'isAllDay' | 'timezone'> & { readonly dtstart?: EpochMs };
  readonly label: string;
  readonly firstLabel: string;
}

/** A whole line as a repeat: "every other mon 9am". */
export function readRepeat(engine: DuelineEngine, text: string): ReadRepeat | undefined {
  const { input, title, tokens, fromCompletion } = engine.parseQuickAdd(`x ${text}`, { onlyDates: true });
  const token = tokens.find(({ kind }) => kind === 'repeat');
  const isWhole = title === 'x' && tokens.every(({ kind }) => kind === 'repeat' || kind === 'due' || kind === 'start');
  if (!token || !isWhole || !input.rrule || input.due == null) return undefined;
  const { due, dtstart, isAllDay = false, timezone = null } = input;
  const firstLabel = momentLabel(due, { isAllDay, timezone }, dateStyle(engine));
  const first = { due, isAllDay, timezone, ...(dtstart == null ? {} : { dtstart }) };
  const from = fromCompletion ? 'completion' : 'due';
  return { rrule: input.rrule, from, first, label: chipLabel(token), firstLabel };
}
