import * as vscode from 'vscode';
import type { ClickedRow } from '../../contributions/commandTargets';
import { type Occurrence, Status } from '../../core/model';
import { bucketOf } from '../../core/priority';
import { isClosed } from '../../core/status';
import { briefName, isolate, listed, numeral, rowLabel, t } from '../../shared/l10n';
import { rowMoment, treeWhenLabel } from '../../ui/text/dateText';
import { localize } from '../../ui/text/errorText';
import { refusedWord, troubleWord, waitingWord } from '../../ui/text/syncText';
import { accessibleLabel, priorityWord, repeats, shownTags, type TaskContext, titleOf } from '../../ui/text/taskText';

/** One task as a tree shows it. The id is unique within its tree, since two filters may show the same task. */
export function taskItem(row: Occurrence, id: string, hasChildren: boolean, around: TaskContext): vscode.TreeItem {
  const { task } = row;
  const closed = isClosed(task);
  const item = new vscode.TreeItem(
    rowLabel(titleOf(task)),
    hasChildren ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None,
  );
  item.id = id;
  item.contextValue = flags(row, around);
  item.description = describe(row, around);
  item.checkboxState = {
    state: closed ? vscode.TreeItemCheckboxState.Checked : vscode.TreeItemCheckboxState.Unchecked,
    tooltip: closed ? t('Reopen') : t('Complete'),
    accessibilityInformation: { label: accessibleLabel(row, around), role: 'checkbox' },
  };
  item.accessibilityInformation = { label: accessibleLabel(row, around) };
  const icon = iconOf(row);
  if (icon) item.iconPath = icon;
  item.command = {
    command: 'dueline.open',
    title: t('Open Task'),
    arguments: [{ taskId: task.id, clicked: true } satisfies ClickedRow],
  };
  return item;
}

/** Flags that when-clauses match: `task.open.recurring.synced`, `task.done` … */
function flags({ task }: Occurrence, { trouble, isReadOnly, reminds }: TaskContext): string {
  return [
    isReadOnly ? 'readOnlyTask' : 'task',
    isClosed(task) ? 'done' : 'open',
    repeats(task) ? 'recurring' : undefined,
    task.parentId !== null ? 'child' : undefined,
    task.url ? 'linked' : undefined,
    task.href !== null ? 'synced' : undefined,
    task.isDirty ? 'dirty' : undefined,
    trouble && (trouble.kind === 'conflict' ? 'conflict' : 'refused'),
    reminds ? 'reminded' : undefined,
  ]
    .filter(flag => flag !== undefined)
    .join('.');
}

/** "Yesterday · ↻ · #home · 2/5", only what there is. */
function describe(row: Occurrence, { style, list, progress, trouble, on, isCompact }: TaskContext): string {
  const { task } = row;
  const when = treeWhenLabel(row, style, on);
  const date = when === undefined ? undefined : isolate(when);
  // What sync needs a person for is said in any density.
  if (isCompact) return [date, trouble && troubleWord(trouble)].filter(part => part !== undefined).join(' · ');
  return [
    date,
    repeats(task) ? '↻' : undefined,
    progress && progress.total > 0 ? `${numeral(progress.done)}/${numeral(progress.total)}` : undefined,
    ...shownTags(task).map(tag => isolate(`#${tag}`)),
    list ? isolate(briefName(list.name)) : undefined,
    waitingWord(task) && '↑',
    trouble && troubleWord(trouble),
  ]
    .filter(part => part !== undefined)
    .join(' · ');
}

/** Urgency as a shape and a theme colour; nothing for a task without either, so that rows stay calm. */
function iconOf(row: Occurrence): vscode.ThemeIcon | undefined {
  const { task } = row;
  if (isClosed(task)) return undefined;
  if (row.isOverdue) return new vscode.ThemeIcon('flame', new vscode.ThemeColor('list.errorForeground'));
  const bucket = bucketOf(task.priority);
  if (bucket === 'high') return new vscode.ThemeIcon('arrow-up', new vscode.ThemeColor('list.errorForeground'));
  if (bucket === 'medium') return new vscode.ThemeIcon('dash', new vscode.ThemeColor('list.warningForeground'));
  if (bucket === 'low') return new vscode.ThemeIcon('arrow-down', new vscode.ThemeColor('descriptionForeground'));
  if (task.status === Status.inProcess) return new vscode.ThemeIcon('play-circle');
  return undefined;
}

const movedWords = ({ movedFrom }: TaskContext) => (movedFrom === undefined ? [] : [t('moved from {0}', movedFrom)]);

/** Shown on hover, made only then. */
export function taskTooltip(row: Occurrence, around: TaskContext): vscode.MarkdownString {
  const { task } = row;
  const text = new vscode.MarkdownString(undefined, true);
  text.appendMarkdown('**').appendText(titleOf(task)).appendMarkdown('**\n\n');
  const when = rowMoment(row, around.style);
  const facts = [
    when && `$(calendar) ${when}`,
    task.priority > 0 && `$(flag) ${priorityWord(bucketOf(task.priority))}`,
    repeats(task) && `$(sync) ${listed([t('repeats'), ...movedWords(around)])}`,
    task.alarms.length > 0 && `$(bell) ${t('has a reminder')}`,
    waitingWord(task) && `$(cloud-upload) ${waitingWord(task)}`,
  ].filter(fact => typeof fact === 'string');
  if (around.trouble?.message) facts.push(`$(warning) ${refusedWord()}`);
  if (around.trouble?.kind === 'conflict') facts.push(`$(git-compare) ${troubleWord(around.trouble)}`);
  if (facts.length > 0) text.appendMarkdown(`${facts.join(' &nbsp; ')}\n\n`);
  if (around.list)
    text.appendMarkdown('$(list-unordered) ').appendText(briefName(around.list.name)).appendMarkdown('\n\n');
  if (task.tags.length > 0)
    text
      .appendMarkdown('$(tag) ')
      .appendText(listed(shownTags(task)))
      .appendMarkdown('\n\n');
  if (around.trouble?.message) text.appendText(localize(around.trouble.message)).appendMarkdown('\n\n');
  if (task.description) text.appendText(excerpt(task.description));
  return text;
}

const excerpt = (text: string) => (text.length > 400 ? `${text.slice(0, 400)}…` : text);
