import type { DuelineEngine } from '../../api';
import type { Task } from '../../core/kernel/model';
import { t } from '../../shared/l10n';
import { showQuickPick } from '../../ui/dialogs';
import { showInformation } from '../../ui/notifications';
import { dateStyle } from '../../ui/settings/settings';
import { searchTask } from './searchTask';
import { listsById, taskChoice } from './taskChoice';

/** The editor takes seconds to draw and match more than these; they are searched while the user types. */
const maxRows = 1000;

/** The quick pick matches on label, description and detail; the most urgent open tasks come first. */
export async function pickTask(
  engine: DuelineEngine,
  placeholder: string,
  query = 'sort:due,priority',
  nothing = t('No open tasks.'),
): Promise<Task | undefined> {
  const found = engine.query(query, { limit: maxRows + 1 });
  if (found.length === 0) {
    void showInformation(nothing);
    return undefined;
  }
  if (found.length > maxRows) return searchTask(engine, { placeholder, among: query });
  const lists = listsById(engine);
  const style = dateStyle(engine);
  const picked = await showQuickPick(
    found.map(row => taskChoice(row, style, lists)),
    { placeHolder: placeholder, matchOnDescription: true, matchOnDetail: true },
  );
  return picked?.task;
}
