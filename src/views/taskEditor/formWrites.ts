import type { DuelineEngine } from '../../api';
import { type Id, Status, type Task } from '../../core/kernel/model';
import type { EditScope } from '../../core/recurrence/seriesEdit';
import { taskLines, withoutMark } from '../../core/text/taskLines';
import { isolate, t } from '../../shared/l10n';
import type { FromForm } from '../../shared/taskEditorProtocol';
import { type Announcement, perform } from '../../ui/announcements';
import { addedLinesText } from '../../ui/text/addedText';
import { repeatedText } from '../../ui/text/ruleText';
import { repeats, titleOf } from '../../ui/text/taskText';
import type { FormEdit } from './formEdit';
import { mergedNotes } from './mergedNotes';

/** Notes that were changed elsewhere since these were begun keep what was written there. */
export const withElsewhere = ({ field, value, base }: Extract<FromForm, { type: 'field' }>, { description }: Task) =>
  field === 'notes' && base !== undefined ? mergedNotes(base, value, description ?? '') : value;

/** Names an edit of a task; one that does several things is a change. */
export function textOfEdit(
  engine: Pick<DuelineEngine, 'lists'>,
  { patch, repeat, listId, isDated, anchors, blockers }: FormEdit,
  task: Task,
  scope: EditScope,
): string {
  const name = isolate(titleOf(task));
  const parts = [repeat, listId, anchors, blockers].filter(part => part !== undefined).length;
  const fields = Object.keys(patch);
  const [field] = fields;
  if (parts + (isDated ? 1 : fields.length) !== 1) return t('Changed {0}', name);
  if (repeat) return repeatedText(name, repeat.rule);
  if (listId !== undefined) {
    const list = engine.lists().find(({ id }) => id === listId);
    return t('Moved {0} to {1}', name, isolate(list?.name ?? ''));
  }
  if (isDated) return datedText(task, scope, name);
  if (field === 'title') return t('Renamed {0} to {1}', name, isolate(patch.title ?? ''));
  if (field === 'description') return t('Changed the notes of {0}', name);
  if (field === 'priority') return t('{0}: {1}', t('Priority set'), name);
  return patch.status === Status.completed ? t('Completed {0}', name) : t('Changed {0}', name);
}

function datedText(task: Task, scope: EditScope, name: string): string {
  if (!repeats(task)) return t('Rescheduled {0}', name);
  if (scope === 'this') return t('Rescheduled this occurrence only: {0}', name);
  return scope === 'following'
    ? t('Rescheduled this and following occurrences: {0}', name)
    : t('Rescheduled the entire series: {0}', name);
}

/** The line of the page that adds subtasks. */
type AddedLine = Extract<FromForm, { type: 'add' }>;

/** Adds one subtask, or one for each line that was pasted. */
export async function addSubtask(engine: DuelineEngine, parent: Task, line: AddedLine): Promise<Announcement> {
  const { text, rejected, as } = line;
  const options = { rejected, listId: parent.listId, parentId: parent.id };
  const lines = as === 'lines' ? taskLines(text) : [{ text: as === 'notes' ? withoutMark(text) : text }];
  const add = async (): Promise<readonly Id[]> =>
    as === 'lines' ? engine.quickAddLines(lines, options) : [await engine.quickAdd(lines[0]!.text, options)];
  return perform(engine, add, ids => addedLinesText(engine, ids, lines));
}
