// The parts of the trees that rows of tasks need.
export { parseQuery } from '../../query/parse/parser';
export { sortIn } from '../../query/parse/splitQuery';
export { openBlockers, parentTitle } from '../../ui/text/taskText';
export { groupFieldOf, groupItem, treeGroupsOf } from './groupedRows';
export { factsOf, taskItem, taskTooltip } from './taskItem';
