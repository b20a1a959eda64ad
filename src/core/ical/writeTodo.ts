import type { ContentLine } from '../lines/contentLines';
import { formatUtc } from '../lines/dateDigits';
import { isRecurring } from '../recurrence/instances';
import { appliesToFollowing } from '../recurrence/thisAndFollowing';
import { Patch, type Splice } from './patch';
import type { OpenedTodo } from './readResource';
import { codeRecurrenceId, type SeriesCoding, startName } from './readTodo';
import type { ResourceRow, TaskFields } from './row';
import { writeAlarms } from './writeAlarms';
import { formatDate, writeDates } from './writeDates';
import {
  writeCompletion,
  writeDependencies,
  writeOwnLines,
  writeParent,
  writeRecurrence,
  writeTags,
  writeTexts,
} from './writeFields';
import type { Zones } from './zoneTable';

/** The override also applies to the following occurrences. */
export const rangeParam = ['RANGE', 'THISANDFUTURE'] as const;

/** The facts about its file that writing one VTODO needs. */
export interface TodoWriting {
  readonly zones: Zones;
  /** How the series will code its dates. */
  readonly series: SeriesCoding | undefined;
  /** The series changes from times to days or back, and so do the ids of its overrides. */
  readonly isRecoded: boolean;
  readonly now: number;
  readonly newline: string;
  readonly newId: () => string;
  /** A series with only a due date gets a DTSTART; if another program wrote it without one, it may stay so. */
  readonly startsAtDue: boolean;
  /** The series has a due date alone: its overrides get a DTSTART with it. Evolution shows one without as open, though it is completed. */
  readonly seriesNeedsStart: boolean;
}

/** The splices that bring a VTODO up to its row; none if they agree. */
export function patchTodo(
  lines: readonly ContentLine[],
  todo: OpenedTodo,
  after: ResourceRow,
  writing: TodoWriting,
  isFresh = false,
): Splice[] {
  const { zones, now, newline, newId, startsAtDue } = writing;
  const before = todo.row.fields;
  const { fields } = after;
  const patch = new Patch(lines, todo.component, newline);
  writeTexts(patch, before, fields);
  writeTags(patch, before, fields);
  writeParent(patch, todo.row, after);
  writeDependencies(patch, before, fields);
  writeOwnLines(patch, before, fields);
  // A row that was never ordered by hand has no order of its own to write.
  if (before.sortOrder !== fields.sortOrder && !(isFresh && fields.sortOrder === 0)) {
    patch.set('X-APPLE-SORT-ORDER', `${fields.sortOrder}`);
  }
  writeAlarms(patch, before, fields, zones, newId);
  const edits = patch.edits;
  writeCompletion(patch, before, fields);
  const starts = (todo.startsAtDue || startsAtDue || isNewSeries(before, fields)) && takesStart(todo, fields, writing);
  writeDates(patch, todo.startsAtDue ? atDue(before) : before, starts ? atDue(fields) : fields, zones);
  if (starts || patch.edits > 0) patch.set(startName, starts ? 'DUE' : null);
  writeRecurrence(patch, before, fields);
  writeId(patch, todo, fields, writing);
  if (isFresh) return patch.splices();
  if (patch.edits > edits) patch.set('SEQUENCE', `${before.sequence + 1}`);
  if (patch.edits > 0) {
    patch.set('LAST-MODIFIED', formatUtc(now), { without: ['TZID', 'VALUE'] });
    patch.set('DTSTAMP', formatUtc(now), { without: ['TZID', 'VALUE'] });
  }
  return patch.splices();
}

/** The occurrence that an override names does not change; its notation does, and RANGE=THISANDFUTURE. */
function writeId(patch: Patch, todo: OpenedTodo, after: TaskFields, { zones, series, isRecoded }: TodoWriting): void {
  const [line] = patch.named('RECURRENCE-ID');
  if (!line || !todo.id) return;
  const appliesToFuture = appliesToFollowing(after) ?? appliesToFollowing(todo.row.fields) ?? false;
  const isRanged = appliesToFuture !== (appliesToFollowing(todo.row.fields) ?? false);
  const recoded =
    isRecoded && series && (todo.id.kind === 'date') !== series.isAllDay
      ? formatDate(codeRecurrenceId(todo.id, series, zones), series, zones)
      : undefined;
  if (!isRanged && !recoded) return;
  patch.set('RECURRENCE-ID', recoded?.text ?? line.value, {
    without: [...(recoded ? ['TZID', 'VALUE'] : []), ...(isRanged ? ['RANGE'] : [])],
    adding: [...(recoded?.params ?? []), ...(isRanged && appliesToFuture ? [rangeParam] : [])],
  });
}

const isNewSeries = (before: TaskFields, after: TaskFields) => !isRecurring(before) && isRecurring(after);

function takesStart(todo: OpenedTodo, fields: TaskFields, { seriesNeedsStart }: TodoWriting): boolean {
  if (fields.recurrenceId === null) return needsStart(fields);
  return (todo.startsAtDue || seriesNeedsStart) && hasDueAlone(fields);
}

export const needsStart = (fields: TaskFields): boolean => isRecurring(fields) && hasDueAlone(fields);

const hasDueAlone = (fields: TaskFields) => fields.dtstart === null && fields.due !== null;

const atDue = (fields: TaskFields): TaskFields => ({ ...fields, dtstart: fields.due });
