// The parts of the engine that a start does not need.
export { exportTasks } from '../../core/exchange/exchange';
export { completeQuery } from '../../core/filter/help/complete';
export { explainQuery } from '../../core/filter/help/explain';
export { wordsOf } from '../../core/filter/help/similar';
export { applyChange } from '../applyChange';
export { captureLines, captureTask, parseQuickAddText } from '../capture';
export { importTasks } from '../importTasks';
export { createList, ensureInbox, existingList, updateList } from '../listEditor';
export { moveListToAccount } from '../moveList';
export { TaskEditor } from '../taskEditor';
export { restoreAll, Trash } from '../trash';
