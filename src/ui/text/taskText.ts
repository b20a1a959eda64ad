import type { DuelineEngine } from '../../api';
import { readEstimate } from '../../core/fields/estimate';
import { bucketOf, type PriorityBucket } from '../../core/fields/priority';
import { isPrivate } from '../../core/fields/privacy';
import { isClosed } from '../../core/fields/status';
import { estimateOf } from '../../core/fields/values';
import { type Occurrence, Status, type Task, type TaskList } from '../../core/kernel/model';
import { isRecurring } from '../../core/recurrence/instances';
import type { Day } from '../../core/time/dates';
import { brief, briefName, currentLocale, isolate, isVisible, listed, plain, t, tn } from '../../shared/l10n';
import type { DateStyle } from '../settings/settings';
import { claimedBy } from './claimText';
import { dateSentence } from './dateText';
import { lengthText } from './lengthText';
import { issueWord, type SyncIssue, waitingWord } from './syncText';

export const priorityWord = (bucket: PriorityBucket) =>
  ({ high: t('high priority'), medium: t('medium priority'), low: t('low priority'), none: t('no priority') })[bucket];

/** True for a series and for each of its occurrences; one with a row of its own has no rule. */
export const repeats = (task: Pick<Task, 'rrule' | 'rdate' | 'masterId'>) =>
  task.masterId !== null || isRecurring(task);

/**
 * The title as it is shown, with a placeholder for one that is missing or invisible.
 *
 * @example
 * titleOf({ title: '\u200b' }) // 'Untitled task'
 */
export const titleOf = ({ title }: Pick<Task, 'title'>) =>
  title && isVisible(title) ? brief(title) : t('Untitled task');

/** The title as it is handed on, in full. */
export const fullTitleOf = ({ title }: Pick<Task, 'title'>) => plain(title ?? '') || t('Untitled task');

const maxTags = 12;

/** The tags that a row shows: not all of many, each of a bounded length. */
export const shownTags = ({ tags }: Pick<Task, 'tags'>): readonly string[] => tags.slice(0, maxTags).map(briefName);

export interface TaskContext {
  readonly style: DateStyle;
  readonly list?: TaskList;
  /** Subtasks: how many of how many are done. */
  readonly progress?: { readonly done: number; readonly total: number };
  readonly syncProblem?: SyncIssue;
  /** The list belongs to someone else, who only allows reading. */
  readonly isReadOnly?: boolean;
  /** The day that the heading above shows already. */
  readonly on?: Day;
  /** The occurrence's date in the series, if it has a date of its own. */
  readonly movedFrom?: string | undefined;
  /** Its time is being tracked. */
  readonly isActive?: boolean;
  /** The agent that has claimed it, in words. */
  readonly claimed?: string | undefined;
  /** The first of its code locations, in words. */
  readonly codeLocation?: string | undefined;
  /** Titles of the open tasks that it depends on. */
  readonly blockedBy?: readonly string[];
  /** The title of its parent, if the row is not below that. */
  readonly parent?: string | undefined;
}

/** The row as a screen reader reads it: title, state, blockers, date, priority, repeat, subtasks, tags, list. */
export function accessibleLabel(row: Occurrence, context: TaskContext): string {
  const { style, list, progress, syncProblem, movedFrom, codeLocation, claimed, blockedBy = [], parent } = context;
  const { task } = row;
  const minutes = estimateOf(task);
  return listed(
    [
      isolate(titleOf(task)),
      parent === undefined ? undefined : parentWords(parent),
      task.status === Status.completed ? t('completed') : task.status === Status.cancelled ? t('canceled') : undefined,
      task.status === Status.inProcess ? t('in progress') : undefined,
      blockedBy.length > 0 ? blockedWords(blockedBy) : undefined,
      claimed === undefined ? undefined : claimedBy(claimed),
      dateSentence(row, style),
      task.priority > 0 ? priorityWord(bucketOf(task.priority)) : undefined,
      minutes === undefined ? undefined : t('takes {0}', lengthText(minutes)),
      repeats(task) ? t('repeats') : undefined,
      movedFrom === undefined ? undefined : t('moved from {0}', movedFrom),
      isPrivate(task) ? t('private') : undefined,
      task.alarms.length > 0 ? t('has a reminder') : undefined,
      codeLocation === undefined ? (task.url ? t('has a link') : undefined) : t('linked to {0}', codeLocation),
      task.description ? t('has notes') : undefined,
      progress && progress.total > 0
        ? tn(progress.total, '{1} of {0} subtask done', '{1} of {0} subtasks done', progress.done)
        : undefined,
      task.tags.length > 0 ? t('tags {0}', listed(shownTags(task).map(isolate))) : undefined,
      list ? t('list {0}', isolate(briefName(list.name))) : undefined,
      waitingWord(task),
      syncProblem && issueWord(syncProblem),
    ].filter(part => part !== undefined),
  );
}

export const parentWords = (title: string): string => t('subtask of {0}', isolate(title));

/** The title of a task's parent. */
export function parentTitle(engine: Pick<DuelineEngine, 'task'>, { parentId }: Task): string | undefined {
  const parent = parentId === null ? undefined : engine.task(parentId);
  return parent && titleOf(parent);
}

/** A row names this many blockers, which is enough to distinguish most tasks. */
const maxNames = 3;

/** The titles of the open tasks that an open one depends on; none if it is ready. */
export function openBlockers(engine: Pick<DuelineEngine, 'blockersOf'>, task: Task): readonly string[] {
  if (isClosed(task)) return [];
  const blockers = engine.blockersOf(task).flatMap(({ task: blocker }) => blocker ?? []);
  return blockers.filter(blocker => !isClosed(blocker)).map(titleOf);
}

function named(titles: readonly string[]): string {
  const more = titles.length - maxNames;
  const names = titles.slice(0, maxNames).map(isolate);
  return listed(more > 0 ? [...names, tn(more, '{0} more', '{0} more')] : names);
}

export const blockedWords = (titles: readonly string[]): string => t('blocked by {0}', named(titles));

/** The text that names the tasks that a change has made ready. */
export const readyWords = (titles: readonly string[]): string => t('Now ready: {0}', named(titles));

/** The label of a chip for one recognized part. */
export function chipLabel({ kind, value, label }: { kind: string; value: string; label: string }): string {
  if (kind === 'priority') return priorityWord(bucketOf(Number(value)));
  if (kind === 'estimate') return lengthText(readEstimate(value)!);
  if (kind === 'repeat') return sentenceCase(plain(label));
  return kind === 'tag' ? `#${plain(label)}` : kind === 'template' ? `:${plain(label)}` : plain(label);
}

/** Begins a text with a capital, like the rules in a list. */
const sentenceCase = (text: string) => text.slice(0, 1).toLocaleUpperCase(currentLocale()) + text.slice(1);
