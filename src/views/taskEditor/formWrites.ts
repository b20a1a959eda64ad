import type { DuelineEngine } from '../../api';
import type { Id, Task } from '../../core/model';
import { taskLines, withoutMark } from '../../core/taskLines';
import type { FromForm, ToForm } from '../../shared/taskEditorProtocol';
import { codePlaces } from '../../ui/taskLinks';
import { addedText } from '../../ui/text/addedText';
import type { EditedTask } from './editedTask';
import type { FormEdit } from './formChanges';
import { mergedNotes } from './mergedNotes';

/** Notes that were changed elsewhere since these were begun keep what was written there. */
export const withElsewhere = ({ field, value, base }: Extract<FromForm, { type: 'field' }>, { description }: Task) =>
  field === 'notes' && base !== undefined ? mergedNotes(base, value, description ?? '') : value;

/** The address of a file in the open folders becomes a place in code; an occurrence has none of its own. */
export async function withPlace(edit: FormEdit, edited: EditedTask | undefined): Promise<FormEdit> {
  const { url } = edit.patch;
  const place = url && edited && edited.rowId === edited.id ? await codePlaces()?.atLink(url) : undefined;
  return place ? { ...edit, patch: { ...edit.patch, url: null }, anchors: { add: [place.anchor] } } : edit;
}

/** The line of the page that adds subtasks. */
type AddedLine = Extract<FromForm, { type: 'add' }>;

/** Adds one subtask, or one for each line that was pasted. */
export async function addSubtask(engine: DuelineEngine, parent: Task, line: AddedLine): Promise<ToForm> {
  const { text, rejected, request, as } = line;
  const options = { rejected, listId: parent.listId, parentId: parent.id };
  const ids: readonly Id[] =
    as === 'lines'
      ? await engine.quickAddLines(taskLines(text), options)
      : [await engine.quickAdd(as === 'notes' ? withoutMark(text) : text, options)];
  return { type: 'added', request, text: addedText(engine, ids) };
}
