import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import { isDuelineError } from '../../core/errors';
import type { Id, Occurrence, Task, TaskList } from '../../core/model';
import { isolate, t } from '../../shared/l10n';
import { asked, showQuickPick } from '../../ui/dialogs';
import { explain } from '../../ui/errors';
import { showInformation } from '../../ui/notifications';
import { type DateStyle, dateStyle } from '../../ui/settings/settings';
import { whenLabel } from '../../ui/text/dateText';
import { titleOf } from '../../ui/text/taskText';
import { withIcon } from '../../ui/withIcon';

interface TaskChoice extends vscode.QuickPickItem {
  readonly task: Task;
}

/** `style` is asked for once for all rows: it takes several settings. */
export function taskChoice(row: Occurrence, style: DateStyle, lists: ReadonlyMap<Id, TaskList>): TaskChoice {
  const { task } = row;
  const when = whenLabel(row, style);
  return {
    label: isolate(titleOf(task)),
    description: [when, isolate(lists.get(task.listId)?.name ?? '')].filter(Boolean).join(' · '),
    detail: task.tags.length > 0 ? task.tags.map(tag => isolate(`#${tag}`)).join(' ') : undefined,
    task,
  };
}

/** The editor takes seconds to draw and match more than these; they are searched while the person types. */
const mostAtOnce = 1000;
const mostFound = 200;

/** The quick pick matches on label, description and detail; the most urgent open tasks stand first. */
export async function pickTask(
  engine: DuelineEngine,
  placeholder: string,
  query = 'sort:due,priority',
  nothing = t('No open tasks.'),
): Promise<Task | undefined> {
  const found = engine.query(query, { limit: mostAtOnce + 1 });
  if (found.length === 0) {
    void showInformation(nothing);
    return undefined;
  }
  if (found.length > mostAtOnce) return searchTask(engine, { placeholder, among: query });
  const lists = listsOf(engine);
  const style = dateStyle(engine);
  const picked = await showQuickPick(
    found.map(row => taskChoice(row, style, lists)),
    { placeHolder: placeholder, matchOnDescription: true, matchOnDetail: true },
  );
  return picked?.task;
}

interface TaskItem extends vscode.QuickPickItem {
  readonly task?: Task;
}

interface Search {
  readonly title?: string;
  readonly placeholder: string;
  readonly start?: string;
  /** A query that everything found matches too; what it finds first is shown before anything is typed. */
  readonly among?: string;
}

/** Live results of a query; plain words search titles, notes and tags. */
export function searchTask(
  engine: DuelineEngine,
  { title, placeholder, start = '', among = '' }: Search,
): Promise<Task | undefined> {
  const pick = vscode.window.createQuickPick<TaskItem>();
  pick.title = title;
  pick.placeholder = placeholder;
  pick.value = start;
  let waiting: NodeJS.Timeout | undefined;
  const look = () => {
    clearTimeout(waiting);
    waiting = undefined;
    pick.items = linesFor(engine, pick.value, among);
  };
  pick.onDidChangeValue(() => {
    clearTimeout(waiting);
    waiting = setTimeout(look, 80);
  });
  look();
  return asked(resolve => {
    let task: Task | undefined;
    pick.onDidAccept(() => {
      // Enter right after the last letter means what that finds; the editor has not marked a line of it yet.
      const isNew = waiting !== undefined;
      if (isNew) look();
      task = (isNew ? pick.items[0] : pick.activeItems[0])?.task;
      if (task) pick.hide();
    });
    pick.onDidHide(() => {
      clearTimeout(waiting);
      pick.dispose();
      resolve(task);
    });
    pick.show();
  });
}

function linesFor(engine: DuelineEngine, text: string, among: string): TaskItem[] {
  if (`${text}${among}`.trim() === '') return [];
  const lists = listsOf(engine);
  const style = dateStyle(engine);
  try {
    const found = engine.query(`${among} ${text}`, { limit: mostFound });
    if (found.length === 0) return [{ label: t('No tasks found.'), alwaysShow: true }];
    return found.map(row => ({ ...taskChoice(row, style, lists), alwaysShow: true }));
  } catch (error) {
    if (!isDuelineError(error)) throw error;
    return [{ ...withIcon('warning', explain(error)), alwaysShow: true }];
  }
}

/** By their ids, as {@link taskChoice} takes them. */
export const listsOf = (engine: DuelineEngine) => new Map(engine.lists().map(list => [list.id, list]));
