import type * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import { bucketOf } from '../../core/fields/priority';
import type { Id, Occurrence, Task, TaskList } from '../../core/kernel/model';
import { isolate } from '../../shared/l10n';
import type { DateStyle } from '../../ui/settings/settings';
import { treeWhenLabel } from '../../ui/text/dateText';
import { priorityWord, titleOf } from '../../ui/text/taskText';

interface TaskChoice extends vscode.QuickPickItem {
  readonly task: Task;
}

/** `style` is asked for once for all rows: it takes several settings. */
export function taskChoice(
  row: Occurrence,
  style: DateStyle,
  lists: ReadonlyMap<Id, TaskList>,
  parent?: Pick<Task, 'title'>,
): TaskChoice {
  const { task } = row;
  const when = treeWhenLabel(row, style);
  const bucket = bucketOf(task.priority);
  return {
    // A step means little without its task.
    label: parent ? `${isolate(titleOf(task))} › ${isolate(titleOf(parent))}` : isolate(titleOf(task)),
    description: [when, isolate(lists.get(task.listId)?.name ?? ''), bucket === 'none' ? '' : priorityWord(bucket)]
      .filter(Boolean)
      .join(' · '),
    detail: task.tags.length > 0 ? task.tags.map(tag => isolate(`#${tag}`)).join(' ') : undefined,
    task,
  };
}

/** The lists by their ids, for {@link taskChoice}. */
export const listsById = (engine: Pick<DuelineEngine, 'lists'>) => new Map(engine.lists().map(list => [list.id, list]));
