/** Tasks, quick add, completion, the trash and backups. */
import { defaultSettings } from '../../core/kernel/settings';
import { arraySetting, choice, flag, integer, setOf, textSetting } from '../define';

export const taskSettings = {
  'dueline.defaultList': textSetting(defaultSettings.defaultList, { scope: 'window', restricted: true }),
  'dueline.defaults.priority': integer(defaultSettings.defaultPriority, { minimum: 0, maximum: 9 }),
  'dueline.defaults.reminderMinutes': setOf<number>({ type: 'integer', minimum: 0 }, []),
  'dueline.quickAdd.language': choice(['auto', 'en', 'de', 'fr', 'pt', 'ar'], defaultSettings.quickAddLanguage),
  'dueline.quickAdd.parseDates': flag(defaultSettings.quickAddDates, { isMarkdown: true }),
  'dueline.quickAdd.syntax': choice(['default', 'todoist'], defaultSettings.quickAddSyntax),
  'dueline.completion.undoSeconds': integer(8, { minimum: 0, maximum: 120 }),
  'dueline.completion.confirmDelete': choice(['always', 'whenHasSubtasks', 'never'], 'whenHasSubtasks'),
  'dueline.completion.completeSubtasks': choice(['ask', 'always', 'never'], defaultSettings.completeSubtasks),
  'dueline.time.idleMinutes': integer(defaultSettings.idleMinutes, { minimum: 0, maximum: 1440 }),
  'dueline.trash.retentionDays': integer(defaultSettings.trashRetentionDays, {
    scope: 'machine',
    minimum: 1,
    maximum: 3650,
  }),
  'dueline.backup.enabled': flag(defaultSettings.backupDaily, { scope: 'machine' }),
  'dueline.backup.keep': integer(defaultSettings.backupDaysKept, { scope: 'machine', minimum: 1, maximum: 365 }),
  'dueline.filters': arraySetting<unknown>(
    {
      type: 'object',
      required: ['name', 'query'],
      additionalProperties: false,
      properties: {
        id: { type: 'string' },
        name: { type: 'string' },
        query: { type: 'string' },
        icon: { type: 'string' },
        color: { type: 'string' },
        pinned: { type: 'boolean' },
      },
    },
    defaultSettings.filters,
    { scope: 'window', restricted: true },
  ),
  'dueline.templates': arraySetting<unknown>(
    { type: 'object', required: ['name'], properties: { name: { type: 'string' }, title: { type: 'string' } } },
    defaultSettings.templates,
    { isMarkdown: true },
  ),
};
