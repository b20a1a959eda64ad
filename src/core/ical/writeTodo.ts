import { dependenciesOf, dependencyLine, dependencyUid, isDependencyLine } from '../fields/dependencies';
import { ownLineNames, ownLinesOf } from '../fields/ownLines';
import { textFacts, textNames } from '../fields/table';
import { uniqueTags } from '../fields/tags';
import { linesFor, propertyValue, textOf } from '../fields/values';
import { Status } from '../kernel/model';
import { type ContentLine, escapeText, formatLine, parseLine, withValue } from '../lines/contentLines';
import { formatUtc } from '../lines/dateDigits';
import { cleanLine, cleanText, splitList } from '../lines/text';
import { isRecurring } from '../recurrence/instances';
import { kdeProgress, kdeProgressName } from '../recurrence/kdeProgress';
import { repeatFromName, repeatsFromCompletion } from '../recurrence/repeatFrom';
import { appliesToFollowing } from '../recurrence/thisAndFollowing';
import { isSameColor, nameOfColor } from './colors';
import { isSameSecond, linesOfColumn } from './dateValues';
import { encodingParams, Patch, type Splice, staleRichText } from './patch';
import type { OpenedTodo } from './readResource';
import { codeRecurrenceId, isParentLine, type SeriesCoding, startName, tagsOf } from './readTodo';
import type { ResourceRow, TaskFields } from './row';
import { writeAlarms } from './writeAlarms';
import { formatDate, writeDates } from './writeDates';
import type { Zones } from './zoneTable';

const statusNames = ['NEEDS-ACTION', 'IN-PROCESS', 'COMPLETED', 'CANCELLED'];
const classNames = ['PUBLIC', 'PRIVATE', 'CONFIDENTIAL'];

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

function writeTexts(patch: Patch, before: TaskFields, after: TaskFields): void {
  for (const name of textNames) {
    const { property, also, isUri } = textFacts[name];
    const newText = textOf(after, name);
    const text = newText === null ? null : isUri ? cleanLine(newText).trim() : cleanText(newText);
    if (text === textOf(before, name)) continue;
    const value = propertyValue(name, text);
    const stale = name === 'description' ? staleRichText(patch.named(property)[0]) : [];
    for (const line of linesFor(property, also, one => patch.has(one)))
      if (isUri || value === null) patch.set(line, value);
      else patch.set(line, value, { without: [...encodingParams, ...stale] });
    // The same text as HTML, which others would still show.
    if (name === 'description') patch.set('X-ALT-DESC', null);
  }
  if (!isSameColor(before.color, after.color)) {
    patch.set('COLOR', after.color === null ? null : nameOfColor(after.color));
  }
  if (before.priority !== after.priority) patch.set('PRIORITY', after.priority === 0 ? null : `${after.priority}`);
  if (before.classification !== after.classification) {
    patch.set('CLASS', after.classification === null ? null : classNames[after.classification]!);
  }
}

/**
 * Removes a tag from every line that has it, and adds it to the first line; everything else in the lines stays as
 * written.
 */
function writeTags(patch: Patch, before: TaskFields, after: TaskFields): void {
  const had = new Set(before.tags);
  const has = new Set(uniqueTags(after.tags.map(cleanText)));
  const added = [...has].filter(tag => !had.has(tag));
  const gone = new Set(before.tags.filter(tag => !has.has(tag)));
  if (added.length === 0 && gone.size === 0) return;
  const lines = patch.named('CATEGORIES').filter(({ jCal }) => jCal);
  let adding = added.map(escapeText);
  for (const line of lines) {
    const kept = splitList(line.value).filter(
      (_, at, parts) => !gone.has(tagsOf(parseLine(`X:${parts[at]}`))[0] ?? ''),
    );
    const isTouched = tagsOf(line).some(tag => gone.has(tag)) || adding.length > 0;
    if (!isTouched) continue;
    const values = [...kept.filter(part => part.trim() !== ''), ...adding];
    adding = [];
    patch.replace(line, values.length === 0 ? undefined : withValue(line, values.join(',')));
  }
  if (adding.length > 0) patch.add(formatLine('CATEGORIES', adding.join(',')));
}

