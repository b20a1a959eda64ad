/** Ids that the code and the definitions share, beside those of commands and settings. */
import { serverContextKeys } from './serverIds';

export const views = {
  container: 'dueline',
  today: 'dueline.today',
  lists: 'dueline.lists',
  filters: 'dueline.filters',
  panel: 'duelineWidgets',
  upNext: 'dueline.widgets.upNext',
  week: 'dueline.widgets.week',
  widgetLists: 'dueline.widgets.lists',
  tasks: 'dueline.widgets.tasks',
} as const;

/** Kinds of editor tabs; the manifest names them where it says what starts the extension. */
export const panels = { widget: 'dueline.widget', taskEditor: 'dueline.taskEditor' } as const;

/** Context keys that when-clauses may name. */
export const contextKeys = {
  /** 'opening', 'ready' or 'failed'. */
  state: 'dueline.state',
  flavor: 'dueline.flavor',
  ...serverContextKeys,
  filterActive: 'dueline.filterActive',
  canUndo: 'dueline.canUndo',
  canRedo: 'dueline.canRedo',
  /** A picker or an input box of Dueline is open. */
  asking: 'dueline.asking',
} as const;
