import { messageTable } from '../../core/kernel/message';

/** Why a step that is named by its id stays. */
export const undoMessage = messageTable({
  stepBuiltOn: 'Tasks that this step added were changed later. Undo the later changes first, or delete the tasks.',
  stepOverwritten: 'Later changes replaced this one. Undo those first.',
});
