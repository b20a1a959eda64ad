import { bucketOf } from '../../core/fields/priority';
import { isPrivate } from '../../core/fields/privacy';
import { estimateOf } from '../../core/fields/values';
import { type EpochMs, type Occurrence, Status, type TaskList } from '../../core/kernel/model';
import { isRecurring } from '../../core/recurrence/instances';
import type { Day } from '../../core/time/dates';
import { briefName, currentBundle, currentLocale, t } from '../../shared/l10n';
import type { RowDetails, RowSummary } from '../../shared/widgetRow';
import type { DateStyle } from '../../ui/settings/settings';
import { cssColor } from '../../ui/text/cssColor';
import { whenLabel } from '../../ui/text/dateText';
import { lengthText } from '../../ui/text/lengthText';
import { issueWord, type SyncIssue } from '../../ui/text/syncText';
import { accessibleLabel, blockedWords, repeats, shownTags, titleOf } from '../../ui/text/taskText';

export interface RowSetting {
  readonly style: DateStyle;
  readonly lists: ReadonlyMap<number, TaskList>;
  /** The day that the group's heading shows already. */
  readonly on?: Day;
  /** The group shows the list already. */
  readonly withoutList?: boolean;
  readonly depth?: number;
  /** In the group of the reminders that wait for an answer. */
  readonly reminds?: true;
  /** Its time is being tracked. */
  readonly active?: boolean | undefined;
  /** The agent that has claimed it, in words. */
  readonly claimed?: string | undefined;
  /** The original date of this occurrence, if it was moved. */
  readonly movedFrom?: string | undefined;
  /** The first of its code locations, in words. */
  readonly codeLocation?: string | undefined;
  readonly progress?: { readonly done: number; readonly total: number };
  readonly syncProblem?: SyncIssue | undefined;
  /** Titles of the open tasks that it depends on. */
  readonly blockedBy?: readonly string[];
  /** The title of its parent, if the row is not below that. */
  readonly parent?: string | undefined;
}

/** A row without its texts. */
export function rowSummary(
  row: Occurrence,
  key: string,
  { lists, withoutList, depth, progress, codeLocation, claimed, blockedBy = [] }: RowSetting,
): RowSummary {
  const { task } = row;
  const hasList = !withoutList && lists.has(task.listId);
  return {
    key,
    taskId: task.id,
    ...(task.masterId === null ? {} : { series: task.masterId }),
    occurrence: isRecurring(task) ? occurrenceOf(row) : null,
    state: stateNames[task.status] ?? 'open',
    depth: depth ?? 0,
    // A reminder alone, which most tasks with a time have, is a sign after the time.
    isTall:
      hasList ||
      task.tags.length > 0 ||
      (progress?.total ?? 0) > 0 ||
      codeLocation !== undefined ||
      claimed !== undefined ||
      blockedBy.length > 0,
  };
}

/** One row of a widget with all its texts, so that the page only draws it. */
export function rowView(row: Occurrence, key: string, setting: RowSetting): RowDetails {
  const {
    style,
    lists,
    on,
    withoutList,
    progress,
    movedFrom,
    reminds,
    active,
    claimed,
    codeLocation,
    syncProblem,
    blockedBy = [],
    parent,
  } = setting;
  const { task } = row;
  const minutes = estimateOf(task);
  const issue = syncProblem && issueWord(syncProblem);
  const list = lists.get(task.listId);
  const date = whenLabel(row, style, on);
  // If the heading shows the day, it also shows that the day is past.
  const when = date && on === undefined && row.isOverdue ? t('{0}, {1}', date, t('overdue')) : date;
  return {
    ...rowSummary(row, key, setting),
    title: titleOf(task),
    ...(parent === undefined ? {} : { parent }),
    priority: bucketOf(task.priority),
    ...(when === undefined ? {} : { when }),
    overdue: row.isOverdue,
    recurring: repeats(task),
    ...(blockedBy.length > 0 ? { after: blockedWords(blockedBy) } : {}),
    ...(movedFrom === undefined ? {} : { moved: t('moved from {0}', movedFrom) }),
    isPrivate: isPrivate(task),
    ...(minutes === undefined ? {} : { takes: lengthText(minutes) }),
    alarm: task.alarms.length > 0,
    linked: Boolean(task.url) || codeLocation !== undefined,
    ...(codeLocation === undefined ? {} : { codeLocation }),
    noted: Boolean(task.description),
    ...(reminds ? { reminds } : {}),
    ...(active ? { active } : {}),
    ...(claimed === undefined ? {} : { claimed }),
    ...(issue === undefined ? {} : { issue }),
    ...(syncProblem?.kind === 'conflict' ? { conflict: true } : {}),
    dirty: task.isDirty,
    readOnly: list?.isReadOnly ?? false,
    ...(list && !withoutList ? { list: { name: briefName(list.name), color: cssColor(list.color) } } : {}),
    tags: shownTags(task),
    ...(progress && progress.total > 0 ? { progress: t('{0} of {1}', progress.done, progress.total) } : {}),
    accessibleLabel: accessibleLabel(row, {
      style,
      movedFrom,
      codeLocation,
      claimed,
      blockedBy,
      parent,
      ...(syncProblem ? { syncProblem } : {}),
      ...(list && !withoutList ? { list } : {}),
      ...(progress ? { progress } : {}),
    }),
  };
}

/**
 * The rows of one widget as they were last built: rebuilding the texts of thousands of dates and titles after each edit
 * would take longer than the edit. Rows that the engine has not touched are still the same objects.
 */
export class RowCache {
  #made = new WeakMap<Occurrence, { readonly stamp: string; readonly view: RowDetails }>();
  #words = currentBundle();

  row(item: Occurrence, key: string, today: string, setting: RowSetting): RowDetails {
    if (this.#words !== currentBundle()) {
      this.#words = currentBundle();
      this.#made = new WeakMap();
    }
    const stamp = `${key}\n${today}\n${stampOf(item, setting)}`;
    const made = this.#made.get(item);
    if (made?.stamp === stamp) return made.view;
    const view = rowView(item, key, setting);
    this.#made.set(item, { stamp, view });
    return view;
  }
}

/** Everything besides the row itself that determines its texts. */
function stampOf(
  { task }: Occurrence,
  {
    style,
    lists,
    on,
    withoutList,
    depth,
    progress,
    movedFrom,
    reminds,
    active,
    claimed,
    codeLocation,
    syncProblem,
    blockedBy,
    parent,
  }: RowSetting,
): string {
  const list = lists.get(task.listId);
  return [
    on,
    movedFrom,
    blockedBy?.join('\n'),
    parent,
    withoutList,
    depth,
    reminds,
    active,
    claimed,
    codeLocation,
    syncProblem?.kind,
    progress?.done,
    progress?.total,
    list?.name,
    list?.color,
    list?.isReadOnly,
    style.dateFormat,
    style.timeFormat,
    style.firstDay,
    style.startHour,
    style.clock.timeZone,
    currentLocale(),
  ].join('\t');
}

/** The value that identifies an occurrence: its start, or its due value if the series has no start. */
const occurrenceOf = (row: Occurrence): EpochMs | null => row.dtstart ?? row.due;

const stateNames = {
  [Status.needsAction]: 'open',
  [Status.inProcess]: 'doing',
  [Status.completed]: 'done',
  [Status.cancelled]: 'cancelled',
} as const;
