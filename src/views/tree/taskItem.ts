import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import type { ClickedRow } from '../../contributions/commandTargets';
import { hasAnchors } from '../../core/code/anchors';
import { bucketOf } from '../../core/fields/priority';
import { isPrivate } from '../../core/fields/privacy';
import { isClosed } from '../../core/fields/status';
import { estimateOf } from '../../core/fields/values';
import { type Occurrence, Status, type Task } from '../../core/kernel/model';
import { briefName, isolate, listed, numeral, rowLabel, t } from '../../shared/l10n';
import { isActive, movedFrom } from '../../ui/occurrences';
import type { DateStyle } from '../../ui/settings/settings';
import { claimedBy, claimWords } from '../../ui/text/claimText';
import { codeText } from '../../ui/text/codeLinks';
import { briefWhenLabel, rowMoment, treeRowLabel } from '../../ui/text/dateText';
import { localize } from '../../ui/text/errorText';
import { lengthText } from '../../ui/text/lengthText';
import { appendPlain } from '../../ui/text/plainText';
import { issueWord, refusedWord, waitingWord } from '../../ui/text/syncText';
import { taskIcon } from '../../ui/text/taskIcon';
import {
  accessibleLabel,
  blockedWords,
  openBlockers,
  parentWords,
  priorityWord,
  repeats,
  shownTags,
  type TaskContext,
  titleOf,
} from '../../ui/text/taskText';
import { fittingTexts, type RowTexts } from './rowWidth';

/** The position of a row, as far as it is known. */
interface RowGeometry {
  readonly width: number | undefined;
  readonly depth: number;
}

/** The facts about a task that are not in its row. */
export const factsOf = (engine: DuelineEngine, task: Task, style: DateStyle) => ({
  codeLocation: codeText(task),
  movedFrom: movedFrom(engine, task, style),
  blockedBy: openBlockers(engine, task),
  claimed: claimWords(engine, task),
  ...(isActive(engine, task) ? { isActive: true } : {}),
});

/** One task as a tree shows it. The id is unique within its tree, since two filters may show the same task. */
export function taskItem(
  row: Occurrence,
  id: string,
  hasChildren: boolean,
  context: TaskContext,
  { width, depth }: RowGeometry,
): vscode.TreeItem {
  const { task } = row;
  const closed = isClosed(task);
  const texts = textsOf(row, context);
  const { title, parts } =
    width === undefined
      ? { title: texts.title, parts: [...texts.musts.slice(0, 1), ...texts.others] }
      : fittingTexts(texts, width, depth);
  const item = new vscode.TreeItem(
    rowLabel(title),
    hasChildren ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None,
  );
  item.id = id;
  item.contextValue = flags(row, context);
  item.description = parts.join(' · ');
  item.checkboxState = {
    state: closed ? vscode.TreeItemCheckboxState.Checked : vscode.TreeItemCheckboxState.Unchecked,
    tooltip: closed ? t('Reopen') : t('Complete'),
    // The row says the rest: a reader that goes through the page would read it twice.
    accessibilityInformation: { label: isolate(titleOf(task)), role: 'checkbox' },
  };
  item.accessibilityInformation = { label: accessibleLabel(row, context) };
  item.iconPath = taskIcon(task, isBlocked(context));
  item.command = {
    command: 'dueline.open',
    title: t('Open Task'),
    arguments: [{ taskId: task.id, clicked: true } satisfies ClickedRow],
  };
  return item;
}

/** Flags that when-clauses match: `task.open.recurring.synced`, `task.done` … */
function flags({ task }: Occurrence, { syncProblem, isReadOnly, isActive, claimed }: TaskContext): string {
  return [
    isReadOnly ? 'readOnlyTask' : 'task',
    isClosed(task) ? 'done' : 'open',
    repeats(task) ? 'recurring' : undefined,
    task.parentId !== null ? 'child' : undefined,
    task.url || hasAnchors(task) ? 'linked' : undefined,
    task.href !== null ? 'synced' : undefined,
    task.isDirty ? 'dirty' : undefined,
    syncProblem && (syncProblem.kind === 'conflict' ? 'conflict' : 'refused'),
    task.status === Status.inProcess ? 'started' : undefined,
    isActive ? 'active' : undefined,
    claimed === undefined ? undefined : 'claimed',
  ]
    .filter(flag => flag !== undefined)
    .join('.');
}

