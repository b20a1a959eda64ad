// The parts of the engine that a start does not need.
export { withBranch } from '../../core/code/branches';
export { exportTasks } from '../../core/exchange/exchange';
export { completeQuery } from '../../query/help/complete';
export { explainQuery } from '../../query/help/explain';
export { wordsOf } from '../../query/help/similar';
export { AnchorIndex } from '../anchorIndex';
export { captureLines, captureTask, parseQuickAddText, readDate } from '../capture';
export { changeBlockers } from '../changeBlockers';
export { importTasks } from '../importTasks';
export { keepPlan } from '../keepPlan';
export { createList, ensureInbox, existingList, updateList } from '../listEditor';
export { engineMessage } from '../messages';
export { moveTask } from '../move';
export { moveListToAccount } from '../moveList';
export { ShortIds } from '../shortIds';
export { TaskEditor } from '../taskEditor';
export { TaskText } from '../text/taskText';
export { restoreAll, Trash } from '../trash';