function writeCompletion(patch: Patch, before: TaskFields, after: TaskFields): void {
  const reopened =
    before.status === Status.completed && after.status !== Status.completed && after.completedAt === null;
  if (reopened || !isSameSecond(before.completedAt, after.completedAt)) {
    patch.set('COMPLETED', after.completedAt === null ? null : formatUtc(after.completedAt), {
      without: ['TZID', 'VALUE'],
    });
  }
  const implied = patch.has('COMPLETED') ? Status.completed : Status.needsAction;
  if (before.status !== after.status || (!patch.has('STATUS') && implied !== after.status)) {
    patch.set('STATUS', statusNames[after.status]!);
  }
  if (before.percentComplete !== after.percentComplete) {
    patch.set('PERCENT-COMPLETE', after.percentComplete === null ? null : `${after.percentComplete}`);
  }
}

/** Relations of other types, and those that stay, keep their lines. */
function writeDependencies(patch: Patch, before: TaskFields, after: TaskFields): void {
  const [had, has] = [new Set(dependenciesOf(before)), new Set(dependenciesOf(after))];
  const isGone = (uid: string) => had.has(uid) && !has.has(uid);
  for (const line of patch.named('RELATED-TO'))
    if (isDependencyLine(line) && isGone(dependencyUid(line))) patch.replace(line, undefined);
  for (const uid of has) if (!had.has(uid)) patch.add(dependencyLine(uid));
}

function writeOwnLines(patch: Patch, before: TaskFields, after: TaskFields): void {
  if (after.unknownProperties === before.unknownProperties) return;
  const lines = ownLinesOf(after);
  const [had, has] = [new Set(ownLinesOf(before)), new Set(lines)];
  for (const line of ownLineNames.flatMap(name => patch.named(name)))
    if (!has.has(line.text) && had.has(line.text)) patch.replace(line, undefined);
  for (const text of lines) if (!had.has(text)) patch.add(text);
}

/**
 * Writes RRULE as one value, with the date that it counts from; RDATE and EXDATE line by line, so that unchanged lines
 * keep their bytes.
 */
function writeRecurrence(patch: Patch, before: TaskFields, after: TaskFields): void {
  const rrule = after.rrule === null ? null : cleanLine(after.rrule).trim() || null;
  if (rrule !== before.rrule) patch.set('RRULE', rrule);
  const isMarked = repeatsFromCompletion(after);
  if (isMarked !== repeatsFromCompletion(before)) patch.set(repeatFromName, isMarked ? 'COMPLETION' : null);
  const progress = kdeProgress(after);
  if (progress !== undefined && progress !== kdeProgress(before)) {
    for (const line of patch.named(kdeProgressName)) patch.replace(line, progress);
  }
  if (after.rdate !== before.rdate) writeRawLines(patch, 'RDATE', after.rdate);
  if (after.exdate !== before.exdate) writeRawLines(patch, 'EXDATE', after.exdate);
}

/** Lines that stay are not touched. A series can have thousands: they are counted, not searched one by one. */
function writeRawLines(patch: Patch, name: string, column: string | null): void {
  const target = linesOfColumn(name, column).map(line => line.text);
  const missing = new Map<string, number>();
  for (const text of target) missing.set(text, (missing.get(text) ?? 0) + 1);
  const take = (text: string): boolean => {
    const count = missing.get(text) ?? 0;
    if (count > 0) missing.set(text, count - 1);
    return count > 0;
  };
  const free = patch.named(name).filter(({ jCal, text }) => jCal && !take(cleanLine(text)));
  const added = target.filter(take);
  for (const [at, line] of free.entries()) patch.replace(line, added[at]);
  for (const text of added.slice(free.length)) patch.add(text);
}

function writeParent(patch: Patch, before: ResourceRow, after: ResourceRow): void {
  if (after.parentUid === undefined || after.parentUid === (before.parentUid ?? null)) return;
  const lines = patch.named('RELATED-TO').filter(isParentLine);
  const uid = after.parentUid === null ? null : escapeText(cleanLine(after.parentUid));
  if (uid === null) for (const line of lines) patch.replace(line, undefined);
  else if (lines[0]) patch.replace(lines[0], withValue(lines[0], uid));
  else patch.add(formatLine('RELATED-TO', uid, [['RELTYPE', 'PARENT']]));
}
