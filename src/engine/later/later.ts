// The parts of the engine that a start does not need.
export { exportTasks } from '../../core/exchange/exchange';
export { completeQuery } from '../../query/help/complete';
export { explainQuery } from '../../query/help/explain';
export { wordsOf } from '../../query/help/similar';
export { captureLines, captureTask, parseQuickAddText, readDate } from '../capture';
export { importTasks } from '../importTasks';
export { keepPlan } from '../keepPlan';
export { createList, ensureInbox, existingList, updateList } from '../listEditor';
export { moveTask } from '../move';
export { moveListToAccount } from '../moveList';
export { TaskEditor } from '../taskEditor';
export { TaskText } from '../text/taskText';
export { restoreAll, Trash } from '../trash';
