import { messageTable } from '../../core/message';

/** Said where steps are named by their ids. The offline flavor does without it. */
export const undoMessage = messageTable({
  stepBuiltOn: 'Tasks that this step added were changed later. Undo the later changes first, or delete the tasks.',
});
