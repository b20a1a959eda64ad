import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import type { SettingId, SettingValue } from '../../contributions/definitions';
import { wholeTemplates } from '../../core/exchange/wholeTemplates';
import type { DateFormat, TimeFormat } from '../../core/kernel/dateFormats';
import { defaultSettings, type EngineSettings, type SavedFilter, type Template } from '../../core/kernel/settings';
import type { Clock } from '../../core/time/clock';
import { firstDayOf } from '../../core/time/weekStart';
import { baseOf, localeOf } from '../../shared/language';
import { DeclaredSettings, type DeclaringManifest } from './declaredSettings';
import { serverSettings } from './syncSettings';
import { workspaceList } from './workspaceList';

/**
 * The value of a setting; the default if the value does not fit its declaration in package.json, since people write
 * settings by hand.
 *
 * @example
 * setting('dueline.day.startHour') // 4, or 0 if settings.json says '4'
 */
export function setting<K extends SettingId>(id: K): SettingValue<K> {
  const value = vscode.workspace.getConfiguration().get(id);
  return (declared ? declared.valid(id, value) : value) as SettingValue<K>;
}

let declared: DeclaredSettings | undefined;

/** Once, before the first setting is read. */
export function declareSettings(manifest: DeclaringManifest): void {
  declared = new DeclaredSettings(manifest);
}

export const writeSetting = <K extends SettingId>(
  id: K,
  value: SettingValue<K>,
  target = vscode.ConfigurationTarget.Global,
) => vscode.workspace.getConfiguration().update(id, value, target);

/** The part of the settings that the engine works by. */
export function engineSettings(): EngineSettings {
  return {
    ...defaultSettings,
    dayStartHour: setting('dueline.day.startHour'),
    firstDay: setting('dueline.week.firstDay'),
    weekStartsToday: setting('dueline.week.startToday'),
    onCompleteRecurring: setting('dueline.recurrence.onComplete'),
    resetSubtasks: setting('dueline.recurrence.resetSubtasks'),
    completeSubtasks: setting('dueline.completion.completeSubtasks'),
    allDayAlarmTime: setting('dueline.reminders.allDayTime'),
    defaultReminder: setting('dueline.reminders.default'),
    defaultAlarms: setting('dueline.defaults.reminderMinutes').map(minutesBefore => ({ minutesBefore })),
    defaultPriority: setting('dueline.defaults.priority'),
    upNextDays: setting('dueline.upNext.days'),
    sortDefault: setting('dueline.sort.default'),
    defaultList: setting('dueline.defaultList'),
    workspaceList: String(workspaceList() ?? ''),
    filters: savedFilters(),
    templates: savedTemplates(),
    ...serverSettings(setting),
    locale: displayLocale(),
    ...dateFormats(),
    quickAddLanguage: setting('dueline.quickAdd.language'),
    quickAddDates: setting('dueline.quickAdd.parseDates'),
    quickAddSyntax: setting('dueline.quickAdd.syntax'),
    todayIncludes: setting('dueline.today.include'),
    trashRetentionDays: setting('dueline.trash.retentionDays'),
    idleMinutes: setting('dueline.time.idleMinutes'),
    backupDaily: setting('dueline.backup.enabled'),
    backupDaysKept: setting('dueline.backup.keep'),
  };
}

export const savedFilters = (): SavedFilter[] => wholeFilters(setting('dueline.filters'));

export const savedTemplates = (): Template[] => wholeTemplates(setting('dueline.templates'));

/** Saved filters that are whole; a hand-edited entry without a name or a query is skipped. */
export const wholeFilters = (entries: readonly unknown[]): SavedFilter[] =>
  entries
    .map(entry => entry as Partial<SavedFilter> | null)
    .filter(entry => typeof entry?.name === 'string' && typeof entry?.query === 'string')
    .map(entry => ({ ...(entry as SavedFilter), id: typeof entry!.id === 'string' ? entry!.id : entry!.name! }));

/** Asked for once: an answer takes a tenth of a millisecond, and each reading of the settings needs one. */
export const systemLocale = Intl.DateTimeFormat().resolvedOptions().locale;

/**
 * The locale of dates and numbers: the setting, else the display language if it names a region, else the system's
 * locale if that has the display language.
 */
export function displayLocale(): string {
  const chosen = localeOf(setting('dueline.display.locale'));
  if (chosen !== undefined) return chosen;
  const language = setting('dueline.display.language');
  const words = language === 'auto' ? vscode.env.language : language;
  const namesRegion = words.includes('-');
  return !namesRegion && baseOf(systemLocale) === baseOf(words) ? systemLocale : words;
}

/** How dates are put into words; the same for trees, widgets and pickers. */
export interface DateStyle {
  readonly clock: Clock;
  readonly startHour: number;
  /** 0 Sunday … 6 Saturday. */
  readonly firstDay: number;
  readonly weekStartsToday?: boolean;
  readonly dateFormat: DateFormat;
  readonly timeFormat: TimeFormat;
}

/**
 * The user's way to see dates, read from the settings each time.
 *
 * @example
 * momentLabel(due, task, dateStyle(engine)) // 'Tomorrow 9:00'
 */
export const dateStyle = (engine: Pick<DuelineEngine, 'clock'>): DateStyle => ({
  clock: engine.clock,
  startHour: setting('dueline.day.startHour'),
  firstDay: firstDayOf(setting('dueline.week.firstDay'), displayLocale()),
  weekStartsToday: setting('dueline.week.startToday'),
  ...dateFormats(),
});

const dateFormats = () => ({
  dateFormat: setting('dueline.display.dateFormat'),
  timeFormat: setting('dueline.display.timeFormat'),
});
