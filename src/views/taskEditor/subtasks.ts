import type { DuelineEngine } from '../../api';
import type { Id, Task } from '../../core/model';
import { taskLines, withoutMark } from '../../core/taskLines';
import type { FromForm, ToForm } from '../../shared/taskEditorProtocol';
import { addedText } from '../../ui/text/addedText';
import { quickAddPreview } from '../widgets/answers';

type Said<Type extends FromForm['type']> = Extract<FromForm, { type: Type }>;

/** What Quick Add makes of the line. A subtask is in its parent's list, so that no other one is offered to be made. */
export function subtaskPreview(engine: DuelineEngine, request: Omit<Said<'understand'>, 'type'>): ToForm {
  const { unknownList: _list, ...preview } = quickAddPreview(engine, request) as Extract<
    ToForm,
    { type: 'understood' }
  >;
  return preview;
}

/** One subtask, or one of each line that was pasted. */
export async function addSubtask(engine: DuelineEngine, parent: Task, request: Said<'add'>): Promise<ToForm> {
  const { text, rejected, as } = request;
  const options = { rejected, listId: parent.listId, parentId: parent.id };
  const ids: readonly Id[] =
    as === 'lines'
      ? await engine.quickAddLines(taskLines(text), options)
      : [await engine.quickAdd(as === 'notes' ? withoutMark(text) : text, options)];
  return { type: 'added', request: request.request, text: addedText(engine, ids) };
}
