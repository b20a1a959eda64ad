import type { DuelineEngine, ParsedQuickAdd } from '../../api';
import { foldCase } from '../../query/eval/foldCase';
import { isolate, t } from '../../shared/l10n';

/**
 * Why a list that a text names takes no tasks, so that the name stays in the title; nothing while the text ends in the
 * beginning of a list's name.
 */
export function unknownListText(
  engine: Pick<DuelineEngine, 'lists'>,
  noList: ParsedQuickAdd['noList'],
  text: string,
): string | undefined {
  if (!noList) return undefined;
  const { name, to, why } = noList;
  if (why === 'subtask') return t('Subtasks stay in the list of their parent task');
  if (why === 'readOnly') return t('The list {0} is read-only', isolate(name));
  const isBegun = to === text.length && engine.lists().some(list => foldCase(list.name).startsWith(foldCase(name)));
  return isBegun ? undefined : t('No list named {0}', isolate(name));
}
