/** Language, trees, widgets, the status bar and code. */

import { defaultSettings } from '../../core/kernel/settings';
import { type SetupPart, type WidgetDefinition, widgets } from '../../query/agenda/widgets';
import { partsOfToday, todayQuery } from '../../query/eval/builtInFilters';
import { choice, flag, plainChoice, record, type Schema, setOf, textSetting } from '../define';

const group = (...more: string[]): Schema => ({
  type: 'string',
  enum: [...more, 'due', 'list', 'priority', 'tag', 'status'],
});

const setupOf: Readonly<Record<SetupPart, Readonly<Record<string, Schema>>>> = {
  group: { group: group('none') },
  stacked: { stacked: { type: 'boolean' } },
  columns: {
    group: group(),
    rows: group(),
    tags: { type: 'string' },
    limits: { type: 'object' },
    collapsed: { type: 'array', items: { type: 'string' } },
  },
};

/** The value that a widget's setup form writes. */
const widgetSetup = ({ setup }: WidgetDefinition): Schema => ({
  type: 'object',
  additionalProperties: false,
  properties: {
    lists: { type: 'array', items: { type: 'string' } },
    filter: { type: 'string' },
    title: { type: 'string' },
    sort: { type: 'string' },
    ...(setup && setupOf[setup]),
    limit: { type: 'integer', minimum: 1 },
  },
});

export const displaySettings = {
  'dueline.display.language': plainChoice(['auto', 'en-US', 'en-GB', 'de-DE', 'pt-BR', 'fr-FR', 'ar'], 'auto', {
    enumItemLabels: ['auto', 'English (US)', 'English (UK)', 'Deutsch', 'Português (Brasil)', 'Français', 'العربية'],
    isMarkdown: true,
  }),
  'dueline.display.locale': textSetting('auto', { isMarkdown: true }),
  'dueline.display.dateFormat': choice(['relative', 'short', 'iso'], defaultSettings.dateFormat),
  'dueline.display.timeFormat': choice(['auto', '12h', '24h'], defaultSettings.timeFormat),
  'dueline.tree.showCompleted': flag(false),
  'dueline.tree.nestSubtasks': flag(true, { isMarkdown: true }),
  'dueline.tree.sort': textSetting('manual', { isMarkdown: true }),
  'dueline.tree.dropOnTask': choice(['auto', 'subtask', 'reorder'], 'auto'),
  'dueline.tree.letterKeys': flag(true, { isMarkdown: true }),
  'dueline.tree.showListName': flag(true),
  'dueline.widgets': record(
    Object.fromEntries(Object.entries(widgets).map(([kind, definition]) => [kind, widgetSetup(definition)])),
  ),
  'dueline.meetings.show': flag(true),
  'dueline.badge.count': choice(['overdueAndToday', 'overdue', 'off'], 'overdueAndToday'),
  'dueline.statusBar.enabled': flag(true),
  'dueline.statusBar.query': textSetting(todayQuery(partsOfToday), { isMarkdown: true }),
};

/** Links to code, TODO comments, branches and commits. */
export const codeSettings = {
  'dueline.links.show': choice(['endOfLine', 'codeLens', 'off'], 'endOfLine'),
  'dueline.links.syncPaths': flag(false),
  'dueline.todos.scope': choice(['openFiles', 'branch', 'off'], 'openFiles', { isMarkdown: true }),
  'dueline.todos.words': setOf<string>({ type: 'string' }, ['TODO', 'FIXME', 'HACK', 'XXX', 'BUG']),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the signs that stand for the title and the short ID.
  'dueline.git.branchName': textSetting('${slug}-${id}', { isMarkdown: true }),
  'dueline.git.trailer': choice(['never', 'always'], 'never', { isMarkdown: true }),
};
