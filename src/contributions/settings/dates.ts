/** Days, weeks, repeats and reminders. */
import { defaultSettings } from '../../core/kernel/settings';
import { choice, choices, flag, integer, plainChoice, record, setOf, textSetting } from '../define';

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

export const dateSettings = {
  'dueline.day.startHour': integer(defaultSettings.dayStartHour, { minimum: 0, maximum: 6 }),
  'dueline.day.hours': record(
    Object.fromEntries(weekdays.map(day => [day, { type: 'number', minimum: 0, maximum: 24 } as const])),
    { isMarkdown: true },
  ),
  'dueline.week.firstDay': choice(['locale', 'monday', 'sunday', 'saturday'], defaultSettings.firstDay),
  'dueline.week.startToday': flag(defaultSettings.weekStartsToday),
  'dueline.upNext.days': integer(defaultSettings.upNextDays, { minimum: 1, maximum: 60 }),
  'dueline.today.include': choices(['overdue', 'due', 'startingToday'], defaultSettings.todayIncludes),
  'dueline.sort.default': textSetting(defaultSettings.sortDefault),
  'dueline.group.default': plainChoice(['none', 'due', 'priority', 'tag', 'status', 'list', 'done'], 'none', {
    isMarkdown: true,
  }),
  'dueline.recurrence.onComplete': choice(['auto', 'override', 'advance'], defaultSettings.onCompleteRecurring),
  'dueline.recurrence.defaultMode': choice(['due', 'completion'], 'due'),
  'dueline.recurrence.resetSubtasks': flag(defaultSettings.resetSubtasks),
  'dueline.reminders.default': choice(['off', 'timed', 'all'], 'timed', { isMarkdown: true }),
  'dueline.reminders.display': choice(['notification', 'modal', 'statusBar'], 'notification'),
  'dueline.reminders.allDayTime': textSetting(defaultSettings.allDayAlarmTime, {
    pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  }),
  'dueline.reminders.enabled': flag(true),
  'dueline.reminders.catchUp': flag(true),
  'dueline.reminders.snoozeOptions': setOf<string>(
    { type: 'string', pattern: '^(\\d{1,4}[mhdw]|tonight|tomorrow|nextWeek)$' },
    ['10m', '1h', 'tonight', 'tomorrow', 'nextWeek'],
    { isMarkdown: true },
  ),
  'dueline.reminders.quietHours': textSetting('', {
    pattern: '^$|^([01]?\\d|2[0-3]):[0-5]\\d\\s*[-–]\\s*(([01]?\\d|2[0-3]):[0-5]\\d|24:00)$',
    isMarkdown: true,
  }),
  'dueline.reminders.quietWhileDebugging': flag(true),
};
