/** Ids that the code and the definitions share, except those of commands and settings. */
import { type WidgetKind, widgets } from '../query/agenda/widgets';
import { serverContextKeys } from './serverIds';

export const containers = { sidebar: 'dueline', panel: 'duelineWidgets' } as const;

/** Trees. */
export const views = { lists: 'dueline.lists', filters: 'dueline.filters', todos: 'dueline.todos' } as const;

export const widgetViewId = (kind: WidgetKind) =>
  widgets[kind].view.container === 'sidebar' ? `dueline.${kind}` : `dueline.widgets.${kind}`;

/** A view's title hands nothing to its buttons: each is a command of each view, besides the one for any widget. */
export const widgetButton = (
  command: 'dueline.widget.configure' | 'dueline.widget.editAsText',
  kind: WidgetKind,
): string => `${command}.${kind}`;

/** Kinds of editor tabs; the manifest names them in its activation events. */
export const panels = { widget: 'dueline.widget', taskEditor: 'dueline.taskEditor' } as const;

/** The scheme of the files that the notes of tasks are. */
export const notesScheme = 'dueline-notes';

/** The scheme, and the language, of texts of tasks. */
export const textScheme = 'dueline';
export const textLanguage = 'dueline-tasks';

/**
 * Context keys that when-clauses may name.
 *
 * @example
 * vscode.commands.executeCommand('setContext', contextKeys.canUndo, true);
 */
export const contextKeys = {
  /** 'opening', 'ready' or 'failed'. */
  state: 'dueline.state',
  flavor: 'dueline.flavor',
  ...serverContextKeys,
  /** TODO comments are listed, even if there are none; those of the workspace also while the setting is off. */
  listsTodos: 'dueline.listsTodos',
  /** Calendars are chosen whose meetings are shown. */
  hasCalendars: 'dueline.hasCalendars',
  filterActive: 'dueline.filterActive',
  canUndo: 'dueline.canUndo',
  canRedo: 'dueline.canRedo',
  /** A picker or an input box of Dueline is open. */
  asking: 'dueline.asking',
  /** Such a picker offers a name in the place of the one that is being typed. */
  suggesting: 'dueline.suggesting',
} as const;