const isBlocked = ({ blockedBy = [] }: TaskContext) => blockedBy.length > 0;

/** Signs for fields that a row has no room for; `accessibleLabel` has the words. */
const signsOf = (task: Task): string =>
  [task.alarms.length > 0 && '◷', task.url && '↗\ufe0e', task.description && '≡'].filter(Boolean).join(' ');

/**
 * "Yesterday, overdue · ↻ · ◷ · 2/5 · #home", without the parts that the task lacks. A sync problem that needs the user
 * is shown at any width.
 */
function textsOf(row: Occurrence, context: TaskContext): RowTexts {
  const { style, on, list, progress, syncProblem, codeLocation, claimed, blockedBy = [] } = context;
  const { task } = row;
  const minutes = estimateOf(task);
  const when = treeRowLabel(row, style, on);
  // Everything after a title has one color in a tree: only a word can show that a date is past.
  const late = row.isOverdue && !isClosed(task) ? t('overdue') : undefined;
  const shorter = when === undefined ? [late] : [isolate(when), isolate(briefWhenLabel(row, style, on) ?? when)];
  const dates = when === undefined || late === undefined ? shorter : [t('{0}, {1}', isolate(when), late), ...shorter];
  const besides = [repeats(task) ? '↻' : undefined, syncProblem && issueWord(syncProblem)];
  const musts = dates.flatMap(date => [date, ...besides].filter(part => part !== undefined).join(' · ') || []);
  const others = [
    claimed && isolate(claimed),
    isBlocked(context) ? blockedWords(blockedBy) : undefined,
    // No font has a sign of it on every system.
    isPrivate(task) && t('private'),
    minutes === undefined ? undefined : lengthText(minutes),
    signsOf(task),
    codeLocation,
    progress && progress.total > 0 ? `${numeral(progress.done)}/${numeral(progress.total)}` : undefined,
    ...shownTags(task).map(tag => isolate(`#${tag}`)),
    list ? isolate(briefName(list.name)) : undefined,
    waitingWord(task) && '↑',
  ];
  return { title: titleOf(task), musts, others: others.flatMap(part => part || []) };
}

const movedWords = ({ movedFrom }: TaskContext) => (movedFrom === undefined ? [] : [t('moved from {0}', movedFrom)]);

/** Shown on hover, made only then. */
export function taskTooltip(row: Occurrence, context: TaskContext): vscode.MarkdownString {
  const { task } = row;
  const text = new vscode.MarkdownString(undefined, true);
  appendPlain(text.appendMarkdown('**'), titleOf(task)).appendMarkdown('**\n\n');
  const when = rowMoment(row, context.style);
  const facts: readonly [icon: string, words: string | undefined | false][] = [
    ['list-tree', context.parent === undefined ? undefined : parentWords(context.parent)],
    ['calendar', when],
    ['lock', isBlocked(context) && blockedWords(context.blockedBy ?? [])],
    ['person', context.claimed && claimedBy(context.claimed)],
    ['flag', task.priority > 0 && priorityWord(bucketOf(task.priority))],
    ['sync', repeats(task) && listed([t('repeats'), ...movedWords(context)])],
    ['key', isPrivate(task) && t('private')],
    ['bell', task.alarms.length > 0 && t('has a reminder')],
    ['link', context.codeLocation],
    ['cloud-upload', waitingWord(task)],
    ['warning', context.syncProblem?.message && refusedWord()],
    ['git-compare', context.syncProblem?.kind === 'conflict' && issueWord(context.syncProblem)],
  ];
  for (const [icon, words] of facts)
    if (words) appendPlain(text.appendMarkdown(`$(${icon}) `), words).appendMarkdown(' &nbsp; ');
  text.appendMarkdown('\n\n');
  if (context.list)
    appendPlain(text.appendMarkdown('$(list-unordered) '), briefName(context.list.name)).appendMarkdown('\n\n');
  if (task.tags.length > 0) appendPlain(text.appendMarkdown('$(tag) '), listed(shownTags(task))).appendMarkdown('\n\n');
  if (context.syncProblem?.message) appendPlain(text, localize(context.syncProblem.message)).appendMarkdown('\n\n');
  if (task.description) appendPlain(text, excerpt(task.description));
  return text;
}

const excerpt = (text: string) => (text.length > 400 ? `${text.slice(0, 400)}…` : text);
